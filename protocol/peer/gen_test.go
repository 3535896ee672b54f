package peer_test

import (
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

func drawID(t *rapid.T) protocol.NodeID {
	return protocol.NodeID{
		Address:     protocol.Address(rapid.Uint32().Draw(t, "address")),
		Incarnation: rapid.Uint16().Draw(t, "incarnation"),
	}
}

func drawIDs(t *rapid.T) []protocol.NodeID {
	ids := rapid.SliceOfN(rapid.Custom(drawID), 0, 3).Draw(t, "ids")
	return append([]protocol.NodeID(nil), ids...) // an empty list is nil
}

func drawName(t *rapid.T) reptask.Job {
	return reptask.Job{
		Submitted: rapid.Uint64().Draw(t, "submitted"), Owner: drawID(t), Number: rapid.Uint32().Draw(t, "job"),
	}
}

func drawSpec(t *rapid.T) reptask.Spec {
	return reptask.Spec{
		Size: rapid.Uint32Range(1, 4).Draw(t, "size"), Over: reptask.Over(rapid.Uint32Range(0, 1).Draw(t, "over") * 1_500),
		Requirement: space.Point{rapid.Int32Range(0, 15).Draw(t, "requirement")},
	}
}

// drawSearch draws a search on its way, or none.
func drawSearch(t *rapid.T) (s match.Search) {
	first := rapid.Uint32().Draw(t, "first node")
	for i := range rapid.IntRange(0, 4).Draw(t, "visits") {
		id := protocol.NodeID{Address: protocol.Address(first + uint32(i)), Incarnation: rapid.Uint16().Draw(t, "life")}
		s.Steps = append(s.Steps, match.Step{Node: id, Left: i > 0 && rapid.Bool().Draw(t, "left")})
	}
	s.Unsure = s.On() && rapid.Bool().Draw(t, "unsure")
	return s
}

func drawMessage(t *rapid.T) peer.Message {
	switch rapid.IntRange(0, 6).Draw(t, "type") {
	case 0:
		return peer.CanMessage{Of: can.Query{}}
	case 1:
		return peer.RefineMessage{Of: refine.Dismiss{}}
	case 2:
		return peer.TaskMessage{Of: reptask.Message{Kind: reptask.Finish, Attempt: reptask.Attempt{Job: drawName(t)}}}
	case 3:
		return peer.Job{
			Entry: drawID(t), Ticket: rapid.Uint32().Draw(t, "ticket"), Orphan: drawName(t),
			Submitted: rapid.Uint64().Draw(t, "submitted"), Spec: drawSpec(t), Hops: rapid.Uint32().Draw(t, "hops"),
			Adopt: rapid.Bool().Draw(t, "adopt"), Search: drawSearch(t),
		}
	case 5:
		return peer.TreeMessage{Of: dtm.Claim{Former: drawID(t), At: rapid.Int64Range(0, 1<<40).Draw(t, "at")}}
	case 4:
		return peer.Owned{Ticket: rapid.Uint32().Draw(t, "ticket"), Number: rapid.Uint32().Draw(t, "number")}
	}
	if rapid.Bool().Draw(t, "unmatched") {
		why := peer.Why(rapid.IntRange(0, int(peer.Undecided)).Draw(t, "why"))
		return peer.Unmatched{Ticket: rapid.Uint32().Draw(t, "ticket"), Why: why}
	}
	return peer.Heir{Orphan: drawName(t), Candidates: drawIDs(t)}
}

func drawCommand(t *rapid.T) peer.Command {
	c := peer.Command{
		Kind:    peer.CommandKind(rapid.IntRange(0, int(peer.CommandUncordon)).Draw(t, "kind")),
		Contact: drawID(t), Near: drawIDs(t), Ticket: rapid.Uint32().Draw(t, "ticket"),
	}
	switch c.Kind {
	case peer.CommandSubmit:
		c.Submitted, c.Spec = rapid.Uint64().Draw(t, "submitted"), drawSpec(t)
	case peer.CommandMove:
		c.Job, c.Target = drawName(t), drawID(t)
		c.By = reptask.Algorithm(rapid.IntRange(0, int(reptask.ByQB)).Draw(t, "by"))
	case peer.CommandOwn:
		c.Submitted, c.Spec, c.Candidates = rapid.Uint64().Draw(t, "submitted"), drawSpec(t), drawIDs(t)
	case peer.CommandQueues:
		for range rapid.IntRange(0, 3).Draw(t, "queues") {
			c.Queues = append(c.Queues, reptask.Queue{Node: drawID(t), Length: rapid.Uint32().Draw(t, "length")})
		}
	}
	return c
}

// drawState draws a node after a few steps: states of the layers have generators of their own.
func drawState(t *rapid.T) peer.State {
	c := fuzzCore()
	s, _ := c.Step(peer.New(1, space.Point{3}), peer.Input{Kind: protocol.Start})
	for range rapid.IntRange(0, 3).Draw(t, "steps") {
		s, _ = c.Step(s, peer.Input{Kind: protocol.Command, Command: drawCommand(t)})
	}
	s.Leaving = rapid.Bool().Draw(t, "leaving")
	for range rapid.IntRange(0, 3).Draw(t, "clients") {
		number := uint32(0)
		if n := len(s.Clients); n > 0 {
			number = s.Clients[n-1].Number + rapid.Uint32Range(1, 4).Draw(t, "more")
		}
		s.Clients = append(s.Clients, peer.Client{
			Number: number, Entry: drawID(t), Ticket: rapid.Uint32().Draw(t, "ticket"), Search: drawSearch(t),
		})
	}
	return s
}
