package daemon

import (
	"fmt"

	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// The kinds of frames that daemons do not have.
const (
	helloKind   = 0   // says which incarnation sends it
	cardsKind   = 254 // passes on contact cards
	refusalKind = 255 // says that another incarnation is known at the address of its receiver, with its card
)

// frame is a message between two daemons.
type frame struct {
	From, To   protocol.NodeID // incarnations; a hello is for the present one
	Channel    transport.Channel
	Kind       uint8
	Number     uint32 // in this channel from this incarnation to that one, from 1
	SentMicros uint64 // when it was given to the links
	Answer     bool   // of a hello
	Payload    string
}

func (f *frame) append(dst []byte) []byte {
	dst = protocol.AppendNodeID(protocol.AppendNodeID(dst, f.From), f.To)
	for _, number := range []uint64{uint64(f.Channel), uint64(f.Kind), uint64(f.Number), f.SentMicros} {
		dst = protocol.AppendUint(dst, number)
	}
	return append(protocol.AppendBool(dst, f.Answer), f.Payload...)
}

func readFrame(src []byte) (f frame, err error) {
	r := protocol.NewReader(src)
	f.From, f.To = r.NodeID(), r.NodeID()
	f.Channel, f.Kind = transport.Channel(r.Uint(255)), uint8(r.Uint(255))
	f.Number, f.SentMicros = uint32(r.Uint(1<<32-1)), r.Uint(1<<62)
	f.Answer, f.Payload = r.Bool(), string(r.Bytes(r.Left()))
	return f, r.Close()
}

// text is for people. A core's message says little more than its core and length: the records of
// real daemons have the rest.
func (f *frame) text() string {
	what := map[uint8]string{helloKind: "Hello", 1: "Core", 2: "Call", 3: "Custody"}[f.Kind]
	switch f.Kind {
	case cardsKind, refusalKind:
		text := map[uint8]string{cardsKind: "Cards", refusalKind: "Refusal"}[f.Kind]
		all, _ := readClaims(f.Payload)
		for i := range all {
			text += " (" + all[i].text() + ")"
		}
		return text
	case helloKind:
		return fmt.Sprintf("%s from %v, answer: %t", what, f.From, f.Answer)
	}
	return fmt.Sprintf("%s %d of channel %d from %v to %v, sent at %d: %q",
		what, f.Number, f.Channel, f.From, f.To, f.SentMicros, f.Payload)
}
