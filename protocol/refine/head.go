package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// head is a node as the head of a cluster. It owns Candidates, Survey and the counters of rounds in
// the state.
type head struct{ *node }

// solicit begins a round: it asks the candidates that are new or deferred. Candidates that denied
// or were filtered out are asked only if there is a reason to expect another answer. Otherwise two
// heads that ask all their candidates again could defer each other without end.
func (n head) solicit() {
	if n.Head != Collect && n.Head != HeadSteady {
		n.Ignore(protocol.NodeID{}, "busy with a round")
		return
	}
	n.Head = Solicit
	n.Round++
	n.Event(EventRound, protocol.NodeID{}, n.Round, "")
	for i := range n.Candidates {
		if c := &n.Candidates[i]; c.Status == Fresh || c.Status == Deferred || n.Again && !c.isInCluster() {
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
func (n head) prospects() (ceiling, sure uint32) {
	sure = uint32(1 + n.having(Member) + n.having(Accepted))
	return sure + uint32(n.having(Asked)), sure
}

// onAccept counts a client. A client that does not count is dismissed, or it would hold a place for
// no cluster.
func (n head) onAccept(from protocol.NodeID, m Accept) {
	if i, ok := n.candidate(from); ok && n.Candidates[i].Status == Asked && m.Round == n.Round {
		n.Candidates[i].Status = Accepted
		n.sendProspects()
		return
	}
	n.answerClaim(from, m.Round)
}

// answerClaim answers a client that holds a place in a round: either it counts, or it is dismissed.
func (n head) answerClaim(from protocol.NodeID, round uint32) {
	i, ok := n.candidate(from)
	switch {
	case round > n.Round:
		n.Ignore(from, "a round to come")
	case ok && n.Candidates[i].isInCluster(), ok && n.Candidates[i].Status == Accepted && round == n.Round:
		n.Ignore(from, "counted")
	default:
		n.send(from, Dismiss{Round: round})
	}
}

// onDecline records that a client does not take part in this round.
func (n head) onDecline(from protocol.NodeID, round uint32, as Status) {
	i, ok := n.candidate(from)
	if !ok || n.Candidates[i].Status != Asked || round != n.Round {
		n.Ignore(from, "not asked")
		return
	}
	n.Candidates[i].Status = as
	n.sendProspects()
}

// sendProspects sends the prospects to greedy clients that have not answered yet.
func (n head) sendProspects() {
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

// onLeave removes a client that holds no place: it has left, or it suspected this node. A message
// that is older than the cluster does not concern it.
func (n head) onLeave(from protocol.NodeID, m Leave) {
	i, ok := n.candidate(from)
	switch {
	case ok && n.Candidates[i].isInCluster() && m.Round >= n.ClusterRound:
		n.remove(i, "left")
	case ok && n.Candidates[i].isWaiting() && m.Round == n.Round:
		n.remove(i, "left")
	default:
		n.Ignore(from, "not counted")
	}
}

// remove deletes a candidate. If it was a member there is room, so candidates that were turned down
// are asked again.
func (n head) remove(i int, why string) {
	c := n.Candidates[i]
	n.Candidates = slices.Delete(n.Candidates, i, i+1)
	if !c.isInCluster() {
		return
	}
	n.Event(EventRemoved, c.ID, n.ClusterRound, why)
	n.askAgain()
}

// askAgain makes the next round ask the candidates that were turned down: a member is gone, or will
// be, and with it the reason to leave them out.
func (n head) askAgain() {
	for i := range n.Candidates {
		if d := &n.Candidates[i]; d.isTurnedDown() {
			d.Status = Fresh
		}
	}
}
