package asprinted

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// decoder reads what encoder wrote. Everything wrong ends up in the reader's error.
type decoder struct {
	*protocol.Reader
	dims int
}

func (d decoder) uint32() uint32 { return uint32(d.Uint(1<<32 - 1)) }

// list reads a counted list; an empty one is nil.
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

// increasing demands that identities increase, as they do in every table.
func increasing[T any](d decoder, items []T, id func(T) protocol.NodeID) []T {
	for i := 1; i < len(items); i++ {
		if id(items[i-1]).Compare(id(items[i])) >= 0 {
			d.Fail()
		}
	}
	return items
}

func (d decoder) point() (p space.Point) {
	for k := range d.dims {
		p[k] = int32(d.Uint(space.MaxCoordinate))
	}
	return p
}

func (d decoder) halfSpace() space.HalfSpace {
	h := space.HalfSpace{Dim: uint8(d.Uint(uint64(max(d.dims-1, 0)))), AtLeast: d.Bool()}
	h.At = int32(d.Uint(space.MaxCoordinate))
	return h
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

func (d decoder) record() Record {
	return Record{
		ID: d.NodeID(), Coord: d.point(), Zone: d.zone(), Splits: list(d, d.halfSpace), Instance: d.uint32(),
	}
}

func (d decoder) records() []Record {
	return increasing(d, list(d, d.record), func(r Record) protocol.NodeID { return r.ID })
}

func (d decoder) entry() Entry {
	return Entry{Record: d.record(), Status: Status(d.Uint(uint64(Busy)))}
}

func (d decoder) gamma() Gamma {
	g := Gamma{Command: Command(d.Uint(uint64(Merge)))}
	if g.Command == Split {
		g.Joiner, g.Coord, g.Keep = d.NodeID(), d.point(), d.halfSpace()
	}
	return g
}

func (d decoder) reply() Reply {
	return Reply{From: d.NodeID(), Answer: Answer(d.Uint(uint64(No)))}
}

func (d decoder) tombstone() Tombstone { return Tombstone{ID: d.NodeID(), Instance: d.uint32()} }

// DecodeState reads what AppendState wrote.
func DecodeState(cfg *Config, src []byte) (State, error) {
	d := decoder{protocol.NewReader(src), cfg.Space.Dims}
	s := State{
		Phase: Phase(d.Uint(uint64(Departed))), Contact: d.NodeID(), Leave: d.Bool(), Self: d.entry(), Gamma: d.gamma(),
	}
	s.Replies = increasing(d, list(d, d.reply), func(r Reply) protocol.NodeID { return r.From })
	s.Nodes = increasing(d, list(d, d.entry), func(e Entry) protocol.NodeID { return e.ID })
	s.Gone = list(d, d.tombstone)
	if err := d.Close(); err != nil {
		return State{}, err
	}
	return s, nil
}

// DecodeMessage reads what AppendMessage wrote.
func DecodeMessage(cfg *Config, src []byte) (Message, error) {
	d := decoder{protocol.NewReader(src), cfg.Space.Dims}
	var m Message
	switch d.Uint(tagUpdate) {
	case tagJoin:
		m = Join{Joiner: d.NodeID(), Coord: d.point(), Hops: d.uint32()}
	case tagRefuse:
		m = Refuse{}
	case tagHandover:
		m = Handover{Joined: d.record(), Nodes: d.records()}
	case tagPropose:
		m = Propose{Instance: d.uint32()}
	case tagProposeOK:
		m = ProposeOK{Yes: d.Bool(), Instance: d.uint32()}
	case tagCommit:
		m = Commit{Gamma: d.gamma(), Instance: d.uint32()}
	case tagUpdate:
		m = Update{Self: d.record(), Neighbours: d.records()}
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
	if err := d.Close(); err != nil {
		return Order{}, err
	}
	return o, nil
}

func decodeIdentity(src []byte) (protocol.NodeID, space.Point, error) {
	d := decoder{protocol.NewReader(src), space.MaxDimensions}
	id, coord := d.NodeID(), d.point()
	return id, coord, d.Close()
}
