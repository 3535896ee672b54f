package dtm_test

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// strangers draws identities, including the zero one.
var strangers = rapid.Custom(func(t *rapid.T) protocol.NodeID {
	return protocol.NodeID{
		Address:     protocol.Address(rapid.OneOf(rapid.Uint32Max(6), rapid.Uint32()).Draw(t, "address")),
		Incarnation: rapid.OneOf(rapid.Uint16Max(2), rapid.Uint16()).Draw(t, "incarnation"),
	}
})

// generator draws values of this package about given nodes.
type generator struct {
	t  *rapid.T
	id *rapid.Generator[protocol.NodeID]
}

func list[T any](g generator, item func() T) (all []T) {
	for range rapid.IntRange(0, 3).Draw(g.t, "items") {
		all = append(all, item())
	}
	return all
}

func sorted[T any](all []T, id func(T) protocol.NodeID) []T {
	slices.SortFunc(all, func(a, b T) int { return id(a).Compare(id(b)) })
	return slices.CompactFunc(all, func(a, b T) bool { return id(a) == id(b) })
}

func (g generator) node() protocol.NodeID { return g.id.Draw(g.t, "id") }

func (g generator) ids() []protocol.NodeID { return list(g, g.node) }

func (g generator) sortedIDs() []protocol.NodeID {
	return sorted(g.ids(), func(id protocol.NodeID) protocol.NodeID { return id })
}

func (g generator) number() uint32 {
	return rapid.OneOf(rapid.Uint32Max(3), rapid.Uint32()).Draw(g.t, "number")
}

func (g generator) length() int64 {
	return rapid.OneOf(rapid.Int64Range(0, 8), rapid.Int64Range(0, 1<<44)).Draw(g.t, "length")
}

func (g generator) hop() dtm.Hop {
	return dtm.Hop{Host: g.node(), At: g.length(), Length: g.length()}
}

func (g generator) label() dtm.Label { return list(g, g.hop) }

func (g generator) child() dtm.Child {
	return dtm.Child{Host: g.node(), At: g.length(), Length: g.length()}
}

func (g generator) children() []dtm.Child {
	return sorted(list(g, g.child), func(c dtm.Child) protocol.NodeID { return c.Host })
}

func (g generator) view() dtm.View {
	return dtm.View{Label: g.label(), Children: g.children(), Siblings: g.children()}
}

func (g generator) attach() dtm.Attach {
	return dtm.Attach{Version: g.number(), At: g.length(), Length: g.length()}
}

func (g generator) message() dtm.Message {
	switch number := g.number(); rapid.IntRange(0, 15).Draw(g.t, "type") {
	case 0:
		return dtm.Look{}
	case 1:
		return dtm.Report{Version: number, View: g.view()}
	case 2:
		return g.attach()
	case 3:
		return dtm.Refuse{Version: number}
	case 4:
		return dtm.Position{Version: number, Label: g.label(), Children: g.children()}
	case 5:
		return dtm.PositionOK{Version: number}
	case 6:
		return dtm.Leaving{Round: number}
	case 7:
		return dtm.Consent{Round: number}
	case 8:
		return dtm.Object{Round: number}
	case 9:
		return dtm.Release{Round: number}
	case 10:
		return dtm.Left{Round: number}
	case 11:
		return dtm.LeftOK{Round: number}
	case 12:
		return dtm.Claim{Former: g.node(), At: g.length(), Length: g.length()}
	case 13:
		return dtm.Aggregate{Version: number, Labels: list(g, g.label)}
	case 14:
		return dtm.AggregateOK{Version: number}
	}
	return dtm.Beat{}
}

func (g generator) command() dtm.Command {
	kind := dtm.CommandKind(rapid.IntRange(int(dtm.CommandJoin), int(dtm.CommandLeave)).Draw(g.t, "kind"))
	return dtm.Command{Kind: kind, Nodes: g.ids()}
}

func (g generator) answer() dtm.Answer {
	switch rapid.IntRange(0, 2).Draw(g.t, "answer") {
	case 0:
		return dtm.Answer{Kind: dtm.AnswerDrawn, Drawn: g.ids()}
	case 1:
		return dtm.Answer{Kind: dtm.AnswerView, Version: g.number(), View: g.view()}
	}
	return dtm.Answer{Kind: dtm.AnswerReadings, Readings: list(g, func() dtm.Reading {
		return dtm.Reading{Label: g.label(), Measured: g.length()}
	})}
}

func (g generator) search() dtm.Search {
	latency := func() dtm.Latency { return dtm.Latency{Host: g.node(), Length: g.length()} }
	return dtm.Search{
		Members:   g.ids(),
		Latencies: sorted(list(g, latency), func(l dtm.Latency) protocol.NodeID { return l.Host }),
		Refusals:  rapid.IntRange(0, 1<<16).Draw(g.t, "refusals"), Tries: rapid.IntRange(0, 1<<8).Draw(g.t, "tries"),
		Answers: list(g, g.answer),
		Awaits:  list(g, func() dtm.Await { return dtm.Await{Host: g.node(), Label: g.label()} }),
		Look:    g.node(), Anchor: g.node(), Asked: g.attach(),
	}
}

func (g generator) state() dtm.State {
	branch := func() dtm.Branch {
		return dtm.Branch{Child: g.child(), Acked: g.number(), Gone: rapid.Bool().Draw(g.t, "gone")}
	}
	link := func() dtm.Link {
		return dtm.Link{
			Peer: g.node(), Heard: list(g, g.label), HeardVersion: g.number(),
			Sent: list(g, g.label), SentVersion: g.number(), Acked: rapid.Bool().Draw(g.t, "acked"),
		}
	}
	return dtm.State{
		ID: g.node(), Phase: dtm.Phase(rapid.IntRange(0, int(dtm.Departed)).Draw(g.t, "phase")), Search: g.search(),
		Departure: dtm.Departure{
			Stage: dtm.LeaveStage(rapid.IntRange(0, int(dtm.Committed)).Draw(g.t, "stage")), Round: g.number(),
			Waiting: g.sortedIDs(),
		},
		Segment: dtm.Segment{Anchor: g.node(), At: g.length(), Length: g.length()},
		Above:   g.label(), Siblings: g.children(), Heard: g.number(), Former: g.node(), Version: g.number(),
		Branches: sorted(list(g, branch), func(b dtm.Branch) protocol.NodeID { return b.Host }),
		Lock:     dtm.Lock{Holder: g.node(), Round: g.number()},
		Links:    sorted(list(g, link), func(l dtm.Link) protocol.NodeID { return l.Peer }),
	}
}

// input draws anything that could reach a node, but for a restart: persisted bytes come from the
// node itself.
func (g generator) input() dtm.Input {
	in := dtm.Input{From: g.node()}
	switch rapid.IntRange(0, 9).Draw(g.t, "input") {
	case 0:
		in.Kind, in.Command = protocol.Command, g.command()
	case 1:
		in.Kind = protocol.Timeout
		in.Timer = protocol.Timer{Kind: protocol.TimerKind(rapid.IntRange(0, 6).Draw(g.t, "timer")), Peer: in.From}
	case 2:
		in.Kind, in.Measure = protocol.Measured, g.number()
	case 3:
		in.Kind, in.Choice = protocol.Chosen, g.number()
	default:
		in.Kind, in.Message = protocol.Deliver, g.message()
	}
	return in
}
