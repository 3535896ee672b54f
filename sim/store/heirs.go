package store

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	mapcore "github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/store"
)

// heirs knows who can say what nodes that left had decided, because it was told by them, or by
// those whom they told.
type heirs struct {
	told    map[store.Source][]protocol.NodeID    // by what a leaver gives away: for whom it speaks, itself included
	speaks  map[protocol.NodeID][]protocol.NodeID // by node: for whom it speaks
	pending map[protocol.NodeID][]store.Pending   // by node: what its clients wait for
	unknown map[protocol.NodeID]store.Decision    // by node: the last decision that nobody can say what became of a request
}

func newHeirs() heirs {
	return heirs{
		told: map[store.Source][]protocol.NodeID{}, speaks: map[protocol.NodeID][]protocol.NodeID{},
		pending: map[protocol.NodeID][]store.Pending{}, unknown: map[protocol.NodeID]store.Decision{},
	}
}

// step takes in a step of a node. It reports whether the node could have known what became of a
// request, and said that nobody does.
func (h *heirs) step(s *store.State, events []protocol.Event) (ignorant bool) {
	self := s.ID()
	for _, e := range events {
		source := store.Source{From: self, Round: e.Number}
		switch {
		case e.Name == store.EventGiven && s.CAN.Phase != mapcore.Member:
			h.told[source] = append(slices.Clone(h.speaks[self]), self)
		case e.Name == store.EventReceived:
			source.From = e.Peer
			h.speaks[self] = append(h.speaks[self], h.told[source]...)
		case e.Name == store.EventUnknown && e.Peer == self:
			ignorant = ignorant || h.knows(self, store.Decision{Client: self, ID: e.Number})
		}
	}
	if n := len(s.Decided); n > 0 && s.Decided[n-1].Verdict == store.Unknown && s.Decided[n-1] != h.unknown[self] {
		h.unknown[self] = s.Decided[n-1]
		ignorant = ignorant || h.knows(self, s.Decided[n-1])
	}
	h.pending[self] = s.Pending
	return ignorant
}

// knows reports whether a node speaks for all that may have executed the request of a decision, as
// far as can be told: its client may have gone on to another attempt.
func (h *heirs) knows(self protocol.NodeID, d store.Decision) bool {
	for _, p := range h.pending[d.Client] {
		if p.Operation.ID == d.ID && (p.Attempt == d.Attempt || d.Client == self) {
			return !slices.ContainsFunc(
				p.Tried,
				func(id protocol.NodeID) bool { return id != self && !slices.Contains(h.speaks[self], id) },
			)
		}
	}
	return false
}
