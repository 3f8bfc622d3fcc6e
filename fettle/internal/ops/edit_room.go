package ops

import (
	"sync/atomic"

	"fettler/fettle/internal/boundary"
	"fettler/shared/outcome"
)

// mostChanged bounds what the files of one call come to hold together: all of it
// is in memory until all of it is staged.
const mostChanged = 1 << 30

// sum is how much that is so far.
type sum struct{ bytes atomic.Int64 }

func (t *sum) add(text string) error {
	if t.bytes.Add(int64(len(text))) > mostChanged {
		return outcome.New(outcome.Refused, "the files would come to have more than %d bytes together. Change fewer of them in one call", mostChanged)
	}
	return nil
}

// texts are the files that a script's edits name, each read once, and how long
// they are together.
type texts struct {
	of   map[string]namedText
	size int
}

type namedText struct {
	content string
	place   *boundary.Place
}

func (t *texts) read(s *Session, path string) (string, *boundary.Place, error) {
	if known, ok := t.of[path]; ok {
		return known.content, known.place, nil
	}
	content, p, err := s.textAt(path)
	if err != nil {
		return "", nil, err
	}
	if t.size += len(content); t.size > largestText {
		return "", nil, outcome.New(outcome.Refused, "the files that the edits name have more than %d bytes together", largestText)
	}
	t.of[path] = namedText{content, p}
	return content, p, nil
}
