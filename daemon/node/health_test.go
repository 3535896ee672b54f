package node_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/node"
	"github.com/canvass-grid/canvass/protocol"
)

func TestALoopThatHangsIsNotLive(t *testing.T) {
	h, err := node.HealthOf(t.Context())
	require.NoError(t, err)
	assert.False(t, h.Live || h.Ready)
	assert.Equal(t, []string{"The loop of the daemon has not answered within 1s."}, h.Reasons)
}

func TestWhatANodeLacksIsNamed(t *testing.T) {
	assert.Empty(t, node.LacksOnMap(api.NodeReport{Phase: "member"}))
	for want, r := range map[string]api.NodeReport{
		"it is joining":   {Phase: "joining", Open: true},
		"its neighbour C": {Phase: "member", Gone: []protocol.NodeID{{Address: 2, Incarnation: 1}}},
		"no neighbour":    {Phase: "member", Open: true},
		"takes no tasks":  {Phase: "member", NoTasks: "disk-low"},
		"leaves the grid": {Phase: "member", Draining: true},
	} {
		reasons := node.LacksOnMap(r)
		assert.Len(t, reasons, 1, want)
		assert.Contains(t, reasons[0], want)
	}
}
