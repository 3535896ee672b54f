package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// proposer is a node as L of Algorithms 4 and 6 to 8.
type proposer struct{ *node }

// request is Algorithm 4, Request(γ, t) on L.
func (n proposer) request(g Gamma) {
	// Algorithm 4, line 1
	if n.anyBusy(protocol.NodeID{}) || n.inconsistent() {
		n.putOff(g) // Algorithm 4, line 2
		return
	} // Algorithm 4, line 3
	if n.cfg.NoDetection {
		n.undetected(g)
		return
	}
	n.Gamma = g                                               // Algorithm 4, line 4
	n.Self.Status = Busy                                      // Algorithm 4, line 5
	n.Self.Instance++                                         // Algorithm 4, line 6
	n.Replies = []Reply{{From: n.Self.ID, Answer: Yes}}       // Algorithm 4, line 7
	for _, r := range neighbourhood(n.Self.Zone, n.Known()) { // Algorithm 4, line 8
		n.setReply(r.ID, Undef)                          // Algorithm 4, line 9
		n.send(r.ID, Propose{Instance: n.Self.Instance}) // Algorithm 4, line 10
	} // Algorithm 4, lines 11 and 12
	n.requested = true
	n.Event(EventRequest, n.subject(g), n.Self.Instance, g.Kind.String())
	if n.cfg.Readings.AloneCommits && len(n.asked()) == 0 {
		n.commitPhase(n.subject(g), g, n.Self.Instance)
	}
}

// undetected executes a command without asking any node, and lets updates report it, as a CAN
// without conflict detection does. A leaver reports nothing: its neighbours find it missing.
func (n proposer) undetected(g Gamma) {
	n.Self.Instance++
	n.Event(EventDecide, n.subject(g), n.Self.Instance, g.Kind.String())
	n.execute(n.Self.ID, g)
	n.sendUpdates()
}

// anyBusy reports whether node_L[Q].state is not STABLE for any Q, the node itself included, except
// one.
func (n *node) anyBusy(except protocol.NodeID) bool {
	return n.Self.Status != Stable || slices.ContainsFunc(n.Nodes, func(e Entry) bool {
		return e.Status != Stable && e.ID != except
	})
}

// inconsistent reports a disruption in the known neighbourhood: a discontinuity at the node's own
// border, or zones that overlap.
func (n proposer) inconsistent() bool {
	known := zones(n.Known())
	if !n.cfg.Space.BorderCovered(n.Self.Zone, known) {
		return true
	}
	all := append(known, n.Self.Zone)
	for i, z := range all {
		if slices.ContainsFunc(all[i+1:], z.Overlaps) {
			return true
		}
	}
	return false
}

// putOff ends a request that was rejected or cancelled: its initiator is to retry
// it after a drawn delay.
func (n proposer) putOff(g Gamma) {
	if g.Kind == NoOp {
		return
	}
	if g.Kind == Split {
		n.send(g.Joiner, Refuse{})
	}
	n.Event(EventRetry, n.subject(g), 0, g.Kind.String())
}

// setReply is node_L[L].reply[q] := a.
func (n proposer) setReply(q protocol.NodeID, a Answer) {
	i, ok := n.findReply(q)
	if !ok {
		n.Replies = slices.Insert(n.Replies, i, Reply{From: q})
	}
	n.Replies[i].Answer = a
}
