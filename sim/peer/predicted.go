package peer

import (
	"fmt"
	"slices"

	dtmmodel "github.com/canvass-grid/canvass/model/dtm"
	peermodel "github.com/canvass-grid/canvass/model/peer"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/sim"
)

// predicted is the scenario in which nodes predict which nodes are near.
const predicted = "peer/predicted"

// drawPredicted draws nodes at a few sites. They find their clusters by predictions. In half of the
// runs nodes join, leave and crash meanwhile, and in half there are message faults.
func drawPredicted(p *sim.Plan, c *sim.Chance) {
	p.Founders = 2 + int(c.Below(9))
	p.Nodes = p.Founders
	p.UntilMicros = c.Between(20, 60) * second
	p.Latency = fmt.Sprintf("plane %d %d %d", side, c.Between(1, 500), c.Between(1, 1<<30))
	for i := range p.Founders {
		p.Ops = append(p.Ops, sim.Op{AtMicros: c.Between(0, 10*second), Do: opNear, Node: i, Arg: c.Below(1 << 32)})
	}
	if c.Of(1, 2) {
		p.Nodes += int(c.Below(5))
		sim.DrawEvents(p, c, opJoin, 3*second, 30*second)
		sim.DrawEvents(p, c, opLeave, 5*second, 30*second)
		sim.DrawEvents(p, c, opNear, 5*second, 30*second)
		for range c.Below(4) {
			at := c.Between(0, p.UntilMicros)
			p.Ops = append(p.Ops, sim.Op{AtMicros: at, Do: opCrash, Node: int(c.Below(uint64(p.Nodes)))})
		}
	}
	drawTrouble(p, c)
	drawFew(p, c, 6, func() uint64 { return c.Below(1 << 32) })
}

// settle draws how many sites there are and at which of them each node is. Nodes of one site are
// nearer each other than the diameter, and nodes of two are much farther apart, unless two sites
// happen to be near.
func (r *run) settle(p *sim.Plan) {
	c := sim.NewChance(p.Shape, 3)
	sites := 1 + c.Below(5)
	r.cfg.Predicts, r.cfg.Refine.DiameterMicros = true, 10_000
	r.cfg.Refine.MembershipBound, r.cfg.Refine.SizeBound = p.Nodes, int(c.Between(2, 20))
	r.cfg.Refine.CandidateLimit = 4 * r.cfg.Refine.SizeBound
	r.cfg.Tree = dtm.DefaultConfig(r.cfg.Refine.SizeBound)
	r.orderly = c.Of(1, 2)
	for i := range p.Nodes {
		r.site = append(r.site, c.Below(sites))
		r.latency.Move(i, protocol.Address(1<<16+r.site[i]))
	}
}

// grow brings a node into the tree through its members, beginning with a member that the operation
// picks. It begins a tree if there is none. In orderly runs nodes wait for each other: two hosts of
// one site that join at the same time may not see each other, and attach at different places.
func (r *run) grow(op sim.Op) {
	var members []protocol.NodeID
	joining := false
	for s := range r.oracle.live() {
		joining = joining || s.Tree.Phase == dtm.Joining
		if s.Tree.Phase == dtm.Member && s.Tree.Departure.Stage == dtm.Staying {
			members = append(members, s.ID())
		}
	}
	if joining && (r.orderly || len(members) == 0) {
		return
	}
	if n := len(members); n > 0 {
		from := int(op.Arg % uint64(n))
		members = append(members[from:n:n], members[:from]...)
	}
	r.Command(op.Node, peer.Command{Kind: peer.CommandTree, Near: members})
}

// isOutside reports whether a node is to join the tree.
func (r *run) isOutside(node int) bool {
	return r.cfg.Predicts && r.isStaying(node) && r.State(node).Tree.Phase == dtm.Outside
}

// regrow gives nodes that have found no place in the tree other members, as their applications
// would.
func (r *run) regrow() {
	for i := range r.Len() {
		if r.isOutside(i) {
			r.grow(sim.Op{Node: i, Arg: uint64(r.Now())})
		}
	}
}

// treesIdle reports whether no leave, healing or change of a position is in progress in the tree. A
// host fails only then: see package dtm.
func (o *oracle) treesIdle() bool {
	for s := range o.live() {
		if t := s.Tree; t != nil && t.Phase != dtm.Outside && !dtmmodel.Still(t, o.run.Running) {
			return false
		}
	}
	return true
}

// isAwaited reports whether a host is to claim the place of a failed one.
func (o *oracle) isAwaited(failed protocol.NodeID) bool {
	for s := range o.live() {
		if dtmmodel.Awaits(s.Tree, failed) {
			return true
		}
	}
	return false
}

// foundByPrediction checks in the quiescent state what nodes have found by predictions.
func (o *oracle) foundByPrediction() (property, where string) {
	exact := o.isExact()
	for s := range o.live() {
		switch {
		case !peermodel.Placed(s), s.Tree.Phase != dtm.Member, !o.treesIdle():
			return "Placed", "at " + s.ID().String()
		case !slices.Equal(peermodel.Candidates(s), peer.Predicted(&o.run.cfg, s)):
			return "PredictedAll", "at " + s.ID().String()
		}
		site := o.siteOf(s)
		if !exact {
			continue
		}
		candidates := peermodel.Candidates(s)
		whole := min(len(site), o.run.cfg.Refine.SizeBound)
		near := func(id protocol.NodeID) bool { return slices.Contains(site, id) }
		if len(candidates) != whole-1 || slices.ContainsFunc(candidates, func(id protocol.NodeID) bool { return !near(id) }) {
			return "NearFound", fmt.Sprintf("at %v: %v of %v", s.ID(), candidates, site)
		}
	}
	return "", ""
}

// isExact reports whether predictions must be right. Nodes join one after the other, measurements
// contain nothing but queueing, and sites are far apart and few: for any latencies of three sites
// there is a tree.
func (o *oracle) isExact() bool {
	sites := slices.Compact(slices.Sorted(slices.Values(o.run.site)))
	delayed := o.run.Plan.Delay > 0 || slices.ContainsFunc(o.run.Plan.Faults, func(f sim.Fault) bool {
		return f.Kind == sim.FaultDelay
	})
	return len(sites) <= 3 && o.isApart() && o.run.orderly && !delayed
}

// isApart reports whether nodes of two sites are much farther apart than members of a cluster may
// be.
func (o *oracle) isApart() bool {
	for i, a := range o.run.site {
		for j, b := range o.run.site[:i] {
			way, _ := o.run.latency.Way(protocol.Address(i), protocol.Address(j))
			if a != b && way < 4*int64(o.run.cfg.Refine.DiameterMicros) {
				return false
			}
		}
	}
	return true
}

// siteOf returns the nodes at the site of a node.
func (o *oracle) siteOf(s *peer.State) (ids []protocol.NodeID) {
	for other := range o.live() {
		if o.run.site[other.ID().Address] == o.run.site[s.ID().Address] {
			ids = append(ids, other.ID())
		}
	}
	return ids
}

// countNear counts, over all nodes, the members of the clusters that they advertise, and the
// members of clusters by true latencies.
func (o *oracle) countNear(counts map[string]int) {
	if !o.run.cfg.Predicts || !o.isApart() {
		return
	}
	for s := range o.live() {
		counts["members found"] += len(s.Tasks.Cluster)
		counts["members near"] += min(len(o.siteOf(s)), o.run.cfg.Refine.SizeBound)
	}
}
