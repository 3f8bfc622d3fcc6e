// Package promises holds the documentation to what is tested.
//
// A promise is a line `#promise: TEXT` in a transcript; what shows it are the
// commands below it, up to the next empty line. The file sentences.txt gives,
// for every sentence of the documentation that promises a refusal or a bound,
// the promise or the Go test that shows it. Load reads both; Check says what
// does not fit, and Page writes docs/promises.md. Nothing here runs a program:
// the transcripts themselves are run by testdata/transcripts.
package promises

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// PageFile is what Page is written to, below the project's top.
const PageFile = "docs/promises.md"

// Book is everything that is promised and what shows it.
type Book struct {
	top       string
	promises  []promise  // in the order of the transcripts
	sentences []sentence // in the order of sentences.txt
}

// Load reads the transcripts and sentences.txt below the project's top.
func Load(top string) (*Book, error) {
	b := &Book{top: top}
	var err error
	if b.promises, err = readTranscripts(filepath.Join(top, "testdata", "transcripts")); err != nil {
		return nil, err
	}
	text, err := readPage(top, "testdata/promises/sentences.txt")
	if err != nil {
		return nil, err
	}
	b.sentences, err = readSentences(text)
	return b, err
}

// Check says everything that does not fit: a sentence that nothing shows, one
// that the documents no longer hold, a promise without a test or unused, a
// test that is not there.
func (b *Book) Check() error {
	var bad []error
	known := map[string]bool{}
	for _, p := range b.promises {
		if known[p.text] {
			bad = append(bad, fmt.Errorf("%s: promised twice: %s", p.file, p.text))
		}
		if !p.shown() {
			bad = append(bad, fmt.Errorf("%s: no command shows: %s", p.file, p.text))
		}
		known[p.text] = true
	}
	used := map[string]bool{}
	listed := map[string]bool{}
	for _, s := range b.sentences {
		listed[s.document+"\x00"+s.text] = true
		for _, e := range s.evidence {
			switch {
			case e.promise != "":
				used[e.promise] = true
				if !known[e.promise] {
					bad = append(bad, fmt.Errorf("no transcript promises: %s", e.promise))
				}
			case e.transcript != "":
				_, err := readPage(b.top, "testdata/transcripts/"+e.transcript)
				bad = append(bad, err)
			case e.test != "":
				bad = append(bad, testExists(b.top, e))
			}
		}
	}
	for _, p := range b.promises {
		if !used[p.text] {
			bad = append(bad, fmt.Errorf("%s: no sentence of the documentation promises: %s", p.file, p.text))
		}
	}
	return errors.Join(append(bad, b.checkDocuments(listed)...)...)
}

// checkDocuments compares what the documents hold with what is listed.
func (b *Book) checkDocuments(listed map[string]bool) []error {
	var bad []error
	var all []string
	for _, d := range documents {
		page, err := readPage(b.top, d)
		if err != nil {
			bad = append(bad, err)
			continue
		}
		for _, s := range sentences(page) {
			if all = append(all, d+"\x00"+s); !listed[d+"\x00"+s] {
				bad = append(bad, fmt.Errorf("sentences.txt says nothing of this sentence of %s:\n\t%s", d, s))
			}
		}
	}
	for _, s := range b.sentences {
		if !slices.Contains(all, s.document+"\x00"+s.text) {
			bad = append(bad, fmt.Errorf("%s no longer holds this sentence of sentences.txt:\n\t%s", s.document, s.text))
		}
	}
	return bad
}

// shown tells whether at least one command and one expectation stand below it.
func (p promise) shown() bool {
	ran := false
	for _, l := range p.lines {
		verb, _, _ := strings.Cut(l, " ")
		ran = ran || verb == "exec" || verb == "code" || verb == "mcp"
	}
	return ran
}
