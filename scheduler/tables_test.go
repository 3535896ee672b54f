package scheduler_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
)

// diamond is a job in which tasks 1 and 2 follow task 0, and task 3 follows both.
func diamond() []scheduler.Task {
	return []scheduler.Task{
		{ExecMicros: 3, Nodes: 2, Kind: 0, Successors: []int32{1, 2}},
		{ExecMicros: 5, Nodes: 1, Kind: 1, Successors: []int32{3}},
		{ExecMicros: 7, Nodes: 4, Kind: scheduler.AnyKind, Successors: []int32{3}},
		{ExecMicros: 1, Nodes: 1, Kind: scheduler.AnyKind},
	}
}

func TestTasks(t *testing.T) {
	table := scheduler.NewTasks("fast", "slow")
	require.NoError(t, table.Add([]scheduler.Task{{ExecMicros: 4, Nodes: 1, Kind: scheduler.AnyKind}}))
	require.NoError(t, table.Add(diamond()))
	assert.Equal(t, 2, table.Jobs())
	assert.Equal(t, 5, table.Len())
	first, end := table.Of(1)
	assert.Equal(t, [2]int32{1, 5}, [2]int32{first, end})
	for task, job := range []int{0, 1, 1, 1, 1} {
		assert.Equal(t, job, table.JobOf(int32(task)))
	}
	assert.Equal(t, []int32{2, 3}, table.Successors(1))
	assert.Equal(t, []int32{4}, table.Successors(3))
	assert.Empty(t, table.Successors(4))
	assert.Equal(t, []int32{0, 0, 1, 1, 2}, table.Predecessors())
	assert.Equal(t, []int64{4, 11, 6, 8, 1}, table.Ranks())
	assert.Equal(t, []int64{4, 11}, table.CriticalPaths())
	assert.Equal(t, 4, table.Nodes(3))
	assert.Equal(t, 1, table.Kind(2))
}

func TestWrongTasks(t *testing.T) {
	for text, task := range map[string]scheduler.Task{
		"runs for -1 µs":                {ExecMicros: -1, Nodes: 1, Kind: scheduler.AnyKind},
		"needs 0 nodes":                 {Kind: scheduler.AnyKind},
		"kind 2, of 1 kinds":            {Nodes: 1, Kind: 2},
		"successor is task 0 of 2":      {Nodes: 1, Kind: scheduler.AnyKind, Successors: []int32{0}},
		"successor is task 2 of 2":      {Nodes: 1, Kind: scheduler.AnyKind, Successors: []int32{2}},
		"task 1 is its successor twice": {Nodes: 1, Kind: scheduler.AnyKind, Successors: []int32{1, 1}},
	} {
		table := scheduler.NewTasks("fast")
		err := table.Add([]scheduler.Task{task, {Nodes: 1, Kind: scheduler.AnyKind}})
		require.ErrorContains(t, err, text)
		require.ErrorContains(t, err, "job 0, task 0")
		require.Zero(t, table.Len())
	}
	require.ErrorContains(t, scheduler.NewTasks().Add(nil), "has no task")
}

func TestCurves(t *testing.T) {
	c := scheduler.NewCurves()
	require.NoError(t, c.Add(10, []scheduler.CurvePoint{{2e6, 1e6}, {3e6, 500_000}, {5e6, 0}}))
	for stretch, want := range map[int64]int64{
		0: 10e6, 2e6: 10e6, 2_500_000: 7_500_000, 3e6: 5e6, 4e6: 2_500_000, 5e6: 0, 9e6: 0,
		2_000_001: 9_999_990, // rounded down
	} {
		assert.Equal(t, want, c.ValuePPM(0, stretch), "at %d", stretch)
	}
	first, last := c.Deadlines(0)
	assert.Equal(t, [2]int64{2e6, 5e6}, [2]int64{first, last})
	for text, points := range map[string][]scheduler.CurvePoint{
		"at least two":        {{2e6, 1e6}},
		"the last with 0":     {{2e6, 1e6}, {3e6, 1}},
		"the first with part": {{2e6, 999_999}, {3e6, 0}},
		"stretch must grow":   {{2e6, 1e6}, {2e6, 0}},
		"the part must not":   {{2e6, 1e6}, {3e6, 1}, {4e6, 2}, {5e6, 0}},
	} {
		require.ErrorContains(t, c.Add(1, points), text)
	}
	require.ErrorContains(t, c.Add(-1, nil), "value -1")
	require.Equal(t, 1, c.Jobs())
}

