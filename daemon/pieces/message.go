package pieces

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The kinds of messages.
const (
	question byte = iota + 1 // for a piece of a file
	answer                   // the piece
	failure                  // why there is no piece
	kinds
)

// message is a question or its answer.
type message struct {
	kind   byte
	id     uint64 // of the question
	offset uint64 // of a question
	most   uint32 // of a question: bytes
	body   []byte // the name of a file, a piece, or a text
}

const (
	shortHead = 1 + 8
	longHead  = shortHead + 8 + 4 // of a question
)

var errMessage = errors.New("not a valid message about a piece")

func (m *message) append(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint64(append(dst, m.kind), m.id)
	if m.kind == question {
		dst = binary.BigEndian.AppendUint64(dst, m.offset)
		dst = binary.BigEndian.AppendUint32(dst, m.most)
	}
	return append(dst, m.body...)
}

// parse is the inverse of append. The body is a slice of its argument.
func parse(text []byte) (m message, err error) {
	if len(text) < shortHead || text[0] == 0 || text[0] >= kinds {
		return m, fmt.Errorf("%w: %d bytes", errMessage, len(text))
	}
	m.kind, m.id, m.body = text[0], binary.BigEndian.Uint64(text[1:]), text[shortHead:]
	if m.kind != question {
		return m, nil
	}
	if len(text) < longHead {
		return m, fmt.Errorf("%w: a question of %d bytes", errMessage, len(text))
	}
	m.offset, m.most = binary.BigEndian.Uint64(text[shortHead:]), binary.BigEndian.Uint32(text[shortHead+8:])
	m.body = text[longHead:]
	if m.offset > 1<<62 || m.most > Size {
		return m, fmt.Errorf("%w: a question for %d bytes from %d on", errMessage, m.most, m.offset)
	}
	return m, nil
}
