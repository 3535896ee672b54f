package transport

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
)

// The kinds of frames.
const (
	frameData  = iota + 1
	frameAck   // nothing: only acknowledgement and reading
	frameCards // contact cards
	frameTypes
)

// headBytes is the length of a frame without its payload: length 4, type 1, kind 1, incarnation 2,
// sequence, acknowledgement, echo and reading 8 each.
const headBytes = 4 + 4 + 4*8

// ErrFrame is wrapped by the errors of frames that do not decode.
var ErrFrame = errors.New("not a valid frame")

// frame is the unit of transmission on a connection. Sequence, echo and kind belong to data; the
// other fields are those of the moment in which the frame is written.
type frame struct {
	Type     uint8
	Kind     uint8         // of the message, for the application
	To       uint16        // incarnation of the receiver
	Sequence uint64        // of the message among those of its incarnation to this incarnation, from 1
	Ack      uint64        // all messages up to this one were delivered
	Echo     time.Duration // the receiver's clock read no less when the message was made
	Reading  time.Duration // of the sender's clock
	Payload  []byte
}

// append encodes the frame.
func (f *frame) append(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(headBytes-4+len(f.Payload)))
	dst = binary.BigEndian.AppendUint16(append(dst, f.Type, f.Kind), f.To)
	for _, v := range [...]uint64{f.Sequence, f.Ack, uint64(f.Echo), uint64(f.Reading)} {
		dst = binary.BigEndian.AppendUint64(dst, v)
	}
	return append(dst, f.Payload...)
}

// readFrame receives one frame. Its payload is its own. A refusal in place of a frame is the error.
func readFrame(r io.Reader) (frame, error) {
	var head [headBytes]byte
	if _, err := io.ReadFull(r, head[:prefaceBytes]); err != nil {
		return frame{}, err
	}
	if string(head[:len(magic)]) == magic {
		_, err := readBody(r, head[:prefaceBytes], prefaceRefusal, 0)
		return frame{}, err
	}
	length := binary.BigEndian.Uint32(head[:])
	if length < headBytes-4 || length > headBytes-4+MaxPayload {
		return frame{}, fmt.Errorf("%w: a length of %d bytes", ErrFrame, length)
	}
	if _, err := io.ReadFull(r, head[prefaceBytes:]); err != nil {
		return frame{}, err
	}
	word := func(i int) uint64 { return binary.BigEndian.Uint64(head[8+8*i:]) }
	f := frame{
		Type: head[4], Kind: head[5], To: binary.BigEndian.Uint16(head[6:]),
		Sequence: word(0), Ack: word(1), Echo: time.Duration(word(2)), Reading: time.Duration(word(3)),
		Payload: make([]byte, length-(headBytes-4)),
	}
	isData := f.Type == frameData
	switch {
	case f.Type == 0 || f.Type >= frameTypes:
		return frame{}, fmt.Errorf("%w: type %d", ErrFrame, f.Type)
	case isData != (f.Sequence > 0) || !isData && (f.Kind != 0 || f.Echo != 0):
		return frame{}, fmt.Errorf("%w: fields that type %d does not have", ErrFrame, f.Type)
	case f.Type == frameAck && len(f.Payload) > 0:
		return frame{}, fmt.Errorf("%w: an acknowledgement with a payload", ErrFrame)
	}
	_, err := io.ReadFull(r, f.Payload)
	return f, err
}
