package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/sim"
)

// Latencies, and ways where they are known, are those of the nodes' present positions.
func TestDrifting(t *testing.T) {
	plane := sim.Plane{Side: 200_000, Queueing: 1, Salt: 7}
	d := sim.NewDrifting(plane, 3)
	assert.Equal(t, plane.Micros(0, 2, sim.NewChance(1, 1)), d.Micros(0, 2, sim.NewChance(1, 1)))
	d.Move(2, 99)
	assert.Equal(t, plane.Micros(0, 99, sim.NewChance(1, 1)), d.Micros(0, 2, sim.NewChance(1, 1)))
	way, known := d.Way(0, 2)
	assert.True(t, known)
	assert.Equal(t, plane.Way(0, 99), way)
	_, known = sim.NewDrifting(sim.Exponential(1000), 3).Way(0, 1)
	assert.False(t, known)
}
