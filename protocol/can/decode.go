package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// decoder reads what encoder wrote. Everything wrong ends up in the reader's error.
type decoder struct {
	*protocol.Reader
	dims int
}

func (d decoder) uint32() uint32 { return uint32(d.Uint(1<<32 - 1)) }

// list reads a counted list; an empty one is nil, as everywhere in this package.
func list[T any](d decoder, item func() T) []T {
	var items []T
	for range d.Count() {
		if !d.OK() {
			return nil
		}
		items = append(items, item())
	}
	return items
}

func (d decoder) ids() []protocol.NodeID { return list(d, d.NodeID) }

func (d decoder) point() (p space.Point) {
	for k := range d.dims {
		p[k] = int32(d.Uint(space.MaxCoordinate))
	}
	return p
}

func (d decoder) zone() (z space.Zone) {
	if !d.Bool() {
		return z
	}
	z.Low, z.High = d.point(), d.point()
	for k := d.dims; k < space.MaxDimensions; k++ {
		z.High[k] = 1
	}
	if z.Empty() {
		d.Fail()
	}
	return z
}

func (d decoder) halfSpace() space.HalfSpace {
	h := space.HalfSpace{Dim: uint8(d.Uint(uint64(d.dims - 1))), AtLeast: d.Bool()}
	h.At = int32(d.Uint(space.MaxCoordinate))
	return h
}

func (d decoder) record() Record {
	r := Record{ID: d.NodeID(), Coord: d.point(), Zone: d.zone()}
	r.Splits = list(d, d.halfSpace)
	r.Version, r.Epoch = d.uint32(), d.uint32()
	return r
}

// records reads a list of records, whose identities must increase.
func (d decoder) records() []Record {
	rs := list(d, d.record)
	for i := 1; i < len(rs); i++ {
		if rs[i-1].ID.Compare(rs[i].ID) >= 0 {
			d.Fail()
		}
	}
	return rs
}

func (d decoder) command() Command { return Command(d.Uint(uint64(Takeover))) }

func (d decoder) commit() Commit {
	return Commit{Round: d.uint32(), Command: d.command(), Changed: d.records(), Gone: d.NodeID(), View: d.records()}
}

// DecodeState reads what AppendState wrote.
func DecodeState(cfg *Config, src []byte) (State, error) {
	d := decoder{protocol.NewReader(src), cfg.Space.Dims}
	s := State{
		Phase: Phase(d.Uint(uint64(Departed))), Self: d.record(), Contact: d.NodeID(), Leave: d.Bool(),
		Round: d.uint32(), Known: d.records(), Dead: d.ids(),
	}
	s.Promise = Promise{
		Proposer: d.NodeID(), Round: d.uint32(), Command: d.command(), Subject: d.NodeID(), Orphan: d.Bool(),
	}
	s.Change = Change{
		Stage: Stage(d.Uint(uint64(Committing))), Subject: d.NodeID(), Waiting: d.ids(), Later: d.ids(), Commit: d.commit(),
	}
	return s, d.Close()
}

// DecodeMessage reads what AppendMessage wrote.
func DecodeMessage(cfg *Config, src []byte) (Message, error) {
	d := decoder{protocol.NewReader(src), cfg.Space.Dims}
	var m Message
	switch d.Uint(tagAnswer) {
	case tagJoin:
		m = Join{Joiner: d.NodeID(), Coord: d.point(), Hops: d.uint32()}
	case tagRefuse:
		m = Refuse{Occupied: d.Bool()}
	case tagPropose:
		m = Propose{Round: d.uint32(), Command: d.command(), Subject: d.NodeID(), Version: d.uint32()}
	case tagProposeOK:
		m = ProposeOK{Round: d.uint32(), Yes: d.Bool(), Epoch: d.uint32(), Self: d.record()}
	case tagRelease:
		m = Release{Round: d.uint32()}
	case tagCommit:
		m = d.commit()
	case tagCommitOK:
		m = CommitOK{Round: d.uint32()}
	case tagUpdate:
		m = Update{Self: d.record(), Neighbours: d.records(), Dead: d.ids()}
	case tagQuery:
		m = Query{Proposer: d.NodeID(), Round: d.uint32()}
	case tagAnswer:
		m = Answer{Proposer: d.NodeID(), Round: d.uint32(), Records: d.records()}
	default:
		d.Fail()
	}
	if err := d.Close(); err != nil {
		return nil, err
	}
	return m, nil
}

// DecodeOrder reads what AppendOrder wrote.
func DecodeOrder(src []byte) (Order, error) {
	d := decoder{protocol.NewReader(src), 0}
	o := Order{Kind: OrderKind(d.Uint(uint64(OrderLeave))), Contact: d.NodeID()}
	return o, d.Close()
}

func decodeIdentity(src []byte) (protocol.NodeID, space.Point, error) {
	d := decoder{protocol.NewReader(slices.Clone(src)), space.MaxDimensions}
	id, coord := d.NodeID(), d.point()
	return id, coord, d.Close()
}
