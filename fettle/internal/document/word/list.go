package word

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"fettler/fettle/internal/document/ooxml"
)

const listLevels = 9

// lists is the document's list definitions and where each list stands.
type lists struct {
	nums     map[int]*list
	abstract map[int]*definition
	counts   map[int]*[listLevels]int // by definition; 0 is not begun, else the value + 1
	begun    map[int]bool             // lists whose own starts were applied
	links    map[string]int           // numbering style → its list
}

type list struct {
	abstract int
	start    [listLevels]int // -1: as the definition has it
	levels   [listLevels]*level
}

type definition struct {
	levels [listLevels]*level
	link   string // takes its levels from a numbering style's list
}

type level struct {
	start, restart int
	format, text   string
	legal          bool
	style          string // paragraph style that is at this level
}

func (d *doc) readLists(name string) error {
	l := &d.lists
	l.nums, l.abstract = map[int]*list{}, map[int]*definition{}
	l.counts, l.begun = map[int]*[listLevels]int{}, map[int]bool{}
	x, err := d.pkg.Part(name)
	if err != nil {
		return err
	}
	defer x.Close()
	s := &story{doc: d, x: x}
	for err := range x.Starts(wordML) {
		if err != nil {
			return err
		}
		switch string(x.Name) {
		case "abstractNum":
			err = s.readDefinition()
		case "num":
			err = s.readList()
		}
		if err != nil {
			return err
		}
	}
	return x.Finish(d.note)
}

func (s *story) readDefinition() error {
	id, _ := s.x.Attr("abstractNumId")
	key := number(string(id))
	def := &definition{}
	if err := s.hold(300); err != nil {
		return err
	}
	err := s.each(func() error {
		if s.x.Space == ooxml.WordML {
			switch string(s.x.Name) {
			case "numStyleLink":
				def.link = s.val()
			case "lvl":
				n, lv, err := s.readLevel()
				if err == nil && n >= 0 && n < listLevels {
					def.levels[n] = lv
				}
				return err
			}
		}
		return s.x.Skip()
	})
	s.lists.abstract[key] = def
	return err
}

func (s *story) readList() error {
	id, _ := s.x.Attr("numId")
	key := number(string(id))
	n := &list{abstract: -1}
	for i := range n.start {
		n.start[i] = -1
	}
	if err := s.hold(400); err != nil {
		return err
	}
	err := s.each(func() error {
		if s.x.Space != ooxml.WordML {
			return s.x.Skip()
		}
		switch string(s.x.Name) {
		case "abstractNumId":
			n.abstract = number(s.val())
		case "lvlOverride":
			at, _ := s.x.Attr("ilvl")
			i := number(string(at))
			return s.each(func() error {
				if s.x.Space == ooxml.WordML && i >= 0 && i < listLevels {
					switch string(s.x.Name) {
					case "startOverride":
						n.start[i] = max(0, number(s.val()))
					case "lvl":
						_, lv, err := s.readLevel()
						n.levels[i] = lv
						return err
					}
				}
				return s.x.Skip()
			})
		}
		return s.x.Skip()
	})
	s.lists.nums[key] = n
	return err
}

func (s *story) readLevel() (int, *level, error) {
	at, _ := s.x.Attr("ilvl")
	i := number(string(at))
	lv := &level{start: 0, restart: -1, format: "decimal"}
	err := s.each(func() error {
		if s.x.Space == ooxml.WordML {
			switch string(s.x.Name) {
			case "start":
				lv.start = max(0, number(s.val()))
			case "numFmt":
				lv.format = s.val()
			case "lvlText":
				lv.text = oneLine(s.val())
			case "lvlRestart":
				lv.restart = number(s.val())
			case "isLgl":
				lv.legal = on(s.x.Attr("val"))
			case "pStyle":
				lv.style = s.val()
			}
		}
		return s.x.Skip()
	})
	if err == nil {
		err = s.hold(len(lv.text) + len(lv.format) + len(lv.style) + 120)
	}
	return i, lv, err
}

// definitionOf is a list's definition, through a numbering style where it
// only names one.
func (l *lists) definitionOf(num int) (*list, *definition, int) {
	n := l.nums[num]
	if n == nil {
		return nil, nil, -1
	}
	id := n.abstract
	for range chain {
		def := l.abstract[id]
		if def == nil || def.link == "" {
			return n, def, id
		}
		linked, ok := l.nums[l.links[def.link]]
		if !ok || linked.abstract == id {
			return n, def, id
		}
		id = linked.abstract
	}
	return n, nil, -1
}

