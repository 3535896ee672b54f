package reptask

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Job is a parallel job.
type Job struct {
	Owner     protocol.NodeID // "the submitting client"
	Number    uint32          // among the owner's jobs, from 1
	Submitted uint64          // submit time
	Hash      uint64          // "the value of a hash on job properties": equal jobs have equal hashes
	Nodes     int             // how many it needs
	Moved     bool            // it "is only allowed to get moved once"
}

// same reports whether both are the same job, moved or not.
func (j Job) same(other Job) bool { return j.Owner == other.Owner && j.Number == other.Number }

// Attempt numbers the attempts at the jobs of one owner, for the observer: a job that was moved is
// another attempt.
func (j Job) Attempt() uint32 {
	if j.Moved {
		return 2 * j.Number
	}
	return 2*j.Number - 1
}

// before is the order of the queues: "sorted by submit time, with ties broken by the value of a
// hash on job properties". Negative: j comes first. Zero: the text leaves the order open.
func (j Job) before(other Job) int {
	return cmp.Or(cmp.Compare(j.Submitted, other.Submitted), cmp.Compare(j.Hash, other.Hash))
}

// Status is the state of a dependent task.
type Status uint8

// The states of a dependent task.
const (
	Queued Status = iota
	Ready
	Running
)

// String names the state.
func (s Status) String() string { return [...]string{"queued", "ready", "running"}[s] }

// Task is a dependent task at its host.
type Task struct {
	Job            Job
	Representative protocol.NodeID
	Status         Status
}

// Role is a representative task.
type Role struct {
	Job        Job
	Dependents []protocol.NodeID // where it dispatched
	Ready      []protocol.NodeID // hosts that reported to be ready
	Began      bool              // it has instructed the ready ones to begin
	Finished   []protocol.NodeID
	Target     protocol.NodeID   // where the job is about to move; zero: it stays
	Recalled   []protocol.NodeID // while it is about to move: the dependents that are gone
}

// Owned is a job that was submitted at this node.
type Owned struct {
	Job  Job
	Done bool // the results came
}

// State is one node. It is a value: Step never changes its argument.
type State struct {
	Self    protocol.NodeID
	Cluster []protocol.NodeID // the nodes that it dispatches to, in the order of its preference
	Queue   []Task            // runnable tasks, the running one first
	Roles   []Role
	Owned   []Owned
}

// New returns the state of a process before it is started. The cluster may hold the node itself.
func New(address protocol.Address, cluster ...protocol.NodeID) State {
	return State{Self: protocol.NodeID{Address: address}, Cluster: cluster}
}

// clone returns a state that shares no slice that Step changes in place.
func (s State) clone() State {
	s.Queue = slices.Clone(s.Queue)
	s.Roles = slices.Clone(s.Roles)
	for i := range s.Roles {
		s.Roles[i].Ready = slices.Clone(s.Roles[i].Ready)
		s.Roles[i].Finished = slices.Clone(s.Roles[i].Finished)
		s.Roles[i].Recalled = slices.Clone(s.Roles[i].Recalled)
	}
	s.Owned = slices.Clone(s.Owned)
	return s
}

// role finds the representative task of a job.
func (s *State) role(j Job) (*Role, bool) {
	i := slices.IndexFunc(s.Roles, func(r Role) bool { return r.Job.same(j) })
	if i < 0 {
		return nil, false
	}
	return &s.Roles[i], true
}

// taken reports whether a task that is ready or runs holds the node.
func (s *State) taken() bool {
	return slices.ContainsFunc(s.Queue, func(t Task) bool { return t.Status != Queued })
}
