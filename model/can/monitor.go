package can

import (
	"cmp"
	"math/bits"
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
	joined  nodeSet    // nodes that reported "joined", until they leave or crash
	left    nodeSet    // nodes that reported "left"
	rescued bool       // the zone of a failed node was taken over
	broken  uint32     // which of the properties below were broken
}

// untrue describes a false report of a node to its application, if there is one.
func (h *history) untrue(node int, v *View) string {
	return v.Untrue(h.joined.has(node), h.left.has(node))
}

// The properties of whole runs, as bits of history.broken.
const (
	brokenConflict  = 1 << iota // NoConflict
	brokenCancelled             // CancelledStays
	brokenChange                // OneCommand
	brokenStep                  // the first rule of the contract; the others follow
)

// ofRuns are the properties of whole runs, in the order of their bits.
var ofRuns = []struct{ name, doc string }{
	{"NoConflict", "of two rounds in conflict that overlap in time, at most one takes effect"},
	{"CancelledStays", "a cancelled round never takes effect at any node"},
	{"OneCommand", "all nodes that execute a round execute the same change"},
}

// window is a round between its request and its decision.
type window struct {
	proposer     protocol.NodeID
	participants nodeSet
	overlapped   bool // a round in conflict with it took effect in the meantime
}

// decision is the outcome of a round: the change that was decided or executed first.
type decision struct {
	proposer protocol.NodeID
	round    uint32
	change   uint8
}

func (d decision) compare(o decision) int {
	return cmp.Or(d.proposer.Compare(o.proposer), cmp.Compare(d.round, o.round))
}

// numbering gives each node the number by which it is in a nodeSet. The checker numbers nodes by
// address; a RunMonitor numbers incarnations.
type numbering func(protocol.NodeID) int

func byAddress(id protocol.NodeID) int { return int(id.Address) }

// nodeSet is a set of nodes by number. Those of the checker are all in the first word.
type nodeSet struct {
	first uint32
	more  []uint32
}

func (s *nodeSet) has(node int) bool {
	word := node / 32
	switch {
	case word == 0:
		return s.first>>node&1 == 1
	case word <= len(s.more):
		return s.more[word-1]>>(node%32)&1 == 1
	}
	return false
}

func (s *nodeSet) add(node int) { *s.word(node) |= 1 << (node % 32) }

func (s *nodeSet) remove(node int) { *s.word(node) &^= 1 << (node % 32) }

// word returns the word that a node is in.
func (s *nodeSet) word(node int) *uint32 {
	if node < 32 {
		return &s.first
	}
	if missing := node/32 - len(s.more); missing > 0 {
		s.more = append(s.more, make([]uint32, missing)...)
	}
	return &s.more[node/32-1]
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
	h.observe(node, func() *View { return m.view(after) }, byAddress, events)
	return h.encode()
}

