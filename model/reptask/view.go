package reptask

import (
	"iter"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// View is what the properties need to know of a node, whichever core it runs. An attempt is a job
// and an epoch; a core that knows no epochs gives each job an epoch of its own, such as its number.
type View struct {
	ID    protocol.NodeID
	Tasks []Task  // dependent tasks that the node hosts
	Roles []Role  // what it represents
	Owned []Owned // what it answers for, settled jobs included
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
	Ready                 // at the head, has told its representative and holds the node
	Withdrawing           // the same, but asks to have its vote back
	Running
	Done // ran to its end; the representative may not know yet
)

// Role is a representative task.
type Role struct {
	reptask.Attempt
	Owner protocol.NodeID // who answers for the job, as far as the representative knows
	Size  int             // k: so many dependents make a run
	Phase RolePhase
	Votes []Vote // that it counts; once it has decided, those of the dependents that it started
}

// RolePhase is where a representative task stands.
type RolePhase uint8

// The phases of a representative task.
const (
	Collecting RolePhase = iota // waits for k votes
	Started                     // has told k dependents to start
	Ending                      // has nothing left to do but to tell somebody
)

// Vote is a vote as its representative counts it.
type Vote struct {
	Host     protocol.NodeID
	Number   uint32
	Finished bool // and the representative was told
}

// Owned is a job at its owner.
type Owned struct {
	reptask.Attempt // the latest
	State           JobState
}

// JobState is what an owner knows of a job.
type JobState uint8

// The states of a job at its owner. All but the first are final.
const (
	Open JobState = iota
	Accepted
	Cancelled
	Failed // nobody could take it
)

// task returns the task of an attempt that the node hosts, if any.
func (v *View) task(by protocol.NodeID, epoch uint32) (Task, bool) {
	i := slices.IndexFunc(v.Tasks, func(t Task) bool { return t.By == by && t.Epoch == epoch })
	if i < 0 {
		return Task{}, false
	}
	return v.Tasks[i], true
}

// views goes through the live nodes of a world, each with its place.
func views[S, M any](g *model.GlobalState[S, M]) iter.Seq2[int, *View] {
	return func(yield func(int, *View) bool) {
		for i, s := range g.Slots {
			if v, live := s.View.(*View); live && !yield(i, v) {
				return
			}
		}
	}
}

// viewOf returns the view of the very incarnation, if it runs.
func viewOf[S, M any](g *model.GlobalState[S, M], id protocol.NodeID) (*View, bool) {
	if int(id.Address) >= len(g.Slots) {
		return nil, false
	}
	v, live := g.Slots[id.Address].View.(*View)
	return v, live && v.ID == id
}

// listed reports whether a name is one of those in a list with blanks between them.
func listed(names, name string) bool { return slices.Contains(strings.Fields(names), name) }
