package workbook

import (
	"strconv"
	"strings"

	"github.com/xuri/nfp"
)

// format is what a number format does to a number, as far as that is not
// dress: it makes it a date, a time, a duration, or an identifier of zeros.
// A nil format shows the number.
type format struct {
	sections []section
	zeros    string // the identifier pattern, or ""
}

type section struct {
	kind      kind
	condition string // "" or an operator
	operand   float64
}

type kind uint8

const (
	plain kind = iota
	date
	clock
	dateClock
	elapsed
	either // date or time by the value: locales differ on the format
)

// longestFormat is Excel's own bound; a longer code is no code of Excel's.
const longestFormat = 255

var (
	dateFormat   = &format{sections: []section{{kind: date}}}
	clockFormat  = &format{sections: []section{{kind: clock}}}
	bothFormat   = &format{sections: []section{{kind: dateClock}}}
	passFormat   = &format{sections: []section{{kind: elapsed}}}
	eitherFormat = &format{sections: []section{{kind: either}}}
)

// builtin is a format a workbook need not spell out. 27 to 36 and 50 to 58
// are dates of the East Asian editions; a few of them are dates in one
// edition and times in another.
func builtin(id int) *format {
	switch {
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58:
		return dateFormat
	case id >= 18 && id <= 21, id == 32, id == 33, id == 45, id == 47:
		return clockFormat
	case id == 34, id == 35, id == 55, id == 56:
		return eitherFormat
	case id == 22:
		return bothFormat
	case id == 46:
		return passFormat
	}
	return nil
}

// parseFormat reads a format code.
func parseFormat(code string) *format {
	if len(code) > longestFormat {
		return nil
	}
	f := &format{zeros: identifier(code)}
	useful := f.zeros != ""
	parser := nfp.NumberFormatParser()
	for _, s := range parser.Parse(bare(code)) {
		sec := parseSection(s)
		useful = useful || sec.kind != plain
		f.sections = append(f.sections, sec)
	}
	if !useful {
		return nil
	}
	return f
}

// bare takes what stands for itself out of a code: quoted text, escaped and
// padding characters, which nfp does not keep apart from the rest everywhere.
// A blank stays in its place.
func bare(code string) string {
	var out strings.Builder
	r := []rune(code)
	for i := 0; i < len(r); i++ {
		switch r[i] {
		case '"':
			for i++; i < len(r) && r[i] != '"'; i++ {
			}
			out.WriteByte(' ')
		case '\\', '_', '*', '!':
			i++
			out.WriteByte(' ')
		case '[':
			end := i + 1
			for end < len(r) && r[end] != ']' {
				end++
			}
			in := strings.ToLower(string(r[i+1 : min(end, len(r))]))
			switch {
			case strings.Trim(in, "h") == "", strings.Trim(in, "m") == "", strings.Trim(in, "s") == "":
				if in != "" {
					out.WriteString("[" + in + "]")
				}
			case strings.IndexAny(in, "<>=") == 0:
				out.WriteString("[" + in + "]")
			default: // a colour, a currency, a locale, a calendar
			}
			i = end
		default:
			out.WriteRune(r[i])
		}
	}
	return out.String()
}

