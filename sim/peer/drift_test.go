package peer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	refinemodel "github.com/canvass-grid/canvass/model/refine"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// A cluster with a member that is far away at the end is seen.
func TestDistantClusterIsFound(t *testing.T) {
	far := 0
	for seed := range uint64(30) {
		p := named(t, "peer/drift").Draw(seed)
		r, err := newRun(p, sim.RunOptions{})
		require.NoError(t, err)
		result, err := r.finish()
		require.NoError(t, err)
		require.Equal(t, sim.Holds, result.Verdict, "seed %d: %s", seed, result.Property)
		if leaveFar(r) {
			property, _ := r.oracle.Quiescent()
			assert.Equal(t, "Near", property)
			far++
		}
	}
	assert.Greater(t, far, 10)
}

// leaveFar moves a node far from a member of its cluster, if there is one.
func leaveFar(r *run) bool {
	for s := range r.oracle.live() {
		own := refinemodel.ViewOf(s.Refine).Own.Members
		for _, member := range own {
			for place := range protocol.Address(1000) {
				if r.latency.Move(int(s.ID().Address), place); member != s.ID() && !r.oracle.isWithin(s.ID(), member) {
					return true
				}
			}
		}
	}
	return false
}

func named(t *testing.T, name string) *sim.Scenario {
	for _, w := range Scenarios() {
		if w.Name == name {
			return w
		}
	}
	require.Fail(t, "no such scenario", name)
	return nil
}
