package screen

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fettler/shared/config"
	"fettler/shared/outcome"
	"fettler/shared/wire"
)

const manifest = `{"checkpoint":"org/name","revision":"abc","licence":"MIT","provenance":"by hand"}`

// directory lays out a models directory whose sidecar behaves as mode says.
func directory(t *testing.T, mode string, categories ...string) string {
	t.Helper()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "mode"), mode)
	for _, c := range categories {
		for file, text := range map[string]string{wire.ModelFile: "x", wire.VocabFile: "x", wire.LabelsFile: `["O","X"]`, wire.ManifestFile: manifest} {
			put(t, filepath.Join(dir, c, file), text)
		}
	}
	return dir
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func host(t *testing.T, bounds times) *Host {
	t.Helper()
	h := newHost(os.Executable, bounds)
	t.Cleanup(h.Close)
	return h
}

var brisk = times{look: 10 * time.Second, first: 20 * time.Second, later: 10 * time.Second, idle: time.Hour}

// refused judges and gives the refusal's words, with its exit code checked.
func refused(t *testing.T, s *Screen, want config.Categories, payload ...string) string {
	t.Helper()
	err := s.Judge(context.Background(), want, payload)
	if err == nil {
		return ""
	}
	var o *outcome.Error
	if !errors.As(err, &o) || o.Kind.Code() != 13 {
		t.Errorf("%v is not exit 13", err)
	}
	return err.Error()
}

const (
	cannot = "this response could not be screened, so it is not being served: "
	advice = ". The matches are not quoted, because the refusal would then disclose them. Read a narrower range, or take the screen off this scope if the content is not regulated."
)

func TestIdentifiersNeedNothing(t *testing.T) {
	s := NewHost().With("")
	if got := refused(t, s, config.Identifiers, "a 078-05-1123", "b", "+44 161 496 0000"); got != "this response would disclose regulated data: 2 in identifiers"+advice {
		t.Error(got)
	}
	if got := refused(t, s, config.All, "nothing here", "1667470478"); got != "" {
		t.Error(got)
	}
	if got := refused(t, s, config.Clinical, "078-05-1123"); got != "" {
		t.Errorf("identifiers judged unasked, or a category without a models directory refused: %s", got)
	}
	if got := refused(t, s, config.None, "078-05-1123"); got != "" {
		t.Error(got)
	}
	never := func() (string, error) { t.Error("burler-bridge was looked for"); return "", errNoStart }
	if got := refused(t, newHost(never, brisk).With(directory(t, "", "clinical")), config.Identifiers, "nothing here"); got != "" {
		t.Error(got)
	}
	if got := Image().Error(); got != cannot+"an image cannot be judged" {
		t.Error(got)
	}
}

func TestEveryFailureRefuses(t *testing.T) {
	short := times{look: 10 * time.Second, first: 2 * time.Second, later: time.Second, idle: time.Hour}
	for mode, want := range map[string]string{
		"":               "",
		"found":          "this response would disclose regulated data: 2 in clinical" + advice,
		"exit-at-start":  cannot + "burler-bridge ended before it answered",
		"die":            cannot + "burler-bridge ended before it answered",
		"crash":          cannot + "burler-bridge ended before it answered",
		"half-a-line":    cannot + "burler-bridge ended before it answered",
		"hang":           cannot + "burler-bridge did not answer within 2 seconds",
		"not-json":       cannot + "burler-bridge answered something that is not JSON",
		"no-findings":    cannot + `burler-bridge answered without "findings"`,
		"wrong-category": cannot + "burler-bridge answered for a category that was not asked about",
		"error":          cannot + "burler-bridge reported an error: the model went away",
		"echo":           cannot + "burler-bridge reported an error",
		"flood":          cannot + "burler-bridge answered with more than an answer can hold",
	} {
		t.Run(mode, func(t *testing.T) {
			bounds := brisk
			if mode == "hang" {
				bounds = short
			}
			dir := directory(t, mode, "clinical")
			s := host(t, bounds).With(dir)
			for range 2 { // a killed child is started again, and fails again
				if got := refused(t, s, config.Clinical, "QXZWVK JJKQXV"); got != want {
					t.Errorf("%q, want %q", got, want)
				}
			}
			if noted(t, dir, "notempty") > 0 {
				t.Error("the sidecar got an environment or files in its folder")
			}
		})
	}
}

