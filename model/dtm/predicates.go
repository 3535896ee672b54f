package dtm

import (
	"iter"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// Hosts are the hosts of a tree, by address. The predicates see no more than that, so that the
// checker and the simulator check the same.
type Hosts interface {
	Len() int
	Live(node int) bool
	State(node int) *dtm.State // of a host that is live
	Running(id protocol.NodeID) bool
}

// checked are the hosts of a global state.
type checked struct{ *globalState }

// Len implements [Hosts].
func (h checked) Len() int { return len(h.Slots) }

// State implements [Hosts].
func (h checked) State(node int) *dtm.State { return &h.Slots[node].State }

// live goes through the hosts that run.
func live(h Hosts) iter.Seq[*dtm.State] {
	return func(yield func(*dtm.State) bool) {
		for i := range h.Len() {
			if h.Live(i) && !yield(h.State(i)) {
				return
			}
		}
	}
}

// members goes through the running hosts that are in the tree. A host whose leave is committed is
// out of it.
func members(h Hosts) iter.Seq[*dtm.State] {
	return func(yield func(*dtm.State) bool) {
		for s := range live(h) {
			if inTree(s) && !yield(s) {
				return
			}
		}
	}
}

func inTree(s *dtm.State) bool {
	return s.Phase == dtm.Member && s.Departure.Stage != dtm.Committed
}

// running returns the state of a node, if that incarnation runs.
func running(h Hosts, id protocol.NodeID) (*dtm.State, bool) {
	if !h.Running(id) {
		return nil, false
	}
	return h.State(int(id.Address)), true
}

// listed reports whether a node lists another as its child.
func listed(anchor *dtm.State, child protocol.NodeID) (dtm.Branch, bool) {
	i := slices.IndexFunc(anchor.Branches, func(b dtm.Branch) bool { return b.Host == child })
	if i < 0 {
		return dtm.Branch{}, false
	}
	return anchor.Branches[i], true
}

// acyclic reports whether the anchors of all members lead to a root, as far as they run, and no two
// members are roots.
func acyclic(h Hosts) bool {
	roots := 0
	for s := range members(h) {
		if s.Anchor.IsNobody() {
			roots++
		}
		for steps := 0; !s.Anchor.IsNobody(); steps++ {
			above, runs := running(h, s.Anchor)
			if steps > h.Len() {
				return false
			}
			if !runs {
				break
			}
			s = above
		}
	}
	return roots <= 1
}

// held reports whether a member is in the list of its anchor, or is about to be: it claims the
// place of a child of the anchor, or the anchor is its former sibling and yet to become the heir.
func held(h Hosts, s *dtm.State) bool {
	anchor, runs := running(h, s.Anchor)
	if !runs {
		return true
	}
	b, known := listed(anchor, s.ID)
	switch {
	case known:
		return b.At == s.At && b.Length == s.Length
	case !s.Former.IsNobody():
		_, waits := listed(anchor, s.Former)
		return waits
	}
	return s.Heard == 0 && slices.ContainsFunc(anchor.Siblings, func(c dtm.Child) bool { return c.Host == s.ID })
}

// placed reports whether the children of a node are on its segment.
func placed(s *dtm.State) bool {
	return !slices.ContainsFunc(s.Branches, func(b dtm.Branch) bool { return b.At < 0 || b.At > s.Length || b.Length < 0 })
}

// truth returns the path of a member to the root along the segments that the hosts hold, if they
// agree with their anchors about them.
func truth(h Hosts, s *dtm.State) (dtm.Label, bool) {
	var label dtm.Label
	for range h.Len() + 1 {
		label = append(label, dtm.Hop{Host: s.ID, At: s.At, Length: s.Length})
		if s.Anchor.IsNobody() {
			return label, true
		}
		anchor, runs := running(h, s.Anchor)
		if !runs || !inTree(anchor) {
			return nil, false
		}
		if b, known := listed(anchor, s.ID); !known || b.At != s.At || b.Length != s.Length {
			return nil, false
		}
		s = anchor
	}
	return nil, false
}

// labelTrue reports whether the label of a member is its path to the root.
func labelTrue(h Hosts, s *dtm.State) bool {
	label, agreed := truth(h, s)
	return agreed && slices.Equal(label, s.Label())
}

// siblingsKnown reports whether a member has the children of its anchor, and so could find the
// heir.
func siblingsKnown(h Hosts, s *dtm.State) bool {
	anchor, runs := running(h, s.Anchor)
	if !runs {
		return s.Anchor.IsNobody() && s.Siblings == nil
	}
	return slices.Equal(s.Siblings, of(anchor.Branches, func(b dtm.Branch) dtm.Child { return b.Child }))
}

// Predictions calls visit with the prediction for each pair of chosen members, as long as visit
// returns true. One is false where the two are not in one tree. It calls visit for no pair while a
// member and its anchor do not agree about the tree.
func Predictions(
	h Hosts, chosen func(*dtm.State) bool, visit func(a, b protocol.NodeID, micros int64, one bool) bool,
) {
	var labels []dtm.Label
	for s := range members(h) {
		label, agreed := truth(h, s)
		if !agreed {
			return
		}
		if chosen(s) {
			labels = append(labels, label)
		}
	}
	for i, a := range labels {
		for _, b := range labels[:i] {
			if micros, one := dtm.Predict(a, b); !visit(a[0].Host, b[0].Host, micros, one) {
				return
			}
		}
	}
}

// predicts reports whether the tree predicts the latencies of all pairs of chosen hosts, as far as
// the hosts agree about the tree.
func (o *oracle) predicts(h Hosts, chosen func(*dtm.State) bool) bool {
	right := true
	Predictions(h, chosen, func(a, b protocol.NodeID, micros int64, one bool) bool {
		right = one && micros == o.tree.far(int(a.Address), int(b.Address))
		return right
	})
	return right
}

// aggregated reports whether a node has been reported the hosts nearest to it on the side of each
// neighbour.
func aggregated(h Hosts, s *dtm.State, near int) bool {
	own, _ := truth(h, s)
	for _, l := range s.Links {
		var side []dtm.Label
		for other := range members(h) {
			label, _ := truth(h, other)
			if through(s, label) == l.Peer {
				side = append(side, label)
			}
		}
		if !slices.EqualFunc(l.Heard, nearestOf(own, side, near), slices.Equal[dtm.Label]) {
			return false
		}
	}
	return true
}

// through returns the neighbour of a node through which it reaches the host of a label.
func through(s *dtm.State, label dtm.Label) protocol.NodeID {
	for i, h := range label {
		if h.Host == s.ID && i > 0 {
			return label[i-1].Host
		}
		if h.Host == s.ID {
			return protocol.NodeID{}
		}
	}
	return s.Anchor
}

// nearestOf sorts all hosts by their latency and identity, and returns the first.
func nearestOf(own dtm.Label, all []dtm.Label, most int) []dtm.Label {
	slices.SortFunc(all, func(a, b dtm.Label) int {
		x, _ := dtm.Predict(own, a)
		y, _ := dtm.Predict(own, b)
		if x != y {
			return int(x - y)
		}
		return a[0].Host.Compare(b[0].Host)
	})
	return all[:min(len(all), most)]
}

// idle reports whether nothing is in progress at a node.
func idle(s *dtm.State) bool { return s.Phase != dtm.Joining && still(s) }

// still reports whether a host takes part in no leave and in no healing.
func still(s *dtm.State) bool {
	return s.Departure.Stage == dtm.Staying && s.Lock == (dtm.Lock{}) &&
		(s.Phase != dtm.Member || current(s) && s.Former.IsNobody())
}

// Still reports whether a host takes part in no leave and no healing, and all its neighbours run.
func Still(s *dtm.State, running func(protocol.NodeID) bool) bool {
	gone := func(b dtm.Branch) bool { return !running(b.Host) }
	return still(s) && (s.Phase != dtm.Member || (s.Anchor.IsNobody() || running(s.Anchor)) &&
		!slices.ContainsFunc(s.Branches, gone))
}

// Awaits reports whether a host has yet to take or claim the place of a failed one.
func Awaits(s *dtm.State, failed protocol.NodeID) bool {
	return s.Anchor == failed || s.Former == failed
}

// Broken returns the property of all states that a host breaks, or "".
func Broken(s *dtm.State) string {
	if !placed(s) {
		return place.name
	}
	return ""
}

// Unsettled returns a property of quiescent states that does not hold yet, and the host that breaks
// it, or "". Near is the number of hosts that each host reports to a neighbour.
func Unsettled(h Hosts, near int) (property string, at protocol.NodeID) {
	for s := range live(h) {
		for _, r := range settled {
			if !r.holds(h, s) {
				return r.name, s.ID
			}
		}
	}
	if !acyclic(h) {
		return oneRoot.name, at
	}
	for s := range members(h) {
		if !aggregated(h, s, near) {
			return nearKnown.name, s.ID
		}
	}
	return "", at
}
