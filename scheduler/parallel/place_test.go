package parallel_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// TestCandidatesAreRankedByTheMinimumOfTheOptions: of two clusters with equal diameters, the
// smaller one comes first by pareto. Strictly, neither is smaller, and the draw decides.
func TestCandidatesAreRankedByTheMinimumOfTheOptions(t *testing.T) {
	p := &scheduler.Platform{Name: "p", Clusters: []scheduler.Cluster{
		{Name: "small", Nodes: 8, DiameterNanos: 8_000}, {Name: "large", Nodes: 24, DiameterNanos: 8_000},
	}}
	g, err := parallel.NewGrid(p, nil, 1, 1)
	require.NoError(t, err)
	w := &scheduler.Workload{}
	for range 50 {
		w.Jobs = append(w.Jobs, scheduler.Job{RunMicros: scheduler.Second, Nodes: 2})
	}
	for minimum, wantDrawn := range map[string]bool{"pareto": false, "strict": true} {
		o := parallel.Defaults()
		o.Minimum = minimum
		placed, err := g.Place(w, &o)
		require.NoError(t, err)
		drawn := false
		for _, job := range placed {
			neighbours := g.Near(job.Owner, parallel.ReachDirect)
			last := 0 // size of the cluster of the direct neighbour before
			for _, candidate := range job.Candidates {
				if slices.Contains(neighbours, int32(candidate)) {
					nodes := p.Clusters[g.Nodes[candidate].Cluster].Nodes
					drawn = drawn || nodes < last
					last = nodes
				}
			}
		}
		require.Equal(t, wantDrawn, drawn, "minimum %s: a larger cluster comes before a smaller one", minimum)
	}
}
