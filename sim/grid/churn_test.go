package grid_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/generate"
	"github.com/canvass-grid/canvass/scheduler/parallel"
	"github.com/canvass-grid/canvass/scheduler/platform"
	"github.com/canvass-grid/canvass/scheduler/workload"
	"github.com/canvass-grid/canvass/sim/grid"
	"github.com/canvass-grid/canvass/sim/load"
)

// troubled runs 40 jobs, except too large ones, on 18 nodes.
func troubled(t *testing.T, seed uint64, change func(*grid.Options)) (*grid.Result, []parallel.Event) {
	p, err := platform.Parse("uniform:3x6")
	require.NoError(t, err)
	w, err := generate.Parse("sharcnet-like:N=40", seed)
	require.NoError(t, err)
	w, err = workload.Select(w, "filter:size<=6,runs:by=0.05", p.Nodes(), seed)
	require.NoError(t, err)
	g, err := parallel.NewGrid(p, nil, 1+int(seed%2), seed)
	require.NoError(t, err)
	var events []parallel.Event
	o := grid.Options{Options: parallel.Defaults(), Apart: true}
	o.Seed, o.Trace = seed, func(e parallel.Event) { events = append(events, e) }
	change(&o)
	r, err := grid.Run(context.Background(), w, g, o)
	require.NoError(t, err)
	for i, x := range r.Records {
		require.Empty(t, x.Excluded, "job %d fits into a cluster", i)
		require.GreaterOrEqual(t, x.StartMicros, w.Jobs[i].SubmitMicros)
	}
	return r, events
}

// Nodes leave, fail and come back, and all jobs run. Losses have only reasons that the cores
// declare.
func TestChurn(t *testing.T) {
	all := parallel.CoreCounts{}
	for seed := range uint64(2) {
		r, events := troubled(t, seed, func(o *grid.Options) {
			o.Churn = load.Churn{LeaveMicros: 900e6, FailMicros: 900e6, AwayMicros: 120e6}
		})
		require.Zero(t, r.Cores.LostOther)
		require.Zero(t, r.Cores.Dropped)
		all.Failed += r.Cores.Failed
		all.Left += r.Cores.Left
		all.Returned += r.Cores.Returned
		if seed == 0 {
			again, same := troubled(t, seed, func(o *grid.Options) {
				o.Churn = load.Churn{LeaveMicros: 900e6, FailMicros: 900e6, AwayMicros: 120e6}
			})
			require.Equal(t, r, again)
			require.Equal(t, events, same)
		}
	}
	require.NotZero(t, all.Failed)
	require.NotZero(t, all.Left)
	require.NotZero(t, all.Returned)
}

// One message in a hundred is lost, and all jobs run.
func TestLoss(t *testing.T) {
	r, _ := troubled(t, 1, func(o *grid.Options) { o.Loss = 10_000 })
	require.NotZero(t, r.Cores.Dropped)
	require.Zero(t, r.Cores.LostTogether+r.Cores.LostBetween+r.Cores.LostAdopted+r.Cores.LostOther)
	require.NotZero(t, r.Cores.Messages["Beat"], "nodes watch each other")
}

func TestImpossibleOptions(t *testing.T) {
	churn := load.Churn{FailMicros: 900e6, AwayMicros: 120e6}
	for text, change := range map[string]func(*grid.Options){
		"a map that does not change":     func(o *grid.Options) { o.Placed, o.Loss = true, 1 },
		"of a million messages":          func(o *grid.Options) { o.Loss = 200_001 },
		"is back after":                  func(o *grid.Options) { o.Churn = load.Churn{FailMicros: 900e6} },
		"goes after":                     func(o *grid.Options) { o.Churn = churn; o.Churn.LeaveMicros = 1 },
		"a time of churn is negative":    func(o *grid.Options) { o.Churn = churn; o.Churn.LeaveMicros = -1 },
		"reach 3 with churn":             func(o *grid.Options) { o.Churn, o.Reach = churn, parallel.ReachThree },
		"over is 999 thousandths: use a": func(o *grid.Options) { o.Over = 999 },
	} {
		o := grid.Options{Options: parallel.Defaults()}
		change(&o)
		require.ErrorIs(t, o.Validate(), grid.ErrOptions)
		require.ErrorContains(t, o.Validate(), text)
	}
}

// A run whose context has ended says so.
func TestInterrupted(t *testing.T) {
	p, err := platform.Parse("pool:4")
	require.NoError(t, err)
	w, err := generate.Parse("sharcnet-like:N=20", 1)
	require.NoError(t, err)
	g, err := parallel.NewGrid(p, nil, 1, 1)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = grid.Run(ctx, w, g, grid.Options{Options: parallel.Defaults()})
	require.ErrorIs(t, err, context.Canceled)
}
