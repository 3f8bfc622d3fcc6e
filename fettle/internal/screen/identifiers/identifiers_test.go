package identifiers

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// verdicts runs one detector of digit clusters over hits and near misses.
func verdicts(t *testing.T, detect func(*cluster, []span) []span, hits, misses []string) {
	t.Helper()
	run := func(s string) int {
		b := fold(nil, strings.Split(s, "\n"))
		var spans []span
		var c cluster
		for at := 0; c.next(b, at); at = c.end() {
			spans = detect(&c, spans)
		}
		return len(merge(spans))
	}
	for _, s := range hits {
		if n := run(s); n != 1 {
			t.Errorf("%q: %d found, want 1", s, n)
		}
	}
	for _, s := range misses {
		if n := run(s); n != 0 {
			t.Errorf("%q: %d found, want none", s, n)
		}
	}
}

// K77: one entity that several detectors claim counts once.
func TestOneEntityCountsOnce(t *testing.T) {
	for s, want := range map[string]int{
		"":                          0,
		"patient id: 078-05-1123":   1,
		"MRN 415-555-0132":          1,
		"078-05-1123 078-05-1123":   2,
		"078-05-1123\n415-555-0132": 2,
		"DOB: 03/04/1980 MRN: 123456 a@b.example": 3,
		"+1 415 555 0132 / 4111 1111 1111 1111":   2,
	} {
		if got := Count(strings.Split(s, "\n")); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}

// K79: what fills repositories and logs.
func TestCodeIsNotPersonal(t *testing.T) {
	for name, s := range map[string]string{
		"package-lock.json": `"node_modules/@babel/core": {"version": "7.24.5","resolved": "https://packages.example/@babel/core/-/core-7.24.5.tgz",
"integrity": "sha512-tVQRucExLQ02Boi4vdPp49svNGcfL2GhdTCT9aldhXgCJVAI21EtRfBettiuLUwce/7r6bFdgs6JFkcdTiFttA==","node": ">=6.9.0"}`,
		"go.sum": `golang.org/x/mod v0.0.0-20190523083050-ea95bdfd59fc h1:P6bYXFoao05z5uhOQzbC3Qd8JqF3jUoocoTeIxkp2cA=
github.com/a/b v1.2.3-0.20180306012644-bacd9c7ef1dd/go.mod h1:+12345678901234567890=`,
		"minified":   `!function(e,t){for(var n=1e3;n<2147483647;n+=4294967295)e[n]=t[n>>>16&255]|0x3f80;var r="+1",o=3.14159265358979}`,
		"nginx":      `192.168.100.200 - - [02/Sep/2024:10:11:12 +0000] "GET /img/icon@2x.png HTTP/1.1" 200 2326 "-" "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"`,
		"skus":       "SKU,qty\n100-2000-30,4\n4111111111111111,1\n12-345-678,2\n8412345678905,3",
		"hexdump":    "00000000  4c 69 63 65 6e 73 65 20  01 23 45 67 89 ab cd ef  |License|\n0000020 4111 1111 1111 1111 4532 0151 1283 0366",
		"git log":    "commit 7929ebf0\nDate:   Mon Sep 2 10:11:12 2024 +0200\n\n    Take 1667470478 as the time",
		"timestamps": "2024-09-02 10:11:12.123456 1725271872 1725271872123 +0530 20240902T101112Z",
	} {
		if n := Count(strings.Split(s, "\n")); n != 0 {
			t.Errorf("%s: %d identifiers, want none", name, n)
		}
	}
}

func TestDigitFindsWhatAByteLoopFinds(t *testing.T) {
	for c := range 256 {
		b := []byte("xxxxxxxxxxxxxxxxxxx")
		for at := range b {
			b[at] = byte(c)
			want := -1
			if '0' <= c && c <= '9' {
				want = at
			}
			if got := digit(b, 0); got != want {
				t.Fatalf("byte %d at %d: %d, want %d", c, at, got, want)
			}
			b[at] = 'x'
		}
	}
}

// What small leaves out, no detector would have found.
func TestSmallLeavesNothingOut(t *testing.T) {
	for _, before := range []string{"", " ", "dob: ", "MRN ", "MRN A", "MRN A-", "April ", "born on April ", "(", "+", "4", "-", "patient #"} {
		for _, digits := range []string{"1", "03", "31"} {
			for c := range 256 {
				for _, after := range []string{"", "1980", "/1980", " April 1980", "4/1980", "rd, 1980", "B-123", " 1980"} {
					b := fold(nil, []string{before + digits + string([]byte{byte(c)}) + after})
					c := new(cluster)
					for at := 0; c.next(b, at); at = c.end() {
						if !c.small() {
							continue
						}
						for _, detect := range []func(*cluster, []span) []span{ssns, cards, phones, records, births} {
							if len(detect(c, nil)) > 0 {
								t.Fatalf("%q is left out", b)
							}
						}
					}
				}
			}
		}
	}
}

// Time is linear: hostile repetition of what each detector looks back or ahead
// over stays within a small multiple of harmless text. Steps are not counted
// here; that this test ends at all is what it shows.
func TestHostileRepetition(t *testing.T) {
	for _, unit := range []string{"1-", "1 ", "a@", "a.b@", "(1", "+1", "1.1.1.1@", "MRN ", "1980-", "- - -1", "is is ", "4111 1111 ", "dob 1/1/",
		"\x1b[", "\x1b[1m1", "\x1b[1", `\`, `\n1`, `\u001b[1m1`, "1\ufffd", "\u200e", "2) ", "\n \t2) 4", "//:a@b.c"} {
		Count([]string{strings.Repeat(unit, 1<<20/len(unit))})
	}
}

func FuzzCount(f *testing.F) {
	for _, s := range []string{"078-05-1123", "+44 (0)161 496 0000", "a@b.example", "DOB: 3rd of April 1980", "MRN #12", "４１１１ 1111", "\xff1-\xe2", "born on 1", "1 - (2", "dob 3 apr",
		"\x1b[31m078-05-1123\x1b[0m", `\u001b[20G4\n2) 415-555-0132\`, "078\ufffd05\ufffd1123\u202d", "URL:https://a.b\nEMAIL:c@d.org"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b := fold(nil, []string{s})
		end := 0
		for _, sp := range merge(new(scratch).find(b)) {
			if sp.start < end || sp.end <= sp.start || sp.end > len(b) {
				t.Fatalf("span %v of %d bytes after %d", sp, len(b), end)
			}
			end = sp.end
		}
	})
}

// BenchmarkCount judges Go's own source, the text that the figures in
// docs/screenings.md are about.
func BenchmarkCount(b *testing.B) {
	lines, size := source(b)
	b.SetBytes(size)
	for b.Loop() {
		Count(lines)
	}
}

// TestSourceFalsePositives prints what each detector finds in GOROOT/src when
// FETTLE_MEASURE is set: the figures in docs/screenings.md.
func TestSourceFalsePositives(t *testing.T) {
	if os.Getenv("FETTLE_MEASURE") == "" {
		t.Skip("a measurement: set FETTLE_MEASURE to run it")
	}
	lines, size := source(t)
	b := fold(nil, lines)
	show := func(name string, spans []span) {
		t.Logf("%-24s %d", name, len(spans))
		for _, s := range spans {
			if os.Getenv("FETTLE_MEASURE") == name {
				t.Logf("  %q", b[max(0, s.start-30):min(len(b), s.end+20)])
			}
		}
	}
	t.Logf("%d bytes", size)
	show("email", emails(b, nil))
	for name, detect := range map[string]func(*cluster, []span) []span{
		"ssn": ssns, "credit-card": cards, "phone": phones, "medical-record-number": records, "date-of-birth": births} {
		var spans []span
		var c cluster
		for at := 0; c.next(b, at); at = c.end() {
			spans = detect(&c, spans)
		}
		show(name, spans)
	}
}

// TestCountAFile counts in the file FETTLE_COUNT names and nothing else, for a
// peer to be timed beside it.
func TestCountAFile(t *testing.T) {
	path := os.Getenv("FETTLE_COUNT")
	if path == "" {
		t.Skip("a measurement: set FETTLE_COUNT to run it")
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	// A piece is as large as an answer may be: that is what is ever judged at once.
	buf, n, found, size := make([]byte, 160<<10), 0, 0, 0
	for {
		m, err := f.Read(buf[n:])
		n += m
		size += m
		whole := bytes.LastIndexByte(buf[:n], '\n') + 1
		if err != nil || whole == 0 {
			whole = n
		}
		found += Count([]string{string(buf[:whole])}) // which counts as its lines would
		n = copy(buf, buf[whole:n])
		if err != nil {
			break
		}
	}
	t.Logf("%d in %d bytes", found, size)
}

// source is the text of GOROOT/src, or of the folder FETTLE_CORPUS names.
func source(t testing.TB) (lines []string, size int64) {
	root := os.Getenv("FETTLE_CORPUS")
	if root == "" {
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			t.Skip("the Go tool is not here: ", err)
		}
		root = filepath.Join(strings.TrimSpace(string(out)), "src")
	}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil || strings.ContainsRune(string(raw[:min(len(raw), 4096)]), 0) {
			return err
		}
		size += int64(len(raw))
		lines = append(lines, strings.Split(string(raw), "\n")...)
		return nil
	})
	if err != nil {
		t.Skip("the Go source is not here: ", err)
	}
	return lines, size
}
