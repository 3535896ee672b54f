package flight

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/canvass-grid/canvass/internal/fileio"
)

// ErrDamaged is wrapped by every error about bytes that no recorder has written.
var ErrDamaged = errors.New("damaged")

// ErrSchema is wrapped by errors about a file that another version of this package has written.
var ErrSchema = errors.New("another schema")

// Reader reads a segment.
type Reader struct {
	Header Header

	name   string
	source *bufio.Reader
	closer io.Closer
	start  int64  // of the last frame
	offset int64  // of the next one
	last   uint64 // sequence of the last record
	note   string
	ended  bool
}

// Open opens a segment and reads its header. Errors wrap [ErrDamaged] or [ErrSchema], unless the
// file cannot be read.
func Open(file string) (*Reader, error) {
	f, err := fileio.Open(file)
	if err != nil {
		return nil, err
	}
	r, err := NewReader(file, f)
	if err != nil {
		f.Close()
		return nil, err
	}
	r.closer = f
	return r, nil
}

// NewReader reads a segment from a source. Name is for errors.
func NewReader(name string, source io.Reader) (*Reader, error) {
	r := &Reader{name: name, source: bufio.NewReaderSize(source, 1<<16)}
	word := make([]byte, len(magic))
	n, err := io.ReadFull(r.source, word)
	switch {
	case err == nil && string(word) == magic:
	case err == nil && bytes.HasPrefix(word, []byte(magic[:len(magic)-2])):
		return nil, fmt.Errorf("%s: %w: it has %q, this build reads %q; use the build that wrote it",
			name, ErrSchema, word, magic)
	case err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%s: %w: it does not begin as a segment of a flight recorder (%q)", name, ErrDamaged, word[:n])
	default:
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	r.start, r.offset = int64(len(magic)), int64(len(magic))
	body, err := r.frame()
	if errors.Is(err, io.EOF) {
		return nil, r.damaged("the file ends within its header")
	}
	if err != nil {
		return nil, err
	}
	if r.Header, err = decodeHeader(body); err != nil {
		return nil, r.damaged(err.Error())
	}
	return r, nil
}

// Next returns the next record. The error is io.EOF at the end; all others wrap [ErrDamaged] unless
// the file cannot be read. The bytes of the record are never changed later.
func (r *Reader) Next() (Record, error) {
	body, err := r.frame()
	if err != nil {
		return Record{}, err
	}
	record, err := decodeRecord(body)
	if err != nil {
		return Record{}, r.damaged(fmt.Sprintf("its checksum is right, but %v", err))
	}
	switch {
	case record.Sequence == 0 || record.Sequence <= r.last:
		return Record{}, r.damaged(fmt.Sprintf("record %d follows record %d", record.Sequence, r.last))
	case r.last > 0 && record.Sequence != r.last+1 && record.Kind != GapRecord:
		return Record{}, r.damaged(fmt.Sprintf("record %d follows record %d without a gap", record.Sequence, r.last))
	}
	r.last = record.Sequence
	return record, nil
}

// Note says why the file ends where it does, if it was cut off within a record; else it is empty.
func (r *Reader) Note() string { return r.note }

// Close closes the file.
func (r *Reader) Close() error {
	if r.closer == nil {
		return nil
	}
	return r.closer.Close()
}

// frame reads a body. At the end, and at a frame that was cut off, the error is io.EOF.
func (r *Reader) frame() ([]byte, error) {
	if r.ended {
		return nil, io.EOF
	}
	r.start = r.offset
	var head [headBytes]byte
	n, err := io.ReadFull(r.source, head[:])
	if errors.Is(err, io.EOF) {
		r.ended = true
		return nil, io.EOF
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, r.cut(int64(n))
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", r.name, err)
	}
	if lengthCheck(head[:]) != head[3] {
		return nil, r.badLength(head)
	}
	length := int(head[0]) | int(head[1])<<8 | int(head[2])<<16
	// The length may be wrong, so memory grows only with the bytes that are there.
	var body bytes.Buffer
	copied, err := io.CopyN(&body, r.source, int64(length)+sumBytes)
	if errors.Is(err, io.EOF) {
		return nil, r.cut(headBytes + copied)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", r.name, err)
	}
	whole := body.Bytes()
	if crc32.Checksum(whole[:length], castagnoli) != binary.LittleEndian.Uint32(whole[length:]) {
		return nil, r.damaged("its checksum is wrong")
	}
	r.offset += headBytes + copied
	return whole[:length:length], nil
}

// badLength distinguishes a file that a power cut has filled with zeroes from a changed one.
func (r *Reader) badLength(head [headBytes]byte) error {
	left := int64(headBytes)
	zero := head == [headBytes]byte{}
	for zero {
		b, err := r.source.ReadByte()
		if errors.Is(err, io.EOF) {
			return r.cut(left)
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", r.name, err)
		}
		left++
		zero = b == 0
	}
	return r.damaged("its length is wrong")
}

// cut ends the reading at a frame that is not complete.
func (r *Reader) cut(left int64) error {
	r.ended = true
	r.note = fmt.Sprintf("%s ends within the record after %d: %d bytes at byte %d are not a whole record; "+
		"the process ended while it wrote", r.name, r.last, left, r.start)
	return io.EOF
}

func (r *Reader) damaged(why string) error {
	what := fmt.Sprintf("the record after record %d", r.last)
	if r.start == int64(len(magic)) {
		what = "the header"
	} else if r.last == 0 {
		what = "the first record"
	}
	return fmt.Errorf("%s: %s, at byte %d, is %w: %s", r.name, what, r.start, ErrDamaged, why)
}
