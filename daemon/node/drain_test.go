package node_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/node"
	"github.com/canvass-grid/canvass/protocol"
)

func TestTheLastButOneLeavesOnlyIfAsked(t *testing.T) {
	a := api.NodeReport{Node: protocol.NodeID{Address: 1, Incarnation: 1}, Phase: "member"}
	b := api.NodeReport{Node: protocol.NodeID{Address: 2, Incarnation: 1}, Phase: "member"}
	leaving := api.NodeReport{Node: protocol.NodeID{Address: 3, Incarnation: 1}, Phase: "member", Draining: true}
	joining := api.NodeReport{Node: protocol.NodeID{Address: 4, Incarnation: 1}, Phase: "joining"}
	dead := api.NodeReport{Node: protocol.NodeID{Address: 5, Incarnation: 1}, Error: api.Dead}
	for _, others := range [][]api.NodeReport{nil, {leaving}, {joining, dead}} {
		last, only := node.Remains(append([]api.NodeReport{a, b}, others...), b.Node)
		assert.True(t, only)
		assert.Equal(t, a.Node, last)
	}
	third := api.NodeReport{Node: protocol.NodeID{Address: 6, Incarnation: 1}, Phase: "member"}
	for _, nodes := range [][]api.NodeReport{{a}, {a, b, third}, {a, joining}} {
		leaves := nodes[len(nodes)-1].Node
		_, only := node.Remains(nodes, leaves)
		assert.False(t, only, "%v leaves", leaves)
	}
}