func TestRefusalsBeforeTheSidecarStarts(t *testing.T) {
	dir := directory(t, "", "clinical")
	s := host(t, brisk).With(dir)
	if got := refused(t, s, config.Clinical|config.Legal, "x"); got != cannot+"no model for legal is installed in the models directory" {
		t.Error(got)
	}
	put(t, filepath.Join(dir, "legal", wire.ManifestFile), `{"checkpoint":"x"}`)
	if got := refused(t, s, config.Legal, "x"); got != cannot+"legal/model.onnx is missing from the models directory" {
		t.Error(got)
	}
	put(t, filepath.Join(dir, "clinical", wire.ManifestFile), `{"checkpoint":"x","revision":"y","provenance":"z"}`)
	if got := refused(t, s, config.Clinical, "x"); got != cannot+`clinical/manifest.json has no "licence"` {
		t.Error(got)
	}
	gone := host(t, brisk).With(filepath.Join(dir, "unmounted"))
	if got := refused(t, gone, config.Clinical, "x"); !strings.HasPrefix(got, cannot+"the models directory cannot be read: ") {
		t.Error(got)
	}
	if n := noted(t, dir, "starts"); n > 0 {
		t.Errorf("started %d times", n)
	}
	// What identifiers found stands also when the model cannot be asked.
	if got := refused(t, gone, config.All, "078-05-1123"); !strings.Contains(got, ": 1 in identifiers.") {
		t.Error(got)
	}
}

func TestSidecarMissingOrNotAProgram(t *testing.T) {
	dir := directory(t, "", "clinical")
	if got := refused(t, NewHost().With(dir), config.Clinical, "x"); got != cannot+"burler-bridge is not beside fettle" {
		t.Error(got)
	}
	h := newHost(func() (string, error) { return filepath.Join(dir, "mode"), nil }, brisk)
	if got := refused(t, h.With(dir), config.Clinical, "x"); got != cannot+"burler-bridge would not start" {
		t.Error(got)
	}
}

func TestIdentifiersAndModelsCountInOneRefusal(t *testing.T) {
	s := host(t, brisk).With(directory(t, "found", "clinical"))
	if got := refused(t, s, config.Identifiers|config.Clinical, "078-05-1123"); got != "this response would disclose regulated data: 1 in identifiers, 2 in clinical"+advice {
		t.Error(got)
	}
}

func TestVerdictsAreRemembered(t *testing.T) {
	dir := directory(t, "", "clinical")
	s := host(t, brisk).With(dir)
	for _, p := range []string{"a", "b", "a", "b"} {
		refused(t, s, config.Clinical, p)
	}
	if n := noted(t, dir, "questions"); n != 2 {
		t.Errorf("%d questions for two payloads", n)
	}
	put(t, filepath.Join(dir, "clinical", wire.ManifestFile), strings.Replace(manifest, "abc", "abd", 1))
	refused(t, s, config.Clinical, "a")
	if q, n := noted(t, dir, "questions"), noted(t, dir, "starts"); q != 3 || n != 2 {
		t.Errorf("after the manifest changed: %d questions, %d starts, want 3 and 2", q, n)
	}
}

func TestVerdictsForgetTheOldest(t *testing.T) {
	v := newVerdicts(2)
	for i := range 3 {
		v.put([32]byte{byte(i)}, nil)
	}
	if _, ok := v.get([32]byte{0}); ok || v.order.Len() != 2 || len(v.by) != 2 {
		t.Error("the oldest is still there")
	}
}

func TestAChildThatDiesOrChattersIsReplaced(t *testing.T) {
	dir := directory(t, "die-second", "clinical")
	s := host(t, brisk).With(dir)
	if got := refused(t, s, config.Clinical, "a"); got != "" {
		t.Error(got)
	}
	if got := refused(t, s, config.Clinical, "b"); got != cannot+"burler-bridge ended before it answered" {
		t.Error(got)
	}
	if got := refused(t, s, config.Clinical, "c"); got != "" {
		t.Error(got)
	}
	if n := noted(t, dir, "starts"); n != 2 {
		t.Errorf("%d starts", n)
	}
	chatty := directory(t, "twice", "clinical")
	s = host(t, brisk).With(chatty)
	refused(t, s, config.Clinical, "a")
	for s.host.child != nil && len(s.host.child.lines) == 0 {
		time.Sleep(time.Millisecond)
	}
	refused(t, s, config.Clinical, "b")
	if n := noted(t, chatty, "starts"); n != 2 {
		t.Errorf("a child that spoke out of turn was asked again: %d starts", n)
	}
}