func TestNeeds(t *testing.T) {
	systems := []string{"linux", "mac", "bsd"}
	dimensions := []scheduler.Dimension{{Name: "memory_mib"}, {Name: "system", Categories: systems}}
	n, err := scheduler.NewNeeds(dimensions, 3)
	require.NoError(t, err)
	require.NoError(t, n.AtLeast(1, 0, 512))
	require.NoError(t, n.OneOf(1, 1, 0, 2))
	assert.Equal(t, 3, n.Jobs())
	assert.Equal(t, []int32{512, 0b101}, n.Of(1))
	assert.True(t, n.AreMet(0, []int32{0, 1}), "it requires nothing")
	assert.True(t, n.AreMet(1, []int32{512, 2}))
	assert.False(t, n.AreMet(1, []int32{511, 2}))
	assert.False(t, n.AreMet(1, []int32{600, 1}))
	require.ErrorContains(t, n.AtLeast(0, 1, 1), "of a quantity")
	require.ErrorContains(t, n.OneOf(0, 1, 3), "which has 3")
	_, err = scheduler.NewNeeds([]scheduler.Dimension{{Name: "a"}, {Name: "a"}}, 1)
	require.ErrorContains(t, err, "another name")
	_, err = scheduler.NewNeeds([]scheduler.Dimension{{Name: "a", Categories: make([]string, 32)}}, 1)
	require.ErrorContains(t, err, "at most 31")
}

func TestMachines(t *testing.T) {
	p := &scheduler.Platform{Name: "p", Clusters: []scheduler.Cluster{{Nodes: 1}, {Nodes: 1}}}
	require.NoError(t, p.CheckMachines())
	p.Machines = scheduler.NewMachines(scheduler.Dimension{Name: "memory_mib"},
		scheduler.Dimension{Name: "system", Categories: []string{"linux", "mac"}})
	require.NoError(t, p.Machines.Add(512, 1))
	require.ErrorContains(t, p.CheckMachines(), "2 nodes and capabilities of 1")
	require.ErrorContains(t, p.Machines.Add(512), "1 values for 2 dimensions")
	require.ErrorContains(t, p.Machines.Add(512, 2), "its index among 2")
	require.NoError(t, p.Machines.Add(1024, 0))
	require.NoError(t, p.CheckMachines())
	assert.Equal(t, []int32{1024, 0}, p.Machines.Of(1))
	p.Machines.Lives = []scheduler.Life{scheduler.Always()}
	require.ErrorContains(t, p.CheckMachines(), "1 lives")
	p.Machines.Lives = []scheduler.Life{scheduler.Always(), {FromMicros: 5, UntilMicros: 5}}
	require.ErrorContains(t, p.CheckMachines(), "let it end after it begins")
}

func TestTablesAreOfAllJobs(t *testing.T) {
	w := scheduler.Workload{Name: "w", Jobs: make([]scheduler.Job, 2)}
	require.NoError(t, w.CheckTables())
	require.False(t, w.HasTables())
	w.Tasks = scheduler.NewTasks()
	require.True(t, w.HasTables())
	require.ErrorContains(t, w.CheckTables(), "2 jobs and tasks of 0")
	for range 2 {
		require.NoError(t, w.Tasks.Add([]scheduler.Task{{Nodes: 1, Kind: scheduler.AnyKind}}))
	}
	require.NoError(t, w.CheckTables())
	w.Curves = scheduler.NewCurves()
	require.ErrorContains(t, w.CheckTables(), "curves of 0")
}

func TestWorth(t *testing.T) {
	w := &scheduler.Workload{Jobs: make([]scheduler.Job, 2)}
	require.Empty(t, scheduler.Worth(w, make([]scheduler.Record, 2)))
	w.Tasks, w.Curves = scheduler.NewTasks(), scheduler.NewCurves()
	for range 2 {
		require.NoError(t, w.Tasks.Add([]scheduler.Task{{ExecMicros: 10, Nodes: 1, Kind: scheduler.AnyKind}}))
		require.NoError(t, w.Curves.Add(100, []scheduler.CurvePoint{{2e6, 1e6}, {4e6, 0}}))
	}
	// The first job takes three times its critical path, which leaves half of its value; the second
	// never runs.
	records := []scheduler.Record{{EndMicros: 30}, {Job: 1}}
	records[1].Leave(scheduler.Excluded, "too large")
	require.Equal(t, map[string]int64{"mean_stretch_ppm": 3e6, "value_ppm": 250_000}, scheduler.Worth(w, records))
	require.Equal(t, int64(1e12), scheduler.StretchPPM(1<<62, 0), "the largest stretch")
}

func TestOutcomes(t *testing.T) {
	var r scheduler.Record
	require.Equal(t, scheduler.Done, r.Outcome)
	r.Leave(scheduler.Expired, "worth nothing")
	require.Equal(t, "expired", r.Outcome.String())
	require.Equal(t, "worth nothing", r.Excluded)
}

func TestUnion(t *testing.T) {
	a, b := scheduler.NodesOf([]int{1, 2, 7}), scheduler.NodesOf([]int{2, 3, 4, 9})
	assert.Equal(t, "1-4 7 9", a.Union(b).String())
	assert.Equal(t, "1-2 7", a.String(), "it is not changed")
	assert.Equal(t, a, a.Union(nil))
}

// A million rigid jobs stay small, whatever other jobs have.
func TestRigidJobsStaySmall(t *testing.T) {
	assert.LessOrEqual(t, reflect.TypeFor[scheduler.Job]().Size(), uintptr(104))
	assert.LessOrEqual(t, reflect.TypeFor[scheduler.Record]().Size(), uintptr(56))
}
