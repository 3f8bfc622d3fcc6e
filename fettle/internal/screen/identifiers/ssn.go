package identifiers

// ssns finds United States social security numbers: AAA-GG-SSSS with hyphens.
// Area 000, 666 and 900-999, group 00 and serial 0000 were never issued.
func ssns(c *cluster, spans []span) []span {
	for k := 0; k+3 <= len(c.groups); k++ {
		a, g, s := c.groups[k], c.groups[k+1], c.groups[k+2]
		if a.len() != 3 || g.len() != 2 || s.len() != 4 || g.before != gapDash || s.before != gapDash {
			continue
		}
		if a.before == gapDash || a.before == gapDot || !c.opened(k) {
			continue
		}
		if after := c.gapAfter(k + 2); after == gapDash || after == gapDot || !c.closed(k+3) {
			continue
		}
		area := string(c.text[a.start:a.end])
		if area == "000" || area == "666" || area[0] == '9' ||
			string(c.text[g.start:g.end]) == "00" || string(c.text[s.start:s.end]) == "0000" {
			continue
		}
		spans = append(spans, span{a.start, s.end})
	}
	return spans
}
