package dtm

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// mostHops bounds the length of a label, so that sums of lengths fit.
const mostHops = 1 << 9

// ask asks for the place that the search has found. The version is that of the view by which the
// search considered the anchor's children. So of two hosts that find the same place at once, the
// second is refused, and considers the first.
func (n joiner) ask(j *Join) {
	s := &n.Search
	if j.Known().Len() == 0 {
		n.rest()
		return
	}
	place, _ := j.Place()
	anchor := place.On.Label[0].Host
	seen := -1
	for i, a := range s.Answers {
		if a.Kind == AnswerView && a.View.Label[0].Host == anchor {
			seen = i
		}
	}
	switch {
	case seen < 0:
		s.Look = anchor
		n.send(anchor, Look{})
	case !slices.Equal(s.Answers[seen].View.Label, place.On.Label):
		n.rest() // the labels are of different times
	default:
		s.Anchor = anchor
		s.Asked = Attach{Version: s.Answers[seen].Version, At: place.On.At, Length: place.Length}
		n.send(anchor, s.Asked)
	}
}

// onAttach takes a child, if nothing has changed that could have led it to another place.
func (n *node) onAttach(from protocol.NodeID, m Attach) {
	i, known := n.branch(from)
	switch {
	case known && n.Branches[i].At == m.At && n.Branches[i].Length == m.Length:
		n.send(from, n.position())
	case m.Version != n.Version, n.Departure.Stage == Asking, n.Departure.Stage == Committed, known, from == n.ID,
		slices.ContainsFunc(n.Branches, func(b Branch) bool { return b.Gone }),
		len(n.Branches) >= n.cfg.ChildLimit, len(n.Above)+2 > mostHops,
		m.At < 0 || m.At > n.Length || m.Length < 0 || m.Length > maxLength:
		n.send(from, Refuse{Version: m.Version})
	default:
		child := Child{Host: from, At: m.At, Length: m.Length}
		n.Branches = slices.Insert(n.Branches, i, Branch{Child: child})
		n.changed = true
		n.Event(EventAttach, from, 0, "")
	}
}

// onRefuse tries again later.
func (n joiner) onRefuse(from protocol.NodeID, m Refuse) {
	if n.Search.Anchor != from || n.Search.Asked.Version != m.Version {
		n.Ignore(from, "no such request")
		return
	}
	n.Event(EventRefused, from, m.Version, "")
	n.rest()
}

// onAttached makes the host a member. Its segment is the requested one.
func (n joiner) onAttached(from protocol.NodeID, m Position) {
	s := &n.Search
	if s.Anchor != from {
		n.Ignore(from, "not the anchor")
		return
	}
	n.Segment = Segment{Anchor: from, At: s.Asked.At, Length: s.Asked.Length}
	n.Phase, n.Search, n.Version = Member, Search{}, 1
	n.Event(EventJoined, from, 0, "")
	n.onPosition(from, m)
}

// position is the node's description for its children.
func (n *node) position() Position {
	return Position{Version: n.Version, Label: n.Label(), Children: n.children()}
}

// onPosition takes the anchor's label and children. If the label has changed, so has the node's.
func (n *node) onPosition(from protocol.NodeID, m Position) {
	listed := slices.ContainsFunc(m.Children, func(c Child) bool { return c.Host == n.ID })
	if from != n.Anchor || !listed || len(m.Label) == 0 || m.Label[0].Host != from || m.Version < n.Heard {
		n.Ignore(from, "not the position of the anchor, or an old one")
		return
	}
	n.send(from, PositionOK{Version: m.Version})
	if m.Version == n.Heard {
		return
	}
	n.changed = n.changed || !slices.Equal(n.Above, m.Label)
	n.Heard, n.Above, n.Siblings, n.Former = m.Version, m.Label, m.Children, protocol.NodeID{}
}

// onPositionOK notes what a child knows.
func (n *node) onPositionOK(from protocol.NodeID, m PositionOK) {
	i, known := n.branch(from)
	if !known || m.Version <= n.Branches[i].Acked || m.Version > n.Version {
		n.Ignore(from, "nothing to acknowledge")
		return
	}
	n.Branches[i].Acked = m.Version
}
