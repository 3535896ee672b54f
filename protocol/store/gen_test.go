package store_test

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// generator draws values of the package that its decoders accept. They need not make sense
// together: a peer may send anything. States and messages of the map are taken from a run.
type generator struct {
	*rapid.T
	cfg      *store.Config
	states   []can.State
	messages []can.Message
}

var strangers = rapid.Custom(func(t *rapid.T) protocol.NodeID {
	return protocol.NodeID{
		Address:     protocol.Address(rapid.Uint32Max(6).Draw(t, "address")),
		Incarnation: rapid.Uint16Max(2).Draw(t, "life"),
	}
})

// newGenerator draws from a run in which two nodes join and one leaves.
func newGenerator(t *rapid.T) generator {
	g := generator{T: t, cfg: newConfig(16, 8)}
	w := newNetwork(g.cfg)
	w.Core = drivetest.Observed[store.State, store.Message, store.Command]{
		Core: w.Core,
		OnStep: func(s store.State, out store.Output) {
			g.states = append(g.states, s.CAN)
			for _, e := range out.Send {
				if m, ok := e.Message.(store.Map); ok {
					g.messages = append(g.messages, m.Message)
				}
			}
		},
	}
	w.found(space.Point{2, 1}, space.Point{10, 1}, space.Point{5, 6})
	w.Command(w.Nodes[1], store.CommandMap(can.Command{Kind: can.CommandLeave}))
	w.settle()
	return g
}

func (g generator) id() protocol.NodeID { return strangers.Draw(g.T, "id") }

func (g generator) number() uint32 {
	return rapid.OneOf(rapid.Uint32Max(5), rapid.Uint32()).Draw(g.T, "number")
}

func (g generator) flag() bool { return rapid.Bool().Draw(g.T, "flag") }

func (g generator) key() (p space.Point) {
	for k := range g.cfg.CAN.Space.Dims {
		p[k] = rapid.OneOf(rapid.Int32Range(0, g.cfg.CAN.Space.Size[k]-1), rapid.Int32Range(0, space.MaxCoordinate)).
			Draw(g.T, "coordinate")
	}
	return p
}

func (g generator) zone() space.Zone {
	if g.flag() {
		return space.Zone{}
	}
	z := g.cfg.CAN.Space.Whole()
	z.Low[0] = rapid.Int32Range(0, z.High[0]-1).Draw(g.T, "low")
	return z
}

// few draws a list of up to three things; an empty one is nil, as decoders have it.
func few[T any](g generator, one func() T) []T {
	var list []T
	for range rapid.IntRange(0, 3).Draw(g.T, "few") {
		list = append(list, one())
	}
	return list
}

// ascending sorts a list and drops duplicates.
func ascending[T any](list []T, compare func(a, b T) int) []T {
	slices.SortFunc(list, compare)
	return slices.CompactFunc(list, func(a, b T) bool { return compare(a, b) == 0 })
}

func (g generator) items() []store.Item {
	list := few(g, func() store.Item { return store.Item{Key: g.key(), Value: max(1, g.number())} })
	return ascending(list, func(a, b store.Item) int { return slices.Compare(a.Key[:], b.Key[:]) })
}

func (g generator) operation() store.Operation {
	return store.Operation{
		ID: g.number(), Kind: store.Kind(rapid.Uint8Max(uint8(store.Lookup)).Draw(g.T, "kind")), Key: g.key(),
		Value: g.number(), Expect: g.number(),
	}
}

func (g generator) verdict() store.Verdict {
	return store.Verdict(rapid.Uint8Max(uint8(store.Unknown)).Draw(g.T, "verdict"))
}

func (g generator) decision() store.Decision {
	return store.Decision{Client: g.id(), ID: g.number(), Attempt: g.number(), Verdict: g.verdict(), Value: g.number()}
}

func (g generator) source() store.Source { return store.Source{From: g.id(), Round: g.number()} }

func (g generator) tried() []protocol.NodeID { return ascending(few(g, g.id), protocol.NodeID.Compare) }

func (g generator) state() store.State {
	s := store.State{
		CAN:     rapid.SampledFrom(g.states).Draw(g.T, "map"),
		Items:   g.items(),
		Decided: few(g, g.decision),
		Left:    few(g, g.id),
	}
	s.Awaits = few(g, func() store.Await { return store.Await{Source: g.source(), Zone: g.zone()} })
	s.Gifts = few(g, func() store.Gift {
		return store.Gift{
			To:      g.id(),
			Round:   g.number(),
			Zone:    g.zone(),
			Leaving: g.flag(),
			Needs:   few(g, g.source),
			Items:   g.items(),
		}
	})
	s.Pending = ascending(few(g, func() store.Pending {
		return store.Pending{
			Operation: g.operation(),
			Attempt:   g.number(),
			Target:    g.id(),
			Tried:     g.tried(),
			Redirects: g.number(),
		}
	}), func(a, b store.Pending) int { return int(int64(a.Operation.ID) - int64(b.Operation.ID)) })
	return s
}

func (g generator) message() store.Message {
	switch rapid.IntRange(0, 4).Draw(g.T, "type") {
	case 0:
		return store.Map{Message: rapid.SampledFrom(g.messages).Draw(g.T, "map")}
	case 1:
		return store.Request{Operation: g.operation(), Attempt: g.number(), Tried: g.tried()}
	case 2:
		return store.Reply{ID: g.number(), Attempt: g.number(), Verdict: g.verdict(), Value: g.number(), Hint: g.id()}
	case 3:
		return store.Give{
			Round:   g.number(),
			Items:   g.items(),
			Leaving: g.flag(),
			Decided: few(g, g.decision),
			Left:    few(g, g.id),
		}
	}
	return store.GiveOK{Round: g.number()}
}

func (g generator) command() store.Command {
	if g.flag() {
		o := can.Command{Kind: can.CommandKind(rapid.Uint8Max(2).Draw(g.T, "command"))}
		if o.Kind == can.CommandJoin { // a text shows the contact of a join only
			o.Contact = g.id()
		}
		return store.CommandMap(o)
	}
	return store.CommandOperation(g.operation())
}

// input draws anything but a restart, whose bytes come from the node itself.
func (g generator) input() store.Input {
	switch rapid.IntRange(0, 3).Draw(g.T, "input") {
	case 0:
		return store.Input{Kind: protocol.Command, Command: g.command()}
	case 1:
		kind := rapid.SampledFrom([]protocol.TimerKind{
			can.RetryTimer, can.ResendTimer, can.MissedTimer, store.RetryTimer, store.ResendTimer, store.GoneTimer, 99,
		})
		return store.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: kind.Draw(g.T, "timer"), Peer: g.id()}}
	}
	return store.Input{Kind: protocol.Deliver, From: g.id(), Message: g.message()}
}
