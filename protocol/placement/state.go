package placement

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// State is the state of a node: the jobs that it decides about. It is a value: Step never changes
// the state that it is given.
type State struct {
	Self   protocol.NodeID
	Turns  uint32 // the number of jobs that may wait in the grid at once
	Ticket uint32 // the latest that was given
	Round  uint32 // grows with each job that comes back from a search in vain: see before
	Jobs   []Job  // sorted by number
}

// Job is a job about which this node decides.
type Job struct {
	Number   uint32
	Try      uint32 // the latest that was wanted
	Stamp    uint64
	Phase    Phase
	Ticket   uint32          // of its submission; 0: none
	Owner    protocol.NodeID // of its submission, once it is known
	Searches uint8           // in vain, of this try; counted until the pause is at its limit
	Rest     uint32          // ticks of its pause, while it rests
	Round    uint32          // in which it began to wait, while it waits for its turn
}

// Phase says in whose hands a job is.
type Phase uint8

// The phases of a job.
const (
	Waiting Phase = iota + 1 // for its turn
	Placed                   // submitted: the grid looks for an owner, or the owner has it
	Resting                  // until its timer ends
	Running                  // an attempt has the permit
	Stopped                  // it wants no attempt
)

// New returns the state of a node that decides about no job.
func New(self protocol.NodeID) State { return State{Self: self} }

// clone returns a state that shares no slice that Step changes in place.
func (s State) clone() State {
	s.Jobs = slices.Clone(s.Jobs)
	return s
}

// Job returns a job by its number, or nil. It must not be modified.
func (s *State) Job(number uint32) *Job {
	i, found := s.find(number)
	if !found {
		return nil
	}
	return &s.Jobs[i]
}

func (s *State) find(number uint32) (int, bool) {
	return slices.BinarySearchFunc(s.Jobs, number, func(j Job, n uint32) int { return cmp.Compare(j.Number, n) })
}

// Of returns the job with a ticket, or nil if no job has it any more. It must not be modified.
func (s *State) Of(ticket uint32) *Job {
	i := slices.IndexFunc(s.Jobs, func(j Job) bool { return j.Ticket == ticket })
	if i < 0 || ticket == 0 {
		return nil
	}
	return &s.Jobs[i]
}

// Line returns the jobs that wait for their turns, the next one first.
func (s *State) Line() (numbers []uint32) {
	var line []*Job
	for i := range s.Jobs {
		if s.Jobs[i].Phase == Waiting {
			line = append(line, &s.Jobs[i])
		}
	}
	slices.SortFunc(line, before)
	for _, j := range line {
		numbers = append(numbers, j.Number)
	}
	return numbers
}

// before orders the jobs that wait for their turns: those of earlier rounds go first, and then
// older jobs. A job that returns from a search in vain begins a new round, so it goes behind all
// jobs in line. Otherwise jobs that no node can hold could keep a younger job waiting forever.
func before(a, b *Job) int {
	return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.Stamp, b.Stamp), cmp.Compare(a.Number, b.Number))
}

// placed counts the jobs that have a turn.
func (s *State) placed() (count uint32) {
	for i := range s.Jobs {
		if s.Jobs[i].Phase == Placed {
			count++
		}
	}
	return count
}
