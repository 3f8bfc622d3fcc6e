// Package ort runs ONNX models through ONNX Runtime's shared library, without
// cgo: the library is loaded by its absolute path, never by a search path, and
// called through its table of function pointers.
//
// Load opens the library; the Backend's sessions do the rest. Every Go address
// that C sees is pinned for the call. The library runs threads of its own and
// is never unloaded.
package ort

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"fettler/burler-bridge/internal/backend"
)

// Backend is the loaded library.
type Backend struct {
	table   uintptr // *OrtApi
	env     uintptr
	memory  uintptr // where tensors lie: ordinary memory
	alloc   uintptr // whose names it hands out
	version string
}

// FileName is what the library is called on a platform.
func FileName(goos string) string {
	switch goos {
	case "windows":
		return "onnxruntime.dll"
	case "darwin":
		return "libonnxruntime.dylib"
	}
	return "libonnxruntime.so"
}

// Load opens the library at an absolute path.
func Load(path string) (*Backend, error) {
	if !filepath.IsAbs(path) {
		return nil, errors.New("the path of ONNX Runtime's library must be absolute")
	}
	library, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("ONNX Runtime's library cannot be loaded: %w", err)
	}
	base, err := symbol(library, "OrtGetApiBase")
	if err != nil {
		return nil, errors.New("it is not ONNX Runtime's library: it has no OrtGetApiBase")
	}
	apiBase, _, _ := purego.SyscallN(base)
	if apiBase == 0 {
		return nil, errors.New("ONNX Runtime's library gives no table")
	}
	// struct OrtApiBase { GetApi, GetVersionString }
	version, _, _ := purego.SyscallN(word(apiBase, 1))
	table, _, _ := purego.SyscallN(word(apiBase, 0), apiVersion)
	if table == 0 {
		return nil, fmt.Errorf("ONNX Runtime %s is too old: 1.%d or later is needed", text(version), apiVersion)
	}
	b := &Backend{table: table, version: text(version)}
	var pin runtime.Pinner
	defer pin.Unpin()
	id := append([]byte("burler-bridge"), 0)
	pin.Pin(&id[0])
	pin.Pin(b)
	if err := b.call(apiCreateEnv, logFatal, address(&id[0]), address(&b.env)); err != nil {
		return nil, err
	}
	_ = b.call(apiDisableTelemetryEvents, b.env) // it has none here; where it has, it is off
	if err := b.call(apiCreateCPUMemoryInfo, arenaAllocator, memTypeDefault, address(&b.memory)); err != nil {
		return nil, err
	}
	if err := b.call(apiGetAllocatorWithDefaultOptions, address(&b.alloc)); err != nil {
		return nil, err
	}
	return b, nil
}

// Name is the library and its version.
func (b *Backend) Name() string { return "ONNX Runtime " + b.version }

// Longest is BERT's own limit: a long window costs little more a token.
func (b *Backend) Longest() int { return 512 }

// session is one loaded model.
type session struct {
	b      *Backend
	handle uintptr
	names  []string
	inputs [][]byte // the names as C strings
	output []byte
}

