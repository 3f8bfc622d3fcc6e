package pdf_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/conformance"
	"fettler/fettle/internal/document/pdf"
	"fettler/fettle/internal/render/worker"
)

// The corpus run measures the reader over a folder of public PDFs that is no
// part of the project: FETTLER_CORPUS names the folder that holds pdf/. Each
// file is read by a process of its own with a timer and a memory limit, as
// fettle-reader does it, and compared with pdftotext and pdfinfo.
//
//	FETTLER_EVERY=10  takes every tenth file
//	FETTLER_JOBS=2    reads so many at once
//	FETTLER_SHOW=x    takes one file and prints its lines
//	FETTLER_TABLE=x   writes the table into a Markdown file, between its marks
//
// The limit is 20 s by the clock; on a machine that does other things as well
// FETTLER_CPU=1 counts the child's own processor time instead.
const (
	corpusTime   = 20 * time.Second
	corpusMemory = 512 << 20
	childKey     = "FETTLER_PDF_CHILD"
)

func TestMain(m *testing.M) {
	if name := os.Getenv(childKey); name != "" {
		child(name)
		return
	}
	os.Exit(m.Run())
}

// outcome is what a child says of its file.
type outcome struct {
	Engine string
	Pages  int
	Text   string
	Notes  []string
	Err    string
	Reason string
	dead   string // how the child died
	took   time.Duration
}

func child(name string) {
	raw, err := os.ReadFile(name)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	worker.Confine() // as fettle-reader does before its first byte
	limit := corpusTime - time.Second
	if byCPU() {
		limit *= 15
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	var r document.Rendering
	err = document.Guard(ctx, pdf.Render, conformance.Source(raw), &r)
	o := outcome{Engine: r.Served, Pages: len(r.Landmarks), Text: strings.Join(r.Lines, "\n"), Notes: r.Notes}
	if err != nil {
		o.Err = err.Error()
	}
	var d *document.Error
	if errors.As(err, &d) {
		o.Reason = string(d.Reason)
	}
	json.NewEncoder(os.Stdout).Encode(o)
}

// inChild reads a file in a process that is ended over its limits.
func inChild(name string) (o outcome) {
	self, err := os.Executable()
	if err != nil {
		return outcome{dead: err.Error()}
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childKey+"="+name, "GOMEMLIMIT=384MiB", "GOMAXPROCS=2")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return outcome{dead: err.Error()}
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	killed := ""
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			if killed == "" && err != nil {
				killed = "died: " + strings.SplitN(stderr.String(), "\n", 2)[0]
			}
			json.Unmarshal(stdout.Bytes(), &o)
			o.dead, o.took = killed, time.Since(begin)
			if byCPU() {
				o.took = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			}
			return o
		case <-tick.C:
			if killed != "" {
				continue
			}
			used := time.Since(begin)
			if byCPU() {
				used = max(processor(cmd.Process.Pid), used/16)
			}
			if used > corpusTime {
				killed = "over the time"
			} else if resident(cmd.Process.Pid) > corpusMemory {
				killed = "over the memory"
			}
			if killed != "" {
				cmd.Process.Kill()
			}
		}
	}
}

// resident is a process's memory, 0 where the system does not say it so.
func resident(pid int) int64 {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	f := strings.Fields(string(b))
	if err != nil || len(f) < 2 {
		return 0
	}
	n, _ := strconv.ParseInt(f[1], 10, 64)
	return n * int64(os.Getpagesize())
}

func byCPU() bool { return os.Getenv("FETTLER_CPU") != "" }

