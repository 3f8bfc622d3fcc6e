package testmodel

import (
	"encoding/binary"
	"math"
)

// message is a protocol buffer as it is written: the few wire forms that an
// ONNX file needs, by hand, so that a test model needs no generator.
type message []byte

func (m *message) number(field int, v int64) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3)
	*m = binary.AppendUvarint(*m, uint64(v))
}

func (m *message) bytes(field int, b []byte) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|2)
	*m = binary.AppendUvarint(*m, uint64(len(b)))
	*m = append(*m, b...)
}

func (m *message) text(field int, s string) { m.bytes(field, []byte(s)) }

func (m *message) float(field int, v float32) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|5)
	*m = binary.LittleEndian.AppendUint32(*m, math.Float32bits(v))
}

// The element types of TensorProto.
const (
	typeFloat = 1
	typeUint8 = 2
	typeInt8  = 3
	typeInt64 = 7
	typeBool  = 9
)

// tensor is a TensorProto with raw data.
func tensor(name string, element int64, dims []int64, raw []byte) message {
	var t message
	for _, d := range dims {
		t.number(1, d)
	}
	t.number(2, element)
	t.text(8, name)
	t.bytes(9, raw)
	return t
}

func rawFloats(v []float32) []byte {
	var raw []byte
	for _, f := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(f))
	}
	return raw
}

func rawInts(v []int64) []byte {
	var raw []byte
	for _, i := range v {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(i))
	}
	return raw
}

// value is a ValueInfoProto; a dimension below zero is a name's, "batch" or "sequence".
func value(name string, element int64, dims ...int64) message {
	var shape message
	for i, d := range dims {
		var dim message
		if d < 0 {
			dim.text(2, []string{"batch", "sequence"}[i])
		} else {
			dim.number(1, d)
		}
		shape.bytes(1, dim)
	}
	var tensor, kind, info message
	tensor.number(1, element)
	tensor.bytes(2, shape)
	kind.bytes(1, tensor)
	info.text(1, name)
	info.bytes(2, kind)
	return info
}

// attribute values of a node.
type (
	attrInt   int64
	attrInts  []int64
	attrFloat float32
)

func attribute(name string, v any) message {
	var a message
	a.text(1, name)
	switch v := v.(type) {
	case attrInt:
		a.number(3, int64(v))
		a.number(20, 2)
	case attrInts:
		for _, i := range v {
			a.number(8, i)
		}
		a.number(20, 7)
	case attrFloat:
		a.float(2, float32(v))
		a.number(20, 1)
	}
	return a
}
