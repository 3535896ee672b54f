package catalog

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/random"
)

// walkScenario describes the expectations of a scenario of random walks.
type walkScenario struct {
	name              string
	operations        []string // that plans draw, in addition to faults
	always, quiescent string   // a property of each shape
	least             sim.Plan // a plan that has a system
	impossible        []impossible
}

// impossible is a change that makes a plan impossible, and a text that the error must contain.
type impossible struct {
	name, want string
	change     func(p *sim.Plan)
}

// with is a change that adds operations.
func with(ops ...sim.Op) func(p *sim.Plan) {
	return func(p *sim.Plan) { p.Ops = append(p.Ops, ops...) }
}

var walkScenarios = []walkScenario{
	{
		"can/walks", []string{"join", "leave"}, "NoOverlap", "ViewsAgree", sim.Plan{Nodes: 3, Founders: 2, Shape: 2},
		[]impossible{
			{"a founder joins", "the first 2 nodes are founders", with(sim.Op{Do: "join", Node: 1})},
			{"an unknown contact", "joins by node 7", with(sim.Op{Do: "join", Node: 2, Arg: 7})},
			{"no founders", "at least one", func(p *sim.Plan) { p.Founders = 0 }},
			{"too many nodes", "at most", func(p *sim.Plan) { p.Nodes, p.Founders = 30, 30 }},
		},
	},
	{
		"refine/walks", []string{"bounds", "later", "near", "far", "wavers", "struck-off", "measure", "leave"},
		"Measured", "Agree", sim.Plan{Nodes: 2},
		[]impossible{
			{"an unknown candidate", "no node 5 among 2", with(sim.Op{Do: "near", Arg: 1 << 5})},
			{"a pair with an unknown node", "no node 7 among 2", with(sim.Op{Do: "far", Arg: 7})},
			{"no node to strike off", "names 0 nodes", with(sim.Op{Do: "struck-off"})},
			{"no cluster", "MembershipBound", with(sim.Op{Do: "bounds", Arg: 1 << 4})},
		},
	},
	{
		"reptask/walks", []string{"cluster", "submit", "move", "cancel"}, "OneRunPerNode", "AllDone", sim.Plan{Nodes: 2},
		[]impossible{
			{"an unknown neighbour", "no node 5 among 2", with(sim.Op{Do: "cluster", Arg: 1 << 5})},
			{"no candidates", "0 candidates", with(sim.Op{Do: "submit", Arg: 1 << 16})},
			{"nothing to move", "first job of node 1", with(sim.Op{Do: "move", Arg: 1})},
			{"nothing to cancel", "first job of node 1", with(sim.Op{Do: "cancel", Node: 1})},
		},
	},
	{
		"store/walks", []string{"join", "leave", "get", "put", "cas"}, "Linearizable", "Ended",
		sim.Plan{Nodes: 3, Founders: 2, Shape: 2},
		[]impossible{
			{"a founder joins", "the first 2 nodes are founders", with(sim.Op{Do: "join", Node: 1})},
			{"one number for two calls", "have the ID 3",
				with(sim.Op{Do: "put", Arg: 3 << 8}, sim.Op{Do: "get", Arg: 1 | 3<<8})},
			{"too many nodes", "at most 16 nodes", func(p *sim.Plan) { p.Nodes = 17 }},
		},
	},
}

func TestWalks(t *testing.T) {
	for _, expected := range walkScenarios {
		t.Run(expected.name, func(t *testing.T) {
			i := slices.IndexFunc(All(), func(s *sim.Scenario) bool { return s.Name == expected.name })
			require.GreaterOrEqual(t, i, 0)
			testDraws(t, All()[i], expected.operations)
			testHolds(t, All()[i], &expected)
			testRefuses(t, All()[i], &expected)
		})
	}
}

// testDraws tests that every plan of a few hundred seeds has a system, and that all operations and
// all faults are drawn.
func testDraws(t *testing.T, s *sim.Scenario, operations []string) {
	t.Helper()
	met := map[string]int{}
	for seed := range uint64(300) {
		p := s.Draw(seed)
		require.NoError(t, p.Validate())
		require.NotEmpty(t, s.Bounds(p), p)
		for _, op := range p.Ops {
			met[op.Do]++
		}
	}
	faults := []string{random.Crash, random.Restart, random.Drop, random.Duplicate, random.Premature}
	for _, do := range slices.Concat(operations, faults) {
		assert.Greater(t, met[do], 20, do)
	}
}

// testHolds tests that the walks of a few seeds hold and become quiescent, and that the scenario
// has properties of all states and of quiescent states.
func testHolds(t *testing.T, s *sim.Scenario, expected *walkScenario) {
	t.Helper()
	for seed := range uint64(20) {
		r, err := s.Run(s.Draw(seed), sim.RunOptions{})
		require.NoError(t, err)
		assert.Equal(t, sim.Holds, r.Verdict, "seed %d: %s", seed, r.Where)
		assert.Positive(t, r.Counts["rests"])
	}
	assert.Equal(t, "always", s.ShapeOf(expected.always))
	assert.Equal(t, "quiescent", s.ShapeOf(expected.quiescent))
}

// testRefuses tests that changes make a plan impossible, among them some that are impossible in
// every scenario.
func testRefuses(t *testing.T, s *sim.Scenario, expected *walkScenario) {
	t.Helper()
	p := expected.least
	p.Latency = "constant 50000"
	_, err := s.Run(p.Clone(), sim.RunOptions{})
	require.NoError(t, err, "the plan without a change")
	var all []sim.Op
	for node := range p.Nodes {
		all = append(all, sim.Op{Do: random.Crash, Node: node})
	}
	cases := append(slices.Clone(expected.impossible),
		impossible{"an unknown operation", `no operation "dance"`, with(sim.Op{Do: "dance"})},
		impossible{"a node that is not there", "node 99", with(sim.Op{Do: random.Drop, Node: 99})},
		impossible{"all fail", "at least one node must survive", with(all...)})
	for _, c := range cases {
		changed := p.Clone()
		c.change(changed)
		_, err := s.Run(changed, sim.RunOptions{})
		require.ErrorIs(t, err, sim.ErrPlan, c.name)
		require.ErrorContains(t, err, c.want, c.name)
	}
}
