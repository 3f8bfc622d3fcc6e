package identifiers

import "bytes"

// emails finds mail addresses. What merely has the shape is left out: a
// version behind a module's name, an image at a scale, the user of a remote
// such as git@host:path, and the user part of a URL.
func emails(b []byte, spans []span) []span {
	last := 0 // never look back past the address before
	for at := 0; ; {
		i := bytes.IndexByte(b[at:], '@')
		if i < 0 {
			return spans
		}
		at += i
		start, end := local(b, at, last), domain(b, at+1)
		at++
		if start < 0 || end < 0 || remote(b, start, at-1, end) {
			continue
		}
		spans = append(spans, span{start, end})
		at, last = end, end
	}
}

// isMail is what an address may hold beside dots: letters beyond ASCII too.
func isMail(c byte) bool { return isWord(c) || c == '-' || c >= 0x80 }

// local is where the part before the at sign begins, or -1.
func local(b []byte, at, last int) int {
	start := at
	for start > last && at-start < 64 {
		c := b[start-1]
		if !isMail(c) && c != '.' && c != '_' && c != '+' && c != '%' && c != '\'' {
			break
		}
		start--
	}
	for start < at && (b[start] == '.' || b[start] == '\'' || b[start] == '-') {
		start++
	}
	if start == at || b[at-1] == '.' {
		return -1
	}
	return start
}

// domain is where a dotted name that ends in letters ends, or -1.
func domain(b []byte, at int) int {
	end, dot, versions, labels := -1, 0, 0, 0
	for i := at; i-at < 255; {
		j := i
		for j < len(b) && j-at < 255 && isMail(b[j]) {
			j++
		}
		whole := j
		for j > i && b[j-1] == '-' {
			j--
		}
		if j == i || b[i] == '-' {
			break
		}
		labels++
		if version(b[i:j]) {
			versions++
		}
		if i > at && top(b[i:j]) {
			end, dot = j, i
		}
		if j < whole || j >= len(b) || b[j] != '.' {
			break
		}
		i = j + 1
	}
	// mod@v1.2.0.info: every label but the last is a version's.
	if end < 0 || versions > 0 && versions >= labels-1 || filename(b[dot:end]) {
		return -1
	}
	return end
}

// top reports a last label: two letters or more, or an internationalised one.
func top(label []byte) bool {
	if len(label) < 2 {
		return false
	}
	if bytes.HasPrefix(label, []byte("xn--")) {
		return true
	}
	for _, c := range label {
		if !isLetter(c) && c < 0x80 {
			return false
		}
	}
	return true
}

// version reports v1, 12 or the 2x of an image's scale.
func version(label []byte) bool {
	if label[0]|0x20 == 'v' {
		label = label[1:]
	} else if n := len(label); label[n-1]|0x20 == 'x' {
		label = label[:n-1]
	}
	for _, c := range label {
		if !isDigit(c) {
			return false
		}
	}
	return len(label) > 0
}

// filename reports an ending that names a file and is no domain.
func filename(end []byte) bool {
	switch string(bytes.ToLower(end)) {
	case "png", "jpg", "jpeg", "gif", "webp", "svg", "ico", "bmp", "pdf",
		"js", "mjs", "cjs", "ts", "jsx", "tsx", "css", "scss", "json", "html", "htm", "xml",
		"tgz", "tar", "gz", "whl", "jar", "exe", "dll":
		return true
	}
	return false
}

// remote reports the user of a repository or URL: git@host:path, ssh://git@host
// and https://user:word@host address a machine, not a person.
func remote(b []byte, start, at, end int) bool {
	if start > 1 && b[start-1] == '/' && b[start-2] == '/' {
		return true
	}
	switch string(bytes.ToLower(b[start:at])) {
	case "git", "hg", "svn":
		return end < len(b) && (b[end] == ':' || b[end] == '/')
	}
	if start > 1 && b[start-1] == ':' { // user:word@host behind ://
		for i := start - 2; i > 0 && i > start-80 && unbroken(b[i]); i-- {
			if b[i] == '/' {
				return b[i-1] == '/'
			}
		}
	}
	return false
}

// unbroken reports what may stand inside a URL: no blank, quote or bracket.
func unbroken(c byte) bool {
	switch c {
	case '"', '\'', '`', '(', ')', '[', ']', '{', '}', '<', '>':
		return false
	}
	return c > ' '
}
