package peer

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// The properties of every state hold at the beginning, nothing is owed there, and no witness is
// there before anything has happened.
func TestInitialStates(t *testing.T) {
	for _, m := range Models() {
		name, mc := m.Info().Name, m.Model()
		worker := mc.NewWorker()
		mc.Initial(func(state []uint32) {
			for i, p := range mc.Properties() {
				switch {
				case p.Shape == checker.Always:
					assert.True(t, worker.Holds(i, state), "%s: %s", name, p.Name)
				case p.Shape == checker.Sometimes:
					assert.False(t, worker.Holds(i, state), "%s: %s", name, p.Name)
				case p.Shape.Live():
					assert.False(t, worker.Triggers(i, state), "%s: %s", name, p.Name)
				}
			}
		})
	}
}

// grid is a hand-made global state of the nodes A, B, C and D. A node that is nil has stopped.
type grid struct {
	nodes []*peer.State
	past  history
	tight bool

	restarts  int  // of A
	timerless bool // A waits for timers that are not pending
	asked     bool // a job was submitted at A
}

// node returns a running node without any data.
func node(name byte, phase can.Phase, zone space.Zone) *peer.State {
	n := peer.New(id(name).Address, coordinate(int(name-'A')))
	n.Can.Phase, n.Can.Self.ID, n.Can.Self.Zone = phase, id(name), zone
	n.Refine.ID, n.Tasks.Self = id(name), id(name)
	n.Tasks.Cluster = []reptask.Neighbour{{ID: id(name)}}
	return &n
}

func zone(low, high int32) space.Zone {
	return space.Zone{Low: space.Point{low}, High: space.Point{high, 1, 1, 1, 1, 1, 1, 1}}
}

func ids(names string) (all []protocol.NodeID) {
	for i := range len(names) {
		all = append(all, id(names[i]))
	}
	return all
}

// idle returns a good quiescent state. A, B and C are members of the map and of a cluster whose
// head is A, and B owns a job that has a result. D is outside the map and in no cluster.
func idle() *grid {
	g := &grid{nodes: []*peer.State{
		node('A', can.Member, zone(0, 4)), node('B', can.Member, zone(4, 8)), node('C', can.Member, zone(8, 12)),
		node('D', can.Outside, space.Zone{}),
	}}
	for i, n := range g.nodes[:3] {
		n.Tasks.Cluster = []reptask.Neighbour{{ID: id('A')}, {ID: id('B')}, {ID: id('C')}}
		if i > 0 {
			n.Refine.Slots = []refine.Slot{{
				Head: id('A'), Stage: refine.Committed, Round: 1, ClusterRound: 1, Members: ids("ABC"),
			}}
		}
	}
	a := &g.nodes[0].Refine
	a.Round, a.ClusterRound, a.Head = 1, 1, refine.HeadSteady
	a.Candidates = []refine.Candidate{{ID: id('B'), Status: refine.Member}, {ID: id('C'), Status: refine.Member}}
	g.nodes[1].Tasks.Owned = []reptask.Owned{{Job: aJob(1), By: id('B'), Epoch: 1, State: reptask.JobAccepted}}
	return g
}

// working returns a good state in which A and B run the job that B owns and represents.
func working() *grid {
	g := idle()
	for _, n := range g.nodes[:2] {
		n.Tasks.Tasks = []reptask.Task{task(1, 1)}
	}
	b := &g.nodes[1].Tasks
	b.Roles = []reptask.Role{{Job: aJob(1), By: id('B'), Epoch: 1, Owner: id('B'), Phase: reptask.Started}}
	b.Owned[0].State = reptask.JobOpen
	return g
}

func aJob(number uint32) reptask.Job {
	return reptask.Job{Submitted: uint64(number), Owner: id('B'), Number: number}
}

// task is a running task of an attempt of B.
func task(job, epoch uint32) reptask.Task {
	return reptask.Task{Job: aJob(job), By: id('B'), Epoch: epoch, Rep: id('B'), State: reptask.TaskRunning}
}

var config = (&scenario{nodes: 3}).config()

// state returns the grid as the properties see it.
func (g *grid) state() *globalState {
	s := &globalState{MonitorView: &g.past}
	for _, n := range g.nodes {
		slot := &model.Slot[peer.State]{}
		if n != nil {
			slot.View, slot.Life, slot.Timers = n, int(n.ID().Incarnation)-1, peer.Timers(&config, *n)
		}
		s.Slots = append(s.Slots, slot)
	}
	a := s.Slots[0]
	a.Life += g.restarts
	if g.timerless {
		a.Timers = nil
	}
	if g.asked {
		a.Issued = 1
	}
	return s
}

func (g *grid) oracle(t *testing.T) oracle {
	t.Helper()
	sp, err := space.New(0, 12)
	require.NoError(t, err)
	return oracle{space: sp, tight: g.tight, tickets: [][]uint32{{1}}, config: config, at: coordinate}
}

func broken(g *grid, properties []model.Property[peer.State, peer.Message]) []string {
	var names []string
	for _, p := range properties {
		if !p.Holds(g.state()) {
			names = append(names, p.Name)
		}
	}
	return names
}

