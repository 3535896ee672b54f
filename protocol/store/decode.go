package store

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

type decoder struct{ space.Decoder }

func newDecoder(cfg *Config, src []byte) decoder {
	return decoder{space.Decoder{Reader: protocol.NewReader(src), Dims: cfg.CAN.Space.Dims}}
}

// bytes reads an encoding of package can with its length.
func (d decoder) bytes() []byte { return d.Bytes(int(d.Uint(uint64(d.Left())))) }

func (d decoder) ids() []protocol.NodeID { return protocol.List(d.Reader, d.NodeID) }

// items reads a list of items, whose keys must increase and whose values must not be 0.
func (d decoder) items() []Item {
	items := protocol.List(d.Reader, func() Item { return Item{Key: d.Point(), Value: d.Uint32()} })
	for i, it := range items {
		if it.Value == 0 || i > 0 && slices.Compare(items[i-1].Key[:], it.Key[:]) >= 0 {
			d.Fail()
		}
	}
	return items
}

func (d decoder) verdict() Verdict { return Verdict(d.Uint(uint64(Unknown))) }

func (d decoder) decided() []Decision {
	return protocol.List(d.Reader, func() Decision {
		return Decision{Client: d.NodeID(), ID: d.Uint32(), Attempt: d.Uint32(), Verdict: d.verdict(), Value: d.Uint32()}
	})
}

func (d decoder) operation() Operation {
	return Operation{
		ID: d.Uint32(), Kind: Kind(d.Uint(uint64(Lookup))), Key: d.Point(), Value: d.Uint32(), Expect: d.Uint32(),
	}
}

func (d decoder) source() Source { return Source{From: d.NodeID(), Round: d.Uint32()} }

func (d decoder) await() Await { return Await{Source: d.source(), Zone: d.Zone()} }

func (d decoder) gift() Gift {
	return Gift{
		To: d.NodeID(), Round: d.Uint32(), Zone: d.Zone(), Leaving: d.Bool(),
		Needs: protocol.List(d.Reader, d.source), Items: d.items(),
	}
}

func (d decoder) pending() Pending {
	return Pending{
		Operation: d.operation(), Attempt: d.Uint32(), Target: d.NodeID(), Tried: d.tried(), Redirects: d.Uint32(),
	}
}

// tried reads a list of identities, which must increase.
func (d decoder) tried() []protocol.NodeID {
	ids := d.ids()
	for i := 1; i < len(ids); i++ {
		if ids[i-1].Compare(ids[i]) >= 0 {
			d.Fail()
		}
	}
	return ids
}

// DecodeState decodes the output of AppendState.
func DecodeState(cfg *Config, src []byte) (State, error) {
	d := newDecoder(cfg, src)
	node, err := can.DecodeState(&cfg.CAN, d.bytes())
	if err != nil {
		return State{}, err
	}
	s := State{
		CAN: node, Items: d.items(), Awaits: protocol.List(d.Reader, d.await), Gifts: protocol.List(d.Reader, d.gift),
		Pending: protocol.List(d.Reader, d.pending), Decided: d.decided(), Left: d.ids(),
	}
	for i := 1; i < len(s.Pending); i++ {
		if s.Pending[i-1].Operation.ID >= s.Pending[i].Operation.ID {
			d.Fail()
		}
	}
	return s, d.Close()
}

// DecodeMessage decodes the output of AppendMessage.
func DecodeMessage(cfg *Config, src []byte) (Message, error) {
	d := newDecoder(cfg, src)
	var m Message
	switch d.Uint(tagGiveOK) {
	case tagMap:
		inner, err := can.DecodeMessage(&cfg.CAN, d.bytes())
		if err != nil {
			return nil, err
		}
		m = Map{inner}
	case tagRequest:
		m = Request{Operation: d.operation(), Attempt: d.Uint32(), Tried: d.tried()}
	case tagReply:
		m = Reply{ID: d.Uint32(), Attempt: d.Uint32(), Verdict: d.verdict(), Value: d.Uint32(), Hint: d.NodeID()}
	case tagGive:
		m = Give{Round: d.Uint32(), Items: d.items(), Leaving: d.Bool(), Decided: d.decided(), Left: d.ids()}
	case tagGiveOK:
		m = GiveOK{Round: d.Uint32()}
	default:
		d.Fail()
	}
	if err := d.Close(); err != nil {
		return nil, err
	}
	return m, nil
}

// DecodeCommand decodes the output of AppendCommand.
func DecodeCommand(cfg *Config, src []byte) (Command, error) {
	d := newDecoder(cfg, src)
	if d.Bool() {
		change, err := can.DecodeCommand(d.Bytes(d.Left()))
		if err != nil {
			return Command{}, err
		}
		return CommandMap(change), d.Close()
	}
	c := CommandOperation(d.operation())
	return c, d.Close()
}
