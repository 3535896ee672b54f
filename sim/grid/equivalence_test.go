package grid_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/differ"
	"github.com/canvass-grid/canvass/scheduler/parallel"
	"github.com/canvass-grid/canvass/scheduler/platform"
	"github.com/canvass-grid/canvass/sim/grid"
)

// cell is a drawn grid with its workload.
type cell struct {
	platform *scheduler.Platform
	lists    [][]int
	workload *scheduler.Workload
	options  parallel.Options
	virtual  int // dimensions of the map
}

// drawnJob is a job that follows another: times are multiples of the grain.
type drawnJob struct {
	gap, run int64
	size     int
}

var drawnSizes = rapid.IntRange(1, 8)

var drawnJobs = rapid.Custom(func(t *rapid.T) drawnJob {
	return drawnJob{
		gap: rapid.Int64Range(0, 20).Draw(t, "gap"), run: rapid.Int64Range(1, 200).Draw(t, "run"),
		size: rapid.OneOf(drawnSizes, drawnSizes, rapid.IntRange(1, 40)).Draw(t, "size"),
	}
})

func drawCell(t *rapid.T) cell {
	c := cell{platform: &scheduler.Platform{Name: "drawn"}, options: parallel.Defaults()}
	most := rapid.SampledFrom([]int{10, 10, 10, 60}).Draw(t, "most nodes")
	for i := range rapid.IntRange(1, 4).Draw(t, "clusters") {
		c.platform.Clusters = append(c.platform.Clusters, scheduler.Cluster{
			Name: fmt.Sprint("c", i), Nodes: rapid.IntRange(1, most).Draw(t, "nodes"), ProcessorsPerNode: 1,
			DiameterNanos: rapid.SampledFrom([]int64{8_000, 150_000}).Draw(t, "diameter"),
			SpeedPermille: rapid.SampledFrom([]int{1000, 1000, 2000}).Draw(t, "speed"),
		})
	}
	c.virtual = rapid.SampledFrom([]int{1, 1, 2, 3}).Draw(t, "virtual dimensions")
	if rapid.Bool().Draw(t, "overlap") {
		lists, err := platform.Overlap(c.platform, rapid.IntRange(2, 5).Draw(t, "advertised"))
		require.NoError(t, err)
		c.lists = lists
	}
	c.workload = &scheduler.Workload{Name: "drawn"}
	at := int64(0)
	// Times are multiples of a few microseconds, so that many things happen at once.
	grain := rapid.SampledFrom([]int64{1, 1_000, 50_000}).Draw(t, "grain")
	// A list can lose single jobs when a failure is made small.
	for i, j := range rapid.SliceOfN(drawnJobs, rapid.IntRange(1, 50).Draw(t, "least jobs"), 200).Draw(t, "jobs") {
		at += grain * j.gap
		c.workload.Jobs = append(c.workload.Jobs, scheduler.Job{
			Number: int64(i), SubmitMicros: at, RunMicros: grain * j.run, Nodes: j.size,
		})
	}
	o := &c.options
	o.Policy = rapid.SampledFrom(parallel.Policies()).Draw(t, "policy")
	o.Over = rapid.SampledFrom([]reptask.Over{reptask.OverNone, 1500, 2000, 8000, reptask.OverTotal}).Draw(t, "over")
	o.Moves = rapid.SampledFrom([]string{"once", "once", "each"}).Draw(t, "moves")
	o.Minimum = rapid.SampledFrom([]string{"pareto", "strict"}).Draw(t, "minimum")
	o.Position = rapid.SampledFrom([]string{"average", "kth"}).Draw(t, "position")
	o.Reach = rapid.SampledFrom([]string{
		parallel.ReachDirect, parallel.ReachBoth, parallel.ReachThree, parallel.ReachFour, parallel.ReachGlobal,
	}).Draw(t, "reach")
	o.Demands = rapid.Bool().Draw(t, "demands")
	o.LatencyMicros = grain * rapid.Int64Range(1, 3).Draw(t, "latency")
	if rapid.Bool().Draw(t, "far apart") {
		far := o.LatencyMicros + grain*rapid.Int64Range(0, 20).Draw(t, "far")
		o.Between = func(a, b int) int64 { return far + int64(a*b)%3 }
	}
	o.BalanceMicros = grain * rapid.Int64Range(1, 50).Draw(t, "period")
	if rapid.SampledFrom([]bool{true, true, true, false}).Draw(t, "news have a period") {
		o.NewsMicros = grain * rapid.Int64Range(1, 50).Draw(t, "news")
	} else {
		o.NewsMicros = 0
	}
	o.Seed = rapid.Uint64Range(0, 1000).Draw(t, "seed")
	return c
}

