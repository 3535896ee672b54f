package peer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/sim"
)

// A node reports the load of its cluster: everything is free while a node is idle, and otherwise
// nothing.
func TestSites(t *testing.T) {
	free, busy, own, virtual := 0, 0, 0, 0
	for seed := range uint64(20) {
		p := named(t, "peer/moves").Draw(seed)
		r, err := newRun(p, sim.RunOptions{})
		require.NoError(t, err)
		r.RunUntil(p.UntilMicros*2/3, nil)
		for i := range r.Len() {
			if !r.isStaying(i) {
				continue
			}
			var all sites
			all.add(r, i)
			site, queues := all.Sites[0], all.Queues[0]
			require.Len(t, queues, len(r.State(i).Tasks.Cluster))
			idle, single := false, reptask.Idle{}
			for _, q := range queues {
				idle = idle || q.Length == 0
				if q.Length == 1 {
					single.Waiting = append(single.Waiting, reptask.Waiting{Host: q.Node})
				}
			}
			if idle {
				assert.Equal(t, site.Coordinate, all.Residue(0, &reptask.Idle{}))
				free++
			} else {
				assert.Equal(t, space.Point{}, all.Residue(0, &reptask.Idle{}))
				busy++
			}
			if len(single.Waiting) > 0 {
				assert.Equal(t, site.Coordinate, all.Residue(0, &single), "its own task is not in its way")
				own++
			}
			if sp := &r.cfg.Can.Space; sp.Virtual > 0 {
				assert.Equal(t, sp.Size[sp.Dims-1], site.Coordinate[sp.Dims-1])
				virtual++
			}
		}
	}
	assert.Positive(t, free)
	assert.Positive(t, busy)
	assert.Positive(t, own)
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
