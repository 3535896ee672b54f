package peer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/sim"
)

// A node reports the load of its cluster: everything is free while a node is idle, and otherwise
// nothing.
func TestSites(t *testing.T) {
	free, busy, virtual := 0, 0, 0
	for seed := range uint64(20) {
		p := named(t, "peer/moves").Draw(seed)
		r, err := newRun(p, sim.RunOptions{})
		require.NoError(t, err)
		r.RunUntil(p.UntilMicros*2/3, nil)
		for i := range r.Len() {
			if !r.staying(i) {
				continue
			}
			site, idle := r.site(i), false
			require.Len(t, site.Queues, len(r.State(i).Tasks.Cluster))
			for _, q := range site.Queues {
				idle = idle || q.Length == 0
			}
			if idle {
				assert.Equal(t, site.Coordinate, site.Residue)
				free++
			} else {
				assert.Equal(t, space.Point{}, site.Residue)
				busy++
			}
			if sp := &r.cfg.Can.Space; sp.Virtual {
				assert.Equal(t, sp.Size[sp.Dims-1], site.Coordinate[sp.Dims-1])
				virtual++
			}
		}
	}
	assert.Positive(t, free)
	assert.Positive(t, busy)
	assert.Positive(t, virtual)
}

// A command to move a job may come some time after the decision. Whether the move is possible is
// the node's decision, not the simulation's.
func TestDelayedMoves(t *testing.T) {
	late := 0
	for seed := range uint64(40) {
		p := named(t, "peer/moves").Draw(seed)
		r, err := named(t, "peer/moves").Run(p, sim.RunOptions{})
		require.NoError(t, err)
		require.LessOrEqual(t, r.Counts["tasks:move"], r.Counts["proposed"])
		late += r.Counts["proposed"] - r.Counts["tasks:move"]
	}
	assert.Positive(t, late, "some job has begun or moved meanwhile")
}
