package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// solicit begins a round: it asks the candidates that are new or deferred. Candidates that denied
// or were filtered out are asked only if there is a reason to expect another answer. Otherwise two
// heads that ask all their candidates again could defer each other without end.
func (n *node) solicit() {
	if n.Head != Collect && n.Head != HeadSteady {
		n.Ignore(protocol.NodeID{}, "busy with a round")
		return
	}
	n.Head = Solicit
	n.Round++
	n.Event(EventRound, protocol.NodeID{}, n.Round, "")
	for i := range n.Candidates {
		if c := &n.Candidates[i]; c.Status == Fresh || c.Status == Deferred || n.Again && !c.inCluster() {
			c.Status = Asked
		}
	}
	ceiling, sure := n.prospects()
	for _, c := range n.Candidates {
		if c.Status == Asked {
			n.send(c.ID, Solicitation{Round: n.Round, Ceiling: ceiling, Sure: sure})
		}
	}
}

// prospects returns how large the cluster can still become, and how many are sure to take part.
func (n *node) prospects() (ceiling, sure uint32) {
	sure = uint32(1 + n.having(Member) + n.having(Accepted))
	return sure + uint32(n.having(Asked)), sure
}

// accepted counts a client. A client that does not count is dismissed, or it would hold a place for
// no cluster.
func (n *node) accepted(from protocol.NodeID, m Accept) {
	if i, ok := n.candidate(from); ok && n.Candidates[i].Status == Asked && m.Round == n.Round {
		n.Candidates[i].Status = Accepted
		n.update()
		return
	}
	n.claimed(from, m.Round)
}

// claimed answers a client that holds a place in a round: either it counts, or it is dismissed.
func (n *node) claimed(from protocol.NodeID, round uint32) {
	i, ok := n.candidate(from)
	switch {
	case round > n.Round:
		n.Ignore(from, "a round to come")
	case ok && n.Candidates[i].inCluster(), ok && n.Candidates[i].Status == Accepted && round == n.Round:
		n.Ignore(from, "counted")
	default:
		n.send(from, Dismiss{Round: round})
	}
}

// declined records that a client does not take part in this round.
func (n *node) declined(from protocol.NodeID, round uint32, as Status) {
	i, ok := n.candidate(from)
	if !ok || n.Candidates[i].Status != Asked || round != n.Round {
		n.Ignore(from, "not asked")
		return
	}
	n.Candidates[i].Status = as
	n.update()
}

// update sends the prospects to greedy clients that have not answered yet.
func (n *node) update() {
	if n.cfg.Criterion != Greedy {
		return
	}
	ceiling, sure := n.prospects()
	for _, c := range n.Candidates {
		if c.Status == Asked {
			n.send(c.ID, Update{Round: n.Round, Ceiling: ceiling, Sure: sure})
		}
	}
}

// left removes a client that holds no place: it has left, or it suspected this node. A message that
// is older than the cluster does not concern it.
func (n *node) left(from protocol.NodeID, m Leave) {
	i, ok := n.candidate(from)
	switch {
	case ok && n.Candidates[i].inCluster() && m.Round >= n.ClusterRound:
		n.remove(i, "left")
	case ok && n.Candidates[i].waits() && m.Round == n.Round:
		n.remove(i, "left")
	default:
		n.Ignore(from, "not counted")
	}
}

// remove deletes a candidate. If it was a member there is room, so candidates that were turned down
// are asked again.
func (n *node) remove(i int, why string) {
	c := n.Candidates[i]
	n.Candidates = slices.Delete(n.Candidates, i, i+1)
	if !c.inCluster() {
		return
	}
	n.Event(EventRemoved, c.ID, n.ClusterRound, why)
	n.askAgain()
}

// askAgain makes the next round ask the candidates that were turned down: a member is gone, or will
// be, and with it the reason to leave them out.
func (n *node) askAgain() {
	for i := range n.Candidates {
		if d := &n.Candidates[i]; d.turnedDown() {
			d.Status = Fresh
		}
	}
}
