package identifiers

// records finds medical record numbers: an identifier after its label, such as
// MRN, patient id or medical record no. The label is what makes a number a
// record's, so a bare one never matches.
func records(c *cluster, spans []span) []span {
	// The label first: most numbers have none.
	start := tokenStart(c.text, c.start())
	e, numbered := labelEnd(c.text, start)
	if e == start || !recordLabel(c.text, e, numbered) {
		return spans
	}
	if end := tokenEnd(c.text, start, c.start()); end > 0 {
		return append(spans, span{start, end})
	}
	return spans
}

// most is how long an identifier may be: up to 24 letters, digits and hyphens
// with at least three digits.
const most = 24

// tokenStart is where the identifier with the digit at at begins.
func tokenStart(b []byte, at int) int {
	start := at
	for start > 0 && at-start < most && (isWord(b[start-1]) || b[start-1] == '-' && start > 1 && isWord(b[start-2])) {
		start--
	}
	return start
}

// tokenEnd is where the identifier that begins at start ends, or -1 when it is none.
func tokenEnd(b []byte, start, at int) int {
	end, digits := at, 0
	for end < len(b) && end-start <= most && (isWord(b[end]) || b[end] == '-' && end+1 < len(b) && isWord(b[end+1])) {
		if isDigit(b[end]) {
			digits++
		}
		end++
	}
	if digits < 3 || end-start > most {
		return -1
	}
	return end
}

// recordNouns are what may follow "patient" and "medical record" in a label.
var recordNouns = []string{"id", "identifier", "no", "num", "nr", "number", "mrn"}

// recordLabel reports whether a record's label ends at end. A number sign
// between label and value makes "patient" alone one.
func recordLabel(b []byte, end int, numbered bool) bool {
	if end < 2 {
		return false
	}
	switch [2]byte{b[end-2] | 0x20, b[end-1] | 0x20} { // the endings there are
	case [2]byte{'r', 'n'}, [2]byte{'.', 'n'}, [2]byte{'r', 'd'}, [2]byte{'e', 'c'}, [2]byte{'n', 't'},
		[2]byte{'i', 'd'}, [2]byte{'e', 'r'}, [2]byte{'n', 'o'}, [2]byte{'u', 'm'}, [2]byte{'n', 'r'}:
	default:
		return false
	}
	if starts(b, end, "mrn") || starts(b, end, "m.r.n") || medicalRecord(b, end) || numbered && starts(b, end, "patient") {
		return true
	}
	for _, noun := range recordNouns {
		i := before(b, end, noun)
		if i < 0 {
			continue
		}
		i = glue(b, i)
		if starts(b, i, "patient") || starts(b, i, "patient's") || medicalRecord(b, i) {
			return true
		}
	}
	return false
}

// medicalRecord reports "medical record" or "med rec" before end.
func medicalRecord(b []byte, end int) bool {
	for _, word := range []string{"record", "rec"} {
		if i := before(b, end, word); i >= 0 {
			i = glue(b, i)
			return starts(b, i, "medical") || starts(b, i, "med")
		}
	}
	return false
}

// starts reports a label's first word before end.
func starts(b []byte, end int, word string) bool {
	i := before(b, end, word)
	return i >= 0 && fresh(b, i)
}
