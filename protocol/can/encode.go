package can

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

type encoder struct{ space.Encoder }

func newEncoder(dst []byte, dims int) encoder {
	return encoder{space.Encoder{Dst: dst, Dims: dims}}
}

func (e *encoder) ids(ids []protocol.NodeID) {
	e.Uint(uint64(len(ids)))
	for _, id := range ids {
		e.ID(id)
	}
}

func (e *encoder) record(r Record) {
	e.ID(r.ID)
	e.Point(r.Coord)
	e.Zone(r.Zone)
	e.HalfSpaces(r.Splits)
	e.Uint(uint64(r.Version))
	e.Uint(uint64(r.Epoch))
}

func (e *encoder) records(rs []Record) {
	e.Uint(uint64(len(rs)))
	for _, r := range rs {
		e.record(r)
	}
}

func (e *encoder) commit(c Commit) {
	e.Uint(uint64(c.Round))
	e.Uint(uint64(c.Kind))
	e.records(c.Changed)
	e.ID(c.Gone)
	e.records(c.View)
}

// AppendState appends the canonical encoding of a state.
func AppendState(cfg *Config, dst []byte, s State) []byte {
	e := newEncoder(dst, cfg.Space.Dims)
	e.Uint(uint64(s.Phase))
	e.record(s.Self)
	e.ID(s.Contact)
	e.Bool(s.Leave)
	e.Uint(uint64(s.Round))
	e.records(s.Known)
	e.ids(s.Dead)
	p := s.Promise
	e.ID(p.Proposer)
	e.Uint(uint64(p.Round))
	e.Uint(uint64(p.Kind))
	e.ID(p.Subject)
	e.Bool(p.Orphan)
	e.Uint(uint64(s.Change.Stage))
	e.ID(s.Change.Subject)
	e.ids(s.Change.Waiting)
	e.ids(s.Change.Later)
	e.commit(s.Change.Commit)
	return e.Dst
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
	e := newEncoder(dst, cfg.Space.Dims)
	switch m := m.(type) {
	case Join:
		e.Uint(tagJoin)
		e.ID(m.Joiner)
		e.Point(m.Coord)
		e.Uint(uint64(m.Hops))
	case Refuse:
		e.Uint(tagRefuse)
		e.Bool(m.Occupied)
	case Propose:
		e.Uint(tagPropose)
		e.Uint(uint64(m.Round))
		e.Uint(uint64(m.Kind))
		e.ID(m.Subject)
		e.Uint(uint64(m.Version))
	case ProposeOK:
		e.Uint(tagProposeOK)
		e.Uint(uint64(m.Round))
		e.Bool(m.Yes)
		e.Uint(uint64(m.Epoch))
		e.record(m.Self)
	case Release:
		e.Uint(tagRelease)
		e.Uint(uint64(m.Round))
	case Commit:
		e.Uint(tagCommit)
		e.commit(m)
	case CommitOK:
		e.Uint(tagCommitOK)
		e.Uint(uint64(m.Round))
		e.records(m.Neighbours)
	case Update:
		e.Uint(tagUpdate)
		e.record(m.Self)
		e.records(m.Neighbours)
		e.ids(m.Dead)
	case Query:
		e.Uint(tagQuery)
		e.ID(m.Proposer)
		e.Uint(uint64(m.Round))
	case Answer:
		e.Uint(tagAnswer)
		e.ID(m.Proposer)
		e.Uint(uint64(m.Round))
		e.records(m.Records)
	}
	return e.Dst
}

// AppendCommand appends the canonical encoding of a command.
func AppendCommand(dst []byte, c Command) []byte {
	return protocol.AppendNodeID(protocol.AppendUint(dst, uint64(c.Kind)), c.Contact)
}

// appendIdentity encodes what a node persists: its identity and coordinate, so that its next
// incarnation gets a larger incarnation.
func appendIdentity(dst []byte, id protocol.NodeID, coord space.Point) []byte {
	e := newEncoder(dst, space.MaxDimensions)
	e.ID(id)
	e.Point(coord)
	return e.Dst
}
