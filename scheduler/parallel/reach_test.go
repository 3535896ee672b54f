package parallel_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/parallel"
	"github.com/canvass-grid/canvass/scheduler/platform"
)

// TestReachGrows: each reach adds nodes to those of the last, and neighbours of the nodes within
// three steps are within four.
func TestReachGrows(t *testing.T) {
	p, err := platform.Parse("sharcnet")
	require.NoError(t, err)
	g, err := parallel.NewGrid(p, nil, 1, 3)
	require.NoError(t, err)
	for node := 0; node < len(g.Nodes); node += 97 {
		of := func(reach string) []int32 { return g.Near(node, reach) }
		require.NotContains(t, of(parallel.ReachThree), int32(node))
		require.Subset(t, of(parallel.ReachBoth), of(parallel.ReachDirect))
		require.Subset(t, of(parallel.ReachThree), of(parallel.ReachBoth))
		require.Greater(t, len(of(parallel.ReachThree)), len(of(parallel.ReachBoth)))
		require.Subset(t, of(parallel.ReachGlobal), of(parallel.ReachFour))
		four := map[int32]bool{int32(node): true}
		for _, k := range of(parallel.ReachThree) {
			for _, next := range g.Near(int(k), parallel.ReachDirect) {
				four[next] = true
			}
		}
		require.Len(t, of(parallel.ReachFour), len(four)-1)
	}
}

// TestFarClusters: a job reaches its owner later where clusters are far apart, and latencies that
// let a grant overtake a cancellation are refused.
func TestFarClusters(t *testing.T) {
	p, err := platform.Parse("uniform:3x8")
	require.NoError(t, err)
	g, err := parallel.NewGrid(p, nil, 1, 1)
	require.NoError(t, err)
	w := &scheduler.Workload{}
	for i := range 40 {
		w.Jobs = append(w.Jobs, scheduler.Job{SubmitMicros: int64(i), RunMicros: scheduler.Second, Nodes: 1 + i%8})
	}
	o := parallel.Defaults()
	near, err := g.Place(w, &o)
	require.NoError(t, err)
	o.Between = func(a, b int) int64 { return 10_000 * int64(1+a+b) }
	far, err := g.Place(w, &o)
	require.NoError(t, err)
	sum := func(placed []parallel.Placed) (micros int64) {
		for _, p := range placed {
			micros += p.AtMicros
		}
		return micros
	}
	require.Greater(t, sum(far), sum(near))
	_, err = parallel.Run(context.Background(), w, g, o)
	require.NoError(t, err)
	o.Between = func(a, b int) int64 { return o.LatencyMicros - int64(a) }
	_, err = parallel.Run(context.Background(), w, g, o)
	require.ErrorContains(t, err, "a message from cluster 1 to 0 takes 999 µs: use 1000, as within a cluster, to")
}
