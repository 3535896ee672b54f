package protocol

import (
	"encoding/binary"
	"errors"
)

// ErrEncoding is wrapped by every error of a decoder.
var ErrEncoding = errors.New("not a canonical encoding")

// MaxItems bounds every list in an encoding.
const MaxItems = 1 << 12

// AppendUint appends an unsigned number in the shortest form: equal numbers, equal bytes.
func AppendUint(dst []byte, v uint64) []byte { return binary.AppendUvarint(dst, v) }

// AppendInt appends a signed number (zigzag).
func AppendInt(dst []byte, v int64) []byte { return binary.AppendVarint(dst, v) }

// AppendBool appends one byte, 0 or 1.
func AppendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// AppendNodeID appends address and incarnation.
func AppendNodeID(dst []byte, id NodeID) []byte {
	return AppendUint(AppendUint(dst, uint64(id.Address)), uint64(id.Incarnation))
}

// Reader decodes an encoding. After the first error every read returns zero, so a decoder checks
// for errors once, at its end, with Close.
type Reader struct {
	rest []byte
	err  error
}

// NewReader reads from src, which it does not change.
func NewReader(src []byte) *Reader { return &Reader{rest: src} }

// Uint reads a number of at most max. A form that is not the shortest is an error.
func (r *Reader) Uint(max uint64) uint64 {
	if len(r.rest) > 0 && r.rest[0] <= 0x7f && uint64(r.rest[0]) <= max { // most numbers are small
		v := r.rest[0]
		r.rest = r.rest[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > max || r.rest[n-1] == 0 { // the single byte 0 was read above
		r.Fail()
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// Int reads a signed number of at most the given magnitude.
func (r *Reader) Int(magnitude int64) int64 {
	u := r.Uint(1<<64 - 1)
	v := int64(u>>1) ^ -int64(u&1)
	if v > magnitude || v < -magnitude {
		r.Fail()
		return 0
	}
	return v
}

// Bool reads one byte, 0 or 1.
func (r *Reader) Bool() bool { return r.Uint(1) == 1 }

// NodeID reads an identity.
func (r *Reader) NodeID() NodeID {
	return NodeID{Address: Address(r.Uint(1<<32 - 1)), Incarnation: uint16(r.Uint(1<<16 - 1))}
}

// Bytes reads n bytes. They alias the source.
func (r *Reader) Bytes(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.Fail()
		return nil
	}
	taken := r.rest[:n:n]
	r.rest = r.rest[n:]
	return taken
}

// Left returns the number of unread bytes.
func (r *Reader) Left() int { return len(r.rest) }

// Count reads the length of a list, at most MaxItems.
func (r *Reader) Count() int { return int(r.Uint(MaxItems)) }

// List reads a counted list; an empty one is nil.
func List[T any](r *Reader, item func() T) []T {
	n := r.Count()
	if n == 0 {
		return nil
	}
	items := make([]T, 0, min(n, r.Left())) // an item has a byte at least
	for range n {
		if !r.OK() {
			return nil
		}
		items = append(items, item())
	}
	return items
}

// Fail marks the encoding as invalid, for checks that only the caller can make, such as the order
// of a sorted list.
func (r *Reader) Fail() { r.err, r.rest = ErrEncoding, nil }

// OK reports whether there was no error so far. Loops over a Count stop when it turns false.
func (r *Reader) OK() bool { return r.err == nil }

// Close returns the first error. Unread bytes are an error, too.
func (r *Reader) Close() error {
	if len(r.rest) > 0 {
		r.Fail()
	}
	return r.err
}