// processor is the processor time of a process, in the system's ticks of 10 ms.
func processor(pid int) time.Duration {
	b, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, rest, _ := strings.Cut(string(b), ") ")
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

var pagesLine = regexp.MustCompile(`(?m)^Pages:\s+(\d+)`)

// reference is what poppler finds: words, and pages (-1 when it opens nothing).
func reference(name string) (string, int) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*corpusTime)
	defer cancel()
	text, _ := exec.CommandContext(ctx, "pdftotext", "-enc", "UTF-8", name, "-").Output()
	info, _ := exec.CommandContext(ctx, "pdfinfo", name).Output()
	pages := -1
	if m := pagesLine.FindSubmatch(info); m != nil {
		pages, _ = strconv.Atoi(string(m[1]))
	}
	return string(text), pages
}

func wordCounts(s string) map[string]int {
	m := map[string]int{}
	for _, w := range strings.Fields(s) {
		m[w]++
	}
	return m
}

// folded is text without what is no matter of words: ligatures, presentation
// forms and their like by their letters, marks of direction dropped.
func folded(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == 0xad, r == 0x2010, r == 0x2011:
			return '-'
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, s)
	return norm.NFKC.String(s)
}

// recalled is the part of the reference's words that were found.
func recalled(want, got map[string]int) float64 {
	all, found := 0, 0
	for w, n := range want {
		all += n
		found += min(n, got[w])
	}
	return float64(found) / float64(all)
}

func TestCorpus(t *testing.T) {
	files := corpusFiles(t)
	s := &tally{engines: map[string][4]int{}}
	jobs, _ := strconv.Atoi(os.Getenv("FETTLER_JOBS"))
	found := make([]measured, len(files))
	var wg sync.WaitGroup
	slots := make(chan struct{}, max(1, jobs))
	for i, name := range files {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			found[i].want, found[i].pages = reference(name)
			found[i].outcome = inChild(name)
			if o := found[i].outcome; testing.Verbose() {
				fmt.Fprintf(os.Stderr, "%s %s %v %s%s\n", filepath.Base(name), o.Engine, o.took.Round(time.Millisecond), o.Err, o.dead)
			}
		})
	}
	wg.Wait()
	for i, name := range files {
		s.one(name, found[i])
	}
	text := s.table(len(files))
	fmt.Print(text)
	if file := os.Getenv("FETTLER_TABLE"); file != "" {
		if err := between(file, text); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.deaths) > 0 {
		t.Errorf("deaths: %v", s.deaths)
	}
	if s.withWords >= 100 && float64(s.good) < 0.86*float64(s.withWords) {
		t.Errorf("%d of %d files have 90%% of their words, under 86%%", s.good, s.withWords)
	}
}

func corpusFiles(t *testing.T) []string {
	root := os.Getenv("FETTLER_CORPUS")
	if root == "" {
		t.Skip("FETTLER_CORPUS names no folder of public documents")
	}
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("pdftotext is not installed")
	}
	files, err := filepath.Glob(filepath.Join(root, "pdf", "*.pdf"))
	if err != nil || len(files) == 0 {
		t.Skip("there is no pdf folder in FETTLER_CORPUS")
	}
	if show := os.Getenv("FETTLER_SHOW"); show != "" {
		o := inChild(filepath.Join(root, "pdf", show))
		fmt.Printf("%s\n-- %s, %d pages, %v, %s%s %q\n", o.Text, o.Engine, o.Pages, o.took, o.Err, o.dead, o.Notes)
		t.SkipNow()
	}
	sort.Strings(files)
	every, _ := strconv.Atoi(os.Getenv("FETTLER_EVERY"))
	var out []string
	for i, f := range files {
		if every < 2 || i%every == 0 {
			out = append(out, f)
		}
	}
	return out
}

// tally is the run's figures.
type tally struct {
	engines                     map[string][4]int // files with words, ≥ 90 %, < 50 %, without words in pdftotext
	withWords, good, goodFolded int
	pagesBoth, pagesEqual       int
	opened, passwords, damaged  int
	deaths, low, otherPages     []string
	slowest                     time.Duration
	slow                        string
}

// measured is a file's outcome beside the reference's.
type measured struct {
	outcome
	want  string
	pages int
}

