package pdf

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/conformance"
)

const pad = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"

// encrypted is a page under a user password. Method is RC4, AESV2 or AESV3.
func encrypted(method, password string, metadata bool) []byte {
	m := newMaker()
	const p = -44
	permissions := binary.LittleEndian.AppendUint32(nil, uint32(0xffffffff+p+1))
	id, owner := "0123456789abcdef", strings.Repeat("o", 32)
	crypt := func(key, iv, s []byte) []byte {
		b, _ := aes.NewCipher(key)
		out := make([]byte, len(s))
		cipher.NewCBCEncrypter(b, iv).CryptBlocks(out, s)
		return out
	}
	padded := func(s []byte) []byte {
		n := 16 - len(s)%16
		return append(bytes.Clone(s), bytes.Repeat([]byte{byte(n)}, n)...)
	}
	iv := []byte("an IV of 16 byte")
	var dict string
	if method == "AESV3" {
		key := []byte("the key of this file is 32 bytes")
		hash := func(salt string) []byte { return hash2B([]byte(password), []byte(salt)) }
		u := append(hash("validate"), "validatekey-salt"...)
		ue := crypt(hash("key-salt"), make([]byte, 16), key)
		b, _ := aes.NewCipher(key)
		perms := append(append(bytes.Clone(permissions), 0xff, 0xff, 0xff, 0xff), "Tadbrand"...)
		b.Encrypt(perms, perms)
		dict = fmt.Sprintf("<</Filter/Standard/V 5/R 6/Length 256/P %d/U<%x>/UE<%x>/O<%x>/OE<%x>/Perms<%x>/StmF/StdCF/StrF/StdCF/CF<</StdCF<</AuthEvent/DocOpen/CFM/AESV3/Length 32>>>>>>", p, u, ue, strings.Repeat("o", 48), strings.Repeat("e", 32), perms)
		m.seal = func(_ int, s []byte) []byte { return append(bytes.Clone(iv), crypt(key, iv, padded(s))...) }
	} else {
		in := (password + pad)[:32] + owner + string(permissions) + id
		if !metadata {
			in += "\xff\xff\xff\xff"
		}
		sum := md5.Sum([]byte(in))
		for range 50 {
			sum = md5.Sum(sum[:])
		}
		key := sum[:]
		check := md5.Sum([]byte(pad + id))
		u := check[:]
		for i := range 20 {
			k := bytes.Clone(key)
			for j := range k {
				k[j] ^= byte(i)
			}
			c, _ := rc4.NewCipher(k)
			c.XORKeyStream(u, u)
		}
		v := "/V 2/R 3"
		if method == "AESV2" {
			v = "/V 4/R 4/StmF/StdCF/StrF/StdCF/CF<</StdCF<</AuthEvent/DocOpen/CFM/AESV2/Length 16>>>>"
		}
		dict = fmt.Sprintf("<</Filter/Standard%s/Length 128/P %d/EncryptMetadata %v/O<%x>/U<%x>>>", v, p, metadata, owner, string(u)+strings.Repeat("\x00", 16))
		m.seal = func(n int, s []byte) []byte {
			in := append(bytes.Clone(key), byte(n), byte(n>>8), byte(n>>16), 0, 0)
			if method == "AESV2" {
				in = append(in, "sAlT"...)
			}
			k := md5.Sum(in)
			if method == "AESV2" {
				return append(bytes.Clone(iv), crypt(k[:], iv, padded(s))...)
			}
			c, _ := rc4.NewCipher(k[:])
			out := make([]byte, len(s))
			c.XORKeyStream(out, s)
			return out
		}
	}
	m.page("BT /F 10 Tf 50 700 Td (for your eyes) Tj ET", "", "")
	e := m.add(dict)
	m.extra = fmt.Sprintf("/Encrypt %d 0 R/ID[<%x><%x>]", e, id, id)
	return m.bytes()
}

// hash2B is the password hash of PDF 2.0.
func hash2B(password, salt []byte) []byte {
	sum := sha256.Sum256(append(bytes.Clone(password), salt...))
	k := sum[:]
	for i := 1; ; i++ {
		k1 := bytes.Repeat(append(bytes.Clone(password), k...), 64)
		b, _ := aes.NewCipher(k[:16])
		cipher.NewCBCEncrypter(b, k[16:32]).CryptBlocks(k1, k1)
		n := 0
		for _, c := range k1[:16] {
			n += int(c)
		}
		switch n % 3 {
		case 0:
			s := sha256.Sum256(k1)
			k = s[:]
		case 1:
			s := sha512.Sum384(k1)
			k = s[:]
		default:
			s := sha512.Sum512(k1)
			k = s[:]
		}
		if i >= 64 && int(k1[len(k1)-1]) <= i-32 {
			return k[:32]
		}
	}
}

