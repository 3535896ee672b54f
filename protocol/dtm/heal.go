package dtm

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// keep sends each neighbour a sign of life. It resends what the neighbour may have missed.
func (n *node) keep() {
	if n.Phase == Joining {
		n.asJoiner().remind()
		return
	}
	d := &n.Departure
	switch d.Stage {
	case Asking:
		n.asLeaver().sendWaiting(Leaving{Round: d.Round})
	case Committed:
		n.asLeaver().sendWaiting(Left{Round: d.Round})
	}
	if !n.Lock.Holder.IsNobody() {
		n.send(n.Lock.Holder, Consent{Round: n.Lock.Round})
	}
	if !n.Anchor.IsNobody() {
		if n.Former.IsNobody() {
			n.send(n.Anchor, Beat{})
		} else {
			n.claim()
		}
	}
	for _, b := range n.Branches {
		switch {
		case b.Gone:
		case b.Acked != n.Version:
			n.send(b.Host, n.position())
		default:
			n.send(b.Host, Beat{})
		}
	}
	n.aggregate()
}

// onFailed notes that a peer has stopped. If it was the anchor, its children act as if it had left.
func (n *node) onFailed(peer protocol.NodeID) {
	n.Event(EventFailed, peer, 0, "")
	if n.Phase == Joining {
		n.Search.Members = without(n.Search.Members, peer)
		n.asJoiner().rest()
		return
	}
	n.unlock(peer)
	n.Departure.Waiting = without(n.Departure.Waiting, peer)
	if n.Departure.Stage == Asking {
		n.asLeaver().abort()
	}
	if i, known := n.branch(peer); known {
		n.Branches[i].Gone = true
	} else if n.Departure.Stage == Committed {
		return // the node is out of the tree already
	} else if n.Heard > 0 {
		n.succeed("failed")
	} else {
		n.Event(EventOrphan, peer, 0, "")
	}
}

// succeed replaces the anchor by its heir: the node itself, or one of its siblings. All children
// find the same, since they have the anchor's segment and its children.
func (n *node) succeed(why string) {
	former := Segment{At: n.Above[0].At, Length: n.Above[0].Length}
	if len(n.Above) > 1 {
		former.Anchor = n.Above[1].Host
	}
	gone, siblings := n.Anchor, n.Siblings
	moved := Leave(former, siblings)
	heir := Heir(siblings)
	above := n.Above[1:]
	if len(above) == 0 {
		above = nil
	}
	for i, c := range siblings {
		switch {
		case c.Host == n.ID:
			n.Segment = moved[i]
		case siblings[heir].Host == n.ID:
			if at, known := n.branch(c.Host); !known {
				n.Branches = slices.Insert(n.Branches, at, Branch{Child: Child{c.Host, moved[i].At, moved[i].Length}})
			}
		}
	}
	if siblings[heir].Host == n.ID {
		if !n.Anchor.IsNobody() {
			n.Former = gone
			n.claim()
		}
	} else {
		h := moved[heir]
		above = append(Label{{Host: siblings[heir].Host, At: h.At, Length: h.Length}}, above...)
	}
	n.Above, n.Siblings, n.Heard, n.changed = above, nil, 0, true
	n.unlock(gone)
	n.Event(EventMoved, siblings[heir].Host, 0, why)
}

func (n *node) claim() { n.send(n.Anchor, Claim{Former: n.Former, At: n.At, Length: n.Length}) }

// onClaim puts an heir in the place of a former child.
func (n *node) onClaim(from protocol.NodeID, m Claim) {
	if _, known := n.branch(from); known {
		n.send(from, n.position())
		return
	}
	i, known := n.branch(m.Former)
	if !known || m.At < 0 || m.At > n.Length || m.Length < 0 || m.Length > maxLength || n.Departure.Stage == Committed {
		n.Ignore(from, "no place to claim")
		return
	}
	if n.Departure.Stage == Asking {
		n.asLeaver().abort()
	}
	n.prune(i)
	at, _ := n.branch(from)
	n.Branches = slices.Insert(n.Branches, at, Branch{Child: Child{Host: from, At: m.At, Length: m.Length}})
}

// onUnclaimed gives up the place of a failed child.
func (n *node) onUnclaimed(peer protocol.NodeID) {
	if i, known := n.branch(peer); known && n.Branches[i].Gone {
		n.prune(i)
	}
}

// prune removes a child.
func (n *node) prune(i int) {
	n.unlock(n.Branches[i].Host)
	n.Branches = slices.Delete(n.Branches, i, i+1)
	if len(n.Branches) == 0 {
		n.Branches = nil
	}
	n.changed = true
}

// unlock forgets a consent to a node that is gone.
func (n *node) unlock(holder protocol.NodeID) {
	if n.Lock.Holder == holder {
		n.Lock = Lock{}
	}
}
