package grid

import (
	"math/bits"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	cancore "github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/sim"
)

const (
	mended   = 10 * scheduler.Second // failures are at least so far apart
	postpone = 5 * scheduler.Second  // a node that may not go yet tries again after so long
	look     = 10 * scheduler.Second // between two looks for jobs that are lost, and for joiners without a contact
	settling = scheduler.Second / 2  // after a join, until nodes are introduced
)

// churn lets the nodes of a run leave, fail and come back.
type churn struct {
	*run
	draws  []*sim.Chance // of the events of each node
	failed int64         // when a node failed last
}

func newChurn(r *run) *churn {
	c := &churn{run: r, failed: -mended}
	for i := range r.grid.Nodes {
		c.draws = append(c.draws, sim.NewChance(r.options.Seed, uint64(i)+1<<32))
	}
	return c
}

// disturb begins the faults of a run.
func (c *churn) disturb() {
	if !c.options.faulty() {
		return
	}
	for i := range c.grid.Nodes {
		c.plan(i)
	}
	c.every(look, c.look)
	c.every(look, c.redirect)
}

func (r *run) every(period int64, call func()) {
	r.At(r.Now()+period, func() {
		call()
		r.every(period, call)
	})
}

// plan draws when a node that has just come leaves or fails, the earlier of the two.
func (c *churn) plan(node int) {
	leave, fail := c.draw(node, c.options.Churn.LeaveMicros), c.draw(node, c.options.Churn.FailMicros)
	id := c.State(node).ID()
	switch {
	case leave > 0 && (fail == 0 || leave < fail):
		c.At(c.Now()+leave, func() { c.leave(id) })
	case fail > 0:
		c.At(c.Now()+fail, func() { c.fail(id) })
	}
}

// draw draws a time; 0 for a mean of 0.
func (c *churn) draw(node int, mean int64) int64 {
	if mean == 0 {
		return 0
	}
	return 1 + c.draws[node].Exponential(mean)
}

// enough reports whether most nodes stay when one goes.
func (c *churn) enough() bool {
	staying := 0
	for i := range c.grid.Nodes {
		if c.staying(i) {
			staying++
		}
	}
	return staying > len(c.grid.Nodes)/2 && staying > 2
}

// leave lets a node leave, and come back when it has left.
func (c *churn) leave(id protocol.NodeID) {
	node := int(id.Address)
	switch {
	case !c.Running(id):
	case !c.staying(node) || !c.enough():
		c.At(c.Now()+postpone, func() { c.leave(id) })
	default:
		c.cores.Left++
		c.Command(node, peer.Command{Kind: peer.CommandLeave})
		c.awaitLeft(id)
	}
}

// awaitLeft waits until a node has left.
func (c *churn) awaitLeft(id protocol.NodeID) {
	if c.Running(id) {
		c.At(c.Now()+postpone, func() { c.awaitLeft(id) })
		return
	}
	c.comeBack(int(id.Address))
}

// fail lets a node fail, and come back. The map survives one failure at a time: the next one waits
// until the zones of the last are taken over.
func (c *churn) fail(id protocol.NodeID) {
	node := int(id.Address)
	switch {
	case !c.Running(id):
	case !c.staying(node) || !c.enough() || c.Now() < c.failed+mended || !c.whole():
		c.At(c.Now()+postpone, func() { c.fail(id) })
	default:
		c.cores.Failed++
		c.failed = c.Now()
		c.loseWith(node)
		c.holds[node] = hold{}
		c.Crash(node)
		c.comeBack(node)
	}
}

// whole reports whether the zones of the members cover the space, and no node is joining. Zones
// never overlap, so their volumes tell.
func (c *churn) whole() bool {
	all := [2]uint64{}
	for i := range c.grid.Nodes {
		if !c.Live(i) {
			continue
		}
		s := &c.State(i).Can
		if s.Phase != cancore.Member {
			return false
		}
		all = plus(all, volume(&s.Self.Zone, c.config.Can.Space.Dims))
	}
	space := c.config.Can.Space.Whole()
	return all == volume(&space, c.config.Can.Space.Dims)
}

// volume is the volume of a zone, as a number of 128 bits.
func volume(z *space.Zone, dims int) [2]uint64 {
	v := [2]uint64{0, 1}
	for k := range dims {
		side := uint64(z.High[k] - z.Low[k])
		high, low := bits.Mul64(v[1], side)
		v = [2]uint64{v[0]*side + high, low}
	}
	return v
}

func plus(a, b [2]uint64) [2]uint64 {
	low, carry := bits.Add64(a[1], b[1], 0)
	return [2]uint64{a[0] + b[0] + carry, low}
}

// comeBack lets a node that is gone come back later, in a new incarnation.
func (c *churn) comeBack(node int) {
	c.At(c.Now()+c.draw(node, c.options.Churn.AwayMicros), func() {
		c.Restart(node)
		c.join(node)
	})
}

// join lets a node join by a contact: the first member from a drawn index on.
func (c *churn) join(node int) {
	first := int(c.draws[node].Below(uint64(len(c.grid.Nodes))))
	for i := range c.grid.Nodes {
		if contact := (first + i) % len(c.grid.Nodes); c.staying(contact) {
			c.Command(node, peer.Command{Kind: peer.CommandJoin, Contact: c.State(contact).ID()})
			return
		}
	}
}

// redirect gives joiners whose contact is gone another one.
func (c *churn) redirect() {
	for i := range c.grid.Nodes {
		if c.Live(i) && c.State(i).Can.Phase == cancore.Joining && !c.Running(c.State(i).Can.Contact) {
			c.join(i)
		}
	}
}

// introduce introduces a node that has joined to the members of its former clusters, and them to
// it: by the platform they are near.
func (c *churn) introduce(node int) {
	c.cores.Returned++
	c.plan(node)
	id := c.State(node).ID()
	c.At(c.Now()+settling, func() {
		if !c.Running(id) || !c.staying(node) {
			return
		}
		var near []protocol.NodeID
		for _, k := range c.grid.Advertised(node) {
			if int(k) != node && c.staying(int(k)) {
				near = append(near, c.State(int(k)).ID())
			}
		}
		if len(near) > 0 {
			c.Command(node, peer.Command{Kind: peer.CommandNear, Near: near})
		}
		for i := range c.grid.Nodes {
			if i != node && c.staying(i) && slices.Contains(c.grid.Advertised(i), int32(node)) {
				c.Command(i, peer.Command{Kind: peer.CommandNear, Near: []protocol.NodeID{id}})
			}
		}
	})
}

// due makes the detectors of failures accurate: no live node is suspected. In a network that loses
// few messages, false suspicions are rare enough to have no part in a run.
func (r *run) due(_ int, t protocol.Timer) bool {
	switch of, t := peer.LayerOf(t); {
	case of == peer.CanLayer && t.Kind == cancore.MissedTimer,
		of == peer.RefineLayer && t.Kind == refine.MissedTimer,
		of == peer.TaskLayer && (t.Kind == reptask.LeaseTimer || t.Kind == reptask.RegrantTimer):
		return !r.Running(t.Peer)
	}
	return true
}