// TestEnginesAgree holds the fast engine to the cores: every representative, move and start, in
// order.
func TestEnginesAgree(t *testing.T) {
	seen := map[string]int{}
	kills := uint64(0)
	differ.Engines(t, 1000, drawCell, func(t *rapid.T, c cell) differ.Run[parallel.Event] {
		g, err := parallel.NewGrid(c.platform, c.lists, c.virtual, c.options.Seed)
		require.NoError(t, err)
		var events []parallel.Event
		c.options.Trace = func(e parallel.Event) { events = append(events, e) }
		r, err := grid.Run(context.Background(), c.workload, g, grid.Options{Options: c.options, Placed: true})
		require.NoError(t, err)
		return differ.Run[parallel.Event]{
			Steps: events, Records: r.Records, Counts: common{r.Digest, r.Hosts, decisive(r.Counts)},
		}
	}, func(t *rapid.T, c cell) differ.Run[parallel.Event] {
		g, err := parallel.NewGrid(c.platform, c.lists, c.virtual, c.options.Seed)
		require.NoError(t, err)
		var events []parallel.Event
		c.options.Trace = func(e parallel.Event) { events = append(events, e) }
		r, err := parallel.Run(context.Background(), c.workload, g, c.options)
		require.NoError(t, err)
		kills += r.Counts.Kills
		c.moved(g, events, seen)
		return differ.Run[parallel.Event]{
			Steps: events, Records: r.Records,
			Counts: common{r.Digest, hosts(g, len(c.workload.Jobs), events), decisive(r.Counts)},
		}
	})
	t.Log(seen, kills)
	for _, kind := range []string{"in all", "news=0s", "reach=3", "reach=4", "to a large cluster"} {
		require.NotZero(t, seen[kind], "no job moved: %s", kind)
	}
	require.NotZero(t, kills, "no vote was given back")
}

// hosts lists the nodes on which the tasks of each job began.
func hosts(g *parallel.Grid, jobs int, events []parallel.Event) []scheduler.NodeSet {
	nodes := make([][]int, jobs)
	for _, e := range events {
		if e.Kind == parallel.Began {
			nodes[e.Job] = append(nodes[e.Job], g.Nodes[e.Node].Number)
		}
	}
	sets := make([]scheduler.NodeSet, jobs)
	for job := range sets {
		sets[job] = scheduler.NodesOf(nodes[job])
	}
	return sets
}

// moved counts the moves of jobs in a run, by the settings that few runs have.
func (c *cell) moved(g *parallel.Grid, events []parallel.Event, seen map[string]int) {
	for _, e := range events {
		if e.Kind != parallel.Moved {
			continue
		}
		seen["in all"]++
		seen["reach="+c.options.Reach]++
		if c.options.NewsMicros == 0 {
			seen["news=0s"]++
		}
		if len(g.Advertised(e.Target)) > 10 {
			seen["to a large cluster"]++
		}
	}
}

// common has the results of both engines beside events and records.
type common struct {
	digest string
	hosts  []scheduler.NodeSet
	counts parallel.Counts
}

// decisive leaves out the counts in which the engines differ. Routes and searches are decided
// beforehand where jobs are placed, and events are those of each engine.
func decisive(c parallel.Counts) parallel.Counts {
	c.Events, c.Hops, c.Seeks = 0, 0, 0
	return c
}
