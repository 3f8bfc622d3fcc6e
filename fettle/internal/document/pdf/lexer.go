package pdf

import (
	"math"
	"strconv"
)

// kind is what a token of a content stream or a CMap is.
type kind uint8

const (
	tokEnd kind = iota
	tokNumber
	tokString // literal or hexadecimal, decoded
	tokName   // without its slash
	tokOpen   // [
	tokClose  // ]
	tokDict   // <<
	tokDictEnd
	tokWord // an operator
)

// token is one token. text is the string, the name or the word.
type token struct {
	kind kind
	num  float64
	text string
}

// lexer takes a content stream apart. It never fails: what is no token is
// passed over, as readers of damaged pages do. Comments are skipped.
type lexer struct {
	data []byte
	pos  int
}

func space(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func delimiter(c byte) bool {
	switch c {
	case '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return true
	}
	return false
}

func (l *lexer) next() token {
	for l.pos < len(l.data) {
		c := l.data[l.pos]
		switch {
		case space(c):
			l.pos++
		case c == '%':
			for l.pos < len(l.data) && l.data[l.pos] != '\n' && l.data[l.pos] != '\r' {
				l.pos++
			}
		case c == '(':
			return l.literal()
		case c == '<':
			if l.pos+1 < len(l.data) && l.data[l.pos+1] == '<' {
				l.pos += 2
				return token{kind: tokDict}
			}
			return l.hex()
		case c == '>':
			l.pos++
			if l.pos < len(l.data) && l.data[l.pos] == '>' {
				l.pos++
				return token{kind: tokDictEnd}
			}
		case c == '[':
			l.pos++
			return token{kind: tokOpen}
		case c == ']':
			l.pos++
			return token{kind: tokClose}
		case c == '/':
			l.pos++
			return token{kind: tokName, text: l.name()}
		case delimiter(c): // a stray ) or a brace
			l.pos++
		default:
			return l.word()
		}
	}
	return token{}
}

// run is the bytes up to the next space or delimiter.
func (l *lexer) run() []byte {
	start := l.pos
	for l.pos < len(l.data) && !space(l.data[l.pos]) && !delimiter(l.data[l.pos]) {
		l.pos++
	}
	return l.data[start:l.pos]
}

func (l *lexer) name() string {
	raw := l.run()
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] == '#' && i+2 < len(raw) {
			a, ok1 := hexDigit(raw[i+1])
			b, ok2 := hexDigit(raw[i+2])
			if ok1 && ok2 {
				out = append(out, a<<4|b)
				i += 2
				continue
			}
		}
		out = append(out, raw[i])
	}
	return string(out)
}

func (l *lexer) word() token {
	raw := l.run()
	c := raw[0]
	if c == '+' || c == '-' || c == '.' || '0' <= c && c <= '9' {
		if n, used := number(raw); used > 0 {
			// "0.5Tc" is a number and an operator that stuck to it.
			l.pos -= len(raw) - used
			return token{kind: tokNumber, num: n}
		}
	}
	return token{kind: tokWord, text: string(raw)}
}

// number reads the number raw begins with, in the ways producers write them:
// "--5", "5-3" (which is 5), "1.2.3" (which is 1.2), "+.5".
func number(raw []byte) (float64, int) {
	i, sign := 0, 1.0
	for i < len(raw) && (raw[i] == '+' || raw[i] == '-') {
		if raw[i] == '-' {
			sign = -1
		}
		i++
	}
	start, dots := i, 0
	end := i
	for i < len(raw) {
		c := raw[i]
		if c == '.' {
			dots++
		} else if c == '-' {
			dots = max(dots, 2) // the rest is noise
		} else if c < '0' || c > '9' {
			break
		}
		i++
		if dots < 2 {
			end = i
		}
	}
	if i == start {
		return 0, 0
	}
	text := string(raw[start:end])
	if text == "." || text == "" {
		return 0, i
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(n, 0) {
		return 0, i
	}
	return sign * n, i
}

func (l *lexer) literal() token {
	l.pos++
	var out []byte
	depth := 1
	for l.pos < len(l.data) {
		c := l.data[l.pos]
		l.pos++
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return token{kind: tokString, text: string(out)}
			}
		case '\r':
			if l.pos < len(l.data) && l.data[l.pos] == '\n' {
				l.pos++
			}
			c = '\n'
		case '\\':
			var ok bool
			if c, ok = l.escape(); !ok {
				continue
			}
		}
		out = append(out, c)
	}
	return token{kind: tokString, text: string(out)}
}

func (l *lexer) escape() (byte, bool) {
	if l.pos >= len(l.data) {
		return 0, false
	}
	c := l.data[l.pos]
	l.pos++
	switch c {
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case '\n':
		return 0, false
	case '\r':
		if l.pos < len(l.data) && l.data[l.pos] == '\n' {
			l.pos++
		}
		return 0, false
	}
	if c < '0' || c > '7' {
		return c, true
	}
	n := int(c - '0')
	for range 2 {
		if l.pos >= len(l.data) || l.data[l.pos] < '0' || l.data[l.pos] > '7' {
			break
		}
		n = n<<3 | int(l.data[l.pos]-'0')
		l.pos++
	}
	return byte(n), true
}

func (l *lexer) hex() token {
	start := l.pos + 1
	end := start
	for end < len(l.data) && l.data[end] != '>' {
		end++
	}
	l.pos = min(end+1, len(l.data))
	return token{kind: tokString, text: string(unhex(l.data[start:end]))}
}

// skipImage passes over an inline image, whose bytes may be anything, from
// behind BI. Its end is an EI between spaces, with text behind it.
func (l *lexer) skipImage() {
	for {
		t := l.next()
		if t.kind == tokEnd {
			return
		}
		if t.kind == tokWord && t.text == "EI" {
			return
		}
		if t.kind == tokWord && t.text == "ID" {
			break
		}
	}
	for i := l.pos; i+1 < len(l.data); i++ {
		if l.data[i] != 'E' || l.data[i+1] != 'I' || i > 0 && !space(l.data[i-1]) && l.data[i-1] != '>' {
			continue
		}
		if i+2 < len(l.data) && !space(l.data[i+2]) {
			continue
		}
		if plain(l.data[i+2 : min(i+12, len(l.data))]) {
			l.pos = i + 2
			return
		}
	}
	l.pos = len(l.data)
}

// plain says whether bytes look like operators and not like an image.
func plain(b []byte) bool {
	for _, c := range b {
		if c >= 0x7f || c < ' ' && !space(c) {
			return false
		}
	}
	return true
}
