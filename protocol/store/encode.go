package store

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

type encoder struct{ space.Encoder }

func newEncoder(cfg *Config, dst []byte) encoder {
	return encoder{space.Encoder{Dst: dst, Dims: cfg.CAN.Space.Dims}}
}

// bytes appends an encoding of package can with its length.
func (e *encoder) bytes(b []byte) {
	e.Uint(uint64(len(b)))
	e.Dst = append(e.Dst, b...)
}

func (e *encoder) ids(ids []protocol.NodeID) {
	e.Uint(uint64(len(ids)))
	for _, id := range ids {
		e.ID(id)
	}
}

func (e *encoder) items(items []Item) {
	e.Uint(uint64(len(items)))
	for _, it := range items {
		e.Point(it.Key)
		e.Uint(uint64(it.Value))
	}
}

func (e *encoder) decided(ds []Decision) {
	e.Uint(uint64(len(ds)))
	for _, d := range ds {
		e.ID(d.Client)
		e.Uint(uint64(d.ID))
		e.Uint(uint64(d.Attempt))
		e.Uint(uint64(d.Verdict))
		e.Uint(uint64(d.Value))
	}
}

func (e *encoder) operation(o Operation) {
	e.Uint(uint64(o.ID))
	e.Uint(uint64(o.Kind))
	e.Point(o.Key)
	e.Uint(uint64(o.Value))
	e.Uint(uint64(o.Expect))
}

func (e *encoder) source(s Source) {
	e.ID(s.From)
	e.Uint(uint64(s.Round))
}

func (e *encoder) gift(g Gift) {
	e.ID(g.To)
	e.Uint(uint64(g.Round))
	e.Zone(g.Zone)
	e.Bool(g.Leaving)
	e.Uint(uint64(len(g.Needs)))
	for _, s := range g.Needs {
		e.source(s)
	}
	e.items(g.Items)
}

// AppendState appends the canonical encoding of a state.
func AppendState(cfg *Config, dst []byte, s State) []byte {
	e := newEncoder(cfg, dst)
	e.bytes(can.AppendState(&cfg.CAN, nil, s.CAN))
	e.items(s.Items)
	e.Uint(uint64(len(s.Awaits)))
	for _, a := range s.Awaits {
		e.source(a.Source)
		e.Zone(a.Zone)
	}
	e.Uint(uint64(len(s.Gifts)))
	for _, g := range s.Gifts {
		e.gift(g)
	}
	e.Uint(uint64(len(s.Pending)))
	for _, p := range s.Pending {
		e.operation(p.Operation)
		e.Uint(uint64(p.Attempt))
		e.ID(p.Target)
		e.ids(p.Tried)
		e.Uint(uint64(p.Redirects))
	}
	e.decided(s.Decided)
	e.ids(s.Left)
	return e.Dst
}

// The tags of the message types on the wire.
const (
	tagMap = iota + 1
	tagRequest
	tagReply
	tagGive
	tagGiveOK
)

// AppendMessage appends the canonical encoding of a message: a tag, then the fields in their order.
func AppendMessage(cfg *Config, dst []byte, m Message) []byte {
	e := newEncoder(cfg, dst)
	switch m := m.(type) {
	case Map:
		e.Uint(tagMap)
		e.bytes(can.AppendMessage(&cfg.CAN, nil, m.Message))
	case Request:
		e.Uint(tagRequest)
		e.operation(m.Operation)
		e.Uint(uint64(m.Attempt))
		e.ids(m.Tried)
	case Reply:
		e.Uint(tagReply)
		e.Uint(uint64(m.ID))
		e.Uint(uint64(m.Attempt))
		e.Uint(uint64(m.Verdict))
		e.Uint(uint64(m.Value))
		e.ID(m.Hint)
	case Give:
		e.Uint(tagGive)
		e.Uint(uint64(m.Round))
		e.items(m.Items)
		e.Bool(m.Leaving)
		e.decided(m.Decided)
		e.ids(m.Left)
	case GiveOK:
		e.Uint(tagGiveOK)
		e.Uint(uint64(m.Round))
	}
	return e.Dst
}

// AppendCommand appends the canonical encoding of a command.
func AppendCommand(cfg *Config, dst []byte, c Command) []byte {
	e := newEncoder(cfg, dst)
	e.Bool(c.Map)
	if c.Map {
		e.Dst = can.AppendCommand(e.Dst, c.Change)
		return e.Dst
	}
	e.operation(c.Operation)
	return e.Dst
}