// badState is a good state but for one thing.
type badState struct {
	name  string
	good  func() *grid
	spoil func(a, b, c, d *peer.State, g *grid)
	want  string // the one property that is broken; none if empty
}

// badAlways are about the properties of every state.
var badAlways = []badState{
	{"a host outside the map", working, func(_, _, _, d *peer.State, _ *grid) {
		d.Tasks.Tasks = []reptask.Task{{Job: aJob(2), By: id('B'), Epoch: 2}}
	}, "MembersOnly"},
	{"a representative outside the map", working, func(_, _, _, d *peer.State, _ *grid) {
		d.Tasks.Roles = []reptask.Role{{Job: aJob(2), By: id('B'), Epoch: 2}}
	}, "MembersOnly"},
	{"an owner outside the map", working, func(_, _, _, d *peer.State, _ *grid) {
		d.Tasks.Owned = []reptask.Owned{{Job: aJob(2), By: id('D'), State: reptask.JobRevoking}}
	}, "MembersOnly"},
	{"a job that has ended, outside the map", working, func(_, _, _, d *peer.State, _ *grid) {
		d.Tasks.Owned = []reptask.Owned{{Job: aJob(2), By: id('D'), State: reptask.JobAccepted}}
	}, ""},
	{"zones overlap", working, func(a, _, _, _ *peer.State, _ *grid) { a.Can.Self.Zone.High[0] = 5 }, "NoOverlap"},
	{"the zone of a node that is no member", working, func(_, _, _, d *peer.State, _ *grid) {
		d.Can.Self.Zone = zone(0, 4)
	}, ""},
	{"two tasks run on one node", working, func(a, _, _, _ *peer.State, _ *grid) {
		a.Tasks.Tasks = append(a.Tasks.Tasks, task(2, 2))
	}, "OneTask"},
	{"a task runs and another waits", working, func(a, _, _, _ *peer.State, _ *grid) {
		waiting := task(2, 2)
		waiting.State = reptask.TaskQueued
		a.Tasks.Tasks = append(a.Tasks.Tasks, waiting)
	}, ""},
	{"two attempts of one job run", working, func(a, _, _, _ *peer.State, _ *grid) {
		a.Tasks.Tasks[0].Epoch = 2
	}, "OneTask"},
	{"a result that no attempt earned", working, func(_, _, _, _ *peer.State, g *grid) {
		g.past.unearned = true
	}, "ResultsEarned"},
	{"a job that an owner dropped", working, func(_, _, _, _ *peer.State, g *grid) { g.past.dropped = true }, "PassedOn"},
	{"an old life in the clusters", working, func(_, _, _, d *peer.State, _ *grid) {
		d.Refine.ID.Incarnation = 2
	}, "OneLife"},
	{"an old life in the tasks", working, func(_, _, _, d *peer.State, _ *grid) {
		d.Tasks.Self.Incarnation = 2
	}, "OneLife"},
	{"a restart with the old identity", working, func(_, _, _, _ *peer.State, g *grid) { g.restarts = 1 }, "NextLife"},
	{"another place", working, func(a, _, _, _ *peer.State, _ *grid) { a.Can.Self.Coord[0]++ }, "NextLife"},
	{"an answer from a node that took no job", working, func(_, _, _, _ *peer.State, g *grid) {
		g.past.untrue = true
	}, "AnswersTrue"},
	{"a timer that is lost", working, func(_, _, _, _ *peer.State, g *grid) { g.timerless = true }, "TimersKept"},
	{"only the task layer leaves", working, func(a, _, _, _ *peer.State, _ *grid) {
		a.Tasks.Leaving = true
	}, "LeaveWhole"},
	{"only the map layer leaves", working, func(a, _, _, _ *peer.State, _ *grid) {
		a.Can.Leave = true
	}, "LeaveWhole"},
	{"dispatching outside the cluster", working, func(a, _, _, _ *peer.State, _ *grid) {
		a.Tasks.Cluster = append(a.Tasks.Cluster, reptask.Neighbour{ID: id('D')})
	}, "ClusterFollows"},
	{"the task layer is the first to notice a failed member", working, func(a, _, _, _ *peer.State, _ *grid) {
		a.Tasks.Cluster = a.Tasks.Cluster[:2]
	}, ""},
}

