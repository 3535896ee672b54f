package can

import (
	"slices"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	published "github.com/canvass-grid/canvass/protocol/published/can"
)

// history is the part of a run that the properties depend on.
type history struct {
	open    []window   // rounds that are requested and not decided
	decided []decision // sorted by proposer and round
	joined  uint32     // nodes that reported "joined", by address, until they leave or crash
	left    uint32     // nodes that reported "left"
	rescued bool       // the zone of a failed node was taken over
	broken  uint32     // which of the properties below were broken
}

// untrue describes a false report of a node to its application, if there is one.
func (h *history) untrue(node int, v *View) string {
	return v.Untrue(h.joined&(1<<node) != 0, h.left&(1<<node) != 0)
}

// The properties of whole runs, as bits of history.broken.
const (
	brokenConflict  = 1 << iota // NoConflict
	brokenCancelled             // CancelledStays
	brokenChange                // OneCommand
	brokenStep                  // the first rule of the contract; the others follow
)

// window is a round between its request and its decision.
type window struct {
	proposer     protocol.NodeID
	participants uint32 // by address
	overlapped   bool   // a round in conflict with it took effect in the meantime
}

// decision is the outcome of a round: the change that was decided or executed first.
type decision struct {
	proposer protocol.NodeID
	round    uint32
	change   uint8
}

// monitor builds the history from the events of either core.
type monitor[S any] struct{ view func(S) *View }

func (monitor[S]) Initial() []byte { return history{}.encode() }

func (monitor[S]) View(mon []byte) any {
	h := decodeHistory(mon)
	return &h
}

func (monitor[S]) Wants(event string) bool {
	switch event {
	case published.EventTakeover,
		can.EventRequest,
		can.EventDecide,
		can.EventExecute,
		can.EventJoined,
		can.EventLeft,
		can.EventFenced,
		contract.Event,
		"crash":
		return true
	}
	return false
}

func (m monitor[S]) Observe(mon []byte, node int, after S, events []protocol.Event) []byte {
	h := decodeHistory(mon)
	bit := uint32(1) << node
	for _, e := range events {
		switch e.Name {
		case can.EventRequest:
			v := m.view(after)
			w := window{proposer: v.Self.ID}
			for _, id := range v.Participants {
				w.participants |= 1 << id.Address
			}
			h.open = append(h.open, w)
		case can.EventDecide:
			v := m.view(after)
			h.decide(v.Self.ID, e.Number, changeOf(e.Detail))
		case published.EventTakeover:
			h.rescued = true
		case can.EventExecute:
			h.execute(e.Peer, e.Number, changeOf(e.Detail))
		case can.EventJoined:
			h.joined |= bit
		case can.EventLeft:
			h.joined &^= bit
			h.left |= bit
		case can.EventFenced:
			h.joined &^= bit
		case contract.Event:
			h.broken |= brokenStep << e.Number
		case "crash":
			h.joined &^= bit
			h.left &^= bit
			h.close(e.Peer)
		}
	}
	return h.encode()
}

func changeOf(detail string) uint8 {
	for c := can.NoOp; c <= can.Takeover; c++ {
		if c.String() == detail {
			return uint8(c)
		}
	}
	panic("no such change: " + detail)
}

// decide closes the window of a proposer's round. If the round takes effect, every open round in
// conflict with it must not.
func (h *history) decide(proposer protocol.NodeID, round uint32, change uint8) {
	if change != uint8(can.NoOp) {
		i := slices.IndexFunc(h.open, func(w window) bool { return w.proposer == proposer })
		for j := range h.open {
			if i >= 0 && j != i && conflict(h.open[i], h.open[j]) {
				h.open[j].overlapped = true
			}
		}
		if i >= 0 && h.open[i].overlapped {
			h.broken |= brokenConflict
		}
	}
	h.close(proposer)
	h.execute(proposer, round, change)
	h.rescued = h.rescued || change == uint8(can.Takeover)
}

// conflict reports whether one proposer is in the other's neighbourhood.
func conflict(a, b window) bool {
	return a.participants&(1<<b.proposer.Address) != 0 || b.participants&(1<<a.proposer.Address) != 0
}

func (h *history) close(proposer protocol.NodeID) {
	h.open = slices.DeleteFunc(h.open, func(w window) bool { return w.proposer == proposer })
}

// execute records the outcome of a round in the view of some node, the proposer included.
func (h *history) execute(proposer protocol.NodeID, round uint32, change uint8) {
	for _, d := range h.decided {
		if d.proposer != proposer || d.round != round {
			continue
		}
		switch {
		case d.change == change:
		case d.change == uint8(can.NoOp) || change == uint8(can.NoOp):
			h.broken |= brokenCancelled
		default:
			h.broken |= brokenChange
		}
		return
	}
	h.decided = append(h.decided, decision{proposer, round, change})
	slices.SortFunc(h.decided, func(a, b decision) int {
		if c := a.proposer.Compare(b.proposer); c != 0 {
			return c
		}
		return int(a.round) - int(b.round)
	})
}

func (h history) encode() []byte {
	var b []byte
	b = protocol.AppendUint(b, uint64(len(h.open)))
	for _, w := range h.open {
		b = protocol.AppendBool(
			protocol.AppendUint(protocol.AppendNodeID(b, w.proposer), uint64(w.participants)),
			w.overlapped,
		)
	}
	b = protocol.AppendUint(b, uint64(len(h.decided)))
	for _, d := range h.decided {
		b = append(protocol.AppendUint(protocol.AppendNodeID(b, d.proposer), uint64(d.round)), d.change)
	}
	b = protocol.AppendUint(b, uint64(h.joined))
	b = protocol.AppendUint(b, uint64(h.left))
	b = protocol.AppendBool(b, h.rescued)
	return protocol.AppendUint(b, uint64(h.broken))
}

func decodeHistory(b []byte) history {
	r := protocol.NewReader(b)
	var h history
	for range r.Count() {
		h.open = append(h.open, window{r.NodeID(), uint32(r.Uint(1<<32 - 1)), r.Bool()})
	}
	for range r.Count() {
		h.decided = append(h.decided, decision{r.NodeID(), uint32(r.Uint(1<<32 - 1)), uint8(r.Uint(255))})
	}
	h.joined, h.left = uint32(r.Uint(1<<32-1)), uint32(r.Uint(1<<32-1))
	h.rescued, h.broken = r.Bool(), uint32(r.Uint(1<<32-1))
	if err := r.Close(); err != nil {
		panic(err)
	}
	return h
}
