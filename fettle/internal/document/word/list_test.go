package word_test

import (
	"fmt"
	"testing"
)

func item(num, level int, text string) string {
	return fmt.Sprintf(`<w:p><w:pPr><w:numPr><w:ilvl w:val="%d"/><w:numId w:val="%d"/></w:numPr></w:pPr>%s</w:p>`, level, num, run(text))
}

func lvl(at int, format, text, more string) string {
	return fmt.Sprintf(`<w:lvl w:ilvl="%d"><w:start w:val="1"/><w:numFmt w:val="%s"/>%s<w:lvlText w:val="%s"/></w:lvl>`, at, format, more, text)
}

func TestListLabels(t *testing.T) {
	f := file{
		styles: `<w:style w:type="paragraph" w:styleId="N"><w:name w:val="N"/><w:pPr><w:numPr><w:numId w:val="4"/></w:numPr></w:pPr></w:style>` +
			`<w:style w:type="numbering" w:styleId="L"><w:name w:val="L"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>`,
		numbering: `<w:abstractNum w:abstractNumId="1">` + lvl(0, "decimal", "%1.", "") + lvl(1, "lowerLetter", "%1.%2)", "") + lvl(2, "upperRoman", "(%3)", "") + `</w:abstractNum>` +
			`<w:abstractNum w:abstractNumId="2">` + lvl(0, "bullet", "\uf0b7", "") + lvl(1, "bullet", "-", "") + `</w:abstractNum>` +
			`<w:abstractNum w:abstractNumId="3">` + lvl(0, "upperRoman", "%1", "") + lvl(1, "decimal", "%1.%2", "<w:isLgl/>") + `</w:abstractNum>` +
			`<w:abstractNum w:abstractNumId="5"><w:numStyleLink w:val="L"/></w:abstractNum>` +
			`<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num>` +
			`<w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>` +
			`<w:num w:numId="4"><w:abstractNumId w:val="3"/></w:num><w:num w:numId="6"><w:abstractNumId w:val="5"/></w:num>`,
		body: item(1, 0, "a") + item(1, 1, "b") + item(1, 1, "c") + item(1, 2, "d") + item(1, 0, "e") + item(1, 1, "f") +
			item(2, 0, "g") + item(2, 1, "h") + item(3, 0, "i") + item(3, 0, "j") + styled("N", "k") + item(4, 1, "l") + item(0, 0, "m") + item(99, 0, "n") + item(6, 0, "o"),
	}
	equal(t, f.render(t).Lines, "1. a", "1.a) b", "1.b) c", "(I) d", "2. e", "2.a) f", "• g", "- h", "5. i", "6. j", "I k", "1.1 l", "m", "n", "7. o")
}
