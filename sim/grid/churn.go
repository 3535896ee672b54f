package grid

import (
	"math/bits"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	mapcore "github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/scheduler"
)

const (
	mended   = 10 * scheduler.Second // failures are at least so far apart
	postpone = 5 * scheduler.Second  // a node that may not go yet tries again after so long
	look     = 10 * scheduler.Second // between two looks for jobs that are lost, and for joiners without a contact
	settling = scheduler.Second / 2  // after a join, until nodes learn which are near
)

// disturb begins the faults of a run.
func (r *run) disturb() {
	if !r.options.faulty() {
		return
	}
	for i := range r.grid.Nodes {
		r.plan(i)
	}
	r.every(look, r.look)
	r.every(look, r.redirect)
}

func (r *run) every(period int64, call func()) {
	r.At(r.Now()+period, func() {
		call()
		r.every(period, call)
	})
}

// plan draws when a node that has just come leaves or fails, whichever is first.
func (r *run) plan(node int) {
	leave, fail := r.draw(node, r.options.Churn.LeaveMicros), r.draw(node, r.options.Churn.FailMicros)
	id := r.State(node).ID()
	switch {
	case leave > 0 && (fail == 0 || leave < fail):
		r.At(r.Now()+leave, func() { r.leave(id) })
	case fail > 0:
		r.At(r.Now()+fail, func() { r.fail(id) })
	}
}

// draw draws a time; 0 for a mean of 0.
func (r *run) draw(node int, mean int64) int64 {
	if mean == 0 {
		return 0
	}
	return 1 + r.draws[node].Exponential(mean)
}

// enough reports whether most nodes stay when one goes.
func (r *run) enough() bool {
	staying := 0
	for i := range r.grid.Nodes {
		if r.staying(i) {
			staying++
		}
	}
	return staying > len(r.grid.Nodes)/2 && staying > 2
}

// leave lets a node leave, and come back when it has left.
func (r *run) leave(id protocol.NodeID) {
	node := int(id.Address)
	switch {
	case !r.Running(id):
	case !r.staying(node) || !r.enough():
		r.At(r.Now()+postpone, func() { r.leave(id) })
	default:
		r.faults.Left++
		r.Command(node, peer.Command{Kind: peer.CommandLeave})
		r.awaitLeft(id)
	}
}

// awaitLeft waits until a node has left.
func (r *run) awaitLeft(id protocol.NodeID) {
	if r.Running(id) {
		r.At(r.Now()+postpone, func() { r.awaitLeft(id) })
		return
	}
	r.comeBack(int(id.Address))
}

// fail lets a node fail, and come back. The map survives one failure at a time: the next one waits
// until the zones of the last are taken over.
func (r *run) fail(id protocol.NodeID) {
	node := int(id.Address)
	switch {
	case !r.Running(id):
	case !r.staying(node) || !r.enough() || r.Now() < r.failed+mended || !r.whole():
		r.At(r.Now()+postpone, func() { r.fail(id) })
	default:
		r.faults.Failed++
		r.failed = r.Now()
		r.loseWith(node)
		r.holds[node] = hold{}
		r.Crash(node)
		r.comeBack(node)
	}
}

// whole reports whether the zones of the members cover the space, and no node is joining. Zones
// never overlap, so their volumes tell.
func (r *run) whole() bool {
	all := [2]uint64{}
	for i := range r.grid.Nodes {
		if !r.Live(i) {
			continue
		}
		s := &r.State(i).Can
		if s.Phase != mapcore.Member {
			return false
		}
		all = plus(all, r.volume(&s.Self.Zone))
	}
	space := r.config.Can.Space.Whole()
	return all == r.volume(&space)
}

// volume is the volume of a zone, as a number of 128 bits.
func (r *run) volume(z *space.Zone) [2]uint64 {
	v := [2]uint64{0, 1}
	for k := range r.config.Can.Space.Dims {
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

// comeBack lets a node that is gone come back later, in a new life.
func (r *run) comeBack(node int) {
	r.At(r.Now()+r.draw(node, r.options.Churn.AwayMicros), func() {
		r.Restart(node)
		r.join(node)
	})
}

// join lets a node join by a contact: the first member from a drawn index on.
func (r *run) join(node int) {
	first := int(r.draws[node].Below(uint64(len(r.grid.Nodes))))
	for i := range r.grid.Nodes {
		if contact := (first + i) % len(r.grid.Nodes); r.staying(contact) {
			r.Command(node, peer.Command{Kind: peer.CommandJoin, Contact: r.State(contact).ID()})
			return
		}
	}
}

// redirect gives joiners whose contact is gone another one.
func (r *run) redirect() {
	for i := range r.grid.Nodes {
		if r.Live(i) && r.State(i).Can.Phase == mapcore.Joining && !r.Running(r.State(i).Can.Contact) {
			r.join(i)
		}
	}
}

// introduce lets a node that has joined, and those of the clusters that it was in, learn of each
// other: that they are near is what the platform says.
func (r *run) introduce(node int) {
	r.faults.Returned++
	r.plan(node)
	id := r.State(node).ID()
	r.At(r.Now()+settling, func() {
		if !r.Running(id) || !r.staying(node) {
			return
		}
		var near []protocol.NodeID
		for _, k := range r.grid.Advertised(node) {
			if int(k) != node && r.staying(int(k)) {
				near = append(near, r.State(int(k)).ID())
			}
		}
		if len(near) > 0 {
			r.Command(node, peer.Command{Kind: peer.CommandNear, Near: near})
		}
		for i := range r.grid.Nodes {
			if i != node && r.staying(i) && slices.Contains(r.grid.Advertised(i), int32(node)) {
				r.Command(i, peer.Command{Kind: peer.CommandNear, Near: []protocol.NodeID{id}})
			}
		}
	})
}

// due makes the detectors of failures accurate: no live node is suspected. In a network that loses
// few messages, false suspicions are rare enough to have no part in a run.
func (r *run) due(_ int, t protocol.Timer) bool {
	switch of, t := peer.LayerOf(t); {
	case of == peer.CanLayer && t.Kind == mapcore.MissedTimer,
		of == peer.RefineLayer && t.Kind == refine.MissedTimer,
		of == peer.TaskLayer && (t.Kind == reptask.LeaseTimer || t.Kind == reptask.RegrantTimer):
		return !r.Running(t.Peer)
	}
	return true
}