// parseSection tells whether one section shows a date. Letters of dates make
// a date only where no digit stands before them: in 0.00E-00 the E is none.
func parseSection(s nfp.Section) section {
	var sec section
	var hasDate, hasClock, hasMonths, digits, seconds bool
	last := byte(0)
	for _, t := range s.Items {
		switch t.TType {
		case nfp.TokenTypeCondition:
			if len(t.Parts) == 2 {
				sec.condition = t.Parts[0].Token.TValue
				sec.operand, _ = strconv.ParseFloat(t.Parts[1].Token.TValue, 64)
			}
		case nfp.TokenTypeElapsedDateTimes:
			return section{kind: elapsed, condition: sec.condition, operand: sec.operand}
		case nfp.TokenTypeZeroPlaceHolder, nfp.TokenTypeHashPlaceHolder, nfp.TokenTypeDigitalPlaceHolder,
			nfp.TokenTypePercent, nfp.TokenTypeGeneral, nfp.TokenTypeExponential:
			if !seconds {
				digits = true
			}
		case nfp.TokenTypeDateTimes:
			low := strings.ToLower(t.TValue)
			switch {
			case strings.ContainsRune(low, '/'): // AM/PM
				hasClock = true
			case low[0] == 'y', low[0] == 'd', low[0] == 'b' && len(low) > 1, low[0] == 'e', low[0] == 'g':
				hasDate = true
				last = low[0]
			case low[0] == 'h':
				hasClock = true
				last = 'h'
			case low[0] == 's':
				hasClock, seconds = true, true
				if last == 'm' && hasMonths {
					hasMonths = false // mm before ss is minutes
				}
				last = 's'
			case low[0] == 'm':
				if last == 'h' && len(low) <= 2 {
					hasClock = true
				} else {
					hasDate = hasDate || hasMonths
					hasMonths = true
				}
				last = 'm'
			}
		}
	}
	hasDate = hasDate || hasMonths
	switch {
	case digits:
	case hasDate && hasClock:
		sec.kind = dateClock
	case hasDate:
		sec.kind = date
	case hasClock:
		sec.kind = clock
	}
	return sec
}

// of is the section a number falls under.
func (f *format) of(v float64) section {
	s := f.sections
	if len(s) == 0 {
		return section{}
	}
	conditions := false
	for i := range s[:min(2, len(s))] {
		if s[i].condition != "" {
			conditions = true
			if holds(v, s[i].condition, s[i].operand) {
				return s[i]
			}
		}
	}
	switch {
	case conditions:
		for i := range s {
			if s[i].condition == "" {
				return s[i]
			}
		}
		return section{}
	case v < 0 && len(s) > 1:
		return s[1]
	case v == 0 && len(s) > 2:
		return s[2]
	}
	return s[0]
}

func holds(v float64, operator string, operand float64) bool {
	switch operator {
	case "<":
		return v < operand
	case "<=":
		return v <= operand
	case ">":
		return v > operand
	case ">=":
		return v >= operand
	case "<>":
		return v != operand
	case "=":
		return v == operand
	}
	return false
}

// identifier is the pattern of a format that writes an identifier: zeros and
// what stands between them, such as 00000 or 000-00-0000. Such a number is
// sought as it is shown, and it loses nothing by it.
func identifier(code string) string {
	var out strings.Builder
	zeros := 0
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '0':
			zeros++
			out.WriteByte('0')
		case c == '-' || c == ' ' || c == '(' || c == ')':
			out.WriteByte(c)
		case c == '\\' && i+1 < len(code) && strings.IndexByte("-()/ .", code[i+1]) >= 0:
			i++
			out.WriteByte(code[i])
		default:
			return ""
		}
	}
	if zeros < 2 {
		return ""
	}
	return out.String()
}

// appendZeros writes a whole number into an identifier's pattern. It reports
// false when it does not fit.
func appendZeros(dst []byte, pattern string, v float64) ([]byte, bool) {
	if v < 0 || v >= 1e15 || v != float64(int64(v)) {
		return dst, false
	}
	digits := strconv.FormatInt(int64(v), 10)
	zeros := strings.Count(pattern, "0")
	if len(digits) < zeros {
		digits = strings.Repeat("0", zeros-len(digits)) + digits
	}
	extra := len(digits) - zeros
	for i := 0; i < len(pattern); i++ {
		if pattern[i] != '0' {
			dst = append(dst, pattern[i])
			continue
		}
		dst = append(dst, digits[:extra+1]...) // the first takes what is over
		digits = digits[extra+1:]
		extra = 0
	}
	return dst, true
}
