package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// filter begins the second half of a round: the clients that accepted and all members measure each
// other.
func (n head) filter() {
	n.Head = Filter
	n.Again = false
	listed := n.among((*Candidate).takesPart)
	n.Survey = n.beginSurvey(listed)
	for _, c := range n.Candidates {
		if c.takesPart() {
			n.send(c.ID, List{Round: n.Round, Members: listed})
		}
	}
}

// isSurveyed reports whether everything is measured.
func (n head) isSurveyed() bool {
	for i := range n.Candidates {
		if c := &n.Candidates[i]; n.measures(c) && c.Report == nil {
			return false
		}
	}
	return complete(n.Survey)
}

// onReport records a client's measurements.
func (n head) onReport(from protocol.NodeID, m Report) {
	i, ok := n.candidate(from)
	if ok && m.Round == n.Round && n.measures(&n.Candidates[i]) && len(m.Readings) > 0 &&
		complete(m.Readings) {
		if n.Candidates[i].Report == nil {
			n.Candidates[i].Report = m.Readings
		}
		return
	}
	n.answerClaim(from, m.Round)
}

// conclude ends a round: the largest clique of near nodes around this one is the cluster, and the
// other nodes are dismissed. Among equal cliques the one with the former members wins, then the one
// with the first nodes.
func (n head) conclude() {
	ids := []protocol.NodeID{n.ID}
	reports := [][]Reading{n.Survey}
	for _, status := range [2]Status{Member, Accepted} {
		for _, c := range n.Candidates {
			if c.Status == status && n.measures(&c) {
				ids, reports = append(ids, c.ID), append(reports, c.Report)
			}
		}
	}
	g := newGraph(len(ids))
	for i := range ids {
		for j := range i {
			if n.isNear(reports[i], ids[j]) && n.isNear(reports[j], ids[i]) {
				g.join(i, j)
			}
		}
	}
	kept := g.cliqueOfFirst(n.cfg.SizeBound)
	if slices.ContainsFunc(n.Candidates, func(c Candidate) bool {
		at := slices.Index(ids, c.ID)
		return c.Status == Member && (at < 0 || !kept.has(at))
	}) {
		n.askAgain()
	}
	for i := len(n.Candidates) - 1; i >= 0; i-- {
		c := &n.Candidates[i]
		at := slices.Index(ids, c.ID)
		switch {
		case at >= 0 && kept.has(at):
			*c = Candidate{ID: c.ID, Status: Member}
		case at >= 0:
			n.send(c.ID, Dismiss{Round: n.Round})
			*c = Candidate{ID: c.ID, Status: Filtered}
		case c.Status == Member: // restored too late to be measured in this round
			n.send(c.ID, Dismiss{Round: n.Round})
			*c = Candidate{ID: c.ID}
		case c.Status == Dropped:
			n.send(c.ID, Dismiss{Round: n.Round})
			n.Candidates = slices.Delete(n.Candidates, i, i+1)
		}
	}
	n.Head, n.ClusterRound, n.Survey = HeadSteady, n.Round, nil
	n.Event(EventSteady, protocol.NodeID{}, n.Round, "")
	n.confirm()
}

// isNear reports whether a node is within the diameter according to the readings. A node without a
// reading is not.
func (n head) isNear(readings []Reading, id protocol.NodeID) bool {
	i, ok := slices.BinarySearchFunc(readings, id, func(r Reading, id protocol.NodeID) int { return r.Peer.Compare(id) })
	return ok && readings[i].Micros <= n.cfg.DiameterMicros
}

// confirm sends the cluster to its members.
func (n head) confirm() {
	own, _ := n.Own()
	for _, id := range own.Members {
		if id != n.ID {
			n.send(id, Confirm{Round: own.Round, Members: own.Members})
		}
	}
}
