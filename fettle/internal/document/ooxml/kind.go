package ooxml

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"

	"fettler/fettle/internal/document"
)

// Kind tells by the bytes alone what a file is: a Spreadsheet, a Word
// document, or "" with no error for bytes that are neither, such as any other
// zip. A file that is an office file fettle does not read, or one under a
// password, is an *document.Error that names it.
func Kind(src document.Source) (document.Kind, error) {
	if err := legacy(src); err != nil {
		return "", err
	}
	var head [4]byte
	if n, _ := src.ReadAt(head[:], 0); n < 4 || head[0] != 'P' || head[1] != 'K' {
		return "", nil
	}
	p, err := openZip(context.Background(), src)
	if err != nil {
		return "", nil // a zip that cannot be listed is for whoever lists zips
	}
	if !p.Has("[Content_Types].xml") && !p.Has("xl/workbook.xml") && !p.Has("word/document.xml") {
		return "", p.openDocument()
	}
	if err := p.findMain(); err != nil {
		var e *document.Error
		if errors.As(err, &e) && e.Reason == document.Unsupported && !errors.Is(err, errNoMain) {
			return "", err
		}
		return "", nil
	}
	return p.Kind(), nil
}

// Kind is what the package's main part is.
func (p *Package) Kind() document.Kind {
	switch {
	case strings.Contains(p.Type, "spreadsheetml"), strings.Contains(p.Type, "ms-excel"):
		return document.Spreadsheet
	case strings.Contains(p.Type, "wordprocessingml"), strings.Contains(p.Type, "ms-word"):
		return document.Word
	}
	return ""
}

var errNoMain = document.Errorf(document.Unsupported, "the file is a zip, and no workbook or Word document")

// findMain finds the main part through the package's relationships, or at
// its usual place when those are damaged.
func (p *Package) findMain() error {
	typesErr := p.readTypes()
	rels, _ := p.Relationships("")
	p.Main = Related(rels, "officeDocument")
	if p.Main == "" || !p.Has(p.Main) {
		p.Main = ""
		for _, usual := range []string{"xl/workbook.xml", "word/document.xml", "xl/workbook.bin", "ppt/presentation.xml"} {
			if p.Has(usual) {
				p.Main = usual
				break
			}
		}
	}
	if p.Main == "" {
		if err := p.openDocument(); err != nil {
			return err
		}
		if typesErr != nil && !errors.Is(typesErr, fs.ErrNotExist) {
			return typesErr
		}
		return errNoMain
	}
	p.Type = p.types.of(p.Main)
	low := strings.ToLower(p.Main)
	switch {
	case strings.Contains(p.Type, "sheet.binary"), strings.HasSuffix(low, "workbook.bin"):
		return document.Errorf(document.Unsupported, "the file is an Excel binary workbook (.xlsb), which fettle does not read; save it as .xlsx")
	case strings.Contains(p.Type, "presentationml"), strings.Contains(p.Type, "ms-powerpoint"), strings.HasPrefix(low, "ppt/"):
		return document.Errorf(document.Unsupported, "the file is a PowerPoint presentation, which fettle does not read")
	}
	if p.Kind() == "" {
		// The content types are missing or damaged: the place tells.
		switch {
		case strings.HasPrefix(low, "xl/"):
			p.Type = "spreadsheetml"
		case strings.HasPrefix(low, "word/"):
			p.Type = "wordprocessingml"
		default:
			return document.Errorf(document.Unsupported, "the file is an Office file that is neither a workbook nor a Word document, and fettle reads no other")
		}
	}
	return nil
}

// openDocument names LibreOffice's formats, which are zips too.
func (p *Package) openDocument() error {
	f, ok := p.members["mimetype"]
	if !ok {
		return nil
	}
	r, err := f.Open()
	if err != nil {
		return nil
	}
	defer r.Close()
	head, _ := io.ReadAll(io.LimitReader(r, 128))
	if rest, ok := strings.CutPrefix(string(head), "application/vnd.oasis.opendocument."); ok {
		kind := "file" // what it says itself is content, which an error does not repeat
		for _, k := range []string{"text", "spreadsheet", "presentation", "graphics", "formula", "chart", "image", "database"} {
			if strings.HasPrefix(rest, k) {
				kind = k
			}
		}
		return document.Errorf(document.Unsupported, "the file is an OpenDocument %s, which fettle does not read; save it as .docx or .xlsx", kind)
	}
	return nil
}

const oleMagic = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// legacy names a file in the container of the old binary formats, which is
// also the one that holds an encrypted .xlsx or .docx.
func legacy(src document.Source) error {
	var head [8]byte
	if n, _ := src.ReadAt(head[:], 0); n < 8 || string(head[:]) != oleMagic {
		return nil
	}
	found := oleStreams(src)
	switch {
	case found["EncryptedPackage"]:
		return document.Errorf(document.Password, "the file is an encrypted Office document, and fettle holds no passwords; save it without one")
	case found["WordDocument"]:
		return unread("an old Word document (.doc)", ".docx")
	case found["Workbook"], found["Book"]:
		return unread("an old Excel workbook (.xls)", ".xlsx")
	case found["PowerPoint Document"]:
		return document.Errorf(document.Unsupported, "the file is an old PowerPoint presentation (.ppt), which fettle does not read")
	}
	return document.Errorf(document.Unsupported, "the file is in the container of the old Office formats (OLE), which fettle does not read")
}

func unread(what, instead string) error {
	return document.Errorf(document.Unsupported, "the file is %s, which fettle does not read; save it as %s", what, instead)
}

// oleStreams looks for the streams that tell the old formats apart. Entries
// of the container's directory are 128 bytes at places that are multiples of
// 128, wherever the directory lies, so nothing has to be followed.
func oleStreams(src document.Source) map[string]bool {
	const entry, most = 128, 64 << 20
	found := map[string]bool{}
	want := []string{"EncryptedPackage", "WordDocument", "Workbook", "Book", "PowerPoint Document"}
	buf := make([]byte, 32<<10)
	for off := int64(0); off < min(src.Size, most); off += int64(len(buf)) {
		n, err := src.ReadAt(buf, off)
		for i := 0; i+entry <= n; i += entry {
			e := buf[i : i+entry]
			size := int(e[64]) | int(e[65])<<8
			if size < 2 || size > 64 || size%2 != 0 || e[66] > 5 {
				continue
			}
			for _, name := range want {
				if size == 2*len(name)+2 && utf16Is(e, name) {
					found[name] = true
				}
			}
		}
		if err != nil {
			break
		}
	}
	return found
}

func utf16Is(b []byte, name string) bool {
	for i := 0; i < len(name); i++ {
		if b[2*i] != name[i] || b[2*i+1] != 0 {
			return false
		}
	}
	return true
}
