package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// history is the state of the properties of whole runs. It is the monitor of the models, for any
// number of nodes.
type history struct {
	open    map[protocol.NodeID]*window // rounds that are requested and not decided, by proposer
	decided map[round]string            // the first decision or execution
	joined  map[int]bool                // nodes that notified "joined"
	left    map[int]bool                // nodes that notified "left"
	counts  map[string]int
	broken  string // the property that was violated first
}

type round struct {
	proposer protocol.NodeID
	number   uint32
}

// window is a round between its request and its decision.
type window struct {
	participants []protocol.NodeID
	overlapped   bool // a conflicting round took effect in the meantime
}

func newHistory() *history {
	return &history{
		open:    map[protocol.NodeID]*window{},
		decided: map[round]string{},
		joined:  map[int]bool{},
		left:    map[int]bool{},
		counts:  map[string]int{},
	}
}

// observe takes in the events of a step that led to the given state of a node.
func (h *history) observe(node int, after *can.State, events []protocol.Event) {
	self := after.Self.ID
	for _, e := range events {
		if h.counts[e.Name]++; e.Name == can.EventDecide {
			h.counts[e.Detail]++
		}
		switch e.Name {
		case can.EventRequest:
			w := &window{}
			if after.Change.Stage == can.Proposing {
				w.participants = slices.Concat(after.Change.Waiting, after.Change.Later)
			}
			h.open[self] = w
		case can.EventDecide:
			h.decide(self, e.Number, e.Detail)
		case can.EventExecute:
			h.execute(round{e.Peer, e.Number}, e.Detail)
		case can.EventJoined:
			h.joined[node] = true
			delete(h.left, node)
		case can.EventLeft:
			delete(h.joined, node)
			h.left[node] = true
		case can.EventFenced:
			h.breaks("Unfenced")
		case "crash":
			delete(h.joined, node)
			delete(h.left, node)
			delete(h.open, e.Peer)
		}
	}
}

func (h *history) breaks(property string) {
	if h.broken == "" {
		h.broken = property
	}
}

// decide closes the window of a round. If the round takes effect, no open round that conflicts with
// it may.
func (h *history) decide(proposer protocol.NodeID, number uint32, command string) {
	if mine := h.open[proposer]; mine != nil && command != can.NoOp.String() {
		for other, w := range h.open {
			if other != proposer && (slices.Contains(mine.participants, other) || slices.Contains(w.participants, proposer)) {
				w.overlapped = true
			}
		}
		if mine.overlapped {
			h.breaks("NoConflict")
		}
	}
	delete(h.open, proposer)
	h.execute(round{proposer, number}, command)
}

// execute notes which decision of a round a node executes; the proposer counts, too.
func (h *history) execute(r round, command string) {
	before, known := h.decided[r]
	switch {
	case !known:
		h.decided[r] = command
	case before == command:
	case before == can.NoOp.String() || command == can.NoOp.String():
		h.breaks("CancelledStays")
	default:
		h.breaks("OneCommand")
	}
}
