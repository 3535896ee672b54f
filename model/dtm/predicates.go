package dtm

import (
	"iter"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// members goes through the running hosts that are in the tree. A host whose leave is committed is
// out of it.
func members(g *globalState) iter.Seq[*dtm.State] {
	return func(yield func(*dtm.State) bool) {
		for i := range g.Slots {
			if s := &g.Slots[i].State; g.Live(i) && inTree(s) && !yield(s) {
				return
			}
		}
	}
}

func inTree(s *dtm.State) bool {
	return s.Phase == dtm.Member && s.Departure.Stage != dtm.Committed
}

// running returns the state of a node, if that incarnation runs.
func running(g *globalState, id protocol.NodeID) (*dtm.State, bool) {
	if !g.Running(id) {
		return nil, false
	}
	return &g.Slots[id.Address].State, true
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
func acyclic(g *globalState) bool {
	roots := 0
	for s := range members(g) {
		if s.Anchor.IsNobody() {
			roots++
		}
		for steps := 0; !s.Anchor.IsNobody(); steps++ {
			above, runs := running(g, s.Anchor)
			if steps > len(g.Slots) {
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
func held(g *globalState, s *dtm.State) bool {
	anchor, runs := running(g, s.Anchor)
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
func truth(g *globalState, s *dtm.State) (dtm.Label, bool) {
	var label dtm.Label
	for range len(g.Slots) + 1 {
		label = append(label, dtm.Hop{Host: s.ID, At: s.At, Length: s.Length})
		if s.Anchor.IsNobody() {
			return label, true
		}
		anchor, runs := running(g, s.Anchor)
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

// siblingsKnown reports whether a member knows the children of its anchor, and so could find the
// heir.
func siblingsKnown(g *globalState, s *dtm.State) bool {
	anchor, runs := running(g, s.Anchor)
	if !runs {
		return s.Anchor.IsNobody() && s.Siblings == nil
	}
	return slices.Equal(s.Siblings, of(anchor.Branches, func(b dtm.Branch) dtm.Child { return b.Child }))
}

// predicts reports whether the tree predicts the latencies of all pairs of chosen hosts, as far as
// the hosts agree about the tree.
func (o *oracle) predicts(g *globalState, chosen func(*dtm.State) bool) bool {
	var labels []dtm.Label
	for s := range members(g) {
		label, agreed := truth(g, s)
		if !agreed {
			return true
		}
		if chosen(s) {
			labels = append(labels, label)
		}
	}
	for i, a := range labels {
		for _, b := range labels[:i] {
			d, one := dtm.Predict(a, b)
			if !one || d != o.tree.far(int(a[0].Host.Address), int(b[0].Host.Address)) {
				return false
			}
		}
	}
	return true
}

// aggregated reports whether a node has been reported the hosts nearest to it on the side of each
// neighbour.
func (o *oracle) aggregated(g *globalState, s *dtm.State) bool {
	own, _ := truth(g, s)
	for _, l := range s.Links {
		var side []dtm.Label
		for other := range members(g) {
			label, _ := truth(g, other)
			if through(s, label) == l.Peer {
				side = append(side, label)
			}
		}
		if !slices.EqualFunc(l.Heard, nearestOf(own, side, o.near), slices.Equal[dtm.Label]) {
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
func idle(s *dtm.State) bool {
	return s.Phase != dtm.Joining && s.Departure.Stage == dtm.Staying && s.Lock == (dtm.Lock{}) &&
		(s.Phase != dtm.Member || current(s) && s.Former.IsNobody())
}
