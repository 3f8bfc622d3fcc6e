package outcome

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// TestTable holds the published table: scripts match these words and codes.
func TestTable(t *testing.T) {
	want := []string{"ok", "fault", "invalid", "not-found", "outside-root", "target-exists", "stale", "conflict", "refused", "denied", "timed-out", "governed", "credential", "screened"}
	all := All()
	if len(all) != len(want) {
		t.Fatalf("%d kinds, want %d", len(all), len(want))
	}
	for code, k := range all {
		if k.Code() != code || k.Word() != want[code] || k.Meaning() == "" {
			t.Errorf("code %d is %d %q %q, want %q", code, k.Code(), k.Word(), k.Meaning(), want[code])
		}
	}
	if Screened.Code() != 13 || Governed.Code() != 11 || Fault.Code() != 1 {
		t.Error("a kind moved")
	}
}

func TestOf(t *testing.T) {
	refused := New(Refused, "no: %s", "x").At("a.txt")
	for _, c := range []struct {
		err  error
		kind Kind
	}{
		{refused, Refused},
		{fmt.Errorf("trying: %w", refused), Refused},
		{&fs.PathError{Op: "open", Path: "/home/me/x", Err: fs.ErrNotExist}, NotFound},
		{&fs.PathError{Op: "open", Path: "/home/me/x", Err: fs.ErrPermission}, Denied},
		{os.ErrNotExist, NotFound},
		{context.Canceled, Refused},
		{errors.New("odd"), Fault},
	} {
		e := Of(c.err)
		if e.Kind != c.kind {
			t.Errorf("%v: %s, want %s", c.err, e.Kind.Word(), c.kind.Word())
		}
		if strings.Contains(e.Message, "/home/me") {
			t.Errorf("a machine's path is told: %s", e.Message)
		}
		if !errors.Is(e, c.err) && !errors.Is(c.err, e) {
			t.Errorf("%v lost its cause", c.err)
		}
	}
	if Of(nil) != nil {
		t.Error("nil is no error")
	}
	if e := Of(fmt.Errorf("deep: %w", refused)); e.Path != "a.txt" || e.Message != "no: x" {
		t.Errorf("%+v", e)
	}
}
