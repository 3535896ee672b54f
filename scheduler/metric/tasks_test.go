package metric_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// chain is one job of two tasks, one after the other: the first on two nodes, then one on one node
// of another cluster. The second waits for ten seconds.
func chain(t *testing.T) (*scheduler.Workload, *scheduler.Platform, []scheduler.Record, []scheduler.Record) {
	const s = scheduler.Second
	w := &scheduler.Workload{Jobs: []scheduler.Job{{RunMicros: 40 * s, Nodes: 2}}}
	w.Tasks = scheduler.NewTasks()
	require.NoError(t, w.Tasks.Add([]scheduler.Task{
		{ExecMicros: 30 * s, Nodes: 2, Kind: scheduler.AnyKind, Successors: []int32{1}},
		{ExecMicros: 10 * s, Nodes: 1, Kind: scheduler.AnyKind},
	}))
	p := &scheduler.Platform{Clusters: []scheduler.Cluster{{Nodes: 2}, {Nodes: 2}}}
	jobs := []scheduler.Record{{StartMicros: 5 * s, EndMicros: 55 * s}}
	tasks := []scheduler.Record{
		{StartMicros: 5 * s, EndMicros: 35 * s}, {StartMicros: 45 * s, EndMicros: 55 * s, Cluster: 1, Task: 1},
	}
	return w, p, jobs, tasks
}

// A job waits for its first task, and its tasks use the nodes: 70 node-seconds of 4 · 55.
func TestJobsOfTasks(t *testing.T) {
	w, p, jobs, tasks := chain(t)
	s, err := metric.Summarise(w, p, jobs, metric.Options{Tasks: tasks})
	require.NoError(t, err)
	assert.Equal(t, 5.0, s.Wait.Mean)
	assert.Equal(t, 55.0, s.Response.Mean)
	assert.InDelta(t, 70.0/220, s.Utilisation, 1e-12)
}

func TestWrongRecordsOfTasks(t *testing.T) {
	for text, change := range map[string]func(tasks []scheduler.Record){
		"task 1 of job 0 starts at 30":   func(x []scheduler.Record) { x[1].StartMicros, x[1].EndMicros = 30e6, 40e6 },
		"want a run of 10000000 µs":      func(x []scheduler.Record) { x[1].EndMicros++ },
		"ran in cluster 2":               func(x []scheduler.Record) { x[1].Cluster = 2 },
		"its job from":                   func(x []scheduler.Record) { x[1].StartMicros, x[1].EndMicros = 46e6, 56e6 },
		"did not run (why), but its job": func(x []scheduler.Record) { x[1].Leave(scheduler.Failed, "why") },
		"has the record of task 0":       func(x []scheduler.Record) { x[1].Task = 0 },
	} {
		w, p, jobs, tasks := chain(t)
		change(tasks)
		_, err := metric.Summarise(w, p, jobs, metric.Options{Tasks: tasks})
		require.ErrorIs(t, err, metric.ErrRecords)
		require.ErrorContains(t, err, text)
	}
	w, p, jobs, _ := chain(t)
	_, err := metric.Summarise(w, p, jobs, metric.Options{})
	require.ErrorContains(t, err, "0 records for 2 tasks")
}
