package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestRequestRoundTrip(t *testing.T) {
	var b bytes.Buffer
	for _, body := range []string{"%PDF", ""} {
		if err := WriteRequest(&b, Request{Kind: "pdf", Size: int64(len(body)), MaxLines: 9}, strings.NewReader(body)); err != nil {
			t.Fatal(err)
		}
	}
	r := bufio.NewReader(&b)
	for _, body := range []string{"%PDF", ""} {
		q, got, err := ReadRequest(r)
		if err != nil || string(got) != body || q.Kind != "pdf" || q.MaxLines != 9 || q.Version != ReaderVersion {
			t.Fatalf("%+v %q %v", q, got, err)
		}
	}
	if _, _, err := ReadRequest(r); err != io.EOF {
		t.Errorf("a clean end is %v", err)
	}
}

func TestRenderingRoundTrip(t *testing.T) {
	var b bytes.Buffer
	w := NewFrameWriter(&b)
	long := strings.Repeat("x", 3*batchSize)
	want := []string{"M page 1", "L one", "L ", "N note", "L " + long, "L two", "E go", "D cut"}
	for _, s := range want {
		var err error
		if s[0] == 'L' {
			err = w.Line(s[2:])
		} else {
			err = w.Frame(Type(s[0]), s[2:])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for r := bufio.NewReader(&b); ; {
		typ, p, err := ReadFrame(r)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if typ != Lines {
			got = append(got, string(rune(typ))+" "+string(p))
		} else if err := EachLine(p, func(l string) error { got = append(got, "L "+l); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%.200q", got)
	}
}

func TestFailure(t *testing.T) {
	var b bytes.Buffer
	NewFrameWriter(&b).Fail("damaged", "it is")
	_, p, err := ReadFrame(bufio.NewReader(&b))
	f, err2 := ReadFailure(p)
	if err != nil || err2 != nil || f != (Failure{"damaged", "it is"}) {
		t.Error(f, err, err2)
	}
}

func TestHostile(t *testing.T) {
	req := func(s string) string {
		var b bytes.Buffer
		writeFrame(&b, RequestFrame, []byte(s))
		return b.String()
	}
	for _, s := range []string{
		"Z\x00\x00\x00\x00", "L\xff\xff\xff\xff", "M\x00\x00\x00\x00", req("{"), req(`{"version":2}`), req(`{"version":1,"size":-1}`),
		req(`{"version":1,"size":99999999999}`),
	} {
		if _, _, err := ReadRequest(bufio.NewReader(strings.NewReader(s))); !errors.Is(err, ErrFrame) {
			t.Errorf("%.40q: %v", s, err)
		}
	}
	for _, s := range []string{"L", "L\x00\x00\x00\x05ab", req(`{"version":1,"size":5}`) + "ab"} {
		if _, _, err := ReadRequest(bufio.NewReader(strings.NewReader(s))); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%.40q: %v", s, err)
		}
	}
	for _, s := range []string{"\x05ab", "\xff", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"} {
		if err := EachLine([]byte(s), func(string) error { return nil }); !errors.Is(err, ErrFrame) {
			t.Errorf("%q: %v", s, err)
		}
	}
	if err := WriteRequest(io.Discard, Request{Size: 5}, strings.NewReader("ab")); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

func FuzzReadFrame(f *testing.F) {
	var b bytes.Buffer
	w := NewFrameWriter(&b)
	w.Frame(Mark, "page 1")
	w.Line("one")
	w.Fail("damaged", "x")
	f.Add(b.Bytes())
	f.Add([]byte("L\x00\x00\x00\x02\x01a"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := bufio.NewReader(bytes.NewReader(b))
		for {
			typ, p, err := ReadFrame(r)
			if err != nil {
				break
			}
			if typ == Lines {
				var again []byte
				if EachLine(p, func(l string) error { again = AppendLine(again, l); return nil }) == nil && len(again) > len(p) {
					t.Fatal("a batch grew")
				}
			}
			if typ == Error {
				ReadFailure(p)
			}
		}
		ReadRequest(bufio.NewReader(bytes.NewReader(b)))
	})
}