// badQuiescent are about the properties of quiescent states.
var badQuiescent = []badState{
	{"a gap", idle, func(a, _, _, _ *peer.State, _ *grid) { a.Can.Self.Zone.High[0] = 3 }, "MapWhole"},
	{"a zone whose owner has failed", idle, func(_, _, _, _ *peer.State, g *grid) {
		leaveCluster(g.nodes[:3], 'C')
		g.nodes[2] = nil
	}, "MapWhole"},
	{"a member that has failed", idle, func(_, b, _, _ *peer.State, g *grid) {
		b.Can.Self.Zone.High[0] = 12
		g.nodes[2] = nil
	}, "ClustersAlive"},
	{"a member in its second life", idle, func(_, _, c, _ *peer.State, _ *grid) {
		c.Can.Self.ID.Incarnation, c.Refine.ID.Incarnation, c.Tasks.Self.Incarnation = 2, 2, 2
	}, "ClustersAlive"},
	{"tasks that miss a member", idle, func(a, _, _, _ *peer.State, _ *grid) {
		a.Tasks.Cluster = a.Tasks.Cluster[:2]
	}, "ClustersAgree"},
	{"a job that is open", idle, func(_, b, _, _ *peer.State, _ *grid) {
		b.Tasks.Owned[0].State = reptask.JobRevoking
	}, "JobsEnd"},
	{"a job that is open in a tight model", idle, func(_, b, _, _ *peer.State, g *grid) {
		b.Tasks.Owned[0].State, g.tight = reptask.JobOpen, true
	}, "JobsEnd"},
	{"a job that no cluster took", idle, func(_, b, _, _ *peer.State, _ *grid) {
		b.Tasks.Owned[0].State = reptask.JobFailed
	}, "JobsEnd"},
	{"a job that no cluster took in a tight model", idle, func(_, b, _, _ *peer.State, g *grid) {
		b.Tasks.Owned[0].State, g.tight = reptask.JobFailed, true
	}, ""},
	{"a task that is left", idle, func(a, _, _, _ *peer.State, _ *grid) {
		a.Tasks.Tasks = []reptask.Task{{Job: aJob(1), By: id('B'), Epoch: 1}}
	}, "NobodyReserved"},
	{"a representative that is left", idle, func(a, _, _, _ *peer.State, _ *grid) {
		a.Tasks.Roles = []reptask.Role{{Job: aJob(1), By: id('B'), Epoch: 1}}
	}, "NobodyReserved"},
	{"a job without an answer", idle, func(_, _, _, _ *peer.State, g *grid) { g.asked = true }, "Answered"},
	{"a job with an answer", idle, func(_, _, _, _ *peer.State, g *grid) {
		g.asked, g.past.tickets = true, []ticket{{number: 1, owned: 1}}
	}, ""},
	{"a job that was lost", idle, func(_, _, _, _ *peer.State, g *grid) {
		g.asked, g.past.tickets = true, []ticket{{number: 1, lost: 1}}
	}, "Answered"},
	{"a job whose answer went elsewhere", idle, func(_, _, _, _ *peer.State, g *grid) {
		g.asked, g.past.tickets = true, []ticket{{number: 1, owned: 2}}
	}, "Answered"},
	{"a node that has not left", idle, func(_, _, _, d *peer.State, _ *grid) {
		d.Leaving, d.Tasks.Leaving, d.Refine.Departed = true, true, true
	}, "LeftClean"},
}

// leaveCluster takes a node out of the cluster of A, in the views of all these nodes.
func leaveCluster(nodes []*peer.State, name byte) {
	for i, n := range nodes {
		is := func(m reptask.Neighbour) bool { return m.ID == id(name) }
		n.Tasks.Cluster = slices.DeleteFunc(n.Tasks.Cluster, is)
		if i > 0 {
			slot := &n.Refine.Slots[0]
			slot.Members = slices.DeleteFunc(slot.Members, func(m protocol.NodeID) bool { return m == id(name) })
			continue
		}
		gone := func(c refine.Candidate) bool { return c.ID == id(name) }
		n.Refine.Candidates = slices.DeleteFunc(n.Refine.Candidates, gone)
	}
}

// A bad state breaks exactly the property that forbids it, and each property is broken by one.
func TestPropertiesCanFail(t *testing.T) {
	always, all := (&grid{}).oracle(t).always(), (&grid{}).oracle(t).quiescent()
	require.Empty(t, broken(working(), always))
	require.Empty(t, broken(idle(), append(slices.Clone(always), all...)))
	caught := map[string]bool{}
	check := func(test badState, of func(oracle) []model.Property[peer.State, peer.Message]) {
		g := test.good()
		test.spoil(g.nodes[0], g.nodes[1], g.nodes[2], g.nodes[3], g)
		var want []string
		if test.want != "" {
			want = []string{test.want}
		}
		assert.Equal(t, want, broken(g, of(g.oracle(t))), test.name)
		caught[test.want] = true
	}
	for _, test := range badAlways {
		check(test, oracle.always)
	}
	for _, test := range badQuiescent {
		check(test, func(o oracle) []model.Property[peer.State, peer.Message] {
			return slices.Concat(o.always(), o.quiescent())
		})
	}
	for _, p := range append(always, all...) {
		assert.True(t, caught[p.Name], "no state breaks %s", p.Name)
	}
}

func TestJobsSettle(t *testing.T) {
	p := jobsSettle()
	assert.True(t, p.Triggers(working().state()), "a job is owned")
	assert.False(t, p.Holds(working().state()), "it has not ended")
	assert.False(t, p.Triggers(idle().state()), "its owner has the result")
	assert.True(t, p.Holds(idle().state()), "it has ended")
}
