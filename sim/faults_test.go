package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// A targeted fault happens once, on its kind of event, and those after it wait.
func TestTargetedFaults(t *testing.T) {
	kinds := []string{"grant", "move"}
	grant, move := []protocol.Event{{Name: "grant"}}, []protocol.Event{{Name: "ready"}, {Name: "move"}}
	var s sim.TargetedFaults
	fall := func(events []protocol.Event) uint64 {
		if op, falls := s.Take(events, kinds); falls {
			return op.Arg
		}
		return 0
	}
	assert.Zero(t, fall(move), "none waits")
	s.Add(sim.Op{Arg: 1<<8 | 3})
	s.Add(sim.Op{Arg: 2 << 8})
	assert.Zero(t, fall(grant), "the second waits for the first")
	assert.EqualValues(t, 1<<8|3, fall(move))
	assert.Zero(t, fall(move))
	assert.EqualValues(t, 2<<8, fall(grant))
	assert.Zero(t, fall(grant))
}
