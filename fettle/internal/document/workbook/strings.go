package workbook

import (
	"encoding/binary"
	"fmt"
	"io"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/ooxml"
)

// Bounds of the shared strings, the one thing a workbook makes a reader hold.
const (
	maxStringBytes = 24 << 20
	maxStrings     = 1_000_000
	blockSize      = 1 << 20
	perIndex       = 64 << 10
)

// sharedStrings holds strings in blocks, so that growing copies nothing.
type sharedStrings struct {
	blocks [][]byte
	index  [][]uint32 // place of each string: block * blockSize + offset
	count  int
	bytes  int
	cut    bool // strings past the bound were left out
}

// add keeps a string; it reports false at the bound.
func (s *sharedStrings) add(text []byte) bool {
	need := len(text) + binary.MaxVarintLen32
	if s.count >= maxStrings || s.bytes+need > maxStringBytes {
		s.cut = true
		return false
	}
	last := len(s.blocks) - 1
	if last < 0 || len(s.blocks[last])+need > blockSize {
		s.blocks = append(s.blocks, make([]byte, 0, blockSize))
		last++
	}
	if s.count%perIndex == 0 {
		s.index = append(s.index, make([]uint32, 0, perIndex))
	}
	at := uint32(last*blockSize + len(s.blocks[last]))
	s.index[len(s.index)-1] = append(s.index[len(s.index)-1], at)
	s.blocks[last] = append(binary.AppendUvarint(s.blocks[last], uint64(len(text))), text...)
	s.count++
	s.bytes += need
	return true
}

// get is the string of an index; ok is false when there is none.
func (s *sharedStrings) get(i int) (text []byte, ok bool) {
	if i < 0 || i >= s.count {
		return nil, false
	}
	at := int(s.index[i/perIndex][i%perIndex])
	block := s.blocks[at/blockSize][at%blockSize:]
	n, w := binary.Uvarint(block)
	return block[w : w+int(n)], true
}

// readStrings reads the table of shared strings.
func (b *book) readStrings(name string) error {
	x, err := b.pkg.Part(name)
	if err != nil {
		return err
	}
	defer x.Close()
	var raw, text []byte
	for err := range x.Starts(ours) {
		if err != nil {
			return err
		}
		if x.Depth() != 2 || string(x.Name) != "si" && string(x.Name) != "sstItem" {
			continue
		}
		if b.strings.count%1024 == 0 {
			if err := b.ctx.Err(); err != nil {
				return err
			}
		}
		if raw, err = b.richText(x, raw[:0]); err != nil {
			return err
		}
		text = appendString(text[:0], raw)
		if !b.strings.add(text) {
			return document.Errorf(document.TooLarge, "the workbook has more text than fettle holds (%d MB or %d strings); cells past that show %s",
				maxStringBytes>>20, maxStrings, leftOut)
		}
	}
	return x.Finish(b.note)
}

// leftOut stands where a shared string was past the bound.
const leftOut = "[text left out]"

// richText takes the text of a string item that just began, to its end: its
// t and its runs, and not the phonetic reading beside them. Escapes are still
// in it.
func (b *book) richText(x *ooxml.Part, dst []byte) ([]byte, error) {
	depth := x.Depth()
	inT := 0
	begin := len(dst)
	for {
		ev, err := x.Next()
		if err != nil {
			return dst, early(err)
		}
		switch ev {
		case ooxml.Start:
			if !ours(x.Space) {
				if err := x.Skip(); err != nil {
					return dst, err
				}
				continue
			}
			switch string(x.Name) {
			case "rPh", "phoneticPr", "rPr":
				if err := x.Skip(); err != nil {
					return dst, err
				}
			case "t":
				inT = x.Depth()
			}
		case ooxml.Text:
			if inT == 0 {
				continue
			}
			if room := maxCell - (len(dst) - begin); room < len(x.Bytes) {
				if err := b.note(fmt.Sprintf("text of a cell past %d KB was left out", maxCell>>10)); err != nil {
					return dst, err
				}
				dst = append(dst, x.Bytes[:max(room, 0)]...)
				continue
			}
			dst = append(dst, x.Bytes...)
		case ooxml.End:
			if x.Depth() < depth {
				return dst, nil
			}
			if x.Depth() < inT {
				inT = 0
			}
		}
	}
}

func early(err error) error {
	if err == io.EOF {
		return document.Errorf(document.Damaged, "the workbook is damaged: a part ends too early")
	}
	return err
}
