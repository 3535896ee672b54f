package can

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

type decoder struct{ space.Decoder }

func newDecoder(src []byte, dims int) decoder {
	return decoder{space.Decoder{Reader: protocol.NewReader(src), Dims: dims}}
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

func (d decoder) record() Record {
	return Record{
		ID: d.NodeID(), Coord: d.Point(), Zone: d.Zone(), Splits: d.HalfSpaces(), Instance: d.Uint32(),
	}
}

func (d decoder) records() []Record {
	return increasing(d, protocol.List(d.Reader, d.record), func(r Record) protocol.NodeID { return r.ID })
}

func (d decoder) entry() Entry {
	return Entry{Record: d.record(), Status: Status(d.Uint(uint64(Busy)))}
}

func (d decoder) gamma() Gamma {
	g := Gamma{Kind: ChangeKind(d.Uint(uint64(Merge)))}
	if g.Kind == Split {
		g.Joiner, g.Coord, g.Keep = d.NodeID(), d.Point(), d.HalfSpace()
	}
	return g
}

func (d decoder) reply() Reply {
	return Reply{From: d.NodeID(), Answer: Answer(d.Uint(uint64(No)))}
}

func (d decoder) tombstone() Tombstone { return Tombstone{ID: d.NodeID(), Instance: d.Uint32()} }

// DecodeState decodes the output of AppendState.
func DecodeState(cfg *Config, src []byte) (State, error) {
	d := newDecoder(src, cfg.Space.Dims)
	s := State{
		Phase: Phase(d.Uint(uint64(Departed))), Contact: d.NodeID(), Leave: d.Bool(), Self: d.entry(), Gamma: d.gamma(),
	}
	s.Replies = increasing(d, protocol.List(d.Reader, d.reply), func(r Reply) protocol.NodeID { return r.From })
	s.Nodes = increasing(d, protocol.List(d.Reader, d.entry), func(e Entry) protocol.NodeID { return e.ID })
	s.Gone = protocol.List(d.Reader, d.tombstone)
	if err := d.Close(); err != nil {
		return State{}, err
	}
	return s, nil
}

// DecodeMessage decodes the output of AppendMessage.
func DecodeMessage(cfg *Config, src []byte) (Message, error) {
	d := newDecoder(src, cfg.Space.Dims)
	var m Message
	switch d.Uint(tagUpdate) {
	case tagJoin:
		m = Join{Joiner: d.NodeID(), Coord: d.Point(), Hops: d.Uint32()}
	case tagRefuse:
		m = Refuse{}
	case tagHandover:
		m = Handover{Joined: d.record(), Nodes: d.records()}
	case tagPropose:
		m = Propose{Instance: d.Uint32()}
	case tagProposeOK:
		m = ProposeOK{Yes: d.Bool(), Instance: d.Uint32()}
	case tagCommit:
		m = Commit{Gamma: d.gamma(), Instance: d.Uint32()}
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

// DecodeCommand decodes the output of AppendCommand.
func DecodeCommand(src []byte) (Command, error) {
	d := newDecoder(src, 0)
	c := Command{Kind: CommandKind(d.Uint(uint64(CommandLeave))), Contact: d.NodeID()}
	if err := d.Close(); err != nil {
		return Command{}, err
	}
	return c, nil
}

func decodeIdentity(src []byte) (protocol.NodeID, space.Point, error) {
	d := newDecoder(src, space.MaxDimensions)
	id, coord := d.NodeID(), d.Point()
	return id, coord, d.Close()
}
