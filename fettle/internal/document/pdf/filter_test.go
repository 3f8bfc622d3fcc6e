package pdf

import (
	"bytes"
	"compress/lzw"
	"errors"
	"strings"
	"testing"
)

func TestFilters(t *testing.T) {
	long := strings.Repeat("BT (a long text) Tj ET ", 500)
	for _, c := range []struct{ filter, raw, want string }{
		{"ASCIIHexDecode", "48 65 6c6C 6f>zz", "Hello"},
		{"AHx", "4", "@"},
		{"ASCII85Decode", "<~87cURDZ~>", "Hello"},
		{"A85", "87cURz D Z~>", "Hell\x00\x00\x00\x00o"[:4]},
		{"RunLengthDecode", "\x01ab\xfec\x80zz", "abccc"},
		{"FlateDecode", deflated(long), long},
		{"FlateDecode", "\r\n" + deflated(long), long},
		{"FlateDecode", deflated(long)[:60], "BT (a long text) Tj ET "},
		{"FlateDecode", "\x00\x00" + deflated(long)[2:], long}, // a broken header
		{"LZWDecode", "\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01", "-----A---B"},
	} {
		got, err := unfilter([]byte(c.raw), c.filter, predictor{early: true}, maxStream)
		if err != nil || !strings.HasPrefix(string(got), c.want) {
			t.Errorf("%s %.20q: got %.40q %v, want %.40q", c.filter, c.raw, got, err, c.want)
		}
	}
	if _, err := unfilter([]byte(deflated(long)), "FlateDecode", predictor{}, 100); !errors.Is(err, errTooMuch) {
		t.Errorf("over the bound: %v", err)
	}
	if _, err := unfilter([]byte("\xff\x00\xff\x00"), "RL", predictor{}, 1); !errors.Is(err, errTooMuch) {
		t.Errorf("runs over the bound: %v", err)
	}
	for _, f := range []string{"DCTDecode", "JBIG2Decode", "Nonsense"} {
		if _, err := unfilter(nil, f, predictor{}, 1); err == nil {
			t.Errorf("%s was decoded", f)
		}
	}
}

// The library's LZW is the same without the early change of width, as long as
// codes stay short.
func TestLZWOracle(t *testing.T) {
	var b bytes.Buffer
	w := lzw.NewWriter(&b, lzw.MSB, 8)
	text := "to be or not to be, that is the question; to be or not"
	w.Write([]byte(text))
	w.Close()
	got, err := unLZW(b.Bytes(), false, 1<<20)
	if err != nil || string(got) != text {
		t.Errorf("got %q %v", got, err)
	}
}

func TestPredictors(t *testing.T) {
	want := []byte{1, 2, 3, 4, 5, 6}
	for kind, rows := range map[byte][]byte{
		0: {0, 1, 2, 3, 0, 4, 5, 6},
		1: {1, 1, 1, 1, 1, 4, 1, 1},
		2: {2, 1, 2, 3, 2, 3, 3, 3},
		3: {3, 1, 2, 2, 3, 4, 2, 2},
		4: {4, 1, 1, 1, 4, 3, 1, 1},
	} {
		got := predictor{kind: 15, colors: 1, bits: 8, columns: 3}.undo(bytes.Clone(rows))
		if !bytes.Equal(got, want) {
			t.Errorf("row filter %d: got %v", kind, got)
		}
	}
	if got := (predictor{kind: 2, colors: 1, bits: 8, columns: 3}).undo([]byte{1, 1, 1, 4, 1, 1}); !bytes.Equal(got, want) {
		t.Errorf("TIFF: got %v", got)
	}
	same := []byte{9, 9}
	if got := (predictor{kind: 15, colors: 1 << 30, bits: 8, columns: 1 << 30}).undo(same); !bytes.Equal(got, same) {
		t.Errorf("nonsense: got %v", got)
	}
}
