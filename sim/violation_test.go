package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

func TestInStep(t *testing.T) {
	b := protocol.NodeID{Address: 1, Incarnation: 2}
	assert.Equal(t, "in the step of B.2", sim.InStep(b, nil))
	assert.Equal(
		t,
		"in the step of B.2: start B.2 1, left",
		sim.InStep(b, []protocol.Event{{Name: "start", Peer: b, Number: 1}, {Name: "left"}}),
	)
}
