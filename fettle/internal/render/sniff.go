package render

import (
	"bytes"
	"errors"
	"io"
	"path"
	"strings"
	"sync"

	"fettler/fettle/internal/archive"
	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/ooxml"
	"fettler/fettle/internal/image"
	"fettler/fettle/internal/text"
)

// Kind is what a file is, in the word answers use.
type Kind string

// The kinds. Text is what has yet to be decoded; Binary is what is known to be
// none of the others.
const (
	Text     Kind = "text"
	Image    Kind = "image"
	Archive  Kind = "archive"
	Gzip     Kind = "gzip"
	Document Kind = "document" // see What.Document
	Binary   Kind = "binary"
)

// What is a file by its bytes.
type What struct {
	Kind     Kind
	Document document.Kind  // for Document
	Archive  archive.Format // for Archive
	MIME     string         // for Image
	Name     string         // for Binary, where it is known: "a program (ELF)"
}

// Word is the kind in an answer.
func (w What) Word() string {
	if w.Kind == Document {
		return string(w.Document)
	}
	return string(w.Kind)
}

const headLen = 4096

// Candidate is a cheap look at the beginning of a file: whether Sniff could say
// anything but Text or Binary. Sweeps ask it before they ask Sniff.
func Candidate(name string, head []byte) bool {
	h := head[:min(len(head), 1024)]
	switch {
	case bytes.HasPrefix(h, []byte("PK")), bytes.HasPrefix(h, []byte(oleMagic)), bytes.HasPrefix(h, []byte("\x1f\x8b")),
		image.Sniff(h) != "", bytes.Contains(h, []byte("%PDF-")), archive.Sniff(h) != "":
		return true
	}
	return ByName(name)
}

// ByName reports whether what the file is depends on its name as well.
func ByName(name string) bool { return isNotebookName(name) }

const oleMagic = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

func isNotebookName(name string) bool { return strings.EqualFold(path.Ext(name), ".ipynb") }

// heads are kept, since a search sniffs a file after another.
var heads = sync.Pool{New: func() any { return new([headLen]byte) }}

// Sniff says what src is. name decides one thing only: JSON is a notebook when
// it looks like one and is called .ipynb, because the same bytes called .json
// are somebody's text. The error is an *document.Error for a format that is
// recognised and not read, such as a .doc, or one under a password.
func Sniff(name string, src io.ReaderAt, size int64) (What, error) {
	room := heads.Get().(*[headLen]byte)
	defer heads.Put(room)
	head := room[:min(size, headLen)]
	if n, err := src.ReadAt(head, 0); n < len(head) {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return What{}, err
	}
	if mime := image.Sniff(head); mime != "" {
		return What{Kind: Image, MIME: mime}, nil
	}
	if bytes.HasPrefix(head, []byte("%PDF-")) {
		return What{Kind: Document, Document: document.PDF}, nil
	}
	if bytes.HasPrefix(head, []byte(oleMagic)) || bytes.HasPrefix(head, []byte("PK")) {
		k, err := ooxml.Kind(document.Source{ReaderAt: src, Size: size})
		if k != "" || err != nil {
			return What{Kind: Document, Document: k}, err
		}
	}
	switch f := archive.Sniff(head); f {
	case archive.Gzip:
		if f = archive.SniffGzip(src, size); f == archive.Gzip {
			return What{Kind: Gzip}, nil
		}
		return What{Kind: Archive, Archive: f}, nil
	case archive.Zip, archive.Tar:
		return What{Kind: Archive, Archive: f}, nil
	}
	if isNotebookName(name) && looksLikeNotebook(head, src, size) {
		return What{Kind: Document, Document: document.Notebook}, nil
	}
	if looksLikeText(head, size) {
		return What{Kind: Text}, nil
	}
	// Junk before a PDF's header is tolerated by its readers, within 1,024 bytes.
	if bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-")) {
		return What{Kind: Document, Document: document.PDF}, nil
	}
	if (bytes.HasPrefix(head, []byte("MZ")) || bytes.HasPrefix(head, []byte("\x7fELF"))) && archive.ZipBehind(src, size) {
		return What{Kind: Archive, Archive: archive.Zip}, nil
	}
	return What{Kind: Binary, Name: binaryName(head)}, nil
}

// looksLikeText judges the beginning; decoding judges the whole.
func looksLikeText(head []byte, size int64) bool {
	if _, mark := text.Sniff(head); mark > 0 {
		return true
	}
	cuts := 0
	if int64(len(head)) < size {
		cuts = min(3, len(head)) // the cut may lie inside a character
	}
	for k := 0; k <= cuts; k++ {
		if !errors.Is(text.Check(head[:len(head)-k]), text.ErrBinary) {
			return true
		}
	}
	return false
}

// looksLikeNotebook wants an object with the format's own key, which writers
// that sort keys put at the end.
func looksLikeNotebook(head []byte, src io.ReaderAt, size int64) bool {
	h := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(h) == 0 || h[0] != '{' {
		return false
	}
	if bytes.Contains(h, []byte(`"nbformat"`)) {
		return true
	}
	tail := make([]byte, min(size, 64<<10))
	n, _ := src.ReadAt(tail, size-int64(len(tail)))
	return bytes.Contains(tail[:n], []byte(`"nbformat"`))
}

// binaryName names what people most often ask to have read.
func binaryName(head []byte) string {
	for _, b := range []struct{ magic, name string }{
		{"\x7fELF", "a program (ELF)"}, {"MZ", "a program (Windows)"}, {"\xcf\xfa\xed\xfe", "a program (Mach-O)"},
		{"7z\xbc\xaf\x27\x1c", "a 7-Zip archive, which fettle does not open"}, {"Rar!\x1a\x07", "a RAR archive, which fettle does not open"},
		{"BZh", "compressed with bzip2, which fettle does not open"}, {"\xfd7zXZ\x00", "compressed with xz, which fettle does not open"},
		{"\x28\xb5\x2f\xfd", "compressed with Zstandard, which fettle does not open"},
		{"SQLite format 3\x00", "a SQLite database"}, {"BM", "a bitmap image, which fettle does not read"},
		{"II*\x00", "a TIFF image, which fettle does not read"}, {"MM\x00*", "a TIFF image, which fettle does not read"},
		{"\x00asm", "a WebAssembly module"}, {"\xca\xfe\xba\xbe", "a Java class or a Mach-O program"},
		{"wOFF", "a font"}, {"wOF2", "a font"}, {"OggS", "a sound or film"}, {"fLaC", "a sound"}, {"ID3", "a sound"},
	} {
		if bytes.HasPrefix(head, []byte(b.magic)) {
			return b.name
		}
	}
	return ""
}
