package store

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	cancore "github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/store"
)

// successors records which nodes have the decisions of leavers, because a leaver handed it over to
// them, or a node that had it from a leaver.
type successors struct {
	given      map[store.Source][]protocol.NodeID    // by handover: for which nodes its receiver can answer
	answersFor map[protocol.NodeID][]protocol.NodeID // by node: the nodes for which it can answer
	pending    map[protocol.NodeID][]store.Pending   // by node: the pending operations of its clients
	unknown    map[protocol.NodeID]store.Decision    // by node: its last decision that the fate of a request is unknown
}

func newSuccessors() successors {
	return successors{
		given: map[store.Source][]protocol.NodeID{}, answersFor: map[protocol.NodeID][]protocol.NodeID{},
		pending: map[protocol.NodeID][]store.Pending{}, unknown: map[protocol.NodeID]store.Decision{},
	}
}

// step takes in a step of a node. It reports whether the node could have known the fate of a
// request, but decided that it is unknown.
func (h *successors) step(s *store.State, events []protocol.Event) (ignorant bool) {
	self := s.ID()
	for _, e := range events {
		source := store.Source{From: self, Round: e.Number}
		switch {
		case e.Name == store.EventGiven && s.CAN.Phase != cancore.Member:
			h.given[source] = append(slices.Clone(h.answersFor[self]), self)
		case e.Name == store.EventReceived:
			source.From = e.Peer
			h.answersFor[self] = append(h.answersFor[self], h.given[source]...)
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

// knows reports whether a node can answer for all nodes that may have executed the request of a
// decision. It reports false if the client has started another attempt.
func (h *successors) knows(self protocol.NodeID, d store.Decision) bool {
	for _, p := range h.pending[d.Client] {
		if p.Operation.ID == d.ID && (p.Attempt == d.Attempt || d.Client == self) {
			return !slices.ContainsFunc(
				p.Tried,
				func(id protocol.NodeID) bool { return id != self && !slices.Contains(h.answersFor[self], id) },
			)
		}
	}
	return false
}
