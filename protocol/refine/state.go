package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// HeadState is the state of a node as a head (figure 5.2).
type HeadState uint8

// The states of a head.
const (
	HeadIdle HeadState = iota // has no first approximation yet
	Collect                   // receives candidates
	Solicit                   // waits for answers
	Filter                    // waits for measurements
	HeadSteady
)

// ClientState is the state of a node as a client (figure 5.1). It is a function of its slots.
type ClientState uint8

// The states of a client.
const (
	ClientIdle ClientState = iota // does not run
	Wait                          // receives suitors
	Measure                       // has accepted a head that has not confirmed
	ClientSteady
)

// Status is the status of a candidate.
type Status uint8

// The statuses of a candidate. Members stay members during later rounds, until one ends without
// them.
const (
	Fresh    Status = iota // to be asked in the next round: new, or worth another try
	Asked                  // has not answered
	Accepted               // answered with ACCEPT
	Denied                 // answered with DENY
	Deferred               // answered with DEFER: asked again later
	Filtered               // accepted, but too far or too many
	Member                 // in the cluster
	Dropped                // in the cluster, but no longer a candidate: out in the next round
)

// Far is the reading of a peer that could not be measured. It exceeds every diameter.
const Far = 1<<32 - 1

// Reading is the latency to a peer; zero means that it is being measured.
type Reading struct {
	Peer   protocol.NodeID
	Micros uint32
}

// Candidate is a node that a head solicits, or has in its cluster.
type Candidate struct {
	ID     protocol.NodeID
	Status Status
	Report []Reading // in FILTER: its measurements
}

// Stage is the stage of a slot.
type Stage uint8

// The stages of a slot. Within a round they only increase.
const (
	Suitor    Stage = iota + 1 // asked, not answered
	Promised                   // was sent ACCEPT
	Committed                  // confirmed
)

// Slot is a client's side of its relation to a head.
type Slot struct {
	Head    protocol.NodeID
	Stage   Stage
	Round   uint32 // of the head, to which the slot belongs
	Ceiling uint32 // Suitor only: how large its cluster can still become
	Sure    uint32 // Suitor only: how many have accepted
	Survey  []Reading

	ClusterRound uint32            // Committed only: the cluster that was confirmed last
	Members      []protocol.NodeID // Committed only: the members that are left of it
}

// State is one node, head and client. It is a value: Step never changes its argument.
type State struct {
	ID       protocol.NodeID
	Departed bool

	Head         HeadState
	Round        uint32      // the number of its latest round as a head
	Again        bool        // all members must be measured again
	Candidates   []Candidate // sorted by ID
	Survey       []Reading   // in FILTER: its own measurements
	ClusterRound uint32      // of the round that found its cluster; 0: no cluster

	Slots []Slot // sorted by Head
}

// New returns the state of a process before its first incarnation.
func New(address protocol.Address) State {
	return State{ID: protocol.NodeID{Address: address}}
}

// clone returns a state that shares no slice that Step changes in place.
func (s State) clone() State {
	s.Candidates = slices.Clone(s.Candidates)
	s.Survey = slices.Clone(s.Survey)
	s.Slots = slices.Clone(s.Slots)
	for i := range s.Slots {
		s.Slots[i].Survey = slices.Clone(s.Slots[i].Survey)
	}
	return s
}

func (s *State) isRunning() bool { return s.ID.Incarnation > 0 && !s.Departed }

// Client returns the node's state as a client.
func (s *State) Client() ClientState {
	switch {
	case !s.isRunning():
		return ClientIdle
	case s.slotsIn(Suitor) > 0:
		return Wait
	case s.slotsIn(Promised) > 0:
		return Measure
	case s.slotsIn(Committed) > 0:
		return ClientSteady
	}
	return Wait
}

// slotsIn counts the slots of a stage.
func (s *State) slotsIn(stage Stage) int {
	count := 0
	for i := range s.Slots {
		if s.Slots[i].Stage == stage {
			count++
		}
	}
	return count
}

// having counts the candidates of a status.
func (s *State) having(status Status) int {
	count := 0
	for i := range s.Candidates {
		if s.Candidates[i].Status == status {
			count++
		}
	}
	return count
}

// slot finds the index of a head's slot.
func (s *State) slot(head protocol.NodeID) (int, bool) {
	return slices.BinarySearchFunc(s.Slots, head, func(t Slot, id protocol.NodeID) int { return t.Head.Compare(id) })
}

// candidate finds the index of a candidate.
func (s *State) candidate(id protocol.NodeID) (int, bool) {
	return slices.BinarySearchFunc(s.Candidates, id, func(c Candidate, id protocol.NodeID) int { return c.ID.Compare(id) })
}

// size is the number of members of the node's own cluster, itself included.
func (s *State) size() int { return 1 + s.having(Member) + s.having(Dropped) }

func (c *Candidate) isInCluster() bool { return c.Status == Member || c.Status == Dropped }

// takesPart reports whether a candidate takes part in a filtering that begins now.
func (c *Candidate) takesPart() bool { return c.Status == Accepted || c.Status == Member }

// measures reports whether a candidate takes part in the present filtering. A candidate that was
// restored meanwhile does not: the list did not name it.
func (s *State) measures(c *Candidate) bool {
	return c.takesPart() && slices.ContainsFunc(s.Survey, func(r Reading) bool { return r.Peer == c.ID })
}

// among returns this node and the selected candidates, sorted.
func (s *State) among(which func(*Candidate) bool) []protocol.NodeID {
	ids := []protocol.NodeID{s.ID}
	for i := range s.Candidates {
		if c := &s.Candidates[i]; which(c) {
			ids = append(ids, c.ID)
		}
	}
	slices.SortFunc(ids, protocol.NodeID.Compare)
	return ids
}
