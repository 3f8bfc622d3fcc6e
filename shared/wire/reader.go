// Package wire is what travels between fettle's programs. This file is the
// framing between fettle and fettle-reader, the worker that gets a stranger's
// document as bytes and gives back lines; sidecar files hold the screen's.
//
// fettle calls WriteRequest and then ReadFrame until a Done or an Error;
// fettle-reader calls ReadRequest and answers through a FrameWriter. Neither
// side believes the other: every length is bounded before it is allocated, a
// frame of an unknown type is an error, and both refuse another version.
package wire

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ReaderVersion is the framing's. Programs of one installation share it.
const ReaderVersion = 1

// MaxFrame bounds one frame's payload.
const MaxFrame = 4 << 20

// MaxDocument bounds the bytes of one document.
const MaxDocument = 128 << 20

// Request announces a document; its bytes follow the frame.
type Request struct {
	Version  int    `json:"version"`
	Kind     string `json:"kind"`
	Size     int64  `json:"size"`
	MaxLines int    `json:"max_lines"`
	MaxBytes int    `json:"max_bytes"`
	MaxLine  int    `json:"max_line"` // bytes of one line
	Millis   int64  `json:"millis"`   // time for the whole document
}

// Type is what a frame holds.
type Type byte

// The types. A rendering is any number of Marks, Lines and Notes, an Engine
// perhaps, and then one Done or one Error.
const (
	RequestFrame Type = 'Q'
	Mark         Type = 'M' // a landmark at the next line
	Lines        Type = 'L' // a batch: see AppendLine and EachLine
	Note         Type = 'N'
	Engine       Type = 'E'
	Done         Type = 'D' // payload DoneCut or empty
	Error        Type = 'X' // JSON Failure
)

// DoneCut is the payload of a Done whose rendering reached a bound.
const DoneCut = "cut"

// Failure is why there is no rendering.
type Failure struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// ErrFrame is what the other side sent and may not.
var ErrFrame = errors.New("the other program sent something that is no frame")

// WriteRequest sends a request and its document.
func WriteRequest(w io.Writer, r Request, body io.Reader) error {
	r.Version = ReaderVersion
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := writeFrame(w, RequestFrame, b); err != nil {
		return err
	}
	n, err := io.CopyN(w, body, r.Size)
	if err == io.EOF {
		err = fmt.Errorf("the document ended after %d of %d bytes: %w", n, r.Size, io.ErrUnexpectedEOF)
	}
	return err
}

// ReadRequest takes the next request and its document. io.EOF is a clean end.
func ReadRequest(r *bufio.Reader) (Request, []byte, error) {
	var q Request
	t, b, err := ReadFrame(r)
	if err != nil {
		return q, nil, err
	}
	if t != RequestFrame {
		return q, nil, ErrFrame
	}
	if err := json.Unmarshal(b, &q); err != nil {
		return q, nil, fmt.Errorf("%w: %v", ErrFrame, err)
	}
	if q.Version != ReaderVersion {
		return q, nil, fmt.Errorf("%w: version %d, not %d", ErrFrame, q.Version, ReaderVersion)
	}
	if q.Size < 0 || q.Size > MaxDocument {
		return q, nil, fmt.Errorf("%w: a document of %d bytes", ErrFrame, q.Size)
	}
	body := make([]byte, q.Size)
	if _, err := io.ReadFull(r, body); err != nil {
		return q, nil, io.ErrUnexpectedEOF
	}
	return q, body, nil
}

func writeFrame(w io.Writer, t Type, payload []byte) error {
	if len(payload) > MaxFrame {
		return fmt.Errorf("%w: %d bytes in one", ErrFrame, len(payload))
	}
	var head [5]byte
	head[0] = byte(t)
	binary.BigEndian.PutUint32(head[1:], uint32(len(payload)))
	if _, err := w.Write(head[:]); err != nil {
		return err
	}
	_, err := w.Write(payload)
	return err
}

// ReadFrame takes the next frame. io.EOF is an end between frames.
func ReadFrame(r *bufio.Reader) (Type, []byte, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	t := Type(head[0])
	switch t {
	case RequestFrame, Mark, Lines, Note, Engine, Done, Error:
	default:
		return 0, nil, ErrFrame
	}
	n := binary.BigEndian.Uint32(head[1:])
	if n > MaxFrame {
		return 0, nil, fmt.Errorf("%w: %d bytes in one", ErrFrame, n)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return 0, nil, io.ErrUnexpectedEOF
	}
	return t, b, nil
}

// FrameWriter sends frames and gathers lines into batches.
type FrameWriter struct {
	w     *bufio.Writer
	batch []byte
}

// batchSize is how many bytes of lines travel together.
const batchSize = 64 << 10

// NewFrameWriter sends to w.
func NewFrameWriter(w io.Writer) *FrameWriter {
	return &FrameWriter{w: bufio.NewWriterSize(w, batchSize)}
}

// Line adds a line to the batch.
func (f *FrameWriter) Line(s string) error {
	f.batch = AppendLine(f.batch, s)
	if len(f.batch) >= batchSize {
		return f.flushLines()
	}
	return nil
}

func (f *FrameWriter) flushLines() error {
	if len(f.batch) == 0 {
		return nil
	}
	err := writeFrame(f.w, Lines, f.batch)
	f.batch = f.batch[:0]
	return err
}

// Frame sends the lines gathered so far and then a frame. Done and Error are
// sent on at once.
func (f *FrameWriter) Frame(t Type, payload string) error {
	if err := f.flushLines(); err != nil {
		return err
	}
	if err := writeFrame(f.w, t, []byte(payload)); err != nil {
		return err
	}
	if t == Done || t == Error {
		return f.w.Flush()
	}
	return nil
}

// Fail sends an Error frame.
func (f *FrameWriter) Fail(reason, message string) error {
	if len(message) > 2000 {
		message = message[:2000]
	}
	b, err := json.Marshal(Failure{reason, message})
	if err != nil {
		return err
	}
	return f.Frame(Error, string(b))
}

// ReadFailure decodes an Error frame.
func ReadFailure(b []byte) (Failure, error) {
	var f Failure
	if err := json.Unmarshal(b, &f); err != nil {
		return f, fmt.Errorf("%w: %v", ErrFrame, err)
	}
	return f, nil
}

// AppendLine adds one line to a batch: its length as a varint, then its bytes.
func AppendLine(batch []byte, s string) []byte {
	return append(binary.AppendUvarint(batch, uint64(len(s))), s...)
}

// EachLine gives the lines of a batch.
func EachLine(batch []byte, fn func(line string) error) error {
	for len(batch) > 0 {
		n, k := binary.Uvarint(batch)
		if k <= 0 || n > uint64(len(batch)-k) {
			return ErrFrame
		}
		if err := fn(string(batch[k : k+int(n)])); err != nil {
			return err
		}
		batch = batch[k+int(n):]
	}
	return nil
}
