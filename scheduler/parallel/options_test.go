package parallel_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/parallel"
	"github.com/canvass-grid/canvass/scheduler/platform"
)

func TestOptionsThatAreImpossible(t *testing.T) {
	for _, c := range []struct {
		change func(*parallel.Options)
		text   string
	}{
		{func(o *parallel.Options) { o.Moves = "twice" }, `moves is "twice": use once or each`},
		{func(o *parallel.Options) { o.Minimum = "" }, `minimum is "": use pareto or strict`},
		{func(o *parallel.Options) { o.Position = "best" }, `position is "best": use average or kth`},
		{func(o *parallel.Options) { o.Reach = "far" }, `reach is "far": use direct or both or 3 or 4 or global`},
		{func(o *parallel.Options) { o.LatencyMicros = 0 }, "latency is 0 µs: use 1 to 86400000000 µs"},
		{func(o *parallel.Options) { o.BalanceMicros = -1 }, "balance is -1 µs: use 1 to 86400000000 µs"},
		{func(o *parallel.Options) { o.NewsMicros = 1 << 40 }, "news is 1099511627776 µs: use 0 to 86400000000 µs"},
		{func(o *parallel.Options) { o.Over = 999 }, "over is 999 thousandths: use at least 1,000, " +
			"as a job needs all its nodes, or 0 for the whole cluster"},
	} {
		o := parallel.Defaults()
		require.NoError(t, o.Validate())
		c.change(&o)
		require.EqualError(t, o.Validate(), c.text)
	}
}

func TestFindNamesWhatWasMeant(t *testing.T) {
	p, err := parallel.Find("qb")
	require.NoError(t, err)
	require.True(t, p.QB && !p.DLB)
	_, err = parallel.Find("qb-dlb")
	require.EqualError(t, err, `no decentralised policy "qb-dlb"; did you mean "qb+dlb"?`)
}

func TestGridsThatAreImpossible(t *testing.T) {
	cluster := scheduler.Cluster{Name: "a", Nodes: 4, DiameterNanos: 1_000}
	p := &scheduler.Platform{Name: "p", Clusters: []scheduler.Cluster{cluster}}
	_, err := parallel.NewGrid(p, [][]int{{0}}, 1, 1)
	require.EqualError(t, err, "1 lists of advertised nodes for 4 nodes; give one a node")
	p.Clusters[0].Nodes = 5_000
	_, err = parallel.NewGrid(p, nil, 1, 1)
	require.ErrorContains(t, err, "a node advertises a cluster of 5000 nodes; cut clusters into groups of at most 4095")
	p.Clusters = []scheduler.Cluster{cluster, cluster, cluster}
	p.Clusters[0].DiameterNanos, p.Clusters[1].DiameterNanos, p.Clusters[2].DiameterNanos = 1, 1_000_000, 1_010_000
	_, err = parallel.NewGrid(p, nil, 1, 1)
	require.ErrorContains(t, err, "inverse latencies 990 and 1000 become one coordinate")
}

// TestStopped: a run ends soon after its context, and says where it was.
func TestStopped(t *testing.T) {
	p, err := platform.Parse("uniform:4x8")
	require.NoError(t, err)
	g, err := parallel.NewGrid(p, nil, 1, 1)
	require.NoError(t, err)
	w := &scheduler.Workload{}
	for i := range 20_000 {
		w.Jobs = append(w.Jobs, scheduler.Job{SubmitMicros: int64(i), RunMicros: scheduler.Second, Nodes: 1 + i%8})
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	_, err = parallel.Run(ctx, w, g, parallel.Defaults())
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, `run policy "qb+dlb": stopped at `)
}

// A reading is about a setting that exists, and has a section and a reason.
func TestReadingsAreOfSettings(t *testing.T) {
	found := 0
	for _, s := range (parallel.System{}).Settings() {
		if s.Reading == nil {
			continue
		}
		found++
		assert.NotEmpty(t, s.Reading.Published, s.Name)
		assert.Regexp(t, `^[2-5]\.\d`, s.Reading.Section, s.Name)
		assert.NotEmpty(t, s.Reading.Reason, s.Name)
	}
	assert.Len(t, parallel.Readings, found, "a reading of no setting")
}