// The bounds are those that docs/screenings.md states.
func TestBounds(t *testing.T) {
	h := NewHost()
	if h.times != (times{look: 10 * time.Second, first: 90 * time.Second, later: 30 * time.Second, idle: 5 * time.Minute}) || h.said.most != 256 {
		t.Errorf("%+v, %d verdicts", h.times, h.said.most)
	}
}

// A child that has answered is waited for no longer than a later answer may
// take; then it is ended, and the next call starts another.
func TestALateAnswerRefusesAndStartsAnew(t *testing.T) {
	bounds := brisk
	bounds.later = time.Second
	dir := directory(t, "hang-second", "clinical")
	s := host(t, bounds).With(dir)
	for i, want := range []string{"", cannot + "burler-bridge did not answer within 1 seconds", ""} {
		if got := refused(t, s, config.Clinical, string(rune('a'+i))); got != want {
			t.Errorf("question %d: %q, want %q", i, got, want)
		}
		if ended := s.host.child == nil; ended != (want != "") {
			t.Errorf("question %d: ended: %v", i, ended)
		}
	}
	if n := noted(t, dir, "starts"); n != 2 {
		t.Errorf("%d starts", n)
	}
}

func TestOneInFlightAndACancelledCall(t *testing.T) {
	dir := directory(t, "slow", "clinical")
	s := host(t, brisk).With(dir)
	var wg sync.WaitGroup
	for _, p := range []string{"a", "b", "c", "d"} {
		wg.Go(func() {
			if got := refused(t, s, config.Clinical, p); got != "" {
				t.Error(got)
			}
		})
	}
	wg.Wait()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Judge(ctx, config.Clinical, []string{"e"}); err == nil || err.Error() != cannot+"the call was cancelled" {
		t.Errorf("cancelled: %v", err)
	}
	if n := noted(t, dir, "starts"); n != 1 {
		t.Errorf("%d starts", n)
	}
}

func TestIdleChildEnds(t *testing.T) {
	bounds := brisk
	bounds.idle = 50 * time.Millisecond
	dir := directory(t, "", "clinical")
	s := host(t, bounds).With(dir)
	refused(t, s, config.Clinical, "a")
	work := ""
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		s.host.slot <- struct{}{}
		c := s.host.child
		if c != nil {
			work = c.dir
		}
		<-s.host.slot
		if c == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the child is still there")
		}
	}
	if work != "" {
		if _, err := os.Stat(work); err == nil {
			t.Error("its folder is still there")
		}
	}
	if got := refused(t, s, config.Clinical, "b"); got != "" {
		t.Error(got)
	}
}

// Whatever goes wrong, no message holds more than four characters in a row of
// the payload, but for what the fixed sentences have in common with it.
func TestNoMessageRepeatsThePayload(t *testing.T) {
	letters := []rune("BCDFGHJKLMNPQRSTVWXZ0123456789éß漢")
	for _, mode := range []string{"found", "die", "crash", "half-a-line", "not-json", "no-findings", "wrong-category", "error", "echo", "flood", "exit-at-start"} {
		dir := directory(t, mode, "clinical")
		s := host(t, brisk).With(dir)
		for range 4 {
			var b strings.Builder
			for range 5 + rand.IntN(200) {
				b.WriteRune(letters[rand.IntN(len(letters))])
			}
			payload := b.String() + " 078-05-1123"
			for _, want := range []config.Categories{config.Clinical, config.Clinical | config.Identifiers} {
				got := refused(t, s, want, payload)
				if got == "" || echoes(got, payload) {
					t.Errorf("%s: %q judged of %q", mode, got, payload)
				}
			}
		}
	}
	if echoes("abcd", "abcd") || !echoes("xAbCdEx", "zabcdez") {
		t.Error("echoes counts wrongly")
	}
	if err := reported("went away", "the model went away"); err.Error() != "burler-bridge reported an error" {
		t.Error(err)
	}
}
