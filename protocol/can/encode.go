package can

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// encoder appends canonical encodings. It needs to know how many dimensions are in use.
type encoder struct {
	dst  []byte
	dims int
}

func (e *encoder) uint(v uint64)         { e.dst = protocol.AppendUint(e.dst, v) }
func (e *encoder) bool(v bool)           { e.dst = protocol.AppendBool(e.dst, v) }
func (e *encoder) id(id protocol.NodeID) { e.dst = protocol.AppendNodeID(e.dst, id) }

func (e *encoder) ids(ids []protocol.NodeID) {
	e.uint(uint64(len(ids)))
	for _, id := range ids {
		e.id(id)
	}
}

func (e *encoder) point(p space.Point) {
	for _, v := range p[:e.dims] {
		e.uint(uint64(v))
	}
}

func (e *encoder) zone(z space.Zone) {
	e.bool(!z.Empty())
	if !z.Empty() {
		e.point(z.Low)
		e.point(z.High)
	}
}

func (e *encoder) record(r Record) {
	e.id(r.ID)
	e.point(r.Coord)
	e.zone(r.Zone)
	e.uint(uint64(len(r.Splits)))
	for _, h := range r.Splits {
		e.uint(uint64(h.Dim))
		e.bool(h.AtLeast)
		e.uint(uint64(h.At))
	}
	e.uint(uint64(r.Version))
	e.uint(uint64(r.Epoch))
}

func (e *encoder) records(rs []Record) {
	e.uint(uint64(len(rs)))
	for _, r := range rs {
		e.record(r)
	}
}

func (e *encoder) commit(c Commit) {
	e.uint(uint64(c.Round))
	e.uint(uint64(c.Command))
	e.records(c.Changed)
	e.id(c.Gone)
	e.records(c.View)
}

// AppendState appends the canonical encoding of a state.
func AppendState(cfg *Config, dst []byte, s State) []byte {
	e := encoder{dst, cfg.Space.Dims}
	e.uint(uint64(s.Phase))
	e.record(s.Self)
	e.id(s.Contact)
	e.bool(s.Leave)
	e.uint(uint64(s.Round))
	e.records(s.Known)
	e.ids(s.Dead)
	p := s.Promise
	e.id(p.Proposer)
	e.uint(uint64(p.Round))
	e.uint(uint64(p.Command))
	e.id(p.Subject)
	e.bool(p.Orphan)
	e.uint(uint64(s.Change.Stage))
	e.id(s.Change.Subject)
	e.ids(s.Change.Waiting)
	e.ids(s.Change.Later)
	e.commit(s.Change.Commit)
	return e.dst
}

// The tags of the message types on the wire.
const (
	tagJoin = iota + 1
	tagRefuse
	tagPropose
	tagProposeOK
	tagRelease
	tagCommit
	tagCommitOK
	tagUpdate
	tagQuery
	tagAnswer
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
		e.bool(m.Occupied)
	case Propose:
		e.uint(tagPropose)
		e.uint(uint64(m.Round))
		e.uint(uint64(m.Command))
		e.id(m.Subject)
		e.uint(uint64(m.Version))
	case ProposeOK:
		e.uint(tagProposeOK)
		e.uint(uint64(m.Round))
		e.bool(m.Yes)
		e.uint(uint64(m.Epoch))
		e.record(m.Self)
	case Release:
		e.uint(tagRelease)
		e.uint(uint64(m.Round))
	case Commit:
		e.uint(tagCommit)
		e.commit(m)
	case CommitOK:
		e.uint(tagCommitOK)
		e.uint(uint64(m.Round))
	case Update:
		e.uint(tagUpdate)
		e.record(m.Self)
		e.records(m.Neighbours)
		e.ids(m.Dead)
	case Query:
		e.uint(tagQuery)
		e.id(m.Proposer)
		e.uint(uint64(m.Round))
	case Answer:
		e.uint(tagAnswer)
		e.id(m.Proposer)
		e.uint(uint64(m.Round))
		e.records(m.Records)
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
