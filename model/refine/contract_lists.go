package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// listsBroken checks the state after the step.
func (s *transition) listsBroken() string {
	n := s.after
	switch {
	case !up(n):
		if n.Head != refine.HeadIdle || n.Again || n.ClusterRound > 0 || len(n.Candidates)+len(n.Survey)+len(n.Slots) > 0 {
			return "something is left of an ended incarnation"
		}
		return ""
	case len(n.Candidates) > s.cfg.CandidateLimit:
		return "it has too many candidates"
	case ClientState(n.Client()) != clientOf(n):
		return "the state of the client is not that of its slots"
	}
	if why := headBroken(n); why != "" {
		return why
	}
	for i, c := range n.Candidates {
		if c.ID.IsNobody() || c.ID == n.ID || i > 0 && n.Candidates[i-1].ID.Compare(c.ID) >= 0 {
			return "the candidates are not sorted, or one is itself"
		}
		listed := slices.ContainsFunc(n.Survey, func(r refine.Reading) bool { return r.Peer == c.ID })
		if c.Report != nil && (open(c.Report) || !listed) {
			return "no round needs the report that it keeps"
		}
	}
	for i, t := range n.Slots {
		if t.Head.IsNobody() || t.Head == n.ID || i > 0 && n.Slots[i-1].Head.Compare(t.Head) >= 0 {
			return "the slots are not sorted, or one is its own"
		}
		if why := s.slotBroken(t); why != "" {
			return why
		}
	}
	if taken := len(n.Slots) + 1; taken > s.cfg.MembershipBound {
		return "it has more slots than places"
	}
	return advertisedBroken(n)
}

// clientOf derives the state of a client of figure 5.1 from its slots.
func clientOf(n *refine.State) ClientState {
	state := ClientWait
	for _, t := range n.Slots {
		switch {
		case t.Stage == refine.Suitor:
			return ClientWait
		case t.Stage == refine.Promised:
			state = ClientMeasure
		case state == ClientWait:
			state = ClientSteady
		}
	}
	return state
}

// headBroken compares the state of a head with those of its candidates.
func headBroken(n *refine.State) string {
	asked, accepted := number(n, with(refine.Asked)), number(n, with(refine.Accepted))
	steady := n.Head == refine.HeadSteady
	switch {
	case (n.Head == refine.Solicit) != (asked > 0):
		return "a head waits for answers that it did not ask for, or does not wait"
	case accepted > 0 && n.Head != refine.Solicit && n.Head != refine.Filter:
		return "a head counts on a candidate outside a round"
	case n.Head != refine.Filter && len(n.Survey) > 0:
		return "a head measures outside a round"
	case steady && (n.Again || n.ClusterRound != n.Round || number(n, with(refine.Dropped)) > 0):
		return "a head is steady without reason"
	case n.ClusterRound > n.Round, n.ClusterRound == 0 && number(n, inside) > 0:
		return "a cluster is of no round"
	case !sortedPeers(n.Survey):
		return "the readings are not sorted"
	}
	return ""
}

func sortedPeers(survey []refine.Reading) bool {
	for i := 1; i < len(survey); i++ {
		if survey[i-1].Peer.Compare(survey[i].Peer) >= 0 {
			return false
		}
	}
	return true
}

// slotBroken checks that a slot has the fields that its stage needs, and no more.
func (s *transition) slotBroken(t refine.Slot) string {
	has := func(id protocol.NodeID) bool { return slices.Contains(t.Members, id) }
	switch committed := t.Stage == refine.Committed; {
	case t.Stage == refine.Suitor && len(t.Survey) > 0:
		return "it measures for a suitor"
	case t.Stage != refine.Suitor && t.Ceiling+t.Sure > 0:
		return "it remembers the prospects of a head that it accepted"
	case !committed && (t.ClusterRound > 0 || len(t.Members) > 0):
		return "it records a cluster before it is confirmed"
	case committed && (!has(t.Head) || !has(s.after.ID) || len(t.Members) > s.cfg.SizeBound):
		return "it is committed to a cluster without the head or itself, or to a cluster beyond the bound"
	case committed && (t.ClusterRound > t.Round || !slices.IsSortedFunc(t.Members, protocol.NodeID.Compare)):
		return "a cluster is of a round to come, or not sorted"
	case committed && t.ClusterRound == t.Round && len(t.Survey) > 0:
		return "it keeps the measurements of a round that is over"
	case !sortedPeers(t.Survey):
		return "the readings are not sorted"
	}
	return ""
}

// advertisedBroken checks the choice of the cluster that the node advertises: the largest, of equal
// ones its own, and of others the one whose head comes first in the global order.
func advertisedBroken(n *refine.State) string {
	best := refine.Cluster{}
	if n.ClusterRound > 0 {
		best = refine.Cluster{Head: n.ID, Round: n.ClusterRound, Members: together(n, inside)}
	}
	own := len(best.Members)
	for _, t := range stages(n, refine.Committed) {
		c := refine.Cluster{Head: t.Head, Round: t.ClusterRound, Members: t.Members}
		first := len(c.Members) == len(best.Members) && len(c.Members) > own && before(c.Head, best.Head)
		if len(c.Members) > len(best.Members) || first {
			best = c
		}
	}
	found, ok := n.Advertised()
	if ok != (len(best.Members) > 0) || found.Head != best.Head || found.Round != best.Round ||
		!slices.Equal(found.Members, best.Members) {
		return "it does not advertise the best cluster"
	}
	return ""
}

// before reports whether a node comes first in the global order.
func before(a, b protocol.NodeID) bool {
	if a.Hash() != b.Hash() {
		return a.Hash() < b.Hash()
	}
	return a.Compare(b) < 0
}
