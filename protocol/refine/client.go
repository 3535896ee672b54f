package refine

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// client is a node as a client in the clusters of others. It owns Slots in the state.
type client struct{ *node }

// onSolicitation is Algorithm 3: the head becomes a suitor. If there are too many suitors, the
// client turns the least desirable one down.
func (n client) onSolicitation(from protocol.NodeID, m Solicitation) {
	i, known := n.slot(from)
	if known {
		if m.Round <= n.Slots[i].Round {
			n.Ignore(from, "known")
			return
		}
		n.release(i, "asked anew")
	}
	places := n.cfg.MembershipBound - 1 - n.slotsIn(Promised) - n.slotsIn(Committed)
	suitor := Slot{Head: from, Stage: Suitor, Round: m.Round, Ceiling: m.Ceiling, Sure: m.Sure}
	n.Slots = slices.Insert(n.Slots, i, suitor)
	if n.slotsIn(Suitor) > places {
		n.turnDown(n.leastDesirable(i))
		return
	}
	// Only a new suitor restarts the timer, which happens at most once for each place. A head that
	// asks again, in a later round, has its place.
	if !known {
		n.restartTimer(protocol.Timer{Kind: WaitTimer})
	}
}

// leastDesirable returns the suitor to turn down, given the latest one.
func (n client) leastDesirable(last int) int {
	if n.cfg.Criterion == FirstCome {
		return last
	}
	worst := last
	for i := range n.Slots {
		if n.Slots[i].Stage == Suitor && n.compareSuitors(&n.Slots[i], &n.Slots[worst]) > 0 {
			worst = i
		}
	}
	return worst
}

// compareSuitors compares suitors; the most desirable one comes first.
func (n client) compareSuitors(a, b *Slot) int {
	if n.cfg.Criterion == Greedy {
		if c := cmp.Or(cmp.Compare(b.Ceiling, a.Ceiling), cmp.Compare(b.Sure, a.Sure)); c != 0 {
			return c
		}
	}
	return byHash(a.Head, b.Head)
}

// turnDown denies a suitor if all places are committed. Otherwise it defers the suitor: a head that
// has not confirmed may still filter this node out, and then a place becomes free.
func (n client) turnDown(i int) {
	t := n.Slots[i]
	n.Slots = slices.Delete(n.Slots, i, i+1)
	if n.slotsIn(Committed) < n.cfg.MembershipBound-1 {
		n.Event(EventDefer, t.Head, t.Round, "")
		n.send(t.Head, Defer{Round: t.Round})
		return
	}
	n.Event(EventDeny, t.Head, t.Round, "")
	n.send(t.Head, Deny{Round: t.Round})
}

// onUpdate records a head's prospects. Within a round ceilings only fall and the number of sure
// members only grows, so the order of arrival makes no difference.
func (n client) onUpdate(from protocol.NodeID, m Update) {
	i, ok := n.slot(from)
	if !ok || n.Slots[i].Stage != Suitor || n.Slots[i].Round != m.Round {
		n.Ignore(from, "no suitor")
		return
	}
	t := &n.Slots[i]
	t.Ceiling, t.Sure = min(t.Ceiling, m.Ceiling), max(t.Sure, m.Sure)
}

// acceptSuitors accepts all suitors: no new one has come for some time.
func (n client) acceptSuitors() {
	for i := range n.Slots {
		if t := &n.Slots[i]; t.Stage == Suitor {
			*t = Slot{Head: t.Head, Stage: Promised, Round: t.Round}
			n.Event(EventAccept, t.Head, t.Round, "")
			n.send(t.Head, Accept{Round: t.Round})
		}
	}
}

// onList begins to measure the unfiltered cluster for a head. If it is measured, it sends the
// report again.
func (n client) onList(from protocol.NodeID, m List) {
	i, ok := n.heldSlot(from, m.Round)
	if !ok {
		return
	}
	t := &n.Slots[i]
	switch {
	case !slices.Contains(m.Members, n.ID) || !slices.Contains(m.Members, from) || len(m.Members) > 1+n.cfg.CandidateLimit:
		n.Ignore(from, "no list of this node")
	case m.Round < t.Round || m.Round == t.ClusterRound:
		n.Ignore(from, "a round that is over")
	case len(t.Survey) == 0 || m.Round > t.Round:
		t.Round = m.Round
		t.Survey = n.beginSurvey(m.Members)
	case complete(t.Survey):
		n.send(from, Report{Round: t.Round, Readings: t.Survey})
	default:
		n.Ignore(from, "known")
	}
}

// heldSlot returns the slot of a head that counts on this node. Without a slot the node answers
// Leave.
func (n client) heldSlot(from protocol.NodeID, round uint32) (int, bool) {
	i, ok := n.slot(from)
	switch {
	case !ok:
		n.send(from, Leave{Round: round})
		return 0, false
	case n.Slots[i].Stage == Suitor:
		n.Ignore(from, "not accepted")
		return 0, false
	}
	return i, true
}

// onConfirm commits the node to a head's cluster, or removes the members that the cluster has lost.
func (n client) onConfirm(from protocol.NodeID, m Confirm) {
	i, ok := n.heldSlot(from, m.Round)
	if !ok {
		return
	}
	t := &n.Slots[i]
	switch {
	case !slices.Contains(m.Members, n.ID) || !slices.Contains(m.Members, from) || len(m.Members) > n.cfg.SizeBound:
		n.Ignore(from, "no cluster of this node")
	case m.Round == t.ClusterRound:
		// Within a round a cluster only shrinks, so confirmations may arrive in any order.
		t.Members = intersection(t.Members, m.Members)
	case m.Round == t.Round && len(t.Survey) > 0 && complete(t.Survey):
		*t = Slot{Head: from, Stage: Committed, Round: m.Round, ClusterRound: m.Round, Members: m.Members}
		n.Event(EventCommitted, from, m.Round, "")
	default:
		n.Ignore(from, "a round that is over")
	}
}

func intersection(a, b []protocol.NodeID) []protocol.NodeID {
	var both []protocol.NodeID
	for _, id := range a {
		if slices.Contains(b, id) {
			both = append(both, id)
		}
	}
	return both
}

// onDismiss frees the place of a head.
func (n client) onDismiss(from protocol.NodeID, m Dismiss) {
	i, ok := n.slot(from)
	if !ok || m.Round < n.Slots[i].Round {
		n.Ignore(from, "no place")
		return
	}
	n.release(i, "dismissed")
}

// release deletes the slot of a head.
func (n client) release(i int, why string) {
	t := &n.Slots[i]
	if t.Stage == Committed {
		n.Event(EventReleased, t.Head, t.ClusterRound, why)
	}
	n.Slots = slices.Delete(n.Slots, i, i+1)
}
