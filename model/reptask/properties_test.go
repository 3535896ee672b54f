package reptask

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// Every property of all states, and of quiescent states, holds in the initial state, which is
// quiescent. No witness is there before anything has happened.
func TestInitialStates(t *testing.T) {
	for _, m := range Models() {
		name, mc := m.Info().Name, m.Model()
		worker := mc.NewWorker()
		mc.Initial(func(state []uint32) {
			for i, p := range mc.Properties() {
				switch {
				case p.Shape == checker.Sometimes:
					assert.False(t, worker.Holds(i, state), "%s: %s", name, p.Name)
				case p.Shape.Live():
					assert.False(t, worker.Triggers(i, state), "%s: %s", name, p.Name)
				default:
					assert.True(t, worker.Holds(i, state), "%s: %s", name, p.Name)
				}
			}
			assert.True(t, worker.Quiescent(state), name)
		})
	}
}

// stage is a hand-made state of nodes A, B, C…; nil is a node that is down.
type stage struct {
	views []*View
	past  history
	roomy bool
}

func (s *stage) oracle() oracle[reptask.State, reptask.Message] {
	return oracle[reptask.State, reptask.Message]{
		sizes: func(reptask.Job) int { return 2 }, jobs: 1, roomy: s.roomy,
		cancelled: func(j reptask.Job) bool { return j == aJob(2) },
	}
}

// broken names the properties that fail in the state.
func (s *stage) broken() []string {
	g := &model.GlobalState[reptask.State, reptask.Message]{MonitorView: &s.past}
	for _, v := range s.views {
		slot := &model.Slot[reptask.State]{}
		if v != nil {
			slot.View = v
		}
		g.Slots = append(g.Slots, slot)
	}
	var names []string
	for _, p := range s.oracle().properties() {
		if !p.Holds(g) {
			names = append(names, p.Name)
		}
	}
	return names
}

// running is a state in which A represents the job that A and B run.
func running() *stage {
	task := Task{Attempt: try(1, 1), Representative: id('A'), State: Running, Vote: 1}
	role := Role{
		Attempt: try(1, 1),
		Size:    2,
		Phase:   Started,
		Votes:   []Vote{{Host: id('A'), Number: 1}, {Host: id('B'), Number: 1}},
	}
	return &stage{
		views: []*View{
			{ID: id('A'), Tasks: []Task{task}, Roles: []Role{role}, Owned: []Owned{{Attempt: try(1, 1)}}},
			{ID: id('B'), Tasks: []Task{task}},
			{ID: id('C')},
		},
		past: history{
			jobs: []job{{id: aJob(1)}}, attempts: []attempt{{by: id('A'), epoch: 1, job: aJob(1), started: 3}},
		},
	}
}

// done is a state in which everything is over.
func done() *stage {
	return &stage{
		views: []*View{{ID: id('A')}, {ID: id('B')}, nil},
		past:  history{jobs: []job{{id: aJob(1), state: Accepted}}},
	}
}

// rest are the properties that fail while a job runs: the state is not quiescent.
var rest = []string{"AllDone", "NoOrphan"}

