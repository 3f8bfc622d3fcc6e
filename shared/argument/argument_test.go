package argument

import (
	"slices"
	"testing"
)

func TestParse(t *testing.T) {
	f := Flags{Switches: []string{"json", "force"}, Values: []string{"client"}}
	l, err := Parse([]string{"tools", "--force", "--client", "x", "-", "--json=false", "--", "--odd"}, f)
	if err != nil || !slices.Equal(l.Words, []string{"tools", "-", "--odd"}) || !l.On("force") || l.On("json") {
		t.Errorf("%+v %v", l, err)
	}
	if v, ok := l.Value("client"); v != "x" || !ok {
		t.Errorf("%q", v)
	}
	if l, err = Parse([]string{"--client="}, f); err != nil {
		t.Error(err)
	} else if v, ok := l.Value("client"); v != "" || !ok {
		t.Errorf("%q %v", v, ok)
	}
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"--gob"}, "no such flag: --gob. Run fettle help for the list"},
		{[]string{"--gob=1"}, "no such flag: --gob. Run fettle help for the list"},
		{[]string{"-j"}, "no such flag: -j. Run fettle help for the list"},
		{[]string{"--Json"}, "no such flag: --Json. Run fettle help for the list"},
		{[]string{"--client"}, "--client needs a value. Write --NAME= to pass an empty one"},
		{[]string{"--client", "--json"}, "--client needs a value. Write --NAME= to pass an empty one"},
		{[]string{"--json=1"}, "--json takes no value"},
		{[]string{"--client=a", "--client=b"}, "--client is given twice"},
	} {
		if _, err := Parse(c.words, f); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v", c.words, err)
		}
	}
	if !Has([]string{"x", "--json"}, "json") || Has([]string{"--", "--json"}, "json") {
		t.Error("Has")
	}
}