// K49: an empty user password opens; a real one is asked for, and is not damage.
func TestEncryption(t *testing.T) {
	warm, end := Warm()
	defer end()
	for _, c := range []struct {
		method   string
		metadata bool
		engine   string
	}{
		{"RC4", true, Interpreter},
		{"AESV2", true, Interpreter},
		{"AESV2", false, Pdfium}, // the object reader gets this key wrong
		{"AESV3", true, Pdfium},
	} {
		r, err := render(t, warm, encrypted(c.method, "", c.metadata))
		if err != nil || strings.Join(r.Lines, "|") != "for your eyes" || r.Served != c.engine || len(r.Notes) > 0 {
			t.Errorf("%s, metadata %v: %v, lines %q, engine %s, notes %q", c.method, c.metadata, err, r.Lines, r.Served, r.Notes)
		}
		var d *document.Error
		if _, err = render(t, warm, encrypted(c.method, "secret", c.metadata)); !errors.As(err, &d) || d.Reason != document.Password || !strings.Contains(d.Message, "needs a password") {
			t.Errorf("%s with a password: %v", c.method, err)
		}
	}
}

// beyondRepair breaks a document's cross-reference, and lets it seem to have
// objects inside of streams.
func beyondRepair(b []byte) []byte {
	return bytes.Replace(b, []byte("xref\n0"), []byte("%/ObjStm\nxxxx\n0"), 1)
}

func TestPdfiumServes(t *testing.T) {
	warm, end := Warm()
	defer end()

	// A cross-reference that the object reader refuses; fields become text.
	m := newMaker()
	ap := m.stream("/Subtype/Form/BBox[0 0 100 20]/Resources<</Font<</H 3 0 R>>>>", "BT /H 10 Tf 2 4 Td (in a field) Tj ET")
	m.page("BT /F 10 Tf 50 700 Td (first page) Tj ET", "", fmt.Sprintf("/Annots[<</Type/Annot/Subtype/Widget/FT/Tx/Rect[50 600 150 620]/F 4/AP<</N %d 0 R>>>>]", ap))
	m.page("BT /F 10 Tf 50 700 Td (second) Tj 0 -20 Td (line) Tj ET", "", "")
	whole := m.bytes()
	broken := beyondRepair(whole)
	r, err := render(t, warm, broken)
	if got := strings.Join(r.Lines, "|"); err != nil || r.Served != Pdfium || got != "first page|in a field|second|line" || len(r.Landmarks) != 2 {
		t.Errorf("%v, engine %s, lines %q, landmarks %v", err, r.Served, got, r.Landmarks)
	}

	// Only the page that failed is asked for.
	pages, err := (&reader{}).pdfium(t.Context(), whole, map[int]bool{1: true})
	if err != nil || len(pages) != 2 || pages[0].served || !pages[1].words {
		t.Errorf("%v %+v", err, pages)
	}

	// An image alone: both engines look, and it is said.
	m = newMaker()
	x := m.stream("/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray", "\x00")
	m.page("q 100 0 0 100 0 0 cm /I Do Q", fmt.Sprintf("/XObject<</I %d 0 R>>", x), "")
	if r, err := render(t, warm, m.bytes()); err != nil || len(r.Lines) != 0 || len(r.Notes) != 1 || r.Notes[0] != "page 1 has no text (an image)" {
		t.Errorf("%v, lines %q, notes %q", err, r.Lines, r.Notes)
	}

	// Not a document at all behind its header.
	var d *document.Error
	if _, err := render(t, warm, []byte("%PDF-1.4\nnothing")); !errors.As(err, &d) || d.Reason != document.Damaged {
		t.Errorf("nothing behind the header: %v", err)
	}
}

// A context that ends while pdfium works ends pdfium.
func TestPdfiumEnds(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	var out document.Rendering
	broken := beyondRepair(onePage("(a) Tj"))
	if err := document.Guard(ctx, Render, conformance.Source(broken), &out); err == nil {
		t.Error("it rendered in no time")
	}
}

func TestPdfiumLines(t *testing.T) {
	got := pdfiumLines("an inter\x02\r\nnational\r\n\r\n  word\ufffe\r\nlist end")
	if strings.Join(got, "|") != "an international|wordlist|end" {
		t.Errorf("got %q", got)
	}
}
