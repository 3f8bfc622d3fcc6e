package identifiers

import "bytes"

// births finds dates of birth: a date after its label, such as DOB, date of
// birth or born on. Any other date is left alone.
func births(c *cluster, spans []span) []span {
	if c.joined {
		return spans
	}
	start, end := date(c)
	if end < 0 {
		return spans
	}
	if e, _ := labelEnd(c.text, start); e < start && birthLabel(c.text, e) {
		return append(spans, span{start, end})
	}
	return spans
}

// birthLabels are the labels, each word by word from its end.
var birthLabels = [][]string{
	{"dob"}, {"b", "o", "d"}, {"birth", "of", "date"}, {"born", "date"},
	{"date", "birth"}, {"birthdate"}, {"birthday"}, {"on", "born"}, {"born"},
}

// birthLabel reports whether such a label ends at end.
func birthLabel(b []byte, end int) bool {
	if end == 0 {
		return false
	}
	switch b[end-1] | 0x20 {
	case 'b', 'h', 'n', 'e', 'y':
	default:
		return false
	}
labels:
	for _, words := range birthLabels {
		i := end
		for k, word := range words {
			if k > 0 {
				i = glue(b, i)
			}
			if i = before(b, i, word); i < 0 {
				continue labels
			}
		}
		if fresh(b, i) {
			return true
		}
	}
	return false
}

// date is the date that begins with the cluster or with a month's name before
// it: 3/4/1980, 1980-04-03, 19800403, 3 April 1980, April 3, 1980. Its end is -1
// when there is none.
func date(c *cluster) (int, int) {
	b, first := c.text, c.groups[0]
	if first.len() == 8 {
		if year(b[first.start:first.start+4]) && monthDay(num(b[first.start+4:first.start+6]), num(b[first.start+6:first.end])) {
			return first.start, first.end
		}
		return 0, -1
	}
	if end := numeric(b, first.start); end > 0 {
		return first.start, end
	}
	if first.len() > 2 || num(b[first.start:first.end]) > 31 {
		return 0, -1
	}
	if start := monthBefore(b, first.start); start >= 0 { // April 3rd, 1980
		if end := yearAfter(b, first.end); end > 0 {
			return start, end
		}
	}
	if at := monthAfter(b, first.end); at > 0 { // 3rd of April 1980
		if end := yearAfter(b, at); end > 0 {
			return first.start, end
		}
	}
	return 0, -1
}

// numeric is the end of three numbers with one of / - . between them, or -1.
func numeric(b []byte, at int) int {
	var part [3][]byte
	i := at
	var sep byte
	for k := range part {
		j := i
		for j < len(b) && j-i < 5 && isDigit(b[j]) {
			j++
		}
		if j == i || j-i > 4 {
			return -1
		}
		part[k], i = b[i:j], j
		if k == 2 {
			break
		}
		if j >= len(b) || b[j] != '/' && b[j] != '-' && b[j] != '.' || k == 1 && b[j] != sep {
			return -1
		}
		sep = b[j]
		i = j + 1
	}
	if len(part[0]) == 4 {
		if !year(part[0]) || len(part[2]) > 2 || !monthDay(num(part[1]), num(part[2])) {
			return -1
		}
		return i
	}
	if len(part[0]) > 2 || len(part[1]) > 2 || !monthDay(num(part[0]), num(part[1])) && !monthDay(num(part[1]), num(part[0])) {
		return -1
	}
	if len(part[2]) != 2 && !year(part[2]) {
		return -1
	}
	return i
}

func num(b []byte) int {
	n := 0
	for _, c := range b {
		n = n*10 + int(c-'0')
	}
	return n
}

func year(b []byte) bool {
	return len(b) == 4 && (b[0] == '1' && b[1] >= '8' || b[0] == '2' && b[1] == '0')
}

func monthDay(m, d int) bool { return m >= 1 && m <= 12 && d >= 1 && d <= 31 }

var months = []string{"january", "february", "march", "april", "may", "june", "july",
	"august", "september", "october", "november", "december"}

// isMonth reports a month's name, whole or cut to three letters or more.
func isMonth(w []byte) bool {
	if len(w) < 3 {
		return false
	}
	for _, m := range months {
		if w[0]|0x20 == m[0] && len(w) <= len(m) && lettersAre(w, m[:len(w)]) {
			return true
		}
	}
	return false
}

// lettersAre reports whether b is the lower-case word in any case. It makes no
// copy: it is asked at every number.
func lettersAre(b []byte, word string) bool {
	for i, c := range b {
		if c|0x20 != word[i] {
			return false
		}
	}
	return true
}

// monthBefore is where a month's name directly before at begins, or -1.
func monthBefore(b []byte, at int) int {
	i := at
	for i > 0 && at-i < 3 && (b[i-1] == ' ' || b[i-1] == '.' || b[i-1] == '-') {
		i--
	}
	j := i
	for j > 0 && i-j < 10 && isLetter(b[j-1]) {
		j--
	}
	if i == at || !isMonth(b[j:i]) {
		return -1
	}
	return j
}

// monthAfter is the end of a month's name behind a day, or -1.
func monthAfter(b []byte, at int) int {
	at = ordinal(b, at)
	at = space(b, at)
	if len(b)-at > 3 && bytes.EqualFold(b[at:at+3], []byte("of ")) {
		at += 3
	}
	j := at
	for j < len(b) && j-at < 10 && isLetter(b[j]) {
		j++
	}
	if !isMonth(b[at:j]) {
		return -1
	}
	return j
}

// yearAfter is the end of a year behind a day or month, or -1.
func yearAfter(b []byte, at int) int {
	at = space(b, ordinal(b, at))
	if len(b)-at >= 4 && isDigit(b[at+2]) && isDigit(b[at+3]) && year(b[at:at+4]) && (len(b) == at+4 || !isWord(b[at+4])) {
		return at + 4
	}
	return -1
}

// ordinal steps over st, nd, rd or th.
func ordinal(b []byte, at int) int {
	if len(b)-at >= 2 {
		switch [2]byte{b[at] | 0x20, b[at+1] | 0x20} {
		case [2]byte{'s', 't'}, [2]byte{'n', 'd'}, [2]byte{'r', 'd'}, [2]byte{'t', 'h'}:
			return at + 2
		}
	}
	return at
}

// space steps over at most three of what parts a date's words.
func space(b []byte, at int) int {
	for n := 0; n < 3 && at < len(b) && (b[at] == ' ' || b[at] == ',' || b[at] == '.' || b[at] == '-'); n++ {
		at++
	}
	return at
}
