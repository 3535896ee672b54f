package asprinted

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// encoder appends canonical encodings. It writes the dimensions that the space has and no others.
type encoder struct {
	dst  []byte
	dims int
}

func (e *encoder) uint(v uint64)         { e.dst = protocol.AppendUint(e.dst, v) }
func (e *encoder) bool(v bool)           { e.dst = protocol.AppendBool(e.dst, v) }
func (e *encoder) id(id protocol.NodeID) { e.dst = protocol.AppendNodeID(e.dst, id) }

func (e *encoder) point(p space.Point) {
	for _, v := range p[:e.dims] {
		e.uint(uint64(uint32(v)))
	}
}

func (e *encoder) halfSpace(h space.HalfSpace) {
	e.uint(uint64(h.Dim))
	e.bool(h.AtLeast)
	e.uint(uint64(uint32(h.At)))
}

func (e *encoder) record(r Record) {
	e.id(r.ID)
	e.point(r.Coord)
	e.bool(!r.Zone.Empty())
	if !r.Zone.Empty() {
		e.point(r.Zone.Low)
		e.point(r.Zone.High)
	}
	e.uint(uint64(len(r.Splits)))
	for _, h := range r.Splits {
		e.halfSpace(h)
	}
	e.uint(uint64(r.Instance))
}

func (e *encoder) records(rs []Record) {
	e.uint(uint64(len(rs)))
	for _, r := range rs {
		e.record(r)
	}
}

func (e *encoder) entry(n Entry) {
	e.record(n.Record)
	e.uint(uint64(n.Status))
}

func (e *encoder) gamma(g Gamma) {
	e.uint(uint64(g.Command))
	if g.Command == Split {
		e.id(g.Joiner)
		e.point(g.Coord)
		e.halfSpace(g.Keep)
	}
}

// AppendState appends the canonical encoding of a state.
func AppendState(cfg *Config, dst []byte, s State) []byte {
	e := encoder{dst, cfg.Space.Dims}
	e.uint(uint64(s.Phase))
	e.id(s.Contact)
	e.bool(s.Leave)
	e.entry(s.Self)
	e.gamma(s.Gamma)
	e.uint(uint64(len(s.Replies)))
	for _, r := range s.Replies {
		e.id(r.From)
		e.uint(uint64(r.Answer))
	}
	e.uint(uint64(len(s.Nodes)))
	for _, n := range s.Nodes {
		e.entry(n)
	}
	e.uint(uint64(len(s.Gone)))
	for _, t := range s.Gone {
		e.id(t.ID)
		e.uint(uint64(t.Instance))
	}
	return e.dst
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
	e := encoder{dst, cfg.Space.Dims}
	switch m := m.(type) {
	case Join:
		e.uint(tagJoin)
		e.id(m.Joiner)
		e.point(m.Coord)
		e.uint(uint64(m.Hops))
	case Refuse:
		e.uint(tagRefuse)
	case Handover:
		e.uint(tagHandover)
		e.record(m.Joined)
		e.records(m.Nodes)
	case Propose:
		e.uint(tagPropose)
		e.uint(uint64(m.Instance))
	case ProposeOK:
		e.uint(tagProposeOK)
		e.bool(m.Yes)
		e.uint(uint64(m.Instance))
	case Commit:
		e.uint(tagCommit)
		e.gamma(m.Gamma)
		e.uint(uint64(m.Instance))
	case Update:
		e.uint(tagUpdate)
		e.record(m.Self)
		e.records(m.Neighbours)
	}
	return e.dst
}

// AppendOrder appends the canonical encoding of an order.
func AppendOrder(dst []byte, o Order) []byte {
	return protocol.AppendNodeID(protocol.AppendUint(dst, uint64(o.Kind)), o.Contact)
}

// appendIdentity is what a node persists: who it is, so that its next life is another node.
func appendIdentity(dst []byte, id protocol.NodeID, coord space.Point) []byte {
	e := encoder{dst, space.MaxDimensions}
	e.id(id)
	e.point(coord)
	return e.dst
}
