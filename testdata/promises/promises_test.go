package promises

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const top = "../.."

func TestEveryPromiseIsShown(t *testing.T) {
	book, err := Load(top)
	if err != nil {
		t.Fatal(err)
	}
	if err := book.Check(); err != nil {
		t.Error(err)
	}
	if len(book.promises) < 40 || len(book.sentences) < 60 {
		t.Errorf("%d promises and %d sentences were found", len(book.promises), len(book.sentences))
	}
	page, err := os.ReadFile(filepath.Join(top, PageFile))
	if err != nil || !bytes.Equal(page, book.Page()) {
		t.Errorf("%s is not current; run go tool mage promises (%v)", PageFile, err)
	}
}

// What Check must find, each in a book that lacks nothing else.
func TestCheckFinds(t *testing.T) {
	book, err := Load(top)
	if err != nil {
		t.Fatal(err)
	}
	first := book.sentences[0]
	for name, c := range map[string]struct {
		change func(b *Book)
		want   string
	}{
		"a sentence not listed":     {func(b *Book) { b.sentences = b.sentences[1:] }, "says nothing of this sentence"},
		"a sentence that is gone":   {func(b *Book) { b.sentences[0].text += " more" }, "no longer holds"},
		"a transcript that is gone": {func(b *Book) { b.promises = b.promises[1:] }, "no transcript promises"},
		"a promise nobody makes": {func(b *Book) {
			b.promises = append(b.promises, promise{text: "new", file: "f", lines: []string{"exec fettle"}})
		}, "no sentence of the documentation promises: new"},
		"a promise without a command": {func(b *Book) { b.promises[0].lines = []string{"stdout x"} }, "no command shows"},
		"a promise made twice":        {func(b *Book) { b.promises = append(b.promises, b.promises[0]) }, "promised twice"},
		"a test that is gone": {func(b *Book) {
			b.sentences[0].evidence = append(slices.Clone(first.evidence), evidence{folder: "testdata/promises", test: "TestNobodyWrote"})
		}, "there is no test TestNobodyWrote"},
	} {
		t.Run(name, func(t *testing.T) {
			b := &Book{top: top, promises: slices.Clone(book.promises), sentences: slices.Clone(book.sentences)}
			c.change(b)
			if err := b.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestSentences(t *testing.T) {
	page := "# No heading\n\nIt never fails. It runs.\nA wrapped line is\nrefused. See `x`.\n\n- An item, only\n  wrapped.\n\n| a | b |\n| --- | --- |\n| never | x |\n\n```\nnever here\n```\n<!-- x -->\nnever here\n<!-- end x -->\n"
	want := []string{"It never fails.", "A wrapped line is refused.", "An item, only wrapped.", "| never | x |"}
	if got := sentences(page); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
