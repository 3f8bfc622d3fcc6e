package identifiers

// labelEnd is where the label before at may end: behind what stands between a
// label and its value in prose, JSON, YAML, XML, a form or a table. One line
// break is taken too, for PDF text that puts the value below its label. numbered
// says that a number sign stood there.
func labelEnd(b []byte, at int) (end int, numbered bool) {
	const reach = 40
	breaks := 0
	for end = at; end > 0 && at-end < reach; {
		switch b[end-1] {
		case ' ', '\t', ':', '=', '"', '\'', '<', '>', '(', ')', '[', ']', ',', '.', '-', '|', '*', '`', '/', '_', '\r':
		case '#':
			numbered = true
		case '\n':
			if breaks++; breaks > 1 {
				return end, numbered
			}
		default:
			n := filler(b, end)
			if n == 0 {
				return end, numbered
			}
			end -= n - 1
		}
		end--
	}
	return end, numbered
}

// filler is the length of a word between a label and its value, or 0.
func filler(b []byte, end int) int {
	if last := b[end-1] | 0x20; last != 's' && last != 'e' {
		return 0
	}
	for _, word := range []string{"is", "was", "the"} {
		if i := before(b, end, word); i > 0 && !isLetter(b[i-1]) {
			return len(word)
		}
	}
	return 0
}

// before is where the word that ends at end begins, in any case, or -1.
func before(b []byte, end int, word string) int {
	if !endsFold(b[:end], word) {
		return -1
	}
	return end - len(word)
}

// glue steps back over at most two of what joins the words of one label.
func glue(b []byte, end int) int {
	for range 2 {
		if end == 0 {
			return end
		}
		switch b[end-1] {
		case ' ', '_', '-', '.', '\t', '\'', '\n':
			end--
		default:
			return end
		}
	}
	return end
}

// fresh reports that a label may begin at i: not inside a longer word. Case
// marks a word's start in camelCase too.
func fresh(b []byte, i int) bool {
	if i == 0 || !isLetter(b[i-1]) {
		return true
	}
	return i < len(b) && b[i] >= 'A' && b[i] <= 'Z' && b[i-1] >= 'a'
}
