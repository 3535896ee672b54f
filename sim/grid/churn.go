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
	"github.com/canvass-grid/canvass/sim/load"
)

const (
	mended   = 10 * scheduler.Second // failures are at least so far apart
	look     = 10 * scheduler.Second // between two looks for jobs that are lost, and for joiners without a contact
	settling = scheduler.Second / 2  // after a join, until nodes are introduced
)

// churn is the grid of a run as package load lets its nodes come and go.
type churn struct{ *run }

// disturb begins the faults of a run.
func (c churn) disturb() {
	c.coming = load.Disturb(c, c.options.Churn, c.options.Seed)
	if c.options.faulty() {
		c.every(look, c.look)
		c.every(look, c.redirect)
	}
}

func (r *run) every(period int64, call func()) {
	r.At(r.Now()+period, func() {
		call()
		r.every(period, call)
	})
}

// ID implements [load.Grid].
func (r *run) ID(node int) protocol.NodeID { return r.State(node).ID() }

// Staying implements [load.Grid].
func (r *run) Staying(node int) bool {
	return r.Live(node) && r.State(node).Can.Phase == cancore.Member && !r.State(node).Leaving
}

// Leave implements [load.Disturbed].
func (c churn) Leave(node int) {
	c.cores.Left++
	c.Command(node, peer.Command{Kind: peer.CommandLeave})
}

// MayFail implements [load.Disturbed]. The map survives one failure at a time: the next one waits
// until the zones of the last are taken over.
func (c churn) MayFail() bool { return c.Now() >= c.failed+mended && c.whole() }

// Fail implements [load.Disturbed].
func (c churn) Fail(node int) {
	c.cores.Failed++
	c.failed = c.Now()
	c.loseWith(node)
	c.holds[node] = hold{}
	c.Crash(node)
}

// Return implements [load.Disturbed].
func (c churn) Return(node int) {
	c.Restart(node)
	c.join(node)
}

// whole reports whether the zones of the members cover the space, and no node is joining. Zones
// never overlap, so their volumes tell.
func (c churn) whole() bool {
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

// join lets a node join by a contact.
func (c churn) join(node int) {
	if contact := c.coming.Contact(node); contact != load.None {
		c.Command(node, peer.Command{Kind: peer.CommandJoin, Contact: c.ID(contact)})
	}
}

// redirect gives joiners whose contact is gone another one.
func (c churn) redirect() {
	for i := range c.grid.Nodes {
		if c.Live(i) && c.State(i).Can.Phase == cancore.Joining && !c.Running(c.State(i).Can.Contact) {
			c.join(i)
		}
	}
}

// introduce introduces a node that has joined to the members of its former clusters, and them to
// it: by the platform they are near.
func (c churn) introduce(node int) {
	c.cores.Returned++
	c.coming.Came(node)
	id := c.ID(node)
	c.At(c.Now()+settling, func() {
		if !c.Running(id) || !c.Staying(node) {
			return
		}
		var near []protocol.NodeID
		for _, k := range c.grid.Advertised(node) {
			if int(k) != node && c.Staying(int(k)) {
				near = append(near, c.ID(int(k)))
			}
		}
		if len(near) > 0 {
			c.Command(node, peer.Command{Kind: peer.CommandNear, Near: near})
		}
		for i := range c.grid.Nodes {
			if i != node && c.Staying(i) && slices.Contains(c.grid.Advertised(i), int32(node)) {
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
