package ooxml

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

// events is a part as one string: <name attr="v"> text </name>.
func events(r io.Reader) (string, error) {
	s := NewScanner(r)
	var b strings.Builder
	for {
		ev, err := s.Next()
		if err == io.EOF {
			return b.String(), nil
		}
		if err != nil {
			return b.String(), err
		}
		switch ev {
		case Start:
			fmt.Fprintf(&b, "<%s", s.Name)
			for _, a := range s.attrs {
				fmt.Fprintf(&b, " %s=%q", a.local, a.value)
			}
			b.WriteString(">")
		case End:
			fmt.Fprintf(&b, "</%s>", s.Name)
		case Text:
			b.Write(s.Bytes)
		}
	}
}

func TestScanner(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`<a/>`, `<a></a>`},
		{"\ufeff<?xml version=\"1.0\"?>\n<a>x</a>\n", `<a>x</a>`},
		{`<a b='1' c = "2&lt;&#65;&#x42;"><d/>t&amp;t</a>`, `<a b="1" c="2<AB"><d></d>t&t</a>`},
		{`<a><!-- <b> --><![CDATA[<c>&amp;]]]><b/></a>`, `<a><c>&amp;]<b></b></a>`},
		{`<a><![CDATA[<c>&amp;]]]]><![CDATA[>]]></a>`, `<a><c>&amp;]]></a>`},
		{"<a>x\r\ny\rz</a>", "<a>x\ny\nz</a>"},
		{`<p:a xmlns:p="u"><p:b p:c="1"/></p:a>`, `<a p="u"><b c="1"></b></a>`},
		{`<a>&nope;&;&#xFFFFFFFF;&#0x1;&amp</a>`, `<a>&nope;&;&#xFFFFFFFF;&#0x1;&amp</a>`},
		{`<!DOCTYPE a [<!ENTITY b "]>"><!-- ]> -->]><a>&b;</a>`, `<a>&b;</a>`},
		{`<a b="x>y">1</a>`, `<a b="x>y">1</a>`},
	} {
		for name, r := range map[string]io.Reader{"": strings.NewReader(c.in), " byte by byte": iotest.OneByteReader(strings.NewReader(c.in))} {
			got, err := events(r)
			if (err != nil) != (c.want == "") || c.want != "" && got != c.want {
				t.Errorf("%q%s: got %s, %v; want %s", c.in, name, got, err, c.want)
			}
		}
	}
}

func TestScannerRefusesWhatIsNoXML(t *testing.T) {
	for _, in := range []string{
		"", "x", "<a>", "<a></b>", "</a>", "<a/><b/>", "<a/>x", "<a", "<a b>", "<a b=c>", `<a b="1"c="2">`, `<a b="1`, "<1/>", "<>", "< a/>",
		"<a><!bad></a>", "<a><![CDATA[x</a>", "<a><!-- x</a>", `<a <b/>>`, "<!DOCTYPE a [", "<?xml",
	} {
		if got, err := events(strings.NewReader(in)); err == nil {
			t.Errorf("%q gave %s", in, got)
		}
	}
}

func TestUTF16Parts(t *testing.T) {
	const in = `<?xml version="1.0" encoding="UTF-16"?><a>Zürich 😀</a>`
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		var b []byte
		for _, u := range utf16.Encode([]rune("\ufeff" + in)) {
			b = order.AppendUint16(b, u)
		}
		for _, raw := range [][]byte{b, b[2:]} {
			if got, err := events(iotest.OneByteReader(bytes.NewReader(raw))); err != nil || got != "<a>Zürich 😀</a>" {
				t.Errorf("%v: got %q, %v", order, got, err)
			}
		}
	}
}

// Long text comes in pieces, and no character or entity is cut between them.
func TestLongText(t *testing.T) {
	text := strings.Repeat("é😀&amp;\r\n", 50_000)
	want := strings.Repeat("é😀&\n", 50_000)
	for _, shift := range []string{"", "x", "xx", "xxx"} {
		got, err := events(strings.NewReader("<a>" + shift + text + "</a>"))
		if err != nil || got != "<a>"+shift+want+"</a>" {
			t.Fatalf("shifted by %d: %v, %d bytes", len(shift), err, len(got))
		}
	}
}

