package peer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// A cluster of which a member lies far away in the end is seen.
func TestClustersThatAreNotNear(t *testing.T) {
	far := 0
	for seed := range uint64(30) {
		p := named(t, "grid/drift").Draw(seed)
		r, err := newRun(p, sim.RunOptions{})
		require.NoError(t, err)
		result, err := r.verdict()
		require.NoError(t, err)
		require.Equal(t, sim.Holds, result.Verdict, "seed %d: %s", seed, result.Property)
		for node, v := range r.judge.clusters {
			if v == nil || len(v.Own.Members) < 2 {
				continue
			}
			home, member := r.latency.at[node], v.Own.Members[0]
			if member == v.ID {
				member = v.Own.Members[1]
			}
			for place := range protocol.Address(1000) { // somewhere it is far from that member
				if r.latency.at[node] = place; !r.judge.within(v.ID, member) {
					break
				}
			}
			if r.judge.within(v.ID, member) {
				continue
			}
			property, _ := r.judge.clustersAtRest()
			assert.Equal(t, "Near", property)
			r.latency.at[node] = home
			far++
			break
		}
	}
	assert.Greater(t, far, 10)
}

func named(t *testing.T, name string) sim.World {
	for _, w := range Worlds() {
		if w.Name() == name {
			return w
		}
	}
	require.Fail(t, "no such world", name)
	return nil
}

// Latencies are those of the places where nodes lie.
func TestPlaces(t *testing.T) {
	plane := sim.Plane{Side: 200_000, Queueing: 1, Salt: 7}
	p := newPlaces(plane, 3)
	assert.Equal(t, plane.Micros(0, 2, sim.NewChance(1, 1)), p.Micros(0, 2, sim.NewChance(1, 1)))
	p.at[2] = 99
	assert.Equal(t, plane.Micros(0, 99, sim.NewChance(1, 1)), p.Micros(0, 2, sim.NewChance(1, 1)))
}
