package ops

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/change"
	"fettler/fettle/internal/credential"
	"fettler/fettle/internal/document"
	"fettler/fettle/internal/render"
	"fettler/fettle/internal/text"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// largestText is the largest file that is changed as text: it is held in memory.
const largestText = change.Largest

// original is a text file as it is before it is changed.
type original struct {
	place   *boundary.Place
	info    boundary.Info // as it was read
	raw     []byte
	hash    string
	content text.Content
}

// openText reads a file that is to be changed as text. A document, a picture,
// an archive and anything else that is not text is refused by name and reason.
func openText(p *boundary.Place) (*original, error) {
	if p.Info.Mode.IsDir() {
		return nil, outcome.New(outcome.Invalid, "%s is a folder, not a file", p.Spell()).At(p.Spell())
	}
	raw, err := p.Read(largestText)
	switch {
	case errors.Is(err, boundary.ErrLarge):
		return nil, outcome.New(outcome.Refused, "%s has %d bytes, and files over %d are not changed as text", p.Spell(), p.Info.Size, largestText).At(p.Spell())
	case err != nil:
		return nil, err
	case int64(len(raw)) != p.Info.Size:
		return nil, changedMeanwhile(p)
	}
	if err := notText(p.Name(), p.Spell(), raw, bytes.NewReader(raw), p.Info.Size); err != nil {
		return nil, err
	}
	c, err := text.DecodeOwned(raw)
	if err != nil {
		return nil, notWritten(p.Spell(), "binary, or in an encoding that no byte-order mark names", "")
	}
	return &original{place: p, info: p.Info, raw: raw, hash: text.Hash(raw), content: c}, nil
}

func changedMeanwhile(p *boundary.Place) error {
	return outcome.New(outcome.Stale, "%s changed while it was read. Call again", p.Spell()).At(p.Spell())
}

// notText refuses what the bytes say is not text. A notebook is: JSON that
// edit changes as it lies there, cell by cell or not.
func notText(name, spelled string, head []byte, f io.ReaderAt, size int64) error {
	if !render.Candidate(name, head) {
		return nil
	}
	what, err := render.Sniff(name, f, size)
	var d *document.Error
	if errors.As(err, &d) {
		return notWritten(spelled, "a document", d.Message)
	}
	if err != nil {
		return outcome.New(outcome.Denied, "%s cannot be read: %v", spelled, err).At(spelled).Because(err)
	}
	switch {
	case what.Kind == render.Document && what.Document != document.Notebook:
		return notWritten(spelled, documentWord(what.Document), rendering)
	case what.Kind == render.Image:
		return notWritten(spelled, "an image ("+what.MIME+")", "")
	case what.Kind == render.Archive:
		return notWritten(spelled, "an archive", "")
	case what.Kind == render.Gzip:
		return notWritten(spelled, "a gzip file", "")
	case what.Kind == render.Binary:
		return notWritten(spelled, "binary", "")
	}
	return nil
}

func documentWord(k document.Kind) string {
	switch k {
	case document.PDF:
		return "a PDF"
	case document.Spreadsheet:
		return "a workbook"
	case document.Word:
		return "a Word document"
	}
	return "a document"
}

const rendering = "What read gives of one is text taken out of it, and writing that back would replace the file with a fraction of itself"

func notWritten(spelled, what, why string) error {
	if why == "" {
		why = "It is not text"
	}
	return outcome.New(outcome.Refused, "%s is %s, which write, edit and replace do not change. %s. Use move, copy or delete to shift it",
		spelled, what, strings.TrimSuffix(why, ".")).At(spelled)
}

// documentName says what text would pass for under a name's extension, or "".
func documentName(ext string) string {
	switch ext {
	case ".pdf":
		return "a PDF"
	case ".xlsx", ".xlsm", ".xlsb", ".xls":
		return "a workbook"
	case ".docx", ".docm", ".doc":
		return "a Word document"
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return "an image"
	case ".zip", ".tar", ".tgz":
		return "an archive"
	case ".gz":
		return "a gzip file"
	}
	return ""
}

