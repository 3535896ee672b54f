package lease

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// Wire is a message as drivers exchange it: with the incarnations that it names. To the network a
// node is its place, which stays the same for all incarnations; so a message for any incarnation
// can be delivered.
type Wire struct {
	From, To protocol.NodeID
	Message  lease.Message
}

// AppendMessage implements [protocol.Core].
func (a *Agent) AppendMessage(dst []byte, m Wire) []byte {
	dst = protocol.AppendNodeID(protocol.AppendNodeID(dst, m.From), m.To)
	return lease.AppendMessage(dst, m.Message)
}

// DecodeMessage implements [protocol.Core].
func (a *Agent) DecodeMessage(src []byte) (Wire, error) {
	r := protocol.NewReader(src)
	m := Wire{From: r.NodeID(), To: r.NodeID()}
	inner := r.Bytes(r.Left())
	if err := r.Close(); err != nil {
		return Wire{}, err
	}
	var err error
	m.Message, err = lease.DecodeMessage(inner)
	return m, err
}

// MessageText implements [protocol.Core].
func (a *Agent) MessageText(m Wire) string {
	text := lease.MessageText(m.Message)
	if m.From.Incarnation != 1 || m.From.Address > 25 {
		text += " from " + m.From.String()
	}
	switch m.To.Incarnation {
	case 0:
		return text + " to any life"
	case 1:
		return text
	}
	return text + " to " + m.To.String()
}
