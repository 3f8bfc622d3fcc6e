package boundary

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

// Many files are staged at once and stay in their order; when one cannot be,
// none is changed and nothing is left over.
func TestWriteAll(t *testing.T) {
	w, b := many(t, 40)
	writes := func() []Write {
		var list []Write
		for i := range 40 {
			p, err := b.Locate(fmt.Sprintf("f%d", i), config.Update, "")
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, Write{p, strings.NewReader("new"), StageOptions{Replace: true, Was: p.Info}})
		}
		return list
	}
	c := b.Begin()
	list := writes()
	list[20].Options.Replace, list[33].Options.Replace = false, false
	_, err := c.WriteAll(context.Background(), list)
	wantKind(t, err, outcome.TargetExists)
	if !strings.Contains(err.Error(), "f20 ") {
		t.Error(err)
	}
	c.Close()
	clean(t, w.base)

	c = b.Begin()
	defer c.Close()
	staged, err := c.WriteAll(context.Background(), writes())
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range staged {
		if s.place.Rel != fmt.Sprintf("f%d", i) || s != c.items[i] {
			t.Errorf("%d is %s", i, s.place.Rel)
		}
	}
	if len(c.folders) != 1 {
		t.Errorf("%d folders are open", len(c.folders))
	}
	if err := c.Commit(); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		if got, _ := os.ReadFile(filepath.Join(w.T, fmt.Sprintf("f%d", i))); string(got) != "new" {
			t.Errorf("f%d holds %q", i, got)
		}
	}
	clean(t, w.base)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c2 := b.Begin()
	if _, err := c2.WriteAll(ctx, writes()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	c2.Close()
	clean(t, w.base)
}
