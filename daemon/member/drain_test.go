package member

import (
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/protocol"
)

func TestTheLastButOneLeavesOnlyIfAsked(t *testing.T) {
	a := api.NodeReport{Node: protocol.NodeID{Address: 1, Incarnation: 1}, Phase: "member"}
	b := api.NodeReport{Node: protocol.NodeID{Address: 2, Incarnation: 1}, Phase: "member"}
	leaving := api.NodeReport{Node: protocol.NodeID{Address: 3, Incarnation: 1}, Phase: "member", Draining: true}
	joining := api.NodeReport{Node: protocol.NodeID{Address: 4, Incarnation: 1}, Phase: "joining"}
	dead := api.NodeReport{Node: protocol.NodeID{Address: 5, Incarnation: 1}, Error: api.Dead}
	for _, others := range [][]api.NodeReport{nil, {leaving}, {joining, dead}} {
		nodes := append([]api.NodeReport{a, b}, others...)
		err := MayLeave(nodes, b.Node, false)
		assert.ErrorContains(t, err, fmt.Sprintf("only node %v would be left", a.Node))
		assert.ErrorIs(t, err, jobs.ErrBusy)
		assert.NoError(t, MayLeave(nodes, b.Node, true))
	}
	third := api.NodeReport{Node: protocol.NodeID{Address: 6, Incarnation: 1}, Phase: "member"}
	for _, nodes := range [][]api.NodeReport{{a, b, third}, {a, joining}} {
		leaves := nodes[len(nodes)-1].Node
		assert.NoError(t, MayLeave(nodes, leaves, false), "%v leaves", leaves)
	}
	for _, nodes := range [][]api.NodeReport{{a}, {a, leaving}, {a, joining, dead}} {
		err := MayLeave(nodes, a.Node, true)
		assert.ErrorContains(t, err, "no other node answers")
		assert.ErrorIs(t, err, jobs.ErrBusy)
	}
}

// The others have died since the drain began: a deadline still ends it.
func TestANodeThatDrainsMayBeGivenADeadline(t *testing.T) {
	a := api.NodeReport{Node: protocol.NodeID{Address: 1, Incarnation: 1}, Phase: "member", Draining: true}
	dead := api.NodeReport{Node: protocol.NodeID{Address: 2, Incarnation: 1}, Error: api.Dead}
	assert.NoError(t, MayLeave([]api.NodeReport{a, dead}, a.Node, false))
}

// Once the cores have begun to leave, there is no way back.
func TestADrainIsTakenBackInTime(t *testing.T) {
	drains := func(departs bool) *Drain {
		return &Drain{Runtime: life.New(slog.New(slog.DiscardHandler)), Departs: departs}
	}
	require.NoError(t, drains(false).stay())
	require.ErrorIs(t, drains(true).stay(), jobs.ErrRuns)
}
