package dtm

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// leaver is a node that wants to leave. It owns Departure in the state.
type leaver struct{ *node }

// isReady reports whether nothing prevents a leave: the node has given no consent, and all its
// children can act alike.
func (n leaver) isReady() bool {
	behind := func(b Branch) bool { return b.Gone || b.Acked != n.Version }
	return n.Phase == Member && n.settled() && n.Lock.Holder.IsNobody() && !slices.ContainsFunc(n.Branches, behind)
}

// goOn makes the transitions of the node's own leave that need no further input.
func (n leaver) goOn() {
	d := &n.Departure
	if d.Stage == Wanting && n.isReady() {
		d.Stage, d.Waiting = Asking, n.neighbours()
		d.Round++
		n.Event(EventAsks, protocol.NodeID{}, d.Round, "")
		n.sendWaiting(Leaving{Round: d.Round})
	}
	if d.Stage == Asking && len(d.Waiting) == 0 && n.isReady() {
		d.Stage, d.Waiting = Committed, nil
		for _, b := range n.Branches {
			d.Waiting = append(d.Waiting, b.Host)
		}
		if len(d.Waiting) == 0 && !n.Anchor.IsNobody() {
			d.Waiting = []protocol.NodeID{n.Anchor}
		}
		n.Event(EventCommit, protocol.NodeID{}, d.Round, "")
		n.sendWaiting(Left{Round: d.Round})
	}
	if d.Stage == Committed && len(d.Waiting) == 0 {
		n.depart()
	}
}

// sendWaiting sends a message to all that the leave waits for.
func (n leaver) sendWaiting(m Message) {
	for _, id := range n.Departure.Waiting {
		n.send(id, m)
	}
}

func (n *node) depart() {
	n.State = State{ID: n.ID, Phase: Departed}
	n.Event(EventLeft, protocol.NodeID{}, 0, "")
}

// onLeaving answers a neighbour that wants to leave. A node that has consented to another, or that
// leaves itself, objects. If both ask each other, the smaller identity goes on.
func (n *node) onLeaving(from protocol.NodeID, m Leaving) {
	if n.Departure.Stage == Asking && from.Compare(n.ID) < 0 {
		n.asLeaver().abort()
	}
	leaves := n.Departure.Stage == Asking || n.Departure.Stage == Committed
	free := n.Lock.Holder.IsNobody() || n.Lock.Holder == from && n.Lock.Round <= m.Round
	if leaves || !free || !slices.Contains(n.neighbours(), from) {
		n.send(from, Object{Round: m.Round})
		return
	}
	n.Lock = Lock{Holder: from, Round: m.Round}
	n.send(from, Consent{Round: m.Round})
}

// onConsent counts a consent. One of a round that has ended is released: the message that ended the
// round may be lost, or this one is late.
func (n leaver) onConsent(from protocol.NodeID, m Consent) {
	d := &n.Departure
	switch {
	case d.Stage == Asking && m.Round == d.Round:
		d.Waiting = without(d.Waiting, from)
	case d.Stage == Committed && m.Round == d.Round:
		if slices.Contains(d.Waiting, from) {
			n.send(from, Left{Round: d.Round})
		}
	default:
		n.send(from, Release{Round: m.Round})
	}
}

// onObject gives the round up.
func (n leaver) onObject(from protocol.NodeID, m Object) {
	if n.Departure.Stage != Asking || m.Round != n.Departure.Round {
		n.Ignore(from, "no such round")
		return
	}
	n.abort()
}

// abort ends a round without leaving. It tries again later.
func (n leaver) abort() {
	d := &n.Departure
	for _, id := range n.neighbours() {
		n.send(id, Release{Round: d.Round})
	}
	d.Stage, d.Waiting = Resting, nil
	n.Event(EventAborts, protocol.NodeID{}, d.Round, "")
}

// onRelease takes the consent back.
func (n *node) onRelease(from protocol.NodeID, m Release) {
	if n.Lock != (Lock{Holder: from, Round: m.Round}) {
		n.Ignore(from, "no consent of this round")
		return
	}
	n.Lock = Lock{}
}

// onRetry ends the rest after a refusal.
func (n *node) onRetry() {
	if n.Phase == Joining && n.Search.isResting() {
		n.asJoiner().again()
	}
	if n.Departure.Stage == Resting {
		n.Departure.Stage = Wanting
	}
}

// onLeft notes that a neighbour has left the tree.
func (n *node) onLeft(from protocol.NodeID, m Left) {
	if i, known := n.branch(from); known {
		n.prune(i)
	} else if from == n.Anchor && n.Heard > 0 {
		n.succeed("left")
	}
	n.send(from, LeftOK{Round: m.Round})
}

// onLeftOK records a neighbour that acknowledged that the node is out of the tree.
func (n leaver) onLeftOK(from protocol.NodeID, m LeftOK) {
	d := &n.Departure
	if d.Stage != Committed || m.Round != d.Round {
		n.Ignore(from, "no such round")
		return
	}
	d.Waiting = without(d.Waiting, from)
}
