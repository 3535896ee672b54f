package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Phase is the phase of a node between outside and departed.
type Phase uint8

// The phases in the order in which a node goes through them.
const (
	Outside  Phase = iota
	Joining        // asked to be let in
	Member         // owns a zone
	Departed       // has left; ignores everything
)

// String names the phase.
func (p Phase) String() string {
	switch p {
	case Outside:
		return "outside"
	case Joining:
		return "joining"
	case Member:
		return "member"
	case Departed:
		return "departed"
	}
	return "invalid"
}

// Reply is node_L[L].reply[From].
type Reply struct {
	From   protocol.NodeID
	Answer Answer
}

// Tombstone is the record of a recently departed neighbour: its deletion instance is the instance
// number under which it was known when it was deleted.
type Tombstone struct {
	ID       protocol.NodeID
	Instance uint32
}

// State is one node, L or R as the case may be. It is a value: Step never changes its argument.
type State struct {
	Phase   Phase
	Contact protocol.NodeID // the node to ask when joining
	Leave   bool            // the application wants to leave

	Self    Entry   // node_L[L]: coordinate, zone, split list, instance, state
	Gamma   Gamma   // node_L[L].γ
	Replies []Reply // node_L[L].reply, by identity, as of the latest request

	Nodes []Entry     // node_L[Q] for all other Q, by identity
	Gone  []Tombstone // the recently departed, the oldest first
}

// New returns the state of a process before its first incarnation.
func New(address protocol.Address, coord space.Point) State {
	return State{Self: Entry{Record: Record{ID: protocol.NodeID{Address: address}, Coord: coord}}}
}

// clone returns a state that shares no slice that Step changes in place.
func (s State) clone() State {
	s.Replies = slices.Clone(s.Replies)
	s.Nodes = slices.Clone(s.Nodes)
	s.Gone = slices.Clone(s.Gone)
	return s
}

// ID is the identity of the node.
func (s *State) ID() protocol.NodeID { return s.Self.ID }

// IsMember reports whether the node owns a zone.
func (s *State) IsMember() bool { return s.Phase == Member }

// Coord is the node's coordinate.
func (s *State) Coord() space.Point { return s.Self.Coord }

// Zone is the node's zone; empty unless it is a member.
func (s *State) Zone() space.Zone { return s.Self.Zone }

// Known returns the node's neighbourhood, direct and indirect, in its own view.
func (s *State) Known() []Record { return table(s.Nodes).records() }

// Direct returns the direct neighbours that the node believes in.
func (s *State) Direct() []Record { return adjacent(s.Self.Zone, s.Known()) }

// Busy reports whether the state of any node, its own included, is not STABLE for the node.
func (s *State) Busy() bool {
	return s.Self.Status != Stable ||
		slices.ContainsFunc(s.Nodes, func(e Entry) bool { return e.Status != Stable })
}

// Participants returns the nodes that were asked in the open request, if there is one.
func (s *State) Participants() []protocol.NodeID {
	if s.Self.Status == Stable {
		return nil
	}
	return s.asked()
}

// asked returns the nodes that were asked in the latest request, which may be over.
func (s *State) asked() []protocol.NodeID {
	var out []protocol.NodeID
	for _, r := range s.Replies {
		if r.From != s.Self.ID {
			out = append(out, r.From)
		}
	}
	return out
}

// reply returns node_L[L].reply[q], which is UNDEF for a node that was never asked.
func (s *State) reply(q protocol.NodeID) Answer {
	if i, ok := s.findReply(q); ok {
		return s.Replies[i].Answer
	}
	return Undef
}

func (s *State) findReply(q protocol.NodeID) (int, bool) {
	return slices.BinarySearchFunc(s.Replies, q, func(r Reply, q protocol.NodeID) int { return r.From.Compare(q) })
}

// subject is the node that a command is about: the joiner of a SPLIT, else the node itself.
func (s *State) subject(g Gamma) protocol.NodeID {
	if g.Kind == Split {
		return g.Joiner
	}
	return s.Self.ID
}
