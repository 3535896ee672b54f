package refine_test

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
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

func (g generator) ids() []protocol.NodeID {
	ids := rapid.SliceOfN(g.id, 0, 4).Draw(g.t, "ids")
	slices.SortFunc(ids, protocol.NodeID.Compare)
	if ids = slices.Compact(ids); len(ids) == 0 {
		return nil
	}
	return ids
}

func (g generator) number() uint32 {
	return rapid.OneOf(rapid.Uint32Max(3), rapid.Uint32()).Draw(g.t, "number")
}

func (g generator) readings() []refine.Reading {
	var all []refine.Reading
	for _, id := range g.ids() {
		micros := rapid.SampledFrom([]uint32{0, 1, nearby, diameter, diameter + 1, refine.Far}).Draw(g.t, "micros")
		all = append(all, refine.Reading{Peer: id, Micros: micros})
	}
	return all
}

func (g generator) message() refine.Message {
	round := g.number()
	switch rapid.IntRange(0, 10).Draw(g.t, "type") {
	case 0:
		return refine.Solicitation{Round: round, Ceiling: g.number(), Sure: g.number()}
	case 1:
		return refine.Update{Round: round, Ceiling: g.number(), Sure: g.number()}
	case 2:
		return refine.List{Round: round, Members: g.ids()}
	case 3:
		return refine.Confirm{Round: round, Members: g.ids()}
	case 4:
		return refine.Dismiss{Round: round}
	case 5:
		return refine.Accept{Round: round}
	case 6:
		return refine.Deny{Round: round}
	case 7:
		return refine.Defer{Round: round}
	case 8:
		return refine.Report{Round: round, Readings: g.readings()}
	case 9:
		return refine.Leave{Round: round}
	}
	return refine.Alive{}
}

func (g generator) command() refine.Command {
	kind := refine.CommandKind(rapid.IntRange(int(refine.CommandAdd), int(refine.CommandLeave)).Draw(g.t, "kind"))
	return refine.Command{Kind: kind, Nodes: g.ids()}
}

func (g generator) state() refine.State {
	s := refine.State{
		ID: g.id.Draw(g.t, "self"), Departed: rapid.Bool().Draw(g.t, "departed"),
		Head:  refine.HeadState(rapid.IntRange(0, int(refine.HeadSteady)).Draw(g.t, "head")),
		Round: g.number(), Again: rapid.Bool().Draw(g.t, "again"), Survey: g.readings(), ClusterRound: g.number(),
	}
	for _, id := range g.ids() {
		status := refine.Status(rapid.IntRange(0, int(refine.Dropped)).Draw(g.t, "status"))
		s.Candidates = append(s.Candidates, refine.Candidate{ID: id, Status: status, Report: g.readings()})
	}
	for _, id := range g.ids() {
		s.Slots = append(s.Slots, refine.Slot{
			Head:         id,
			Stage:        refine.Stage(rapid.IntRange(int(refine.Suitor), int(refine.Committed)).Draw(g.t, "stage")),
			Round:        g.number(),
			Ceiling:      g.number(),
			Sure:         g.number(),
			Survey:       g.readings(),
			ClusterRound: g.number(),
			Members:      g.ids(),
		})
	}
	return s
}

// input draws anything that could reach a node, but for a restart: persisted bytes come from the
// node itself.
func (g generator) input() refine.Input {
	in := refine.Input{From: g.id.Draw(g.t, "from")}
	switch rapid.IntRange(0, 9).Draw(g.t, "input") {
	case 0:
		in.Kind, in.Command = protocol.Command, g.command()
	case 1:
		in.Kind = protocol.Timeout
		in.Timer = protocol.Timer{Kind: protocol.TimerKind(rapid.IntRange(0, 7).Draw(g.t, "timer"))}
		if in.Timer.Kind == refine.MissedTimer {
			in.Timer.Peer = in.From
		}
	case 2:
		in.Kind, in.Measure = protocol.Measured, g.number()
	case 3:
		in.Kind, in.Choice = protocol.Chosen, g.number()
	default:
		in.Kind, in.Message = protocol.Deliver, g.message()
	}
	return in
}
