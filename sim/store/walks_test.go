package store

import (
	"testing"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/walks/walktest"
)

func TestWalks(t *testing.T) {
	walktest.Draws(t, walkScenario(), systemOf, opJoin, opLeave, opGet, opPut, opCAS)
	walktest.Holds(t, walkScenario(), "Linearizable", "Ended")
	walktest.Refuses(
		t,
		walkScenario(),
		sim.Plan{Nodes: 3, Founders: 2, Shape: 2},
		walktest.Impossible{
			Name:   "a founder joins",
			Want:   "the first 2 nodes are founders",
			Change: walktest.With(sim.Op{Do: opJoin, Node: 1}),
		},
		walktest.Impossible{
			Name:   "one number for two calls",
			Want:   "have the ID 3",
			Change: walktest.With(sim.Op{Do: opPut, Arg: argument(0, 3, 0)}, sim.Op{Do: opGet, Arg: argument(1, 3, 0)}),
		},
		walktest.Impossible{Name: "too many nodes", Want: "at most 16 nodes", Change: func(p *sim.Plan) { p.Nodes = 17 }},
	)
}
