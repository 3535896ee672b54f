package parallel_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// cell is a drawn grid with its workload.
type cell struct {
	platform *scheduler.Platform
	workload *scheduler.Workload
	options  parallel.Options
	grid     *parallel.Grid
	events   []parallel.Event
	result   *parallel.Result
}

func drawCell(t *rapid.T) *cell {
	c := &cell{
		platform: &scheduler.Platform{Name: "drawn"}, workload: &scheduler.Workload{}, options: parallel.Defaults(),
	}
	for i := range rapid.IntRange(1, 5).Draw(t, "clusters") {
		c.platform.Clusters = append(c.platform.Clusters, scheduler.Cluster{
			Name: fmt.Sprint("c", i), Nodes: rapid.IntRange(1, 12).Draw(t, "nodes"), ProcessorsPerNode: 1,
			DiameterNanos: rapid.SampledFrom([]int64{8_000, 150_000}).Draw(t, "diameter"),
		})
	}
	at := int64(0)
	for range rapid.IntRange(1, 80).Draw(t, "jobs") {
		at += rapid.Int64Range(0, 3_000).Draw(t, "gap")
		c.workload.Jobs = append(c.workload.Jobs, scheduler.Job{
			SubmitMicros: at, RunMicros: rapid.Int64Range(0, 20_000).Draw(t, "run"),
			Nodes: rapid.IntRange(1, 10).Draw(t, "size"),
		})
	}
	o := &c.options
	o.Policy = rapid.SampledFrom(parallel.Policies()).Draw(t, "policy")
	o.Over = rapid.SampledFrom([]reptask.Over{reptask.OverNone, 1500, 8000, reptask.OverTotal}).Draw(t, "over")
	o.Moves = rapid.SampledFrom([]string{"once", "each"}).Draw(t, "moves")
	o.LatencyMicros = rapid.Int64Range(1, 100).Draw(t, "latency")
	o.BalanceMicros = rapid.Int64Range(1, 5_000).Draw(t, "period")
	o.NewsMicros = rapid.Int64Range(0, 5_000).Draw(t, "news")
	return c
}

func (c *cell) run(t require.TestingT) {
	var err error
	c.grid, err = parallel.NewGrid(c.platform, nil, 1, 1)
	require.NoError(t, err)
	c.events = nil
	c.options.Trace = func(e parallel.Event) { c.events = append(c.events, e) }
	c.result, err = parallel.Run(context.Background(), c.workload, c.grid, c.options)
	require.NoError(t, err)
}

// tasks returns where and when the tasks of a job began.
func (c *cell) tasks(job int) (began []parallel.Event) {
	for _, e := range c.events {
		if e.Kind == parallel.Began && e.Job == job {
			began = append(began, e)
		}
	}
	return began
}

// TestExact checks the promises of the scheduler in every run: k tasks on k nodes of one cluster,
// within a message's time, no node with two of them, and no job moved more often than it may.
func TestExact(t *testing.T) {
	moved := 0
	rapid.Check(t, func(t *rapid.T) {
		c := drawCell(t)
		c.run(t)
		free := make([]int64, len(c.grid.Nodes)) // from when on
		for _, e := range c.events {
			if e.Kind == parallel.Began {
				require.LessOrEqual(t, free[e.Node], e.AtMicros, "node %d runs two tasks", e.Node)
				free[e.Node] = e.AtMicros + c.workload.Jobs[e.Job].RunMicros
			}
		}
		for j, r := range c.result.Records {
			began := c.tasks(j)
			if r.Excluded != "" {
				require.Empty(t, began)
				require.Equal(t, int64(scheduler.Unknown), r.StartMicros)
				continue
			}
			require.Len(t, began, c.workload.Jobs[j].Nodes)
			nodes := map[int]bool{}
			for _, e := range began {
				nodes[e.Node] = true
				require.Equal(t, r.Cluster, c.grid.Nodes[e.Node].Cluster)
				require.LessOrEqual(t, r.StartMicros-e.AtMicros, c.options.LatencyMicros)
			}
			require.Len(t, nodes, len(began))
			require.GreaterOrEqual(t, r.StartMicros, c.workload.Jobs[j].SubmitMicros)
			require.Equal(t, r.StartMicros+c.workload.Jobs[j].RunMicros, r.EndMicros)
		}
		moved += c.limits(t)
	})
	require.Positive(t, moved, "no job moved")
}

// limits checks that no job moved more often than it may, and returns the number of moves.
func (c *cell) limits(t require.TestingT) (moved int) {
	most := map[string]int{"once": 1, "each": 2}[c.options.Moves]
	if c.options.Policy.Name == "static" {
		most = 0
	}
	moves := map[int]int{}
	for _, e := range c.events {
		if e.Kind == parallel.Moved {
			moves[e.Job]++
			moved++
			require.NotEqual(t, e.Node, e.Target)
			require.LessOrEqual(t, moves[e.Job], most)
		}
	}
	require.Equal(t, uint64(moved), c.result.Counts.DLBMoves+c.result.Counts.QBMoves)
	return moved
}

// TestTooLargeJobsAreExcluded: a job is excluded if and only if no cluster is large enough.
func TestTooLargeJobsAreExcluded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCell(t)
		c.run(t)
		for j, r := range c.result.Records {
			require.Equal(t, c.workload.Jobs[j].Nodes > c.platform.Largest(), r.Excluded != "", "job %d: %s", j, r.Excluded)
		}
	})
}

// TestQueuesAreServedByAge: on one node, jobs start in the order of their submission.
func TestQueuesAreServedByAge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCell(t)
		c.platform.Clusters = c.platform.Clusters[:1]
		c.platform.Clusters[0].Nodes = 1
		c.run(t)
		last := int64(-1)
		for j, r := range c.result.Records {
			submitted := c.workload.Jobs[j].SubmitMicros
			if r.Excluded == "" && (j == 0 || submitted > c.workload.Jobs[j-1].SubmitMicros) {
				require.Less(t, last, r.StartMicros)
			}
			last = max(last, r.StartMicros)
		}
	})
}

// TestRepeatable: equal arguments give equal results, and another seed gives others.
func TestRepeatable(t *testing.T) {
	differ := false
	rapid.Check(t, func(t *rapid.T) {
		c := drawCell(t)
		c.run(t)
		first, events := c.result, slices.Clone(c.events)
		c.run(t)
		require.Equal(t, first, c.result)
		require.Equal(t, events, c.events)
		c.options.Seed++
		c.run(t)
		differ = differ || first.Digest != c.result.Digest
	})
	require.True(t, differ, "the seed changes nothing")
}
