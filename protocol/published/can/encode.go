package can

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

type encoder struct{ space.Encoder }

func newEncoder(dst []byte, dims int) encoder {
	return encoder{space.Encoder{Dst: dst, Dims: dims}}
}

func (e *encoder) record(r Record) {
	e.ID(r.ID)
	e.Point(r.Coord)
	e.Zone(r.Zone)
	e.HalfSpaces(r.Splits)
	e.Uint(uint64(r.Instance))
}

func (e *encoder) records(rs []Record) {
	e.Uint(uint64(len(rs)))
	for _, r := range rs {
		e.record(r)
	}
}

func (e *encoder) entry(n Entry) {
	e.record(n.Record)
	e.Uint(uint64(n.Status))
}

func (e *encoder) gamma(g Gamma) {
	e.Uint(uint64(g.Kind))
	if g.Kind == Split {
		e.ID(g.Joiner)
		e.Point(g.Coord)
		e.HalfSpace(g.Keep)
	}
}

// AppendState appends the canonical encoding of a state.
func AppendState(cfg *Config, dst []byte, s State) []byte {
	e := newEncoder(dst, cfg.Space.Dims)
	e.Uint(uint64(s.Phase))
	e.ID(s.Contact)
	e.Bool(s.Leave)
	e.entry(s.Self)
	e.gamma(s.Gamma)
	e.Uint(uint64(len(s.Replies)))
	for _, r := range s.Replies {
		e.ID(r.From)
		e.Uint(uint64(r.Answer))
	}
	e.Uint(uint64(len(s.Nodes)))
	for _, n := range s.Nodes {
		e.entry(n)
	}
	e.Uint(uint64(len(s.Gone)))
	for _, t := range s.Gone {
		e.ID(t.ID)
		e.Uint(uint64(t.Instance))
	}
	return e.Dst
}

// The tags of the message types on the wire.
const (
	tagJoin = iota + 1
	tagRefuse
	tagHandover
	tagPropose
	tagProposeOK
	tagCommit
	tagUpdate
)

// AppendMessage appends the canonical encoding of a message: a tag, then the fields in their order.
func AppendMessage(cfg *Config, dst []byte, m Message) []byte {
	e := newEncoder(dst, cfg.Space.Dims)
	switch m := m.(type) {
	case Join:
		e.Uint(tagJoin)
		e.ID(m.Joiner)
		e.Point(m.Coord)
		e.Uint(uint64(m.Hops))
	case Refuse:
		e.Uint(tagRefuse)
	case Handover:
		e.Uint(tagHandover)
		e.record(m.Joined)
		e.records(m.Nodes)
	case Propose:
		e.Uint(tagPropose)
		e.Uint(uint64(m.Instance))
	case ProposeOK:
		e.Uint(tagProposeOK)
		e.Bool(m.Yes)
		e.Uint(uint64(m.Instance))
	case Commit:
		e.Uint(tagCommit)
		e.gamma(m.Gamma)
		e.Uint(uint64(m.Instance))
	case Update:
		e.Uint(tagUpdate)
		e.record(m.Self)
		e.records(m.Neighbours)
	}
	return e.Dst
}

// AppendCommand appends the canonical encoding of a command.
func AppendCommand(dst []byte, c Command) []byte {
	return protocol.AppendNodeID(protocol.AppendUint(dst, uint64(c.Kind)), c.Contact)
}

// appendIdentity appends what a node persists: its identity, so its next incarnation is another
// node.
func appendIdentity(dst []byte, id protocol.NodeID, coord space.Point) []byte {
	e := newEncoder(dst, space.MaxDimensions)
	e.ID(id)
	e.Point(coord)
	return e.Dst
}
