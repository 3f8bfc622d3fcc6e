package identifiers

// phones finds telephone numbers: a leading plus and a country code, or a
// national number written in separated groups. Numbers in logs are not phones:
// without a plus the sizes of the groups must be a numbering plan's.
func phones(c *cluster, spans []span) []span {
	if c.joined {
		return spans
	}
	if c.plus {
		if n := international(c); n > 0 {
			return append(spans, span{c.start(), c.groups[n-1].end})
		}
		return spans
	}
	if listed(c) {
		behind := *c
		behind.groups = c.groups[1:]
		spans = national(&behind, spans)
	}
	return national(c, spans)
}

// listed reports a list's label, as in 2) 415-555-0132, which is no part of a
// number: up to three digits and a bracket that begin a line. A full stop and
// a space part the two anyhow.
func listed(c *cluster) bool {
	first := c.groups[0]
	return len(c.groups) > 1 && !c.paren && first.len() <= 3 && c.text[first.end] == ')' && c.text[first.end+1] == ' ' && beginsLine(c.text, first.start)
}

// beginsLine reports that nothing but blanks stands before at on its line.
func beginsLine(b []byte, at int) bool {
	for at > 0 && (b[at-1] == ' ' || b[at-1] == '\t') {
		at--
	}
	return at == 0 || b[at-1] == '\n'
}

// national finds numbers without a country code.
func national(c *cluster, spans []span) []span {
	for k := 0; k+3 <= len(c.groups); k++ {
		if northAmerican(c, k) {
			spans = append(spans, span{c.groups[k].start, c.groups[k+2].end})
			k += 2
		}
	}
	if trunk(c) {
		spans = append(spans, span{c.start(), c.end()})
	}
	return spans
}

// international is how many groups after a plus make an E.164 number, or 0.
// The plus may lead a bare run of digits: it is what says telephone.
func international(c *cluster) int {
	lead := c.text[c.groups[0].start:c.groups[0].end]
	if lead[0] == '0' {
		return 0
	}
	if lead[0] == '1' {
		return plusOne(c)
	}
	total, best := 0, 0
	for n, g := range c.groups {
		if g.before == gapWide || total+g.len() > 15 {
			break
		}
		if total += g.len(); total >= 8 && c.closed(n+1) {
			best = n + 1
		}
	}
	if best == 0 || c.gapAfter(best-1) == gapDot || !callingCode(lead, c.text[c.start():c.groups[best-1].end]) {
		return 0
	}
	return best
}

// plusOne is the North American plan behind +1: ten digits, area and exchange from 2 up.
func plusOne(c *cluster) int {
	var digits [11]byte
	total := 0
	for n, g := range c.groups {
		if total+g.len() > len(digits) {
			return 0
		}
		total += copy(digits[total:], c.text[g.start:g.end])
		if total == len(digits) {
			if digits[1] >= '2' && digits[4] >= '2' && c.closed(n+1) {
				return n + 1
			}
			return 0
		}
	}
	return 0
}

// callingCodes are the assigned country codes of two and three digits.
var callingCodes = func() (codes [1000]bool) {
	for _, c := range []int{20, 27, 30, 31, 32, 33, 34, 36, 39, 40, 41, 43, 44, 45, 46, 47, 48, 49,
		51, 52, 53, 54, 55, 56, 57, 58, 60, 61, 62, 63, 64, 65, 66, 81, 82, 84, 86,
		90, 91, 92, 93, 94, 95, 98} {
		codes[c] = true
	}
	for _, r := range [][2]int{{211, 213}, {216, 216}, {218, 218}, {220, 258}, {260, 269}, {290, 291},
		{297, 299}, {350, 359}, {370, 383}, {385, 387}, {389, 389}, {420, 421}, {423, 423}, {500, 509},
		{590, 599}, {670, 670}, {672, 683}, {685, 692}, {800, 800}, {808, 808}, {850, 850}, {852, 853},
		{855, 856}, {870, 870}, {880, 880}, {886, 886}, {888, 888}, {960, 968}, {970, 977}, {992, 996}, {998, 998}} {
		for c := r[0]; c <= r[1]; c++ {
			codes[c] = true
		}
	}
	return codes
}()

