package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Phase is the present part of a node's incarnation.
type Phase uint8

// The phases in the order in which a node goes through them.
const (
	Outside  Phase = iota
	Drawing        // waits for its virtual coordinate to be drawn
	Joining        // has sent a join request
	Member         // owns a zone
	Leaving        // gave its zone away and waits for the last acknowledgements
	Departed       // done: it acknowledges copies of Commit and ignores all else
)

// Stage is the progress of a node's own round.
type Stage uint8

// The stages of a round at its proposer.
const (
	Stable     Stage = iota // not in its own round
	Proposing               // waits for answers
	Granting                // decided; waits for the nodes whose zones grow
	Committing              // waits for all others
)

// Promise binds a node to change nothing until a round of another node is over.
type Promise struct {
	Proposer protocol.NodeID // nobody: no promise
	Round    uint32
	Kind     ChangeKind
	Subject  protocol.NodeID
	Orphan   bool // the proposer failed, and the joiner is asked how the round ended
}

// Change is a node's own round. Waiting are the participants whose answer or acknowledgement is
// missing. Later are the participants that answered YES, during Proposing, and the participants
// that receive Commit afterwards, during Granting.
type Change struct {
	Stage   Stage
	Subject protocol.NodeID
	Waiting []protocol.NodeID
	Later   []protocol.NodeID
	Commit  Commit // the proposal, then the decision
}

// State is one node. It is a value: Step never changes its argument.
type State struct {
	Phase   Phase
	Self    Record          // Zone is empty unless Member
	Contact protocol.NodeID // the member to which join requests go
	Leave   bool            // the application wants to leave
	Round   uint32          // the number of the latest round that it began
	Known   []Record        // the neighbourhood: sorted by ID, without itself
	Dead    []protocol.NodeID
	Promise Promise
	Change  Change
}

// New returns the state of a process before its first incarnation. A space with a virtual dimension
// draws that coordinate later.
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

// Busy reports whether the node is in its own round or holds a promise.
func (s *State) Busy() bool { return s.Change.Stage != Stable || !s.Promise.Proposer.IsNobody() }

// mayReport reports whether answers of the node may show its zone and its neighbours. They may not
// from the decision of a change to the end of the round: the joiner may not have its part yet, and
// may never get it.
func (s *State) mayReport() bool {
	return s.Phase == Member && (s.Change.Stage < Granting || s.Change.Commit.Kind == NoOp)
}

// IsDead reports whether the node remembers the other as departed or failed.
func (s *State) IsDead(id protocol.NodeID) bool { return slices.Contains(s.Dead, id) }

// live returns the known nodes that are not dead.
func (s *State) live() table {
	return table(s.Known).where(func(r Record) bool { return !s.IsDead(r.ID) })
}

// holes returns the known nodes that are dead and whose zones are not taken over completely.
func (s *State) holes() table {
	return table(s.Known).where(func(r Record) bool { return s.IsDead(r.ID) })
}

// Direct returns the live direct neighbours.
func (s *State) Direct() []Record {
	return table(s.Known).where(func(r Record) bool { return s.isDirect(&r) })
}

// isDirect reports whether a known node is a live direct neighbour.
func (s *State) isDirect(r *Record) bool {
	_, adjacent := s.Self.Zone.Abuts(r.Zone)
	return adjacent && !s.IsDead(r.ID)
}

// audience returns the nodes to which updates go: live direct neighbours, and live nodes that this
// node knows across a hole. They need each other to take the hole over, and the node between them,
// which knew both, is gone.
func (s *State) audience() table {
	var holes []space.Zone
	for _, hole := range s.holes() {
		if touches(s.Self.Zone, hole.Zone) {
			holes = append(holes, hole.Zone)
		}
	}
	return s.live().where(func(r Record) bool { return touches(s.Self.Zone, r.Zone) || touchesAny(r.Zone, holes) })
}
