package refine

import "github.com/canvass-grid/canvass/protocol"

// keep sends each peer that deals with this node a sign of life. It resends what the peer may have
// missed.
func (n *node) keep() {
	ceiling, sure := n.asHead().prospects()
	listed := n.among(n.measures)
	members := n.among((*Candidate).isInCluster)
	for _, c := range n.Candidates {
		switch {
		case c.Status == Asked:
			n.send(c.ID, Solicitation{Round: n.Round, Ceiling: ceiling, Sure: sure})
		case n.measures(&c) && c.Report == nil:
			n.send(c.ID, List{Round: n.Round, Members: listed})
		case c.Status == Accepted, n.Head == Filter && c.Status == Member:
			n.send(c.ID, Alive{})
		case c.isInCluster():
			n.send(c.ID, Confirm{Round: n.ClusterRound, Members: members})
		}
	}
	for _, t := range n.Slots {
		switch {
		case t.Stage == Suitor:
			n.send(t.Head, Alive{})
		case len(t.Survey) > 0 && complete(t.Survey):
			n.send(t.Head, Report{Round: t.Round, Readings: t.Survey})
		default:
			n.send(t.Head, Accept{Round: t.Round})
		}
	}
}

// onFailed forgets an incarnation that has stopped.
func (n *node) onFailed(peer protocol.NodeID) {
	n.Event(EventFailed, peer, 0, "")
	if i, ok := n.candidate(peer); ok {
		n.asHead().remove(i, "failed")
	}
	if i, ok := n.slot(peer); ok {
		n.asClient().release(i, "failed")
	}
}