// Open loads a model.
func (b *Backend) Open(path string) (backend.Session, error) {
	s := &session{b: b}
	var options uintptr
	var pin runtime.Pinner
	defer pin.Unpin()
	name := systemPath(path)
	pin.Pin(&name[0])
	pin.Pin(&options)
	pin.Pin(s)
	if err := b.call(apiCreateSessionOptions, address(&options)); err != nil {
		return nil, err
	}
	defer b.release(apiReleaseSessionOptions, options)
	_ = b.call(apiSetSessionLogSeverityLevel, options, logFatal)
	if err := b.call(apiSetSessionGraphOptimizationLevel, options, optimizeAll); err != nil {
		return nil, err
	}
	if err := b.call(apiCreateSession, b.env, address(&name[0]), options, address(&s.handle)); err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), path, filepath.Base(path)))
	}
	if err := s.describe(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// describe reads the model's inputs and outputs.
func (s *session) describe() error {
	inputs, err := s.list(apiSessionGetInputCount, apiSessionGetInputName)
	if err != nil {
		return err
	}
	for _, n := range inputs {
		switch n {
		case backend.InputIDs, backend.InputMask, backend.InputTypes, backend.InputPositions:
		default:
			return fmt.Errorf("it takes an input named %q, which a token classifier does not", n)
		}
		s.names = append(s.names, n)
		s.inputs = append(s.inputs, append([]byte(n), 0))
	}
	outputs, err := s.list(apiSessionGetOutputCount, apiSessionGetOutputName)
	if err != nil {
		return err
	}
	if len(outputs) == 0 {
		return errors.New("it has no output")
	}
	s.output = append([]byte(outputs[0]), 0)
	return nil
}

// list gives the names that a counting and a naming call know.
func (s *session) list(count, name int) ([]string, error) {
	out := new(struct{ n, name uintptr })
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(out)
	if err := s.b.call(count, s.handle, address(&out.n)); err != nil {
		return nil, err
	}
	var names []string
	for i := range out.n {
		if err := s.b.call(name, s.handle, i, s.b.alloc, address(&out.name)); err != nil {
			return nil, err
		}
		names = append(names, text(out.name))
		_ = s.b.call(apiAllocatorFree, s.b.alloc, out.name)
	}
	return names, nil
}

// Run classifies one window.
func (s *session) Run(ids, mask []int64) ([][]float32, error) {
	n := len(ids)
	var pin runtime.Pinner
	defer pin.Unpin()
	shape := &[2]int64{1, int64(n)}
	pin.Pin(shape)
	values := make([]uintptr, len(s.inputs))
	names := make([]uintptr, len(s.inputs))
	pin.Pin(&values[0])
	pin.Pin(&names[0])
	defer func() {
		for _, v := range values {
			s.b.release(apiReleaseValue, v)
		}
	}()
	for i, name := range s.names {
		row := make([]int64, n)
		switch name {
		case backend.InputIDs:
			copy(row, ids)
		case backend.InputMask:
			copy(row, mask)
		case backend.InputPositions:
			for k := range row {
				row[k] = int64(k)
			}
		}
		pin.Pin(&row[0])
		pin.Pin(&s.inputs[i][0])
		names[i] = address(&s.inputs[i][0])
		if err := s.b.call(apiCreateTensorWithDataAsOrtValue, s.b.memory, address(&row[0]), uintptr(8*n),
			address(&shape[0]), 2, elementInt64, address(&values[i])); err != nil {
			return nil, err
		}
	}
	out := new(struct{ name, value uintptr })
	pin.Pin(out)
	pin.Pin(&s.output[0])
	out.name = address(&s.output[0])
	if err := s.b.call(apiRun, s.handle, 0, address(&names[0]), address(&values[0]), uintptr(len(values)),
		address(&out.name), 1, address(&out.value)); err != nil {
		return nil, err
	}
	defer s.b.release(apiReleaseValue, out.value)
	rows, err := s.scores(out.value, n)
	runtime.KeepAlive(s)
	return rows, err
}

// scores copies a tensor of one row of scores a token.
func (s *session) scores(value uintptr, n int) ([][]float32, error) {
	got := new(struct {
		info, count, data uintptr
		element           uint32
		dims              [3]int64
	})
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(got)
	if err := s.b.call(apiGetTensorTypeAndShape, value, address(&got.info)); err != nil {
		return nil, err
	}
	defer s.b.release(apiReleaseTensorTypeAndShapeInfo, got.info)
	wrong := errors.New("its output is not one row of scores a token")
	if err := s.b.call(apiGetTensorElementType, got.info, address(&got.element)); err != nil {
		return nil, err
	}
	if err := s.b.call(apiGetDimensionsCount, got.info, address(&got.count)); err != nil {
		return nil, err
	}
	if got.element != elementFloat32 || got.count != 3 {
		return nil, wrong
	}
	if err := s.b.call(apiGetDimensions, got.info, address(&got.dims[0]), 3); err != nil {
		return nil, err
	}
	classes := int(got.dims[2])
	if got.dims[0] != 1 || got.dims[1] != int64(n) || classes < 1 || classes > 1<<16 {
		return nil, wrong
	}
	if err := s.b.call(apiGetTensorMutableData, value, address(&got.data)); err != nil {
		return nil, err
	}
	flat := unsafe.Slice((*float32)(pointer(got.data)), n*classes)
	rows := make([][]float32, n)
	for i := range rows {
		rows[i] = append([]float32(nil), flat[i*classes:(i+1)*classes]...)
	}
	return rows, nil
}

// Close frees the model.
func (s *session) Close() {
	s.b.release(apiReleaseSession, s.handle)
	s.handle = 0
}

// call makes one call of the table that answers with a status, and turns a
// status into an error.
func (b *Backend) call(index int, args ...uintptr) error {
	status, _, _ := purego.SyscallN(word(b.table, index), args...)
	if status == 0 {
		return nil
	}
	message, _, _ := purego.SyscallN(word(b.table, apiGetErrorMessage), status)
	line, _, _ := strings.Cut(text(message), "\n")
	b.release(apiReleaseStatus, status)
	if len(line) > 160 {
		line = line[:160]
	}
	return errors.New(line)
}

// release makes one call of the table that frees a handle and answers nothing.
func (b *Backend) release(index int, handle uintptr) {
	if handle != 0 {
		purego.SyscallN(word(b.table, index), handle)
	}
}

// word is the i-th word at a C address.
func word(at uintptr, i int) uintptr {
	return *(*uintptr)(unsafe.Add(pointer(at), uintptr(i)*unsafe.Sizeof(at)))
}

// text copies a C string of at most four kilobytes.
func text(at uintptr) string {
	if at == 0 {
		return ""
	}
	p := pointer(at)
	n := 0
	for n < 4096 && *(*byte)(unsafe.Add(p, n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(p), n))
}

// address is a pinned Go address as C takes it.
func address[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// pointer is a C address as Go reads it. C's memory does not move and is not
// collected, which is what makes the conversion sound.
func pointer(at uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&at)) }
