// Package backend is what a program that runs token classification models
// must offer. There are two: package ort calls ONNX Runtime's shared library,
// package pure runs the model in Go alone. Both pass the same tests.
package backend

// Backend opens models.
type Backend interface {
	// Name says which one it is, with its version: "ONNX Runtime 1.30.0".
	Name() string
	// Open loads the model file. Its error says what is wrong with the model
	// and carries no path.
	Open(path string) (Session, error)
	// Longest is the most tokens a window should hold; cost grows faster than length.
	Longest() int
}

// Session is one loaded model. It is used by one goroutine at a time.
type Session interface {
	// Run classifies one window. ids and mask are as long as each other; a
	// mask of 0 is padding. The answer has a row of scores, one a class, for
	// every token. Run MUST NOT keep the slices.
	Run(ids, mask []int64) ([][]float32, error)
	// Close frees the model.
	Close()
}

// Inputs are the names a model may give what Run feeds it, and the only ones
// there are: anything else is not a BERT-shaped token classifier.
const (
	InputIDs       = "input_ids"
	InputMask      = "attention_mask"
	InputTypes     = "token_type_ids"
	InputPositions = "position_ids"
)
