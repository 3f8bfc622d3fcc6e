package workbook

import (
	"io"
	"strconv"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/ooxml"
)

// Bounds of the style part.
const (
	maxStyles  = 65_536
	maxFormats = 16_384
)

// readStyles reads which number format each cell style has.
func (b *book) readStyles(name string) error {
	x, err := b.pkg.Part(name)
	if err != nil {
		return err
	}
	defer x.Close()
	custom := map[int]*format{}
	inXfs := 0
	for {
		ev, err := x.Next()
		if err == io.EOF {
			return x.Finish(b.note)
		}
		if err != nil {
			return err
		}
		if ev == ooxml.End && x.Depth() < inXfs {
			inXfs = 0
		}
		if ev != ooxml.Start || !ours(x.Space) {
			continue
		}
		switch string(x.Name) {
		case "numFmt":
			if inXfs != 0 || x.Depth() != 3 { // a differential style has one too
				continue
			}
			id, _ := x.Attr("numFmtId")
			code, _ := x.Attr("formatCode")
			n, err := strconv.Atoi(string(id))
			if err != nil {
				continue
			}
			if len(custom) >= maxFormats {
				return document.Errorf(document.TooLarge, "the workbook has more than %d number formats", maxFormats)
			}
			custom[n] = parseFormat(string(code))
		case "cellXfs":
			inXfs = x.Depth()
		case "xf":
			if inXfs == 0 || x.Depth() != inXfs+1 {
				continue
			}
			id, _ := x.Attr("numFmtId")
			n, _ := strconv.Atoi(string(id))
			f, ok := custom[n]
			if !ok {
				f = builtin(n)
			}
			if len(b.styles) >= maxStyles {
				return document.Errorf(document.TooLarge, "the workbook has more than %d cell styles", maxStyles)
			}
			b.styles = append(b.styles, f)
		}
	}
}

// style is the format of a cell's style, nil where the number is shown as is.
func (b *book) style(v []byte) *format {
	if len(v) == 0 || len(v) > 6 {
		return nil
	}
	n := 0
	for _, c := range v {
		if c < '0' || c > '9' {
			return nil
		}
		n = n*10 + int(c-'0')
	}
	if n >= len(b.styles) {
		return nil
	}
	return b.styles[n]
}
