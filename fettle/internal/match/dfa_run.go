package match

import "bytes"

// first gives a byte of the first line from from on that matches, or -1. from
// begins a line. It gives up where gaveUp says so.
func (d *dfa) first(buf []byte, from int) int {
	row := d.begin
	class := &d.class
	for i := from; i < len(buf); {
		table := d.table
		start := i
		// One load a byte depends on the one before; everything else here is
		// beside it.
		var e uint32
		for i < len(buf) {
			e = table[row+uint32(class[buf[i]])]
			if e >= special {
				break
			}
			row = e
			i++
		}
		d.used += i - start
		if i == len(buf) {
			break
		}
		if e == unknown {
			if e = d.step(row, class[buf[i]]); d.gaveUp {
				return -1
			}
		}
		switch {
		case e < special:
			row = e
			i++
		case e == dead:
			// Nothing more in this line; a \r that ends it is no matter.
			j := bytes.IndexByte(buf[i:], '\n')
			if j < 0 {
				return -1
			}
			i += j + 1
			row = d.begin
		default:
			return i
		}
	}
	if d.atEnd(row) && !endsLine(buf) {
		return len(buf) - 1
	}
	return -1
}

func endsLine(buf []byte) bool { return len(buf) == 0 || buf[len(buf)-1] == '\n' }

// atEnd reports whether a line that ends at a row matches.
func (d *dfa) atEnd(row uint32) bool {
	e := d.table[row+uint32(d.eol)]
	if e == unknown {
		e = d.step(row, d.eol) // makes no row, so the table does not fill
	}
	return e&accepted == accepted && e&accBefore != 0
}

// begins, of an automaton that reads backwards, gives where the first match in
// a line begins, or -1. ok is false when it gave up.
func (d *dfa) begins(line []byte) (at int, ok bool) {
	at = -1
	row, counted := d.begin, len(line)
	if d.states[row>>d.shift].match {
		at = len(line)
	}
	for i := len(line) - 1; i >= 0; i-- {
		e := d.table[row+uint32(d.class[line[i]])]
		if e < special {
			row = e
			continue
		}
		if e == unknown {
			d.used += counted - i
			counted = i
			if e = d.step(row, d.class[line[i]]); d.gaveUp {
				return -1, false
			}
		}
		if e == dead {
			return at, true
		}
		if e >= special {
			if e&accBefore != 0 {
				at = i + 1
			}
			if e&accAfter != 0 {
				at = i
			}
			e &= rowMask
		}
		row = e
	}
	d.used += counted
	if d.atEnd(row) {
		at = 0
	}
	return at, true
}
