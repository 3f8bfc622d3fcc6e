package workbook

import (
	"strings"
	"testing"

	"github.com/xuri/efp"
)

func TestShift(t *testing.T) {
	for _, c := range []struct{ formula, want string }{ // from A1 to C4
		{"A1", "C4"},
		{"$A1+A$1+$A$1", "$A4+C$1+$A$1"},
		{"SUM(A1:B2)", "SUM(C4:D5)"},
		{"SUM(A:A)+SUM(1:1)+SUM($A:$A)", "SUM(C:C)+SUM(4:4)+SUM($A:$A)"},
		{`"A1 ""A1"" "&A1`, `"A1 ""A1"" "&C4`},
		{"'A1'!A1", "'A1'!C4"},
		{"'It''s A1'!B2", "'It''s A1'!D5"},
		{"Sheet1!A1", "Sheet1!C4"},
		{"Sheet1!A:B", "Sheet1!C:D"},
		{"[1]Sheet1!A1", "[1]Sheet1!C4"},
		{"LOG10(A1)", "LOG10(C4)"},
		{"ATAN2(A1,B1)", "ATAN2(C4,D4)"},
		{"Table1[[#This Row],[A1]]+A1", "Table1[[#This Row],[A1]]+C4"},
		{"A1B+_A1+A1.b+Ünit1", "A1B+_A1+A1.b+Ünit1"},
		{"1E5+1.5+A1%", "1E5+1.5+C4%"},
		{"{1,2;3,4}*A1", "{1,2;3,4}*C4"},
		{"#REF!+A1+#FIELD!+A1", "#REF!+C4+#FIELD!+C4"},
		{"A1  B1", "C4  D4"},
		{"XFD1048576", "B3"},
		{"XFE1+A1048577", "XFE1+A1048577"},
		{"a1", "C4"},
		{"A1#", "C4#"},
		{`"open A1`, `"open A1`},
		{"'open A1", "'open A1"},
		{"[open A1", "[open A1"},
	} {
		if got := string(parseShared(c.formula, 1, 1).append(nil, 3, 4)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.formula, got, c.want)
		}
	}
}

func parseShared(formula string, col, row int) *shared {
	s := &shared{col: col, row: row, formula: formula}
	s.cut()
	return s
}

// Where xuri/efp reads a formula in full, the operands it calls ranges are
// the words that move.
func TestShiftAgreesWithEFP(t *testing.T) {
	for _, f := range []string{
		"A1", "SUM(A1:B2,C3)", `IF(A1>B$2,"A1",$C3)&D4`, "VLOOKUP(A1,Data!$A$1:$B$9,2,FALSE)", "-A1+B2%", "A1^2*(B1-C1)", "COUNTIF(A:A,B1)",
	} {
		p := efp.ExcelParser()
		want := map[string]bool{}
		for _, tok := range p.Parse(f) {
			if tok.TType == efp.TokenTypeOperand && tok.TSubType == efp.TokenSubTypeRange {
				name := tok.TValue[strings.LastIndexByte(tok.TValue, '!')+1:]
				for _, cell := range strings.Split(name, ":") {
					want[cell] = true
				}
			}
		}
		got := map[string]bool{}
		for _, p := range parseShared(f, 1, 1).parts {
			if p.ref {
				one := &shared{col: 1, row: 1, parts: []part{p}}
				got[string(one.append(nil, 1, 1))] = true
			}
		}
		for w := range want {
			if !got[w] {
				t.Errorf("%s: %s does not move", f, w)
			}
		}
		for g := range got {
			if !want[g] {
				t.Errorf("%s: %s moves", f, g)
			}
		}
	}
}

// A formula that does not move is itself, to the letter.
func FuzzShift(f *testing.F) {
	for _, s := range []string{"A1", `"A1"&'x'!B$2`, "SUM(A:A,1:1)", "Table1[[#All],[x]]", "{1;2}", "#REF!"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := string(parseShared(s, 1, 1).append(nil, 1, 1))
		if want := string(appendClean(nil, []byte(s))); !strings.EqualFold(noZeros(got), noZeros(want)) {
			t.Errorf("%q became %q", s, got)
		}
	})
}

// noZeros drops what writing a row's number anew drops: zeros before it.
func noZeros(s string) string { return strings.ReplaceAll(s, "0", "") }
