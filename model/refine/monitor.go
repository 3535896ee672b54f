package refine

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
)

// The events that the monitor needs. Both cores announce them under these names.
const (
	eventRound    = "round"    // a head begins to solicit; Number: the round
	eventSteady   = "steady"   // a head has found its cluster; Number: the round
	eventMeasured = "measured" // a measurement arrived; Peer: the measured node, Number: microseconds
	eventRemoved  = "removed"  // a head removes a member within the round; Peer: the member
)

// history is the part of a run that the properties depend on.
type history struct {
	open   []openRound       // of heads, by head
	found  []Cluster         // that were found, by head and round; they may have shrunk since
	gone   []protocol.NodeID // members that were removed within a round, sorted
	broken uint32            // which of the properties below were broken
}

// The properties of whole runs, as bits of history.broken.
const (
	brokenPair = 1 << iota // Measured: a cluster was found with a pair that was not measured
	brokenStep             // the first rule of the contract; the others follow
)

// openRound is the round of a head between its beginning and its end, with the measurements that
// found a peer near.
type openRound struct {
	head protocol.NodeID
	near []measurement // sorted
}

type measurement struct{ from, to protocol.NodeID }

func (m measurement) compare(o measurement) int {
	return cmp.Or(m.from.Compare(o.from), m.to.Compare(o.to))
}

// monitor builds the history from the events of either core.
type monitor[S any] struct {
	view func(S) *View
	rule pairing
}

// pairing says when the two nodes of a pair are measured near.
type pairing struct {
	diameter uint32 // in microseconds
	oneEnd   bool   // a measurement from one of the two ends is enough
}

func (monitor[S]) Initial() []byte { return history{}.encode() }

func (monitor[S]) View(mon []byte) any {
	h := decodeHistory(mon)
	return &h
}

func (monitor[S]) Wants(event string) bool {
	switch event {
	case eventRound, eventSteady, eventMeasured, eventRemoved, contract.Event, "crash":
		return true
	}
	return false
}

func (m monitor[S]) Observe(mon []byte, node int, after S, events []protocol.Event) []byte {
	h := decodeHistory(mon)
	h.observe(node, m.rule, func() *View { return m.view(after) }, events)
	return h.encode()
}

// observe takes the events of a step and the view of the node after it.
func (h *history) observe(node int, rule pairing, view func() *View, events []protocol.Event) {
	for _, e := range events {
		switch e.Name {
		case eventRound:
			h.close(protocol.Address(node))
			h.begin(view().ID)
		case eventMeasured:
			if e.Number <= rule.diameter {
				h.measured(measurement{view().ID, e.Peer})
			}
		case eventSteady:
			h.end(view().Own, rule)
		case eventRemoved:
			if at, known := slices.BinarySearchFunc(h.gone, e.Peer, protocol.NodeID.Compare); !known {
				h.gone = slices.Insert(h.gone, at, e.Peer)
			}
		case contract.Event:
			h.broken |= brokenStep << e.Number
		case "crash":
			h.close(protocol.Address(node))
		}
	}
}

func (h *history) begin(head protocol.NodeID) {
	h.open = append(h.open, openRound{head: head})
	slices.SortFunc(h.open, func(a, b openRound) int { return a.head.Compare(b.head) })
}

func (h *history) close(head protocol.Address) {
	h.open = slices.DeleteFunc(h.open, func(o openRound) bool { return o.head.Address == head })
}

// measured counts a measurement for every open round.
func (h *history) measured(m measurement) {
	for i := range h.open {
		o := &h.open[i]
		if at, known := slices.BinarySearchFunc(o.near, m, measurement.compare); !known {
			o.near = slices.Insert(o.near, at, m)
		}
	}
}

// end checks the cluster that a head has found: both ends of each pair must have measured it, or
// one of them where that is enough.
func (h *history) end(c Cluster, rule pairing) {
	var near []measurement
	for _, o := range h.open {
		if o.head == c.Head {
			near = o.near
		}
	}
	for _, a := range c.Members {
		for _, b := range c.Members {
			there, back := slices.Contains(near, measurement{a, b}), slices.Contains(near, measurement{b, a})
			if a != b && !there && !(rule.oneEnd && back) {
				h.broken |= brokenPair
			}
		}
	}
	h.close(c.Head.Address)
	h.found = append(h.found, c)
	slices.SortFunc(h.found, func(a, b Cluster) int {
		return cmp.Or(a.Head.Compare(b.Head), cmp.Compare(a.Round, b.Round))
	})
}

// covers reports whether the head of a cluster found it in that round. Members may have left it
// since.
func (h *history) covers(c Cluster) bool {
	return slices.ContainsFunc(h.found, func(f Cluster) bool {
		if f.Head != c.Head || f.Round != c.Round {
			return false
		}
		return !slices.ContainsFunc(c.Members, func(id protocol.NodeID) bool { return !f.has(id) })
	})
}

func (h history) encode() []byte {
	var b []byte
	b = protocol.AppendUint(b, uint64(len(h.open)))
	for _, o := range h.open {
		b = protocol.AppendUint(protocol.AppendNodeID(b, o.head), uint64(len(o.near)))
		for _, m := range o.near {
			b = protocol.AppendNodeID(protocol.AppendNodeID(b, m.from), m.to)
		}
	}
	b = protocol.AppendUint(b, uint64(len(h.found)))
	for _, c := range h.found {
		b = protocol.AppendUint(protocol.AppendNodeID(b, c.Head), uint64(c.Round))
		b = protocol.AppendUint(b, uint64(len(c.Members)))
		for _, id := range c.Members {
			b = protocol.AppendNodeID(b, id)
		}
	}
	b = protocol.AppendUint(b, uint64(len(h.gone)))
	for _, id := range h.gone {
		b = protocol.AppendNodeID(b, id)
	}
	return protocol.AppendUint(b, uint64(h.broken))
}

func decodeHistory(b []byte) history {
	r := protocol.NewReader(b)
	h := history{
		open: protocol.List(r, func() openRound {
			return openRound{r.NodeID(), protocol.List(r, func() measurement { return measurement{r.NodeID(), r.NodeID()} })}
		}),
		found: protocol.List(r, func() Cluster {
			return Cluster{r.NodeID(), uint32(r.Uint(1<<32 - 1)), protocol.List(r, r.NodeID)}
		}),
		gone:   protocol.List(r, r.NodeID),
		broken: uint32(r.Uint(1<<32 - 1)),
	}
	if err := r.Close(); err != nil {
		panic(err)
	}
	return h
}
