package peer

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
)

// balance lets a node that represents an idle job move it, if the balancing of load or of queues
// proposes that. The node is the first from an index on. Its neighbours in the CAN have just
// reported their load and that of their clusters. The command may come after a delay, when the job
// has started, moved or returned.
func (r *run) balance(op sim.Op) {
	node := r.idler(op.Node)
	if node < 0 {
		return
	}
	r.oracle.seen["balanced"]++
	s := r.State(node)
	var near sites
	for _, n := range s.Can.Direct() {
		if r.Running(n.ID) {
			near.add(r, int(n.ID.Address))
		}
	}
	cfg := &r.cfg.Tasks
	if o, ok := reptask.Balance(cfg, s.ID(), s.Tasks.Idle(cfg), near.Sites, &near); ok {
		r.oracle.seen["proposed"]++
		by := s.ID()
		r.At(r.Now()+int64(min(op.Arg, 10*second)), func() {
			if r.Running(by) {
				r.Command(node, peer.Command{Kind: peer.CommandMove, Job: o.Job, Target: o.Target, By: o.By})
			}
		})
	}
}

// idler returns the first member, from an index on, that has a job to move, or -1.
func (r *run) idler(from int) int {
	for i := range r.Len() {
		if node := (from + i) % r.Len(); r.isStaying(node) && len(r.State(node).Tasks.Idle(&r.cfg.Tasks)) > 0 {
			return node
		}
	}
	return -1
}

// sites are the load reports of nodes.
type sites struct{ reptask.Reports }

// add adds the load report of a node. A virtual dimension is no capability: any requirement there
// is met.
func (s *sites) add(r *run, node int) {
	state := r.State(node)
	site := reptask.Site{ID: state.ID(), Coordinate: state.Can.Self.Coord}
	sp := &r.cfg.Can.Space
	for k := sp.Dims - sp.Virtual; k < sp.Dims; k++ {
		site.Coordinate[k] = sp.Size[k]
	}
	var queues []reptask.Queue
	for _, n := range state.Tasks.Cluster {
		queues = append(queues, reptask.Queue{Node: n.ID, Length: r.queue(n.ID)})
	}
	s.Sites, s.Queues = append(s.Sites, site), append(s.Queues, queues)
}

// Residue is the whole capability of a site while a node of its cluster is free. In these scenarios
// no dimension counts nodes.
func (s *sites) Residue(site int, j *reptask.Idle) (free space.Point) {
	for _, q := range s.Queues[site] {
		if j.LengthWithout(q) == 0 {
			return s.Sites[site].Coordinate
		}
	}
	return free
}

// queue is the number of tasks that a node runs or has yet to start.
func (r *run) queue(id protocol.NodeID) uint32 {
	if !r.Running(id) {
		return 0
	}
	length := uint32(0)
	for _, t := range r.State(int(id.Address)).Tasks.Tasks {
		if t.State != reptask.TaskDone {
			length++
		}
	}
	return length
}

// commonRequirement draws the seed of a requirement that many nodes meet: the smallest of several.
func commonRequirement(p *sim.Plan, c *sim.Chance) uint64 {
	return extremeRequirement(p, c, func(sum, least int64) bool { return sum < least })
}

// extremeRequirement draws the seed of the best of several requirements, by the sum of its parts.
func extremeRequirement(p *sim.Plan, c *sim.Chance, better func(sum, best int64) bool) uint64 {
	sp, _, err := can.DrawSpace(p.Shape, p.Nodes, maxDims)
	if err != nil {
		return 0 // the run returns the error
	}
	best, most := uint64(0), int64(0)
	for i := range 8 {
		seed, sum := c.Below(1<<32), int64(0)
		at := requirement(sp, p.Shape, seed)
		for k := range sp.Dims {
			sum += int64(at[k]) << 20 / int64(sp.Size[k])
		}
		if i == 0 || better(sum, most) {
			best, most = seed, sum
		}
	}
	return best
}

// drawMoves draws many jobs with much the same requirements, so that they queue at the same nodes,
// and nodes that balance.
func drawMoves(p *sim.Plan, c *sim.Chance) {
	p.Founders = 3 + int(c.Below(7))
	p.Nodes = p.Founders
	p.UntilMicros = c.Between(10, 25) * second
	drawPredictions(p, c)
	popular := [2]uint64{commonRequirement(p, c), c.Below(1 << 32)}
	drawFew(p, c, 30, func() uint64 { return popular[c.Below(4)/3] })
	mean := c.Between(second/10, second)
	for at := c.Exponential(mean); at < p.UntilMicros; at += c.Exponential(mean) {
		op := sim.Op{AtMicros: at, Do: opBalance, Node: int(c.Below(uint64(p.Nodes)))}
		if c.Of(1, 2) {
			op.Arg = c.Below(2 * second)
		}
		p.Ops = append(p.Ops, op)
	}
	drawTrouble(p, c)
}

// requirement is the requirement with that seed.
func requirement(sp space.Space, shape, seed uint64) space.Point {
	return can.DrawPoint(sp, sim.NewChance(shape, seed+10))
}
