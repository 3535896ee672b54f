package reptask

import (
	"iter"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// View has the data of a node for the properties, for either core. An attempt is a job and an
// epoch; a core without epochs gives each job its own epoch, such as its number.
type View struct {
	ID    protocol.NodeID
	Tasks []Task  // dependent tasks that the node hosts
	Roles []Role  // attempts that it represents
	Owned []Owned // jobs that it owns, with ended ones

	Leaving  bool // it takes no new work
	Cordoned bool // it takes no new tasks
}

// Task is a dependent task at its host.
type Task struct {
	reptask.Attempt
	Representative protocol.NodeID
	State          TaskState
	Vote           uint32 // the number of the latest vote; 0 where votes have no numbers
}

// TaskState is where a dependent task stands.
type TaskState uint8

// The states of a dependent task.
const (
	Queued      TaskState = iota
	Ready                 // at the head: it has voted and holds the node
	Withdrawing           // the same, but it asks for its vote back
	Running
	Done // finished; the representative may not know yet
)

// Role is a representative task.
type Role struct {
	reptask.Attempt
	Owner protocol.NodeID // of the job, as far as the representative knows
	Size  int             // k, the number of dependent tasks
	Phase RolePhase
	Votes []Vote // that it counts; once it has decided, those of the tasks that it started
}

// RolePhase is where a representative task stands.
type RolePhase uint8

// The phases of a representative task.
const (
	Collecting RolePhase = iota // waits for k votes
	Started                     // has started k dependent tasks
	Ending                      // only a notification is left to send
)

// Vote is a vote as its representative counts it.
type Vote struct {
	Host     protocol.NodeID
	Number   uint32
	Finished bool // and the representative knows
}

// Owned is a job at its owner.
type Owned struct {
	reptask.Attempt // the latest
	State           JobState
	Revoking        bool // its client has cancelled it, and it is still open
}

// JobState is the state of a job in its owner's view.
type JobState uint8

// The states of a job at its owner. All but the first are final.
const (
	Open JobState = iota
	Accepted
	Cancelled
	Failed // no cluster could take it
)

// ViewOf shows a node of the corrected core.
func ViewOf(s reptask.State) *View {
	v := &View{ID: s.Self, Leaving: s.Leaving, Cordoned: s.Cordoned}
	for _, t := range s.Tasks {
		v.Tasks = append(v.Tasks, Task{Attempt: t.Attempt(), Representative: t.Rep, State: TaskState(t.State), Vote: t.Vote})
	}
	for _, r := range s.Roles {
		v.Roles = append(v.Roles, roleOf(r))
	}
	for _, o := range s.Owned {
		state := Open
		switch o.State {
		case reptask.JobAccepted:
			state = Accepted
		case reptask.JobCancelled:
			state = Cancelled
		case reptask.JobFailed:
			state = Failed
		}
		v.Owned = append(v.Owned, Owned{Attempt: o.Attempt(), State: state, Revoking: o.State == reptask.JobRevoking})
	}
	return v
}

func roleOf(r reptask.Role) Role {
	role := Role{Attempt: r.Attempt(), Owner: r.Owner, Size: int(r.Spec.Size), Phase: Ending}
	switch r.Phase {
	case reptask.Collecting:
		role.Phase = Collecting
	case reptask.Started:
		role.Phase = Started
	}
	for _, m := range r.Members {
		if m.Vote > 0 {
			role.Votes = append(role.Votes, Vote{Host: m.Host, Number: m.Vote, Finished: m.State == reptask.MemberFinished})
		}
	}
	return role
}

// task returns the task of an attempt that the node hosts, if any.
func (v *View) task(by protocol.NodeID, epoch uint32) (Task, bool) {
	i := slices.IndexFunc(v.Tasks, func(t Task) bool { return t.By == by && t.Epoch == epoch })
	if i < 0 {
		return Task{}, false
	}
	return v.Tasks[i], true
}

// role returns the attempt that the node represents, if it does.
func (v *View) role(by protocol.NodeID, epoch uint32) (Role, bool) {
	i := slices.IndexFunc(v.Roles, func(r Role) bool { return r.By == by && r.Epoch == epoch })
	if i < 0 {
		return Role{}, false
	}
	return v.Roles[i], true
}

// views goes through the live nodes of a global state, each with its index.
func views[S, M any](g *model.GlobalState[S, M]) iter.Seq2[int, *View] {
	return func(yield func(int, *View) bool) {
		for i, s := range g.Slots {
			if v, live := s.View.(*View); live && !yield(i, v) {
				return
			}
		}
	}
}

// liveViews goes through the views of the live nodes.
func liveViews[S, M any](g *model.GlobalState[S, M]) iter.Seq[*View] {
	return func(yield func(*View) bool) {
		for _, v := range views(g) {
			if !yield(v) {
				return
			}
		}
	}
}

// viewOf returns the view of a node, if that very incarnation runs.
func viewOf[S, M any](g *model.GlobalState[S, M], id protocol.NodeID) (*View, bool) {
	if int(id.Address) >= len(g.Slots) {
		return nil, false
	}
	v, live := g.Slots[id.Address].View.(*View)
	return v, live && v.ID == id
}

// listed reports whether a name is in a list that is separated by blanks.
func listed(names, name string) bool { return slices.Contains(strings.Fields(names), name) }