// Each state is good but for one thing, and breaks exactly the properties that forbid it.
func TestPropertiesCanFail(t *testing.T) {
	tests := []struct {
		name  string
		state *stage
		spoil func(s *stage)
		want  []string
	}{
		{"done", done(), func(*stage) {}, nil},
		{"running", running(), func(*stage) {}, rest},
		{"two runs on a node", running(), func(s *stage) {
			s.views[1].Tasks = append(s.views[1].Tasks, in(Running, try(2, 2)))
		}, append([]string{"OneRunPerNode"}, rest...)},
		{
			"two epochs",
			running(),
			func(s *stage) { s.views[2].Tasks = []Task{in(Running, try(1, 2))} },
			append([]string{"OneEpochRuns"}, rest...),
		},
		{"a vote of nothing", running(), func(s *stage) { s.views[1].Tasks = nil }, append([]string{"VotesHeld"}, rest...)},
		{
			"a vote in the queue",
			running(),
			func(s *stage) { s.views[1].Tasks[0].State = Queued },
			append([]string{"VotesHeld"}, rest...),
		},
		{"an old vote", running(), func(s *stage) { s.views[1].Tasks[0].Vote = 2 }, append([]string{"VotesHeld"}, rest...)},
		{
			"running before the decision",
			running(),
			func(s *stage) { s.views[0].Roles[0].Phase = Collecting },
			append([]string{"VotesHeld"}, rest...),
		},
		{"withdrawing", running(), func(s *stage) {
			s.views[0].Roles[0].Phase = Collecting
			s.views[0].Tasks[0].State, s.views[1].Tasks[0].State = Ready, Withdrawing
		}, rest},
		{"a vote of a dead node", running(), func(s *stage) { s.views[1] = nil }, rest},
		{
			"a vote of a new incarnation",
			running(),
			func(s *stage) { s.views[1] = &View{ID: id('B')}; s.views[1].ID.Incarnation = 2 },
			rest,
		},
		{"a finished vote", running(), func(s *stage) {
			s.views[1].Tasks = nil
			s.views[0].Roles[0].Votes[1].Finished = true
		}, rest},
		{
			"half a start",
			running(),
			func(s *stage) { s.past.attempts[0].started = 1 },
			append([]string{"NeverFewer"}, rest...),
		},
		{"half a start long ago", done(), func(s *stage) { s.past.seen = seenFewer }, []string{"NeverFewer"}},
		{"half a start and a crash", done(), func(s *stage) { s.past.seen, s.past.crashed = seenFewer, 4 }, nil},
		{"an open job", done(), func(s *stage) {
			s.past.jobs[0].state = Open
			s.views[1].Owned = []Owned{{Attempt: try(1, 1)}}
		}, []string{"AllDone"}},
		{
			"an open job without an owner",
			done(),
			func(s *stage) { s.past.jobs[0].state = Open },
			[]string{"AllDone", "Survives"},
		},
		{"an open job that is lost", done(), func(s *stage) { s.past.jobs[0].state, s.past.jobs[0].lost = Open, true }, nil},
		{"a job that no node could take", done(), func(s *stage) { s.past.jobs[0].state = Failed }, nil},
		{
			"a job that a node could have taken",
			done(),
			func(s *stage) { s.past.jobs[0].state, s.past.jobs[0].reporter, s.roomy = Failed, 1, true },
			[]string{"AllDone"},
		},
		{"the same, and its owner has crashed", done(), func(s *stage) { s.past.jobs[0].state, s.roomy = Failed, true }, nil},
		{
			"a task left over",
			done(),
			func(s *stage) { s.views[1].Tasks = []Task{in(Queued, try(1, 1))} },
			[]string{"NoOrphan"},
		},
		{
			"a role left over",
			done(),
			func(s *stage) { s.views[1].Roles = []Role{{Attempt: try(1, 1)}} },
			[]string{"NoOrphan"},
		},
		{"a third start", done(), func(s *stage) { s.past.broken = brokenMore }, []string{"NeverMore"}},
		{"a cancelled start", done(), func(s *stage) { s.past.broken = brokenCancelled }, []string{"CancelledStays"}},
		{"much overtaking", done(), func(s *stage) { s.past.broken = brokenOvertaking }, []string{"BoundedOvertaking"}},
		{"two moves", done(), func(s *stage) { s.past.broken = brokenMove }, []string{"MovesOnce"}},
		{"two results", done(), func(s *stage) { s.past.broken = brokenResult }, []string{"OneResult"}},
		{"a revoked job granted again", done(), func(s *stage) { s.past.broken = brokenRevoked }, []string{"RevokedEnds"}},
		{"a leaver takes a task", done(), func(s *stage) { s.past.broken = brokenLeaving }, []string{"LeaverTakesNothing"}},
		{"a candidate not asked", done(), func(s *stage) { s.past.broken = brokenAsked }, []string{"AskedAll"}},
		{
			"a job cancelled without a client",
			done(),
			func(s *stage) { s.past.jobs[0].state = Cancelled },
			[]string{"OnlyCancelled"},
		},
		{
			"a job cancelled by its client",
			done(),
			func(s *stage) { s.past.jobs[0].id, s.past.jobs[0].state = aJob(2), Cancelled },
			nil,
		},
		{"half a result", done(), func(s *stage) { s.past.broken = brokenRun }, []string{"FullRun"}},
	}
	caught := map[string]bool{}
	for _, test := range tests {
		test.spoil(test.state)
		assert.Equal(t, test.want, test.state.broken(), test.name)
		for _, name := range test.state.broken() {
			caught[name] = true
		}
	}
	for _, p := range (&stage{}).oracle().properties() {
		assert.True(t, caught[p.Name], "no state breaks %s", p.Name)
	}
}

// A node that wants to leave asks for its vote back, unless it runs a task.
func TestRecalls(t *testing.T) {
	with := func(leaving bool, state reptask.TaskState) *reptask.State {
		return &reptask.State{Leaving: leaving, Tasks: []reptask.Task{{State: state}}}
	}
	assert.False(t, Recalls(with(true, reptask.TaskReady)))
	assert.True(t, Recalls(with(true, reptask.TaskWithdrawing)))
	assert.True(t, Recalls(with(true, reptask.TaskRunning)))
	assert.True(t, Recalls(with(false, reptask.TaskReady)))
}
