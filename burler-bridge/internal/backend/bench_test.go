package backend_test

import (
	"os"
	"path/filepath"
	"testing"

	"fettler/burler-bridge/internal/backend/ort"
	"fettler/burler-bridge/internal/testmodel"
)

// BenchmarkBERTBase is one window of 512 tokens through a model of BERT-base's
// shape with int8 weights, on ONNX Runtime. It writes the model into the folder
// that FETTLER_BENCH_MODELS names, where a peer can time the same file.
func BenchmarkBERTBase(b *testing.B) {
	dir := os.Getenv("FETTLER_BENCH_MODELS")
	if dir == "" || testmodel.Library() == "" {
		b.Skip("needs FETTLER_BENCH_MODELS, a folder, and ONNX Runtime's library")
	}
	path := filepath.Join(dir, "bert-base-int8.onnx")
	if _, err := os.Stat(path); err != nil {
		raw := testmodel.Build(make([]int, testmodel.BaseWords), 9, testmodel.Base())
		if err := os.WriteFile(path, raw, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	engine, err := ort.Load(testmodel.Library())
	if err != nil {
		b.Fatal(err)
	}
	s, err := engine.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	ids, mask := make([]int64, 512), make([]int64, 512)
	for i := range ids {
		ids[i], mask[i] = int64(i*37%30522), 1
	}
	for b.Loop() {
		if _, err := s.Run(ids, mask); err != nil {
			b.Fatal(err)
		}
	}
}
