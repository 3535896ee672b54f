package parallel_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// TestJobsRunOnMachinesThatAreFastEnough: at every representative, the machines are as fast as the
// job requires. A job that no cluster can run is excluded.
func TestJobsRunOnMachinesThatAreFastEnough(t *testing.T) {
	excluded, moved := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := drawCell(t)
		for i := range c.platform.Clusters {
			c.platform.Clusters[i].SpeedPermille = rapid.SampledFrom([]int{1000, 1500, 4000}).Draw(t, "speed")
		}
		c.options.Demands = true
		c.run(t)
		placed, err := c.grid.Place(c.workload, &c.options)
		require.NoError(t, err)
		const speed = 2 // the dimension
		required := map[int]int32{}
		able := func(p *parallel.Placed) bool {
			for i := range c.grid.Nodes {
				n := &c.grid.Nodes[i]
				if len(c.grid.Advertised(i)) >= c.workload.Jobs[p.Job].Nodes && n.Coordinate[speed] >= p.Requirement[speed] {
					return true
				}
			}
			return false
		}
		several := false
		for i := range c.platform.Clusters {
			several = several || c.platform.Clusters[i].SpeedPermille != c.platform.Clusters[0].SpeedPermille
		}
		if !several {
			return
		}
		for i := range placed {
			p := &placed[i]
			required[p.Job] = p.Requirement[speed]
			require.Equal(t, !able(p), c.result.Records[p.Job].Excluded != "")
			if c.result.Records[p.Job].Excluded != "" {
				excluded++
			}
		}
		for _, e := range c.events {
			require.GreaterOrEqual(t, c.grid.Nodes[e.Node].Coordinate[speed], required[e.Job], "%+v", e)
			if e.Kind == parallel.Moved {
				moved++
			}
		}
	})
	require.Positive(t, excluded, "no job was excluded")
	require.Positive(t, moved, "no job moved")
}

// TestSpeedsAreNoDimensionWhereMachinesAreAlike: a grid of equal machines is as it was without.
func TestSpeedsAreNoDimensionWhereMachinesAreAlike(t *testing.T) {
	p := &scheduler.Platform{Name: "p", Clusters: []scheduler.Cluster{
		{Name: "a", Nodes: 4, DiameterNanos: 1_000}, {Name: "b", Nodes: 6, DiameterNanos: 1_000},
	}}
	g, err := parallel.NewGrid(p, nil, 1, 1)
	require.NoError(t, err)
	o := parallel.Defaults()
	require.Equal(t, 3, g.Config(&o).Dims)
	p.Clusters[0].SpeedPermille = 1
	g, err = parallel.NewGrid(p, nil, 1, 1)
	require.NoError(t, err)
	require.Equal(t, 4, g.Config(&o).Dims)
}
