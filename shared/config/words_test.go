package config

import (
	"slices"
	"strings"
	"testing"
)

func TestPermissions(t *testing.T) {
	p, err := ParsePermissions([]string{"execute", "list", "read", "list"})
	if err != nil || p != List|Read|Execute || p.String() != "list read execute" {
		t.Fatalf("%v %v", p, err)
	}
	if none, err := ParsePermissions(nil); err != nil || none.String() != "nothing" || len(none.Words()) != 0 {
		t.Fatalf("%v %v", none, err)
	}
	if Work.Has(Execute) || !Work.Has(Delete|Rename) || Look.String() != "list read" {
		t.Fatal("a default grants what it must not")
	}
	for _, w := range []string{"write", "List", "", "list "} {
		_, err := ParsePermissions([]string{"list", w})
		if err == nil || !strings.Contains(err.Error(), "list, read, create, update, rename, delete, execute") {
			t.Errorf("%q: %v", w, err)
		}
	}
}

func TestCategories(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  Categories
		fails string
	}{
		{[]string{"identifiers"}, Identifiers, ""},
		{[]string{"clinical", "legal"}, Clinical | Legal, ""},
		{[]string{"-legal"}, Identifiers | Clinical | Scientific, ""},
		{[]string{"-identifiers", "-clinical", "-legal", "-scientific"}, None, ""},
		{[]string{"identifiers", "-legal"}, 0, "mixed"},
		{[]string{"-legal", "identifiers"}, 0, "mixed"},
		{nil, 0, "names no category"},
		{[]string{"Identifiers"}, 0, "The four are: identifiers, clinical, legal, scientific"},
		{[]string{"--legal"}, 0, "not a category"},
		{[]string{"phi"}, 0, `Write "identifiers", "clinical" or both instead`},
		{[]string{"-pii"}, 0, `Write "identifiers" instead`},
		{[]string{"sci"}, 0, `Write "scientific" instead`},
	} {
		got, err := ParseCategories(c.words)
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%q: %v, wanted %q", c.words, err, c.fails)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%q: %v %v", c.words, got, err)
		}
	}
	if All.String() != "identifiers, clinical, legal, scientific" || !slices.Equal(Models.Words(), []string{"clinical", "legal", "scientific"}) {
		t.Error(All, Models)
	}
}
