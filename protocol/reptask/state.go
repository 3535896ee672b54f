package reptask

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Over says how many more dependent tasks are dispatched than must start.
type Over uint8

// The degrees of over-provisioning of section 4.3.
const (
	OverNone  Over = iota // k
	OverHalf              // 1.5-fold, rounded up
	OverEight             // 8-fold
	OverTotal             // the whole cluster
)

// Spec is what a representative must know to run a job.
type Spec struct {
	Size        uint32 // k: exactly so many dependents start together; 1 is a serial job
	Over        Over
	Requirement space.Point
}

// Owned is a job at its owner.
type Owned struct {
	Job        Job
	Spec       Spec
	State      JobState
	By         protocol.NodeID   // who granted the latest attempt: this node, or the owner before it
	Epoch      uint32            // of the latest attempt
	Moved      bool              // it moved once and will not again
	Rep        protocol.NodeID   // who represents the latest attempt
	Parting    bool              // that attempt is over, and Rep is to forget it
	Next       protocol.NodeID   // to whom the job moves then
	Candidates []protocol.NodeID // that may represent it, the next one first
	Refusals   uint32            // by candidates, one after the other
}

// JobState is where a job stands at its owner.
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
	Owner      protocol.NodeID // who answers for the job now, as Bond says
	Bond       Bond
	Candidates []protocol.NodeID // what Owner is to know while it is asked: who may represent the job
	Spec       Spec
	Moved      bool // it may not move any more
	Phase      Phase
	Why        Reason          // from Stopping on: why it ends
	Target     protocol.NodeID // of a move
	Members    []Member        // sorted by host; once it is decided, those that start
}

// Bond is how a representative stands to its owner.
type Bond uint8

// The bonds.
const (
	Bound   Bond = iota // Owner answers for the job
	Asking              // Owner is asked to answer for the job from now on
	Seeking             // Owner has failed; the application looks for another
)

// Phase is where a representative task stands.
type Phase uint8

// The phases of a representative task.
const (
	Collecting Phase = iota // idle: waits for k votes
	Started                 // decided: k members start, run and finish
	Reporting               // has a result and waits until the owner has it
	Stopping                // a member was lost or the job is revoked: waits until the others have stopped
	Resigning               // has given the attempt up and waits until the owner knows
)

// Reason says why an attempt is given up.
type Reason uint8

// The reasons.
const (
	Refused Reason = iota // the cluster is too small
	Lost                  // a member failed
	Moved                 // an idle job goes to another node
	Revoked               // the owner wants it so
)

// Member is a dependent task as its representative knows it.
type Member struct {
	Host      protocol.NodeID
	State     MemberState
	Vote      uint32 // that is counted; 0: none
	Withdrawn uint32 // votes up to this one do not count any more
	Position  uint32 // runnable tasks ahead of it, as last reported
}

// MemberState is where a dependent task stands, as its representative knows it.
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

// TaskState is where a dependent task stands.
type TaskState uint8

// The states of a dependent task. Ready, withdrawing and running it holds the node.
const (
	TaskQueued TaskState = iota
	TaskReady
	TaskWithdrawing
	TaskRunning
	TaskDone // the representative may not know yet
)

// Neighbour is a node of the cluster as it was last heard of.
type Neighbour struct {
	ID         protocol.NodeID
	Capability space.Point
	Length     uint32 // of its queue
}

// Floor says which attempts at a job are over at a node: those before this epoch.
type Floor struct {
	Job   Job
	Epoch uint32
}

// State is one node. It is a value: Step never changes one that it was given.
type State struct {
	Self    protocol.NodeID
	Jobs    uint32      // submitted here so far
	Epoch   uint32      // attempts granted here so far
	Owned   []Owned     // in the order of their first owners and numbers
	Roles   []Role      // in the order of their jobs
	Tasks   []Task      // the queue, in the order of their jobs
	Floors  []Floor     // in the order of their jobs
	Cluster []Neighbour // sorted by ID
	Leaving bool        // takes nothing any more

	// Silent are, sorted, peers that were silent for a lease and may still hold something of this
	// node. It does not speak to them either, so that they come to notice.
	Silent []protocol.NodeID
}

// New returns the state of a process before its first life.
func New(address protocol.Address) State {
	return State{Self: protocol.NodeID{Address: address}}
}

// clone returns a state that shares no slice which Step changes in place.
func (s State) clone() State {
	s.Owned = slices.Clone(s.Owned)
	for i := range s.Owned {
		s.Owned[i].Candidates = slices.Clone(s.Owned[i].Candidates)
	}
	s.Roles = slices.Clone(s.Roles)
	for i := range s.Roles {
		s.Roles[i].Members = slices.Clone(s.Roles[i].Members)
		s.Roles[i].Candidates = slices.Clone(s.Roles[i].Candidates)
	}
	s.Tasks = slices.Clone(s.Tasks)
	s.Floors = slices.Clone(s.Floors)
	s.Cluster = slices.Clone(s.Cluster)
	s.Silent = slices.Clone(s.Silent)
	return s
}

// Attempt names the latest attempt.
func (o *Owned) Attempt() Attempt { return Attempt{o.Job, o.By, o.Epoch} }

// Attempt names what it represents.
func (r *Role) Attempt() Attempt { return Attempt{r.Job, r.By, r.Epoch} }

// Attempt names what it is a part of.
func (t *Task) Attempt() Attempt { return Attempt{t.Job, t.By, t.Epoch} }

// Runs returns the task that the node runs, if any.
func (s *State) Runs() (Task, bool) {
	i := slices.IndexFunc(s.Tasks, func(t Task) bool { return t.State == TaskRunning })
	if i < 0 {
		return Task{}, false
	}
	return s.Tasks[i], true
}

// QueueLength is the number of runnable tasks here: representative tasks and those that have
// finished are none.
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

// compareNames orders jobs by what names them: the first owner and its number.
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

// over reports whether an attempt is known to be over here.
func (s *State) over(a Attempt) bool {
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

// in counts the members in a state.
func (r *Role) in(state MemberState) uint32 {
	count := uint32(0)
	for _, m := range r.Members {
		if m.State == state {
			count++
		}
	}
	return count
}
