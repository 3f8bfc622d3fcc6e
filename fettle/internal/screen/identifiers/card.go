package identifiers

// cards finds payment card numbers: 13 to 19 digits written in groups with one
// kind of separator, of an issuer's prefix and length, with a right check
// digit. All three together keep number tables and serial numbers out.
func cards(c *cluster, spans []span) []span {
	for k := 0; k < len(c.groups); {
		n := card(c, k)
		if n == 0 {
			k++
			continue
		}
		spans = append(spans, span{c.groups[k].start, c.groups[k+n-1].end})
		k += n
	}
	return spans
}

// card is how many groups from k make a card number, or 0.
func card(c *cluster, k int) int {
	if size := c.groups[k].len(); size < 3 || size > 7 || !c.opened(k) {
		return 0
	}
	sep := c.gapAfter(k)
	if sep != gapSpace && sep != gapDash {
		return 0
	}
	// A row of same-sized numbers is a table: a card's neighbour differs from its first group.
	if c.groups[k].before == sep && c.groups[k-1].len() == c.groups[k].len() {
		return 0
	}
	var digits [19]byte
	total := 0
	for n := 0; k+n < len(c.groups); n++ {
		g := c.groups[k+n]
		if n > 0 && g.before != sep || g.len() < 2 || g.len() > 7 || total+g.len() > len(digits) {
			return 0
		}
		total += copy(digits[total:], c.text[g.start:g.end])
		if n == 0 || total < 13 || !c.closed(k+n+1) {
			continue
		}
		if c.gapAfter(k+n) == sep && c.groups[k+n+1].len() == g.len() {
			continue
		}
		if hexNeighbour(c, k, k+n+1) {
			continue
		}
		if issued(digits[:total]) && luhn(digits[:total]) {
			return n + 1
		}
	}
	return 0
}

// hexNeighbour reports that a group beside groups from..to-1 is half of a
// hexadecimal word: 4e00 5700 6000 6900 7200 7b00 is a dump, not a card.
func hexNeighbour(c *cluster, from, to int) bool {
	hex := func(b byte) bool { return isLetter(b) && b|0x20 <= 'f' }
	if from == 1 && c.joined && hex(c.text[c.start()-1]) {
		return true
	}
	end := c.end()
	return to == len(c.groups)-1 && end < len(c.text) && hex(c.text[end])
}

// luhn checks the last digit against the others.
func luhn(digits []byte) bool {
	sum := 0
	for i := range digits {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// issuers are the ranges of leading digits that card schemes hold, and the
// lengths they issue.
var issuers = []struct {
	low, high string
	lengths   string // each length as a letter, 'a' for 13 to 'g' for 19
}{
	{"4", "4", "adg"},        // Visa: 13, 16, 19
	{"51", "55", "d"},        // Mastercard
	{"2221", "2720", "d"},    // Mastercard
	{"34", "34", "c"},        // American Express: 15
	{"37", "37", "c"},        // American Express
	{"300", "305", "b"},      // Diners Club: 14
	{"36", "36", "bcdefg"},   // Diners Club
	{"38", "39", "bdefg"},    // Diners Club
	{"3528", "3589", "defg"}, // JCB
	{"6011", "6011", "defg"}, // Discover
	{"644", "649", "defg"},   // Discover
	{"65", "65", "defg"},     // Discover, RuPay
	{"60", "60", "d"},        // RuPay
	{"62", "62", "defg"},     // UnionPay
	{"81", "82", "defg"},     // UnionPay, RuPay
	{"2200", "2204", "defg"}, // Mir
	{"50", "50", "abcdefg"},  // Maestro, RuPay, Verve
	{"56", "58", "abcdefg"},  // Maestro
	{"63", "63", "abcdefg"},  // Maestro
	{"67", "67", "abcdefg"},  // Maestro
	{"9792", "9792", "d"},    // Troy
}

func issued(digits []byte) bool {
	for _, i := range issuers {
		lead := string(digits[:len(i.low)])
		if lead < i.low || lead > i.high {
			continue
		}
		for _, l := range i.lengths {
			if len(digits) == int(l-'a')+13 {
				return true
			}
		}
	}
	return false
}
