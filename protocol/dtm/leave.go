package dtm

import "github.com/canvass-grid/canvass/protocol"

// Segment is where a host is in the tree. The root has no anchor.
type Segment struct {
	Anchor     protocol.NodeID
	At, Length int64 // as in a [Hop]
}

// Child is a host whose anchor is the host in question.
type Child struct {
	Host       protocol.NodeID
	At, Length int64
}

// Heir returns which of the children takes the place of a host that leaves: the one nearest its
// leaf, and among equals the one with the smallest identity. It is -1 if there are no children.
func Heir(children []Child) int {
	heir := -1
	for i := range children {
		if heir < 0 || children[i].At < children[heir].At ||
			children[i].At == children[heir].At && children[i].Host.Compare(children[heir].Host) < 0 {
			heir = i
		}
	}
	return heir
}

// Leave returns the new segments of the children of a host that leaves, one for each child. The
// heir takes what is left of the host's segment, and the other children attach to the heir. No
// prediction among the remaining hosts changes. Children of children keep their segments.
func Leave(own Segment, children []Child) []Segment {
	heir := Heir(children)
	moved := make([]Segment, len(children))
	for i, c := range children {
		h := children[heir]
		moved[i] = Segment{Anchor: h.Host, At: c.At - h.At + h.Length, Length: c.Length}
		if i == heir {
			moved[i] = Segment{Anchor: own.Anchor, At: own.At, Length: own.Length - h.At + h.Length}
		}
	}
	return moved
}
