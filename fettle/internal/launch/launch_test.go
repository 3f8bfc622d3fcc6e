package launch

import (
	"context"
	"testing"

	"fettler/shared/config"
)

// A server's calls share what they remember; a call of the terminal remembers
// nothing.
func TestOnlyAServerRemembers(t *testing.T) {
	for _, server := range []bool{false, true} {
		l, err := New(Options{Dir: t.TempDir(), NoConfig: true, Server: server, Env: config.System()})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		var before any
		for range 2 {
			s, err := l.Open(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			s.Boundary.Close()
			if (s.Recall != nil) != server {
				t.Errorf("server %v: remembers %v", server, s.Recall != nil)
			}
			if before != nil && before != any(s.Recall) {
				t.Error("two calls remember apart")
			}
			before = s.Recall
		}
	}
}