func (l *lists) level(n *list, def *definition, i int) *level {
	if n.levels[i] != nil {
		return n.levels[i]
	}
	return def.levels[i]
}

// levelOf is the level a paragraph style stands at in a list.
func (l *lists) levelOf(num int, style string) int {
	n, def, _ := l.definitionOf(num)
	if def == nil {
		return -1
	}
	for i := range listLevels {
		if lv := l.level(n, def, i); lv != nil && lv.style == style {
			return i
		}
	}
	return -1
}

// label counts a paragraph of a list and gives its label.
func (l *lists) label(num, at int) string {
	if num <= 0 {
		return ""
	}
	at = min(max(at, 0), listLevels-1)
	n, def, id := l.definitionOf(num)
	if def == nil {
		return ""
	}
	lv := l.level(n, def, at)
	if lv == nil {
		return ""
	}
	c := l.counts[id]
	if c == nil {
		c = &[listLevels]int{}
		l.counts[id] = c
	}
	if !l.begun[num] {
		l.begun[num] = true
		for i, start := range n.start {
			if start >= 0 {
				c[i] = 0
			}
		}
	}
	for i := range at { // a level above that never came counts as begun
		if c[i] == 0 {
			c[i] = l.start(n, def, i) + 1
		}
	}
	if c[at] == 0 {
		c[at] = l.start(n, def, at) + 1
	} else {
		c[at]++
	}
	for i := at + 1; i < listLevels; i++ {
		if below := l.level(n, def, i); below == nil || below.restart != 0 {
			c[i] = 0
		}
	}
	if lv.format == "bullet" {
		return bullet(lv.text)
	}
	return l.number(n, def, lv, c)
}

func (l *lists) start(n *list, def *definition, i int) int {
	if n.start[i] >= 0 {
		return n.start[i]
	}
	if lv := l.level(n, def, i); lv != nil {
		return lv.start
	}
	return 1
}

// number fills a level's text: %1 is the count of the first level.
func (l *lists) number(n *list, def *definition, lv *level, c *[listLevels]int) string {
	if lv.format == "none" && !strings.Contains(lv.text, "%") {
		return lv.text
	}
	var out strings.Builder
	for i := 0; i < len(lv.text); i++ {
		if lv.text[i] != '%' || i+1 == len(lv.text) || lv.text[i+1] < '1' || lv.text[i+1] > '9' {
			out.WriteByte(lv.text[i])
			continue
		}
		i++
		at := int(lv.text[i] - '1')
		format := "decimal"
		if of := l.level(n, def, at); of != nil && !lv.legal {
			format = of.format
		}
		out.WriteString(count(max(0, c[at]-1), format))
	}
	return strings.TrimSpace(out.String())
}

// bullet is a bullet's sign. Symbol fonts put theirs where no text font has
// any, so those are shown as the common one.
func bullet(text string) string {
	r, _ := utf8.DecodeRuneInString(text)
	if text == "" || r >= 0xe000 && r <= 0xf8ff {
		return "•"
	}
	return text
}

// count writes a number the way a list does.
func count(n int, format string) string {
	switch format {
	case "none", "bullet":
		return ""
	case "lowerLetter":
		return strings.ToLower(letters(n))
	case "upperLetter":
		return letters(n)
	case "lowerRoman":
		return strings.ToLower(roman(n))
	case "upperRoman":
		return roman(n)
	case "decimalZero":
		if n < 10 {
			return "0" + strconv.Itoa(n)
		}
	case "ordinal":
		return strconv.Itoa(n) + ordinal(n)
	}
	return strconv.Itoa(n)
}

// letters counts A to Z, then AA to ZZ, as Word does.
func letters(n int) string {
	if n < 1 || n > 26*30 {
		return strconv.Itoa(n)
	}
	return strings.Repeat(string(rune('A'+(n-1)%26)), (n-1)/26+1)
}

func roman(n int) string {
	if n < 1 || n > 3999 {
		return strconv.Itoa(n)
	}
	var out strings.Builder
	for _, r := range []struct {
		n int
		s string
	}{
		{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"},
		{50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"},
	} {
		for n >= r.n {
			out.WriteString(r.s)
			n -= r.n
		}
	}
	return out.String()
}

func ordinal(n int) string {
	if n%100/10 != 1 {
		switch n % 10 {
		case 1:
			return "st"
		case 2:
			return "nd"
		case 3:
			return "rd"
		}
	}
	return "th"
}
