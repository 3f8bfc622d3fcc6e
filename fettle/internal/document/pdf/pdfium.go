package pdf

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/klippa-app/go-pdfium"
	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"fettler/fettle/internal/document"
)

// maxWASM bounds pdfium's memory, in pages of 64 KB.
const maxWASM = 256 << 20 >> 16

// reader holds pdfium between documents, when it is kept.
type reader struct {
	keep  bool // pdfium stays, compiled
	alone bool // there is no pdfium, for tests of the interpreter
	mu    sync.Mutex
	pool  pdfium.Pool
}

// engine starts pdfium. The default of the library shows it the whole file
// system; it gets none, no clock of its own and no streams.
func (r *reader) engine(ctx context.Context) (pdfium.Pool, error) {
	if r.pool != nil {
		return r.pool, nil
	}
	rc := wazero.NewRuntimeConfigInterpreter()
	if r.keep {
		// What is compiled stays for the documents to come, so it must not
		// end with this one's context.
		rc, ctx = wazero.NewRuntimeConfig(), context.Background()
	}
	pool, err := webassembly.Init(webassembly.Config{
		Context: ctx, MinIdle: 0, MaxIdle: 1, MaxTotal: 1,
		FSConfig: wazero.NewFSConfig(), Stdout: io.Discard, Stderr: io.Discard,
		RuntimeConfig: rc.WithCloseOnContextDone(true).WithMemoryLimitPages(maxWASM).
			WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling),
	})
	if err == nil && r.keep {
		r.pool = pool
	}
	return pool, err
}

func (r *reader) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pool != nil {
		r.pool.Close()
		r.pool = nil
	}
}

// pdfium reads the wanted pages, all when want is empty. It leaves the caller
// time to give what it has when the context is about to end.
func (r *reader) pdfium(ctx context.Context, data []byte, want map[int]bool) (out []pageResult, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if end, ok := ctx.Deadline(); ok {
		left := time.Until(end)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, left-min(left/5, 2*time.Second))
		defer cancel()
	}
	defer func() {
		if p := recover(); p != nil {
			err = document.Errorf(document.Damaged, "this PDF is damaged: pdfium gave up (%v)", p)
		}
	}()
	pool, err := r.engine(ctx)
	if err != nil {
		return nil, err
	}
	if !r.keep {
		defer pool.Close()
	}
	inst, err := pool.GetInstanceWithContext(ctx)
	if err != nil {
		return nil, err
	}
	// The instance knows nothing of this context: end it from outside.
	var once sync.Once
	stop := context.AfterFunc(ctx, func() { once.Do(func() { inst.Kill() }) })
	defer func() {
		stop()
		once.Do(func() { inst.Close() })
	}()

	doc, err := inst.OpenDocument(&requests.OpenDocument{File: &data})
	if err != nil {
		return nil, opening(err)
	}
	count, err := inst.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: doc.Document})
	if err != nil {
		return nil, err
	}
	left, lines := document.DefaultBytes, document.MaxLines
	for i := range min(count.PageCount, maxPages) {
		if len(want) > 0 && !want[i] {
			out = append(out, pageResult{})
			continue
		}
		if ctx.Err() != nil || left < 0 || lines < 0 {
			break
		}
		p := readPage(inst, doc.Document, i)
		lines -= len(p.lines)
		for _, l := range p.lines {
			left -= len(l) + 1
		}
		out = append(out, p)
	}
	for i := len(out); i < min(count.PageCount, maxPages) && ctx.Err() != nil; i++ {
		out = append(out, pageResult{failed: "there was no time left to read it"})
	}
	if len(out) == 0 {
		return nil, errors.New("it has no pages")
	}
	return out, nil
}

// opening turns pdfium's reasons into ours.
func opening(err error) error {
	switch {
	case errors.Is(err, pdfiumerrors.ErrPassword):
		return document.Errorf(document.Password, "this PDF needs a password; fettle has none to give")
	case errors.Is(err, pdfiumerrors.ErrSecurity):
		return document.Errorf(document.Unsupported, "this PDF is encrypted in a way fettle does not read")
	}
	return err
}

// readPage reads a page after its fields and remarks were made part of it.
func readPage(inst pdfium.Pdfium, doc references.FPDF_DOCUMENT, i int) (p pageResult) {
	p.served = true
	loaded, err := inst.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: doc, Index: i})
	if err != nil {
		p.failed = short(err.Error())
		return p
	}
	flat, err := inst.FPDFPage_Flatten(&requests.FPDFPage_Flatten{Page: requests.Page{ByReference: &loaded.Page}})
	if err == nil && flat != nil {
		// The page as it was loaded does not know what it became.
		inst.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page})
		if loaded, err = inst.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: doc, Index: i}); err != nil {
			p.failed = short(err.Error())
			return p
		}
	}
	defer inst.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page})
	ref := requests.Page{ByReference: &loaded.Page}
	text, err := inst.GetPageText(&requests.GetPageText{Page: ref})
	if err != nil {
		p.failed = short(err.Error())
		return p
	}
	p.lines = pdfiumLines(text.Text)
	p.words = len(p.lines) > 0
	if !p.words {
		if n, err := inst.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: ref}); err == nil {
			for k := range min(n.Count, 1000) {
				o, err := inst.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: ref, Index: k})
				if err != nil {
					break
				}
				if t, err := inst.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{PageObject: o.PageObject}); err == nil && t.Type == 3 {
					p.images++
				}
			}
		}
	}
	return p
}

// pdfiumLines takes pdfium's text apart. It marks a hyphen at a line's end
// with U+0002 or U+FFFE.
func pdfiumLines(text string) []string {
	text = strings.NewReplacer("\x02\r\n", "\u00ad\n", "\x02", "\u00ad", "\ufffe\r\n", "\u00ad\n", "\ufffe", "\u00ad", "\r\n", "\n", "\r", "\n").Replace(text)
	var lines []string
	for l := range strings.SplitSeq(text, "\n") {
		if l = strings.Join(strings.Fields(clean(l)), " "); l != "" {
			lines = append(lines, l)
		}
	}
	return unhyphenate(lines)
}
