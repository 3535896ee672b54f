package reptask

import (
	"fmt"

	"github.com/canvass-grid/canvass/model"
	reptaskmodel "github.com/canvass-grid/canvass/model/reptask"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/random"
)

// walkScenario walks through drawn groups of nodes and jobs. Its operations are faults and
// these, in any order. A cluster has the nodes of the bits of Arg. A submitted job has its time of
// submission in the low 16 bits of Arg; then it is as in the other scenarios, except that the
// highest bits are its candidates. A move gives the first job of the node Arg, modulo 256, to the
// node Arg, shifted by 8. A cancel cancels the first job of a node.
func walkScenario() *sim.Scenario {
	return random.Scenario{
		Name: "reptask/walks", SeedName: "tasks/walks",
		Doc:  "random walks and PCT through drawn groups of nodes and jobs",
		Fill: drawWalk, System: systemOf, Least: &sim.Plan{Nodes: 1},
	}.Build()
}

// drawWalk draws the nodes, their clusters, one to three jobs, commands and faults.
func drawWalk(p *sim.Plan, c *sim.Chance) {
	p.Nodes = 2 + int(c.Below(3))
	everybody := uint64(1)<<p.Nodes - 1
	anybody := func() int { return int(c.Below(uint64(p.Nodes))) }
	add := func(do string, node int, arg uint64) { p.Ops = append(p.Ops, sim.Op{Do: do, Node: node, Arg: arg}) }
	for node := range p.Nodes {
		cluster := everybody
		if c.Of(1, 3) {
			cluster = c.Below(everybody+1) | 1<<node
		}
		add(opCluster, node, cluster)
	}
	var owners []int
	for range 1 + c.Below(3) {
		size, over := 1+c.Below(2)+c.Below(2)*c.Below(2), c.Below(4)
		owners = append(owners, anybody())
		add(opSubmit, owners[len(owners)-1], 1+c.Below(3)|size<<16|over<<20|(1+c.Below(everybody))<<24)
	}
	owner := func() int { return owners[c.Below(uint64(len(owners)))] }
	for range c.Below(3) {
		add(opMove, anybody(), uint64(owner()|anybody()<<8))
	}
	if c.Of(1, 4) {
		add(opCancel, owner(), 0)
	}
	random.DrawFaults(p, c, min(2, uint64(p.Nodes)-1))
}

// systemOf returns the closed system of a plan.
func systemOf(p *sim.Plan) (model.Checkable, error) {
	s := reptaskmodel.Setting{
		Name:     fmt.Sprint("seed-", p.Seed),
		Clusters: make([][]int, p.Nodes), Cancels: random.NodesOf(p, opCancel), Budget: random.BudgetOf(p),
	}
	for _, op := range p.Ops {
		switch {
		case op.Do == opCluster:
			s.Clusters[op.Node] = random.NodesIn(op.Arg)
		case op.Do == opSubmit:
			s.Jobs = append(s.Jobs, reptaskmodel.Submission{
				Owner: op.Node, Submitted: op.Arg & 0xffff, Size: int(op.Arg >> 16 & 15), Over: reptaskmodel.Degree(op.Arg >> 20),
				Candidates: random.NodesIn(op.Arg >> 24),
			})
		case op.Do == opMove:
			s.Moves = append(s.Moves, reptaskmodel.Move{Owner: int(op.Arg & 0xff), From: op.Node, To: int(op.Arg >> 8)})
		case op.Do != opCancel && !random.IsFault(op) && !op.IsStep():
			return nil, fmt.Errorf("%w: there is no operation %q", sim.ErrPlan, op.Do)
		}
	}
	return s.Compile()
}
