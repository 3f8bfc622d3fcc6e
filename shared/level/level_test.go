package level

import "testing"

func TestLevels(t *testing.T) {
	for i, want := range []string{"tools", "guardrails", "screenings"} {
		if All()[i].String() != want {
			t.Errorf("level %d is %s", i, All()[i])
		}
		if l, ok := Parse(want); !ok || l != All()[i] {
			t.Errorf("%s does not parse", want)
		}
	}
	if _, ok := Parse("Tools"); ok {
		t.Error("levels are named in their exact case")
	}
}