func (s *tally) one(path string, m measured) {
	base := strings.TrimSuffix(filepath.Base(path), ".pdf")
	o, want, pages := m.outcome, wordCounts(m.want), m.pages
	if o.took > s.slowest {
		s.slowest, s.slow = o.took, base
	}
	switch {
	case o.dead != "":
		s.deaths = append(s.deaths, base+" ("+o.dead+")")
	case o.Reason == string(document.Password):
		s.passwords++
	case o.Err != "":
		s.damaged++
	default:
		s.opened++
	}
	engine := o.Engine
	if engine == "" {
		engine = "none"
	}
	c := s.engines[engine]
	if len(want) == 0 {
		c[3]++
	} else {
		r := recalled(want, wordCounts(o.Text))
		s.withWords++
		if recalled(wordCounts(folded(m.want)), wordCounts(folded(o.Text))) >= 0.9 {
			s.goodFolded++
		}
		c[0]++
		if r >= 0.9 {
			s.good++
			c[1]++
		} else {
			s.low = append(s.low, fmt.Sprintf("%s %.0f", base, 100*r))
		}
		if r < 0.5 {
			c[2]++
		}
	}
	s.engines[engine] = c
	if o.Pages > 0 && pages >= 0 {
		s.pagesBoth++
		if o.Pages == pages {
			s.pagesEqual++
		} else {
			s.otherPages = append(s.otherPages, fmt.Sprintf("%s %d/%d", base, o.Pages, pages))
		}
	}
}

func (s *tally) table(files int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%d files; pdftotext finds words in %d.\n\n", files, s.withWords)
	b.WriteString("| engine | files with words | ≥ 90 % of the words | < 50 % | pdftotext finds none |\n| --- | --- | --- | --- | --- |\n")
	var names []string
	for n := range s.engines {
		names = append(names, n)
	}
	sort.Strings(names)
	all := [4]int{}
	for _, n := range names {
		c := s.engines[n]
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", n, c[0], c[1], c[2], c[3])
		for i := range all {
			all[i] += c[i]
		}
	}
	fmt.Fprintf(&b, "| all | %d | %d (%.1f %%) | %d | %d |\n\n", all[0], all[1], 100*float64(all[1])/float64(max(1, all[0])), all[2], all[3])
	fmt.Fprintf(&b, "Words are what stands between spaces, compared byte for byte. With ligatures, presentation forms and marks of\ndirection folded on both sides %d files (%.1f %%) have 90 %% of them.\n\n", s.goodFolded, 100*float64(s.goodFolded)/float64(max(1, s.withWords)))
	fmt.Fprintf(&b, "Rendered %d, needs a password %d, refused as damaged or unsupported %d, ended by a limit or died %d.\n", s.opened, s.passwords, s.damaged, len(s.deaths))
	fmt.Fprintf(&b, "Pages equal to pdfinfo's: %d of the %d that both open.\n", s.pagesEqual, s.pagesBoth)
	for _, l := range []struct {
		what  string
		names []string
	}{{"Under 90 % (per cent of the words)", s.low}, {"Other page counts (here/pdfinfo)", s.otherPages}, {"Deaths", s.deaths}} {
		if len(l.names) > 0 {
			fmt.Fprintf(&b, "\n%s: %s.\n", l.what, strings.Join(l.names, ", "))
		}
	}
	fmt.Fprintf(os.Stderr, "slowest: %s %v; %s\n", s.slow, s.slowest, runtime.Version())
	return b.String()
}

// between writes text between the marks of a Markdown file.
func between(file, text string) error {
	const begin, end = "<!-- corpus:pdf -->\n", "<!-- /corpus:pdf -->"
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, rest, ok := strings.Cut(string(b), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return errors.New(file + " has no marks for the PDF table")
	}
	return os.WriteFile(file, []byte(head+begin+strings.TrimLeft(text, "\n")+end+tail), 0o644)
}
