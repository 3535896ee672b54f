package reptask

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Spec describes a job to its representative.
type Spec struct {
	Size        uint32 // k: exactly k dependents start together (co-allocation); 1 is a serial job
	Over        Over
	Requirement space.Point
}

// Owned is a job at its owner.
type Owned struct {
	Job        Job
	Spec       Spec
	State      JobState
	By         protocol.NodeID   // the owner that granted the latest attempt: this node or a former owner
	Epoch      uint32            // of the latest attempt
	Moves      Moves             // by which algorithms it has moved
	Rep        protocol.NodeID   // the representative of the latest attempt
	Parting    bool              // that attempt is over, and Rep must forget it
	Next       protocol.NodeID   // the target to which the job moves then
	NextBy     Algorithm         // and the algorithm that moves it
	Candidates []protocol.NodeID // that may represent it, the next one first
	Refusals   uint32            // by candidates in succession
}

// JobState is the state of a job at its owner.
type JobState uint8

// The states of a job. The last three are final.
const (
	JobOpen JobState = iota
	JobRevoking
	JobAccepted
	JobCancelled
	JobFailed
)

// Role is a representative task: it does no work itself and holds no place in the queue.
type Role struct {
	Job        Job
	By         protocol.NodeID
	Epoch      uint32
	Owner      protocol.NodeID // the owner of the job now, as Bond says
	Bond       Bond
	Candidates []protocol.NodeID // for Owner, while it is asked: nodes that may represent the job
	Spec       Spec
	Moves      Moves // by which algorithms it has moved
	Phase      Phase
	Why        Reason          // from Stopping on: why it ends
	Target     protocol.NodeID // of a move
	TargetBy   Algorithm       // and the algorithm that moves the job
	Members    []Member        // sorted by host; after the decision the starting ones; empty once it reports
}

// Bond is the relation of a representative to its owner.
type Bond uint8

// The bonds.
const (
	Bound   Bond = iota // Owner owns the job
	Asking              // Owner is asked to own the job from now on
	Seeking             // Owner has failed; the application looks for another
)

// Phase is the phase of a representative task.
type Phase uint8

// The phases of a representative task.
const (
	Collecting Phase = iota // idle: waits for k votes
	Started                 // decided: k members start, run and finish
	Reporting               // has a result and waits until the owner has it
	Stopping                // a member was lost or the job revoked: waits until the others have stopped
	Resigning               // has given the attempt up and waits until the owner knows
)

// Reason is the reason for which an attempt is given up.
type Reason uint8

// The reasons.
const (
	Refused Reason = iota // the cluster is too small
	Lost                  // a member failed
	Moved                 // an idle job moves to another node
	Revoked               // the owner has revoked the job
)

// Member is a dependent task in the view of its representative.
type Member struct {
	Host      protocol.NodeID
	State     MemberState
	Vote      uint32 // the vote that counts; 0: none
	Withdrawn uint32 // votes up to this one do not count
	Position  uint32 // runnable tasks ahead of it, as last reported
}

// MemberState is the state of a dependent task, in its representative's view.
type MemberState uint8

// The states of a member.
const (
	MemberDispatched MemberState = iota
	MemberStarting               // was chosen
	MemberFinished
	MemberGone // does not hold the task and will not
)

// Task is a dependent task at its host.
type Task struct {
	Job   Job
	By    protocol.NodeID
	Epoch uint32
	Rep   protocol.NodeID
	State TaskState
	Vote  uint32 // the number of its latest vote
}

// TaskState is the state of a dependent task.
type TaskState uint8

// The states of a dependent task. A ready, withdrawing or running task holds the node.
const (
	TaskQueued TaskState = iota
	TaskReady
	TaskWithdrawing
	TaskRunning
	TaskDone // the representative may not know yet
)

// Neighbour is a node of the cluster, as last reported.
type Neighbour struct {
	ID         protocol.NodeID
	Capability space.Point
	Length     uint32 // of its queue
}

// Floor marks the attempts at a job that are over at a node: those before this epoch.
type Floor struct {
	Job   Job
	Epoch uint32
}

// State is one node. It is a value: Step never changes its argument.
type State struct {
	Self    protocol.NodeID
	Jobs    uint32      // submitted here so far
	Epoch   uint32      // attempts granted here so far
	Owned   []Owned     // in the order of their first owners and numbers
	Roles   []Role      // in the order of their jobs
	Tasks   []Task      // the queue, in the order of their jobs
	Floors  []Floor     // in the order of their jobs
	Cluster []Neighbour // sorted by ID
	Leaving bool        // takes no new jobs, roles and tasks

	Cordoned bool // takes no new tasks until that is taken back

	// Silent are, sorted, the peers that were silent for a lease and may still hold something of this
	// node. The node is silent towards them, too, so that their leases run out.
	Silent []protocol.NodeID
}

