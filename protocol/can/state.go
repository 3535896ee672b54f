package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Phase is where a node stands between outside and member.
type Phase uint8

// The phases in the order in which a node goes through them.
const (
	Outside  Phase = iota
	Drawing        // waits for its virtual coordinate to be drawn
	Joining        // asked to be let in
	Member         // owns a zone
	Leaving        // gave its zone away and waits until everybody knows
	Departed       // done; acknowledges what is repeated to it, and ignores all else
)

// Stage is where a node's own round stands.
type Stage uint8

// The stages of a round at its proposer.
const (
	Stable     Stage = iota // no round of its own
	Proposing               // waits for answers
	Granting                // decided; those whose zones grow are told first
	Committing              // everybody else is told
)

// Promise is a node's word to change nothing until a round of another node is over.
type Promise struct {
	Proposer protocol.NodeID // nobody: no promise
	Round    uint32
	Kind     ChangeKind
	Subject  protocol.NodeID
	Orphan   bool // the proposer failed: the joiner is being asked how the round ended
}

// Change is a node's own round. Waiting are the participants whose answer or acknowledgement is
// missing; Later are, while proposing, those that said YES and, while granting, those to be told
// afterwards.
type Change struct {
	Stage   Stage
	Subject protocol.NodeID
	Waiting []protocol.NodeID
	Later   []protocol.NodeID
	Commit  Commit // what is proposed, then what is decided
}

// State is one node. It is a value: Step never changes one that it was given.
type State struct {
	Phase   Phase
	Self    Record          // Zone is empty unless Member
	Contact protocol.NodeID // whom to ask when joining
	Leave   bool            // the application wants to leave
	Round   uint32          // of the latest round of its own
	Known   []Record        // the neighbourhood: sorted by ID, without itself
	Dead    []protocol.NodeID
	Promise Promise
	Change  Change
}

// New returns the state of a process before its first life. A space with a virtual dimension draws
// that coordinate later.
func New(address protocol.Address, coord space.Point) State {
	return State{Self: Record{ID: protocol.NodeID{Address: address}, Coord: coord}}
}

// clone returns a state that shares no slice which Step changes in place.
func (s State) clone() State {
	s.Known = slices.Clone(s.Known)
	s.Dead = slices.Clone(s.Dead)
	s.Change.Waiting = slices.Clone(s.Change.Waiting)
	s.Change.Later = slices.Clone(s.Change.Later)
	return s
}

// Busy reports whether the node has a round of its own or holds a promise.
func (s *State) Busy() bool { return s.Change.Stage != Stable || !s.Promise.Proposer.IsNobody() }

// tellable reports whether the node may tell others of its zone and its neighbours when it is
// asked: not from when a change is decided until the round is over, since a joiner may not have yet
// what was decided, and may never get it.
func (s *State) tellable() bool {
	return s.Phase == Member && (s.Change.Stage < Granting || s.Change.Commit.Kind == NoOp)
}

// IsDead reports whether the node remembers the other as departed or failed.
func (s *State) IsDead(id protocol.NodeID) bool { return slices.Contains(s.Dead, id) }

// live returns the known nodes that are not dead.
func (s *State) live() table {
	return table(s.Known).where(func(r Record) bool { return !s.IsDead(r.ID) })
}

// holes returns the known nodes that are dead and whose zones nobody has yet taken over completely.
func (s *State) holes() table {
	return table(s.Known).where(func(r Record) bool { return s.IsDead(r.ID) })
}

// Direct returns the live direct neighbours.
func (s *State) Direct() []Record {
	return table(s.Known).where(func(r Record) bool {
		_, adjacent := s.Self.Zone.Abuts(r.Zone)
		return adjacent && !s.IsDead(r.ID)
	})
}

// audience returns those to whom the node's updates go: its live direct neighbours, and the live
// nodes that it knows across a hole. These need it to take the hole over, and who stood between
// them and could have told is gone.
func (s *State) audience() table {
	var holes []space.Zone
	for _, hole := range s.holes() {
		if touches(s.Self.Zone, hole.Zone) {
			holes = append(holes, hole.Zone)
		}
	}
	if holes == nil {
		return s.Direct()
	}
	return s.live().where(func(r Record) bool { return touches(s.Self.Zone, r.Zone) || touchesAny(r.Zone, holes) })
}
