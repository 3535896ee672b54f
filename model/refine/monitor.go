package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

// The events that the monitor needs. Both cores announce them under these names.
const (
	eventRound    = "round"    // a head begins to solicit; Number: the round
	eventSteady   = "steady"   // a head has found its cluster; Number: the round
	eventMeasured = "measured" // a measurement came in; Peer: of whom, Number: microseconds
	eventRemoved  = "removed"  // a head takes a member that has failed out of its cluster; Peer: whom
)

// history is what the properties remember of a run.
type history struct {
	open    []openRound // of heads, by address
	found   []found     // clusters that were found, by head and round
	removed bool        // a member that failed was taken out of a cluster
	broken  bool        // a cluster was found of which a pair was not measured
}

// openRound is a head's round between its beginning and its end: who measured whom to be near, as bits of
// addresses.
type openRound struct {
	head protocol.Address
	near [model.MaxNodes]uint16
}

// found is a cluster as it was found. It may shrink afterwards.
type found struct {
	head    protocol.NodeID
	round   uint32
	members uint16 // by address
}

// monitor builds the history from the events of either core.
type monitor[S any] struct {
	view     func(S) *View
	diameter uint32 // in microseconds
}

func (monitor[S]) Initial() []byte { return history{}.encode() }

func (monitor[S]) View(mon []byte) any {
	h := decodeHistory(mon)
	return &h
}

func (monitor[S]) Wants(event string) bool {
	switch event {
	case eventRound, eventSteady, eventMeasured, eventRemoved, "crash":
		return true
	}
	return false
}

func (m monitor[S]) Observe(mon []byte, node int, after S, events []protocol.Event) []byte {
	h := decodeHistory(mon)
	address := protocol.Address(node)
	for _, e := range events {
		switch e.Name {
		case eventRound:
			h.close(address)
			h.begin(address)
		case eventMeasured:
			if e.Number <= m.diameter {
				h.measured(node, int(e.Peer.Address))
			}
		case eventSteady:
			h.end(address, m.view(after).Own)
		case eventRemoved:
			h.removed = true
		case "crash":
			h.close(address)
			h.forget(node)
		}
	}
	return h.encode()
}

func (h *history) begin(head protocol.Address) {
	h.open = append(h.open, openRound{head: head})
	slices.SortFunc(h.open, func(a, b openRound) int { return int(a.head) - int(b.head) })
}

func (h *history) close(head protocol.Address) {
	h.open = slices.DeleteFunc(h.open, func(o openRound) bool { return o.head == head })
}

// measured counts for every round that is open: it is one in which the measurement was made.
func (h *history) measured(from, to int) {
	for i := range h.open {
		h.open[i].near[from] |= 1 << to
	}
}

// forget strikes off what a life that is over measured, and what was measured of it.
func (h *history) forget(node int) {
	for i := range h.open {
		h.open[i].near[node] = 0
		for j := range h.open[i].near {
			h.open[i].near[j] &^= 1 << node
		}
	}
}

// end judges the cluster that a head has found: both ends of each pair must have measured it.
func (h *history) end(head protocol.Address, c Cluster) {
	var near [model.MaxNodes]uint16
	for _, o := range h.open {
		if o.head == head {
			near = o.near
		}
	}
	members := mask(c.Members)
	for i := range near {
		if bit := uint16(1) << i; members&bit != 0 && (near[i]|bit)&members != members {
			h.broken = true
		}
	}
	h.close(head)
	h.found = append(h.found, found{c.Head, c.Round, members})
	slices.SortFunc(h.found, func(a, b found) int {
		if c := a.head.Compare(b.head); c != 0 {
			return c
		}
		return int(a.round) - int(b.round)
	})
}

// covers reports whether a cluster is one that its head has found in that round, or what is left of it.
func (h *history) covers(c Cluster) bool {
	members := mask(c.Members)
	return slices.ContainsFunc(h.found, func(f found) bool {
		return f.head == c.Head && f.round == c.Round && members&^f.members == 0
	})
}

func mask(ids []protocol.NodeID) uint16 {
	var bits uint16
	for _, id := range ids {
		bits |= 1 << id.Address
	}
	return bits
}

func (h history) encode() []byte {
	var b []byte
	b = protocol.AppendUint(b, uint64(len(h.open)))
	for _, o := range h.open {
		b = protocol.AppendUint(b, uint64(o.head))
		for _, row := range o.near {
			b = protocol.AppendUint(b, uint64(row))
		}
	}
	b = protocol.AppendUint(b, uint64(len(h.found)))
	for _, f := range h.found {
		b = protocol.AppendUint(protocol.AppendNodeID(b, f.head), uint64(f.round))
		b = protocol.AppendUint(b, uint64(f.members))
	}
	return protocol.AppendBool(protocol.AppendBool(b, h.removed), h.broken)
}

func decodeHistory(b []byte) history {
	r := protocol.NewReader(b)
	var h history
	for range r.Count() {
		o := openRound{head: protocol.Address(r.Uint(model.MaxNodes))}
		for i := range o.near {
			o.near[i] = uint16(r.Uint(1<<16 - 1))
		}
		h.open = append(h.open, o)
	}
	for range r.Count() {
		h.found = append(h.found, found{r.NodeID(), uint32(r.Uint(1<<32 - 1)), uint16(r.Uint(1<<16 - 1))})
	}
	h.removed, h.broken = r.Bool(), r.Bool()
	if err := r.Close(); err != nil {
		panic(err)
	}
	return h
}
