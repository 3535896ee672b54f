package grid_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/parallel"
	"github.com/canvass-grid/canvass/sim/grid"
)

// watched runs a cell and checks what must hold at each start: no node runs two tasks, and exactly
// as many tasks of a job begin as it needs, on different nodes of one cluster.
func watched(t *rapid.T, c *cell, g *parallel.Grid, o grid.Options) (*grid.Result, []parallel.Event) {
	var events []parallel.Event
	o.Trace = func(e parallel.Event) { events = append(events, e) }
	result, err := grid.Run(context.Background(), c.workload, g, o)
	require.NoError(t, err)
	for i, r := range result.Records {
		require.Equal(t, i, r.Job)
		require.NotEqual(t, r.Excluded == "", r.StartMicros == scheduler.Unknown, "a job runs, or there is a reason")
		if r.Excluded == "" {
			require.GreaterOrEqual(t, r.StartMicros, c.workload.Jobs[i].SubmitMicros)
			require.Equal(t, r.StartMicros+c.workload.Jobs[i].RunMicros, r.EndMicros)
		}
	}
	return result, events
}

// requireGangs demands that each job begins once, on as many nodes as it needs, and that no node
// runs two tasks at a time.
func requireGangs(t *rapid.T, c *cell, g *parallel.Grid, o *grid.Options, events []parallel.Event, r *grid.Result) {
	free := make([]int64, len(g.Nodes))
	gangs := make([][]int, len(c.workload.Jobs))
	for _, e := range events {
		if e.Kind != parallel.Began {
			continue
		}
		require.GreaterOrEqual(t, e.AtMicros, free[e.Node], "node %d runs two tasks", e.Node)
		// The task of a representative ends with the others, which begin later.
		free[e.Node] = e.AtMicros + max(1, c.workload.Jobs[e.Job].RunMicros)
		require.NotContains(t, gangs[e.Job], e.Node)
		gangs[e.Job] = append(gangs[e.Job], e.Node)
	}
	for job, nodes := range gangs {
		if r.Records[job].Excluded != "" {
			require.Empty(t, nodes)
			continue
		}
		require.Len(t, nodes, c.workload.Jobs[job].Nodes)
		for _, n := range nodes {
			require.Equal(t, g.Nodes[nodes[0]].Cluster, g.Nodes[n].Cluster)
		}
	}
}

// TestPeersRunEverything runs whole peers without faults: jobs begin at entry nodes. Every job that
// fits into a cluster runs, and the client of any other is notified that no node can run it.
func TestPeersRunEverything(t *testing.T) {
	sought, refused := uint64(0), 0
	rapid.Check(t, func(t *rapid.T) {
		c := drawCell(t)
		g, err := parallel.NewGrid(c.platform, c.lists, c.virtual, c.options.Seed)
		require.NoError(t, err)
		o := grid.Options{Options: c.options, Apart: rapid.Bool().Draw(t, "apart")}
		result, events := watched(t, &c, g, o)
		requireGangs(t, &c, g, &o, events, result)
		placed, err := g.Place(c.workload, &c.options)
		require.NoError(t, err)
		for i := range placed {
			excluded := result.Records[placed[i].Job].Excluded
			require.Equal(t, placed[i].Excluded != "", excluded != "", excluded)
			if excluded != "" {
				require.Contains(t, excluded, "nobody can run it")
				refused++
			}
		}
		sought += result.Counts.Seeks
		require.Equal(t, parallel.CoreCounts{Messages: result.Cores.Messages}, result.Cores)
	})
	require.NotZero(t, sought, "no search")
	require.NotZero(t, refused, "no job that nobody can run")
}

// TestPlacesAgree compares the ways of jobs with the ways that the fast engine computes: as many
// hops, and a first representative that is one of the candidates. Neither is asked before the job
// is at its owner.
func TestPlacesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCell(t)
		g, err := parallel.NewGrid(c.platform, c.lists, c.virtual, c.options.Seed)
		require.NoError(t, err)
		placed, err := g.Place(c.workload, &c.options)
		require.NoError(t, err)
		result, events := watched(t, &c, g, grid.Options{Options: c.options})
		hops, all := uint64(0), true
		for i := range placed {
			p := &placed[i]
			hops += uint64(p.Hops)
			at := slices.IndexFunc(events, func(e parallel.Event) bool {
				return e.Kind == parallel.Represented && e.Job == p.Job
			})
			all = all && !strings.HasPrefix(p.Excluded, "needs")
			if p.Excluded == "" && p.Seeks == 0 {
				require.Contains(t, p.Candidates, events[at].Node)
				require.GreaterOrEqual(t, events[at].AtMicros, p.AtMicros)
				if events[at].Node == p.Owner {
					require.Equal(t, p.AtMicros, events[at].AtMicros)
				}
			}
		}
		if all { // the fast engine does not route jobs that are too large
			require.Equal(t, hops, result.Counts.Hops)
		}
	})
}