// callingCode reports whether the number begins with an assigned country code,
// which is written whole before any separator. A number in one run of digits
// needs ten of them: shorter ones are arithmetic and counters.
func callingCode(lead, whole []byte) bool {
	if len(lead) == len(whole) && len(whole) < 10 {
		return false
	}
	if lead[0] == '7' {
		return true
	}
	return len(lead) >= 2 && callingCodes[num(lead[:2])] || len(lead) >= 3 && callingCodes[num(lead[:3])]
}

// northAmerican reports a 3-3-4 number at group k, such as 415-555-0132,
// (415) 555-0132, 415.555.0132 or 1 415 555 0132.
func northAmerican(c *cluster, k int) bool {
	area, exchange, line := c.groups[k], c.groups[k+1], c.groups[k+2]
	if area.len() != 3 || exchange.len() != 3 || line.len() != 4 || !c.closed(k+3) {
		return false
	}
	if !plan(c.text[area.start:area.end]) || !plan(c.text[exchange.start:exchange.end]) {
		return false
	}
	if exchange.before == gapParen { // (415) 555-0132 says telephone whatever stands beside it
		return line.before != gapParen
	}
	if exchange.before != line.before {
		return false
	}
	// Without brackets it stands alone, but for a country code of 1: else it is
	// part of a version, an address or a table.
	if k > 1 || k == 1 && !(c.groups[0].len() == 1 && c.text[c.start()] == '1') {
		return false
	}
	return k+3 == len(c.groups)
}

// plan reports an area or exchange code: from 2 up, and not a service code such as 911.
func plan(code []byte) bool {
	return code[0] >= '2' && !(code[1] == '1' && code[2] == '1')
}

// trunks are the group sizes of national numbers with a trunk prefix of 0, as
// written in Britain, France, Germany, Italy, Japan and Australia.
var trunks = [][]int{
	{5, 6}, {4, 6}, {3, 7}, {3, 8}, {4, 7}, // 01632 960001, 030 1234567
	{4, 3, 4}, {3, 4, 4}, {5, 3, 3}, {4, 3, 3}, {3, 3, 4}, {2, 4, 4}, // 0161 496 0000, 03-1234-5678
	{2, 2, 2, 2, 2}, // 01 23 45 67 89
}

// trunk reports whether the whole cluster is such a number.
func trunk(c *cluster) bool {
	first := c.text[c.start():]
	if first[0] != '0' || len(first) < 2 || first[1] == '0' || len(c.groups) > 5 || !c.closed(len(c.groups)) {
		return false
	}
	if i := c.start(); i > 1 && c.text[i-1] == ':' && isDigit(c.text[i-2]) { // part of a time or hardware address
		return false
	}
	sep := c.gapAfter(0)
	if sep != gapSpace && sep != gapDash && sep != gapParen {
		return false
	}
	for k, g := range c.groups {
		if k > 1 && g.before != gapSpace && g.before != gapDash {
			return false
		}
	}
shapes:
	for _, sizes := range trunks {
		if len(sizes) != len(c.groups) {
			continue
		}
		for k, g := range c.groups {
			if g.len() != sizes[k] {
				continue shapes
			}
		}
		return len(sizes) < 5 || !hexBeside(c)
	}
	return false
}

// hexBeside reports two hexadecimal digits beside the cluster: five pairs of
// digits in a dump of bytes are no number in France.
func hexBeside(c *cluster) bool {
	pair := func(b []byte) bool {
		return len(b) == 2 && (isDigit(b[0]) || b[0]|0x20 <= 'f') && (isDigit(b[1]) || b[1]|0x20 <= 'f') && isWord(b[0]) && isWord(b[1])
	}
	if i := c.start(); i >= 3 && c.text[i-1] == ' ' && pair(c.text[i-3:i-1]) && (i == 3 || !isWord(c.text[i-4])) {
		return true
	}
	j, n := c.end(), len(c.text)
	return j+3 <= n && c.text[j] == ' ' && pair(c.text[j+1:j+3]) && (j+3 == n || !isWord(c.text[j+3]))
}
