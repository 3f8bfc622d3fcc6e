package backend_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fettler/burler-bridge/internal/backend"
	"fettler/burler-bridge/internal/backend/ort"
	"fettler/burler-bridge/internal/backend/pure"
	"fettler/burler-bridge/internal/testmodel"
)

func engines(t *testing.T) map[string]backend.Backend {
	t.Helper()
	p, err := pure.New()
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]backend.Backend{"pure": p}
	if path := testmodel.Library(); path != "" {
		o, err := ort.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		list["ort"] = o
	} else {
		t.Run("ort", func(t *testing.T) {
			t.Skip("ONNX Runtime's library is not here: `go tool mage onnxRuntime` fetches it")
		})
	}
	return list
}

// Both engines label known tokens right in every form a model comes in, at
// lengths around each bucket and at a whole window's, and leave padding out.
func TestVariants(t *testing.T) {
	labelOf := []int{0, 0, 1, 2, 0, 1}
	for name, engine := range engines(t) {
		if n := engine.Longest(); n > 512 {
			t.Errorf("%s: a window of %d tokens is longer than BERT takes", name, n)
		}
		for variant, o := range testmodel.Variants() {
			t.Run(name+"/"+variant, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "model.onnx")
				if err := os.WriteFile(path, testmodel.Build(labelOf, 3, o), 0o600); err != nil {
					t.Fatal(err)
				}
				s, err := engine.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				for _, n := range []int{1, 2, 16, 17, engine.Longest()} {
					ids, mask := make([]int64, n), make([]int64, n)
					for i := range ids {
						ids[i], mask[i] = int64(i*7%len(labelOf)), 1
					}
					rows, err := s.Run(ids, mask)
					if err != nil {
						t.Fatal(err)
					}
					if len(rows) != n {
						t.Fatalf("%d rows for %d tokens", len(rows), n)
					}
					for i, row := range rows {
						if got := largest(row); len(row) != 3 || got != labelOf[ids[i]] {
							t.Errorf("length %d token %d: %v, want label %d", n, i, row, labelOf[ids[i]])
						}
					}
				}
				runtime.GC() // nothing that C was given may be gone
				if _, err := s.Run([]int64{1}, []int64{1}); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func TestWhatIsNoModel(t *testing.T) {
	for name, engine := range engines(t) {
		for what, raw := range map[string][]byte{
			"nothing": {}, "noise": []byte("this is not a model"), "cut": testmodel.Build([]int{0, 1}, 2, testmodel.Options{})[:4000],
		} {
			path := filepath.Join(t.TempDir(), "model.onnx")
			if err := os.WriteFile(path, raw, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := engine.Open(path)
			if err == nil {
				if _, err = s.Run([]int64{0}, []int64{1}); err == nil {
					t.Errorf("%s: %s runs", name, what)
				}
				continue
			}
			if strings.Contains(err.Error(), filepath.Dir(path)) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %s: %q names the machine's folder or is long", name, what, err)
			}
		}
		if _, err := engine.Open(filepath.Join(t.TempDir(), "none.onnx")); err == nil {
			t.Errorf("%s opens what is not there", name)
		}
	}
}

func TestEnginesAgree(t *testing.T) {
	list := engines(t)
	if len(list) < 2 {
		t.Skip("needs both engines; ONNX Runtime's library is not here")
	}
	path := filepath.Join(t.TempDir(), "model.onnx")
	if err := os.WriteFile(path, testmodel.Build([]int{0, 1, 2, 0}, 3, testmodel.Options{Opset: 14}), 0o600); err != nil {
		t.Fatal(err)
	}
	var first [][]float32
	for name, engine := range list {
		s, err := engine.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		rows, err := s.Run([]int64{0, 1, 2, 3, 1}, []int64{1, 1, 1, 1, 1})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = rows
			continue
		}
		for i := range rows {
			for k := range rows[i] {
				if d := rows[i][k] - first[i][k]; d > 1e-3 || d < -1e-3 {
					t.Errorf("%s: token %d class %d: %v against %v", name, i, k, rows[i][k], first[i][k])
				}
			}
		}
	}
}

func TestLibraryThatIsNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "libonnxruntime.so")
	if err := os.WriteFile(path, []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ort.Load(path); err == nil {
		t.Error("loaded")
	}
	if _, err := ort.Load("libonnxruntime.so"); err == nil || !strings.Contains(err.Error(), "absolute") {
		t.Errorf("a relative path: %v", err)
	}
}

func largest(row []float32) int {
	best := 0
	for i, v := range row {
		if v > row[best] {
			best = i
		}
	}
	return best
}