// namedDocument refuses to make a text file under a document's name.
func namedDocument(p *boundary.Place) error {
	if what := documentName(strings.ToLower(path.Ext(p.Name()))); what != "" {
		return outcome.New(outcome.Refused, "%s is named as %s, and fettle writes text only. Give the file a name for text", p.Spell(), what).At(p.Spell())
	}
	return nil
}

// fresh refuses a file that is not the one a caller read.
func (o *original) fresh(expect string) error {
	if expect == "" || strings.EqualFold(expect, o.hash) {
		return nil
	}
	return outcome.New(outcome.Stale, "%s changed since it was read: its hash is now %s. Read it again", o.place.Spell(), o.hash).At(o.place.Spell())
}

// checkExpect refuses what cannot be a hash, which would otherwise look like a stale file.
func checkExpect(expect string) error {
	if expect == "" || len(expect) == 64 && strings.Trim(strings.ToLower(expect), "0123456789abcdef") == "" {
		return nil
	}
	return outcome.New(outcome.Invalid, "expect is the hash that read gives, 64 hexadecimal digits; it is '%s'", text.Head(expect, 80))
}

// encode gives the bytes of a new text, which are only to be read, and refuses
// one that would not be text.
func encode(p *boundary.Place, s string, e text.Encoding) ([]byte, error) {
	if strings.IndexByte(s, 0) >= 0 {
		return nil, outcome.New(outcome.Refused, "the text for %s holds a NUL character, which would make the file binary", p.Spell()).At(p.Spell())
	}
	raw, err := text.EncodeShared(s, e)
	if err != nil {
		return nil, outcome.New(outcome.Invalid, "the text for %s is not valid UTF-8", p.Spell()).At(p.Spell())
	}
	return raw, nil
}

// judge puts a change before the credential net.
func (s *Session) judge(p *boundary.Place, before, after string) error {
	if s.AllowCredential {
		return nil
	}
	if err := credential.Judge(before, after); err != nil {
		return outcome.Of(err).At(p.Spell())
	}
	return nil
}

// touched gives the whole lines of a text that spans lie on.
func touched(content string, spans []change.Span) []string {
	var out []string
	end := 0
	for _, sp := range spans {
		if sp.End <= end && end > 0 {
			continue // it lies on a line that is taken
		}
		from := end
		if sp.Start > end {
			from += strings.LastIndexAny(content[end:sp.Start], "\r\n") + 1
		}
		to := len(content)
		if i := strings.IndexAny(content[sp.End:], "\r\n"); i >= 0 {
			to = sp.End + i
		}
		if to > from {
			out = append(out, text.Lines(content[from:to])...)
		}
		end = max(end, to)
	}
	return out
}

// linesOf gives the lines of those numbers.
func linesOf(content string, numbers []int) []string {
	all := text.Lines(content)
	var out []string
	for _, n := range numbers {
		if n >= 1 && n <= len(all) {
			out = append(out, all[n-1])
		}
	}
	return out
}

// named refuses a wildcard: these verbs do one named thing at a time.
func named(verb string, paths ...string) error {
	for _, p := range paths {
		if strings.ContainsAny(p, "*?") {
			return outcome.New(outcome.Refused, "%s takes one named path at a time, and '%s' holds a wildcard. Use find to list what it names", verb, p)
		}
	}
	return nil
}

// noMark takes off the byte-order mark a stream may begin with.
func noMark(s string) string { return strings.TrimPrefix(s, "\ufeff") }

// forChange finds a place whose file is to be changed as text. The governed
// files come first: no permission would have allowed them.
func (s *Session) forChange(raw string, need config.Permissions) (*boundary.Place, error) {
	p, err := s.Boundary.Locate(raw, 0, "")
	if err != nil {
		return nil, err
	}
	if err := p.Governed(); err != nil {
		return nil, err
	}
	if !p.Exists {
		return nil, outcome.New(outcome.NotFound, "there is nothing at %s", p.Spell()).At(p.Spell()).Because(fs.ErrNotExist)
	}
	return p, p.Need(need)
}
