package dtm

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Phase is a node's relation to the tree.
type Phase uint8

// The phases of a node.
const (
	Outside Phase = iota
	Joining
	Member
	Departed
)

// LeaveStage is how far a leave has come.
type LeaveStage uint8

// The stages of a leave.
const (
	Staying   LeaveStage = iota
	Wanting              // asks as soon as nothing prevents it
	Asking               // its neighbours are asked for their consent
	Resting              // a neighbour objected: it asks again later
	Committed            // all have consented; it is out of the tree when all know
)

// Departure is a node's own leave.
type Departure struct {
	Stage   LeaveStage
	Round   uint32            // of the latest attempt
	Waiting []protocol.NodeID // Asking: for their consent; Committed: for their acknowledgement; sorted
}

// Lock is the consent that a node has given. Holder is zero if there is none.
type Lock struct {
	Holder protocol.NodeID
	Round  uint32
}

// Branch is a child in the view of its anchor.
type Branch struct {
	Child
	Acked uint32 // the latest position that it has acknowledged
	Gone  bool   // it has failed; its place is kept for its heir
}

// Link has the reports of a node and a neighbour in the tree to each other about near hosts.
type Link struct {
	Peer         protocol.NodeID
	Heard        []Label
	HeardVersion uint32
	Sent         []Label
	SentVersion  uint32
	Acked        bool // the peer has acknowledged what was sent
}

// State is one node. It is a value: Step never changes its argument.
type State struct {
	ID        protocol.NodeID
	Phase     Phase
	Search    Search // Joining only
	Departure Departure

	// The rest is that of a member. The root has no anchor.
	Segment
	Above    Label           // the anchor's label
	Siblings []Child         // the anchor's children, the node among them, sorted by host
	Heard    uint32          // the version of the anchor's position; 0: it has not arrived
	Former   protocol.NodeID // the anchor whose place the node has taken and claims; zero: no claim
	Version  uint32          // of the node's position: its label and children
	Branches []Branch        // sorted by host
	Lock     Lock
	Links    []Link // sorted by peer
}

// New returns the state of a process before its first incarnation.
func New(address protocol.Address) State { return State{ID: protocol.NodeID{Address: address}} }

// Label returns the node's label, for a member.
func (s *State) Label() Label {
	return append(Label{{Host: s.ID, At: s.At, Length: s.Length}}, s.Above...)
}

// Children returns the children that run, as far as the node knows.
func (s *State) Children() []Child {
	var all []Child
	for _, b := range s.Branches {
		if !b.Gone {
			all = append(all, b.Child)
		}
	}
	return all
}

// Near returns the hosts that were reported as near through a neighbour in the tree, nearest first.
func (s *State) Near(neighbour protocol.NodeID) []Label {
	if i, ok := s.link(neighbour); ok {
		return s.Links[i].Heard
	}
	return nil
}

// settled reports whether the node has its anchor's position, or is the root.
func (s *State) settled() bool { return s.Anchor.IsNobody() || s.Heard > 0 }

// clone returns a state that shares no slice that Step changes in place.
func (s State) clone() State {
	s.Search = s.Search.clone()
	s.Departure.Waiting = slices.Clone(s.Departure.Waiting)
	s.Branches = slices.Clone(s.Branches)
	s.Links = slices.Clone(s.Links)
	return s
}

func (s *State) branch(id protocol.NodeID) (int, bool) {
	return slices.BinarySearchFunc(s.Branches, id, func(b Branch, id protocol.NodeID) int { return b.Host.Compare(id) })
}

func (s *State) link(peer protocol.NodeID) (int, bool) {
	return slices.BinarySearchFunc(s.Links, peer, func(l Link, id protocol.NodeID) int { return l.Peer.Compare(id) })
}

// neighbours returns the anchor and the children that run, sorted. A host that lies can be both.
func (s *State) neighbours() []protocol.NodeID {
	var ids []protocol.NodeID
	if !s.Anchor.IsNobody() {
		ids = append(ids, s.Anchor)
	}
	for _, b := range s.Branches {
		if !b.Gone {
			ids = append(ids, b.Host)
		}
	}
	slices.SortFunc(ids, protocol.NodeID.Compare)
	return slices.Compact(ids)
}

// children returns all children as a position lists them.
func (s *State) children() []Child {
	var all []Child
	for _, b := range s.Branches {
		all = append(all, b.Child)
	}
	return all
}

// without returns a list without an identity; nil if nothing is left.
func without(ids []protocol.NodeID, id protocol.NodeID) []protocol.NodeID {
	ids = slices.DeleteFunc(ids, func(other protocol.NodeID) bool { return other == id })
	if len(ids) == 0 {
		return nil
	}
	return ids
}
