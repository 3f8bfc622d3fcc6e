package workbook

import (
	"fmt"
	"strings"

	"fettler/fettle/internal/document/ooxml"
)

// comments renders a sheet's comments below its rows, each with its cell. Of
// a conversation Excel keeps a copy there for older programs, so that is all
// there is to read.
func (b *book) comments(sheet string) error {
	rels, err := b.pkg.Relationships(sheet)
	if err != nil {
		return err
	}
	name := ooxml.Related(rels, "comments")
	if name == "" {
		return nil
	}
	x, err := b.pkg.Part(name)
	if err != nil {
		return err
	}
	defer x.Close()
	var raw, text []byte
	cell := ""
	for err := range x.Starts(ours) {
		if err != nil {
			return err
		}
		switch string(x.Name) {
		case "comment":
			ref, _ := x.Attr("ref")
			cell = oneLine(ref, 20)
		case "text":
			if raw, err = b.richText(x, raw[:0]); err != nil {
				return err
			}
			text = appendString(text[:0], raw)
			said := strings.TrimSpace(strings.ToValidUTF8(string(text), "\ufffd"))
			if err := b.line(fmt.Sprintf("[comment at %s] %s", cell, said)); err != nil {
				return err
			}
		}
	}
	return x.Finish(b.note)
}