// New returns the state of a process before its first incarnation.
func New(address protocol.Address) State {
	return State{Self: protocol.NodeID{Address: address}}
}

// clone returns a state that shares no slice that Step changes in place. Cluster is shared: it is
// large, and seldom changes.
func (s State) clone() State {
	s.Owned = slices.Clone(s.Owned)
	for i := range s.Owned {
		s.Owned[i].Candidates = slices.Clone(s.Owned[i].Candidates)
	}
	s.Roles = slices.Clone(s.Roles)
	for i := range s.Roles {
		s.Roles[i].Members = slices.Clone(s.Roles[i].Members)
	}
	s.Tasks = slices.Clone(s.Tasks)
	s.Floors = slices.Clone(s.Floors)
	s.Silent = slices.Clone(s.Silent)
	return s
}

// Attempt returns the latest attempt.
func (o *Owned) Attempt() Attempt { return Attempt{o.Job, o.By, o.Epoch} }

// Attempt returns the attempt that it represents.
func (r *Role) Attempt() Attempt { return Attempt{r.Job, r.By, r.Epoch} }

// Attempt returns the attempt that it is a part of.
func (t *Task) Attempt() Attempt { return Attempt{t.Job, t.By, t.Epoch} }

// Runs returns the task that the node runs, if any.
func (s *State) Runs() (Task, bool) {
	i := slices.IndexFunc(s.Tasks, func(t Task) bool { return t.State == TaskRunning })
	if i < 0 {
		return Task{}, false
	}
	return s.Tasks[i], true
}

// QueueLength is the number of runnable tasks here. Representative tasks and finished tasks do not
// count.
func (s *State) QueueLength() uint32 {
	length := uint32(0)
	for _, t := range s.Tasks {
		if t.State != TaskDone {
			length++
		}
	}
	return length
}

// owned finds a job by the name that its first owner gave it.
func (s *State) owned(first protocol.NodeID, number uint32) *Owned {
	i, ok := s.ownedAt(Job{Owner: first, Number: number})
	if !ok {
		return nil
	}
	return &s.Owned[i]
}

func (s *State) ownedAt(job Job) (int, bool) {
	return slices.BinarySearchFunc(s.Owned, job, func(o Owned, job Job) int { return compareNames(o.Job, job) })
}

// compareNames compares the names of jobs: first owner and number.
func compareNames(a, b Job) int {
	if c := a.Owner.Compare(b.Owner); c != 0 {
		return c
	}
	return cmp.Compare(a.Number, b.Number)
}

// granted returns the job whose latest attempt this is, if it is open.
func (s *State) granted(a Attempt) *Owned {
	o := s.owned(a.Job.Owner, a.Job.Number)
	if o == nil || o.Attempt() != a || o.State > JobRevoking {
		return nil
	}
	return o
}

func (s *State) roleOf(job Job) *Role {
	i, ok := s.roleAt(job)
	if !ok {
		return nil
	}
	return &s.Roles[i]
}

func (s *State) roleAt(job Job) (int, bool) {
	return slices.BinarySearchFunc(s.Roles, job, func(r Role, job Job) int { return r.Job.Compare(job) })
}

func (s *State) taskOf(job Job) *Task {
	i, ok := s.taskAt(job)
	if !ok {
		return nil
	}
	return &s.Tasks[i]
}

func (s *State) taskAt(job Job) (int, bool) {
	return slices.BinarySearchFunc(s.Tasks, job, func(t Task, job Job) int { return t.Job.Compare(job) })
}

// isOver reports whether an attempt is known to be over here.
func (s *State) isOver(a Attempt) bool {
	return slices.ContainsFunc(s.Floors, func(f Floor) bool { return f.Job == a.Job && a.Epoch < f.Epoch })
}

// member returns the member at a host.
func (r *Role) member(host protocol.NodeID) *Member {
	i := slices.IndexFunc(r.Members, func(m Member) bool { return m.Host == host })
	if i < 0 {
		return nil
	}
	return &r.Members[i]
}

// membersIn counts the members in a state.
func (r *Role) membersIn(state MemberState) uint32 {
	count := uint32(0)
	for _, m := range r.Members {
		if m.State == state {
			count++
		}
	}
	return count
}
