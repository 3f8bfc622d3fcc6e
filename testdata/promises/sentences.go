package promises

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// sentence is one of the documentation's with what shows it. One that
// promises nothing, although it sounds so, says why instead.
type sentence struct {
	document, text string
	evidence       []evidence
}

// evidence is one of: a transcript's promise, a whole transcript, a Go test, the
// reason why there is nothing to show.
type evidence struct {
	promise       string
	transcript    string // below testdata/transcripts
	test, folder  string
	nothingToShow string
}

// readSentences reads sentences.txt: blocks parted by empty lines. A block is
// a line `DOCUMENT: SENTENCE` and, below it, one or more of
//
//	shown TEXT            a transcript's promise
//	transcript FILE       a whole transcript
//	test FOLDER NAME      a Go test or fuzz target
//	states WHY            nothing to show: the sentence limits or describes
func readSentences(text string) ([]sentence, error) {
	var out []sentence
	for block := range strings.SplitSeq(text, "\n\n") {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		for len(lines) > 0 && (lines[0] == "" || strings.HasPrefix(lines[0], "#")) {
			lines = lines[1:]
		}
		if len(lines) == 0 {
			continue
		}
		document, text, ok := strings.Cut(lines[0], ": ")
		if !ok || len(lines) == 1 {
			return nil, fmt.Errorf("sentences.txt: a block needs `DOCUMENT: SENTENCE` and what shows it: %s", lines[0])
		}
		s := sentence{document: document, text: text}
		for _, l := range lines[1:] {
			word, rest, _ := strings.Cut(strings.TrimSpace(l), " ")
			switch word {
			case "shown":
				s.evidence = append(s.evidence, evidence{promise: rest})
			case "transcript":
				s.evidence = append(s.evidence, evidence{transcript: rest})
			case "test":
				folder, name, _ := strings.Cut(rest, " ")
				s.evidence = append(s.evidence, evidence{folder: folder, test: name})
			case "states":
				s.evidence = append(s.evidence, evidence{nothingToShow: rest})
			default:
				return nil, fmt.Errorf("sentences.txt: %q is none of shown, transcript, test, states", word)
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// testExists looks for a Go test of that name in the folder's test files.
func testExists(top string, e evidence) error {
	files, err := filepath.Glob(filepath.Join(top, filepath.FromSlash(e.folder), "*_test.go"))
	if err != nil {
		return err
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		if strings.Contains(string(src), "\nfunc "+e.test+"(") {
			return nil
		}
	}
	return fmt.Errorf("there is no test %s in %s", e.test, e.folder)
}
