package identifiers

// records finds medical record numbers: an identifier after its label, such as
// MRN, patient id or medical record no. The label is what makes a number a
// record's, so a bare one never matches.
func records(c *cluster, spans []span) []span {
	start, end := token(c.text, c.start())
	if start < 0 {
		return spans
	}
	if e, numbered := labelEnd(c.text, start); e < start && recordLabel(c.text, e, numbered) {
		return append(spans, span{start, end})
	}
	return spans
}

// token is the identifier around the digit at at: up to 24 letters, digits and
// hyphens with at least three digits.
func token(b []byte, at int) (int, int) {
	const most = 24
	start, end, digits := at, at, 0
	for start > 0 && at-start < most && (isWord(b[start-1]) || b[start-1] == '-' && start > 1 && isWord(b[start-2])) {
		start--
	}
	for end < len(b) && end-start <= most && (isWord(b[end]) || b[end] == '-' && end+1 < len(b) && isWord(b[end+1])) {
		if isDigit(b[end]) {
			digits++
		}
		end++
	}
	if digits < 3 || end-start > most {
		return -1, -1
	}
	return start, end
}

// recordNouns are what may follow "patient" and "medical record" in a label.
var recordNouns = []string{"id", "identifier", "no", "num", "nr", "number", "mrn"}

// recordLabel reports whether a record's label ends at end. A number sign
// between label and value makes "patient" alone one.
func recordLabel(b []byte, end int, numbered bool) bool {
	if end == 0 {
		return false
	}
	switch b[end-1] | 0x20 { // the last letters there are
	case 'n', 'd', 'r', 'o', 'm', 't', 'c':
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
