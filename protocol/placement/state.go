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
	Jobs   Jobs
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

// Job returns a job by its number, or nil. It must not be modified.
func (s *State) Job(number uint32) *Job {
	part, i, found := s.Jobs.find(number)
	if !found {
		return nil
	}
	return &s.Jobs[part][i]
}

// Of returns the job with a ticket, or nil if no job has it any more. It must not be modified.
func (s *State) Of(ticket uint32) *Job {
	for j := range s.Jobs.All() {
		if j.Ticket == ticket && ticket != 0 {
			return j
		}
	}
	return nil
}

// Line returns the jobs that wait for their turns, the next one first.
func (s *State) Line() (numbers []uint32) {
	var line []*Job
	for j := range s.Jobs.All() {
		if j.Phase == Waiting {
			line = append(line, j)
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

// Count counts the jobs in a phase.
func (s *State) Count(p Phase) (count int) {
	for j := range s.Jobs.All() {
		if j.Phase == p {
			count++
		}
	}
	return count
}

// turns counts the jobs that have a turn, and returns the first one in line, or nil.
func (s *State) turns() (placed uint32, next *Job) {
	for j := range s.Jobs.All() {
		switch {
		case j.Phase == Placed:
			placed++
		case j.Phase == Waiting && (next == nil || before(j, next) < 0):
			next = j
		}
	}
	return placed, next
}