func TestNamespaces(t *testing.T) {
	s := NewScanner(strings.NewReader(`<a xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><b r:id="1" id="2" xmlns="u"/><x:c/><d xmlns=""/><e/></a>`))
	var got []Space
	for {
		ev, err := s.Next()
		if err != nil {
			break
		}
		if ev == Start {
			got = append(got, s.Space)
			if string(s.Name) == "b" {
				own, _ := s.Attr("id")
				other, _ := s.AttrIn(Relation, "id")
				if string(own) != "2" || string(other) != "1" {
					t.Errorf("id is %q, r:id is %q", own, other)
				}
			}
		}
	}
	if want := []Space{Sheet, Other, Other, None, Sheet}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// FuzzScanner compares with encoding/xml: what that reads in full, the
// scanner reads to the same elements and text.
func FuzzScanner(f *testing.F) {
	for _, s := range []string{
		`<a/>`, `<a b="1">x&amp;y<c/></a>`, `<a><![CDATA[x]]><!-- c --><?p i?></a>`, `<x:a xmlns:x="u"><x:b/></x:a>`,
		"<a>\r\n&#65;</a>", `<!DOCTYPE a><a/>`, `<a b='"'></a >`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, gotErr := events(bytes.NewReader(raw))
		if one, err := events(iotest.OneByteReader(bytes.NewReader(raw))); fmt.Sprint(err) != fmt.Sprint(gotErr) || one != got {
			t.Fatalf("in one read %q, %v; byte by byte %q, %v", got, gotErr, one, err)
		}
		want, ok := standard(raw)
		if ok && (gotErr != nil || got != want) {
			t.Fatalf("%q: got %q, %v; encoding/xml has %q", raw, got, gotErr, want)
		}
	})
}

// standard is what encoding/xml makes of a part, when it is one root element
// that encoding/xml reads strictly, in ASCII names without odd ones.
func standard(raw []byte) (string, bool) {
	d := xml.NewDecoder(bytes.NewReader(raw))
	d.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, io.ErrUnexpectedEOF }
	var b strings.Builder
	var open []string
	roots := 0
	for {
		tok, err := d.RawToken()
		if err == io.EOF {
			return b.String(), roots == 1 && len(open) == 0
		}
		if err != nil {
			return "", false
		}
		switch v := tok.(type) {
		case xml.StartElement:
			if len(open) == 0 {
				roots++
			}
			open = append(open, v.Name.Space+":"+v.Name.Local)
			fmt.Fprintf(&b, "<%s", v.Name.Local)
			if !plainName(v.Name) {
				return "", false
			}
			for _, a := range v.Attr {
				if !plainName(a.Name) {
					return "", false
				}
				fmt.Fprintf(&b, " %s=%q", a.Name.Local, a.Value)
			}
			b.WriteString(">")
		case xml.Directive: // encoding/xml takes any declaration for one
			return "", false
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1] != v.Name.Space+":"+v.Name.Local {
				return "", false
			}
			open = open[:len(open)-1]
			fmt.Fprintf(&b, "</%s>", v.Name.Local)
		case xml.CharData:
			if len(open) == 0 {
				if len(bytes.TrimSpace(v)) > 0 {
					return "", false
				}
				continue
			}
			b.Write(v)
		}
	}
}

func plainName(n xml.Name) bool {
	return n.Local != "" && !strings.Contains(n.Local, ":") && !strings.Contains(n.Space, ":")
}

// The two belong together: they are why the scanner is not encoding/xml.
func BenchmarkScanner(b *testing.B) {
	part := worksheet()
	b.SetBytes(int64(len(part)))
	b.ReportAllocs()
	for b.Loop() {
		s := NewScanner(bytes.NewReader(part))
		for {
			if _, err := s.Next(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkEncodingXML(b *testing.B) {
	part := worksheet()
	b.SetBytes(int64(len(part)))
	b.ReportAllocs()
	for b.Loop() {
		d := xml.NewDecoder(bytes.NewReader(part))
		for {
			if _, err := d.RawToken(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}

func worksheet() []byte {
	return []byte("<worksheet><sheetData>" + strings.Repeat(`<row r="1"><c r="A1" s="1" t="s"><v>12</v></c><c r="B1"><f>SUM(A1:A9)</f><v>1.5</v></c></row>`, 10_000) + "</sheetData></worksheet>")
}