// observe takes the events of a step and the view of the node after it.
func (h *history) observe(node int, view func() *View, number numbering, events []protocol.Event) {
	for _, e := range events {
		switch e.Name {
		case can.EventRequest:
			v := view()
			w := window{proposer: v.Self.ID}
			for _, id := range v.Participants {
				w.participants.add(number(id))
			}
			h.open = append(h.open, w)
		case can.EventDecide:
			h.decide(view().Self.ID, e.Number, changeOf(e.Detail), number)
		case published.EventTakeover:
			h.rescued = true
		case can.EventExecute:
			h.execute(decision{e.Peer, e.Number, changeOf(e.Detail)})
		case can.EventJoined:
			h.joined.add(node)
		case can.EventLeft:
			h.joined.remove(node)
			h.left.add(node)
		case can.EventFenced:
			h.joined.remove(node)
		case contract.Event:
			h.broken |= brokenStep << e.Number
		case "crash":
			h.joined.remove(node)
			h.left.remove(node)
			h.close(e.Peer)
		}
	}
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
func (h *history) decide(proposer protocol.NodeID, round uint32, change uint8, number numbering) {
	if change != uint8(can.NoOp) {
		i := slices.IndexFunc(h.open, func(w window) bool { return w.proposer == proposer })
		for j := range h.open {
			if i >= 0 && j != i && conflict(&h.open[i], &h.open[j], number) {
				h.open[j].overlapped = true
			}
		}
		if i >= 0 && h.open[i].overlapped {
			h.broken |= brokenConflict
		}
	}
	h.close(proposer)
	h.execute(decision{proposer, round, change})
	h.rescued = h.rescued || change == uint8(can.Takeover)
}

// conflict reports whether one proposer is in the other's neighbourhood.
func conflict(a, b *window, number numbering) bool {
	return a.participants.has(number(b.proposer)) || b.participants.has(number(a.proposer))
}

func (h *history) close(proposer protocol.NodeID) {
	h.open = slices.DeleteFunc(h.open, func(w window) bool { return w.proposer == proposer })
}

// execute records the outcome of a round in the view of some node, the proposer included.
func (h *history) execute(d decision) {
	at, known := slices.BinarySearchFunc(h.decided, d, decision.compare)
	if !known {
		h.decided = slices.Insert(h.decided, at, d)
		return
	}
	switch first := h.decided[at].change; {
	case first == d.change:
	case first == uint8(can.NoOp) || d.change == uint8(can.NoOp):
		h.broken |= brokenCancelled
	default:
		h.broken |= brokenChange
	}
}

func (h history) encode() []byte {
	var b []byte
	b = protocol.AppendUint(b, uint64(len(h.open)))
	for _, w := range h.open {
		b = protocol.AppendBool(
			protocol.AppendUint(protocol.AppendNodeID(b, w.proposer), uint64(w.participants.first)),
			w.overlapped,
		)
	}
	b = protocol.AppendUint(b, uint64(len(h.decided)))
	for _, d := range h.decided {
		b = append(protocol.AppendUint(protocol.AppendNodeID(b, d.proposer), uint64(d.round)), d.change)
	}
	b = protocol.AppendUint(b, uint64(h.joined.first))
	b = protocol.AppendUint(b, uint64(h.left.first))
	b = protocol.AppendBool(b, h.rescued)
	return protocol.AppendUint(b, uint64(h.broken))
}

func decodeHistory(b []byte) history {
	r := protocol.NewReader(b)
	var h history
	for range r.Count() {
		h.open = append(h.open, window{r.NodeID(), nodeSet{first: uint32(r.Uint(1<<32 - 1))}, r.Bool()})
	}
	for range r.Count() {
		h.decided = append(h.decided, decision{r.NodeID(), uint32(r.Uint(1<<32 - 1)), uint8(r.Uint(255))})
	}
	h.joined.first, h.left.first = uint32(r.Uint(1<<32-1)), uint32(r.Uint(1<<32-1))
	h.rescued, h.broken = r.Bool(), uint32(r.Uint(1<<32-1))
	if err := r.Close(); err != nil {
		panic(err)
	}
	return h
}

// RunMonitor checks a whole run against the properties that no single state shows, for drivers
// other than the checker: NoConflict, CancelledStays and OneCommand. It also remembers what nodes
// have reported, for Truthful.
type RunMonitor struct {
	history history
	lives   map[protocol.NodeID]int // the number of each incarnation
}

// NewRunMonitor returns the monitor of a run that has not begun.
func NewRunMonitor() *RunMonitor { return &RunMonitor{lives: map[protocol.NodeID]int{}} }

// number numbers incarnations in the order of their first appearance.
func (m *RunMonitor) number(id protocol.NodeID) int {
	n, known := m.lives[id]
	if !known {
		n = len(m.lives)
		m.lives[id] = n
	}
	return n
}

// Place notes that a node is a member from the beginning.
func (m *RunMonitor) Place(id protocol.NodeID) { m.history.joined.add(m.number(id)) }

// Observe takes the events of a step and the state of the node after it. After a crash the only
// event is "crash".
func (m *RunMonitor) Observe(after *can.State, events []protocol.Event) {
	if len(events) == 0 {
		return
	}
	id := after.Self.ID
	if events[0].Name == "crash" {
		id = events[0].Peer
	}
	m.history.observe(m.number(id), func() *View { return ViewOf(*after) }, m.number, events)
}

// Broken returns the property that the run has broken, or "".
func (m *RunMonitor) Broken() string {
	if at := bits.TrailingZeros32(m.history.broken); at < len(ofRuns) {
		return ofRuns[at].name
	}
	return ""
}

// Untrue describes a false report of a node to its application, if there is one.
func (m *RunMonitor) Untrue(v *View) string { return m.history.untrue(m.number(v.Self.ID), v) }
