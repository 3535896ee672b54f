package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

type decoder struct{ space.Decoder }

func newDecoder(src []byte, dims int) decoder {
	return decoder{space.Decoder{Reader: protocol.NewReader(src), Dims: dims}}
}

func (d decoder) ids() []protocol.NodeID { return protocol.List(d.Reader, d.NodeID) }

func (d decoder) record() Record {
	r := Record{ID: d.NodeID(), Coord: d.Point(), Zone: d.Zone()}
	r.Splits = d.HalfSpaces()
	r.Version, r.Epoch = d.Uint32(), d.Uint32()
	return r
}

// records reads a list of records, whose identities must increase.
func (d decoder) records() []Record {
	rs := protocol.List(d.Reader, d.record)
	for i := 1; i < len(rs); i++ {
		if rs[i-1].ID.Compare(rs[i].ID) >= 0 {
			d.Fail()
		}
	}
	return rs
}

func (d decoder) change() ChangeKind { return ChangeKind(d.Uint(uint64(Takeover))) }

func (d decoder) commit() Commit {
	return Commit{Round: d.Uint32(), Kind: d.change(), Changed: d.records(), Gone: d.NodeID(), View: d.records()}
}

// DecodeState decodes the output of AppendState.
func DecodeState(cfg *Config, src []byte) (State, error) {
	d := newDecoder(src, cfg.Space.Dims)
	s := State{
		Phase: Phase(d.Uint(uint64(Departed))), Self: d.record(), Contact: d.NodeID(), Leave: d.Bool(),
		Round: d.Uint32(), Known: d.records(), Dead: d.ids(),
	}
	s.Promise = Promise{
		Proposer: d.NodeID(), Round: d.Uint32(), Kind: d.change(), Subject: d.NodeID(), Orphan: d.Bool(),
	}
	s.Change = Change{
		Stage: Stage(d.Uint(uint64(Committing))), Subject: d.NodeID(), Waiting: d.ids(), Later: d.ids(), Commit: d.commit(),
	}
	return s, d.Close()
}

// DecodeMessage decodes the output of AppendMessage.
func DecodeMessage(cfg *Config, src []byte) (Message, error) {
	d := newDecoder(src, cfg.Space.Dims)
	var m Message
	switch d.Uint(tagAnswer) {
	case tagJoin:
		m = Join{Joiner: d.NodeID(), Coord: d.Point(), Hops: d.Uint32()}
	case tagRefuse:
		m = Refuse{Occupied: d.Bool()}
	case tagPropose:
		m = Propose{Round: d.Uint32(), Kind: d.change(), Subject: d.NodeID(), Version: d.Uint32()}
	case tagProposeOK:
		m = ProposeOK{Round: d.Uint32(), Yes: d.Bool(), Epoch: d.Uint32(), Self: d.record()}
	case tagRelease:
		m = Release{Round: d.Uint32()}
	case tagCommit:
		m = d.commit()
	case tagCommitOK:
		m = CommitOK{Round: d.Uint32(), Neighbours: d.records()}
	case tagUpdate:
		m = Update{Self: d.record(), Neighbours: d.records(), Dead: d.ids()}
	case tagQuery:
		m = Query{Proposer: d.NodeID(), Round: d.Uint32()}
	case tagAnswer:
		m = Answer{Proposer: d.NodeID(), Round: d.Uint32(), Records: d.records()}
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
	return c, d.Close()
}

func decodeIdentity(src []byte) (protocol.NodeID, space.Point, error) {
	d := newDecoder(slices.Clone(src), space.MaxDimensions)
	id, coord := d.NodeID(), d.Point()
	return id, coord, d.Close()
}
