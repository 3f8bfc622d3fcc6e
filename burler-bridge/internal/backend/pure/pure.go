// Package pure runs ONNX models in Go alone, through onnx-gomlx. It needs
// nothing installed and is many times slower than ONNX Runtime: a screen that
// has to answer while someone waits wants the library.
package pure

import (
	"fmt"
	"os"
	"strings"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/backends/simplego"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
	"github.com/gomlx/gomlx/pkg/ml/context"
	"github.com/gomlx/onnx-gomlx/onnx"

	"fettler/burler-bridge/internal/backend"
)

// Version is the engine's, for reports.
const Version = "onnx-gomlx v0.3.4"

// buckets are the lengths a window is padded to: a graph is compiled for each
// length that occurs, so there are few.
var buckets = []int{16, 32, 64, 128, 256, 512}

// Backend is the engine.
type Backend struct{ engine backends.Backend }

// New starts the engine.
func New() (*Backend, error) {
	// int8 models multiply in int32, for which the engine has no block size
	// set and would end the process.
	simplego.DotGeneralTargetBlockLog2Dim[dtypes.Int32] = 6
	// One operation after the other: run beside each other, two that share an
	// input race for who may write its result over it, and a verdict must not
	// depend on that. A large product still uses every core. The parallelism
	// option is left alone, since it writes to standard output, the protocol's.
	engine, err := simplego.New("ops_sequential")
	if err != nil {
		return nil, err
	}
	return &Backend{engine}, nil
}

// Name is the engine and its version.
func (b *Backend) Name() string { return "pure Go (" + Version + ")" }

// Longest keeps windows short: half the length costs less than half the time.
func (b *Backend) Longest() int { return 128 }

// session is one model and its compiled graphs, one a bucket.
type session struct {
	exec  *context.Exec
	names []string
}

// Open loads a model.
func (b *Backend) Open(path string) (s backend.Session, err error) {
	defer caught(&err)
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("it cannot be read")
	}
	model, err := onnx.Parse(raw)
	if err != nil {
		return nil, short(err)
	}
	names, _ := model.Inputs()
	for _, n := range names {
		switch n {
		case backend.InputIDs, backend.InputMask, backend.InputTypes, backend.InputPositions:
		default:
			return nil, fmt.Errorf("it takes an input named %q, which a token classifier does not", n)
		}
	}
	ctx := context.New()
	if err := model.VariablesToContext(ctx); err != nil {
		return nil, short(err)
	}
	for _, t := range model.Proto.Graph.Initializer {
		if len(t.RawData) > 64<<10 { // held by the context now; small ones are still read as shapes
			t.RawData = nil
		}
	}
	outputs, _ := model.Outputs()
	if len(outputs) == 0 {
		return nil, fmt.Errorf("it has no output")
	}
	exec, err := context.NewExecAny(b.engine, ctx.Reuse(), func(ctx *context.Context, inputs []*graph.Node) []*graph.Node {
		named := map[string]*graph.Node{}
		for i, n := range names {
			named[n] = inputs[i]
		}
		return model.CallGraph(ctx, inputs[0].Graph(), named, outputs[0])
	})
	if err != nil {
		return nil, short(err)
	}
	exec.SetMaxCache(len(buckets) + 1)
	return &session{exec: exec, names: names}, nil
}

// Run pads the window to a bucket and classifies it.
func (s *session) Run(ids, mask []int64) (rows [][]float32, err error) {
	defer caught(&err)
	n := len(ids)
	size := n
	for _, b := range buckets {
		if b >= n {
			size = b
			break
		}
	}
	var args []any
	for _, name := range s.names {
		row := make([]int64, size)
		switch name {
		case backend.InputIDs:
			copy(row, ids)
		case backend.InputMask:
			copy(row, mask)
		case backend.InputPositions:
			for i := range row {
				row[i] = int64(i)
			}
		}
		args = append(args, [][]int64{row})
	}
	out, err := s.exec.Exec(args...)
	if err != nil {
		return nil, short(err)
	}
	defer func() {
		for _, t := range out {
			t.MustFinalizeAll()
		}
	}()
	dims := out[0].Shape().Dimensions
	if len(dims) != 3 || dims[0] != 1 || dims[1] != size || out[0].DType() != dtypes.Float32 {
		return nil, fmt.Errorf("its output is not one row of scores a token")
	}
	flat := tensors.MustCopyFlatData[float32](out[0])
	for i := range n {
		rows = append(rows, flat[i*dims[2]:(i+1)*dims[2]])
	}
	return rows, nil
}

// Close frees the compiled graphs.
func (s *session) Close() { s.exec.Finalize() }

// caught turns the engine's panics, which is how it reports a graph it cannot
// build, into errors.
func caught(err *error) {
	if r := recover(); r != nil {
		if e, ok := r.(error); ok {
			*err = short(e)
		} else {
			*err = fmt.Errorf("the engine gave up on it")
		}
	}
}

// short is the first line of an error; the engine puts whole stacks into its own.
func short(err error) error {
	line, _, _ := strings.Cut(err.Error(), "\n")
	if len(line) > 160 {
		line = line[:160]
	}
	return fmt.Errorf("%s", line)
}
