package peer

import (
	"fmt"
	"slices"

	reptaskmodel "github.com/canvass-grid/canvass/model/reptask"
	"github.com/canvass-grid/canvass/protocol"
	cancore "github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/sim"
)

// The operations of the scenarios of this package.
const (
	opJoin  = "join"  // a node outside joins; Arg: the contact, an index of the members
	opLeave = "leave" // a member leaves
	opCrash = "crash" // a node fails
	opSlow  = "slow"  // messages to and from a node take Arg times longer
	opNear  = "near"  // a node is introduced to members that may be near
	// A job at a member, the first from Node on. Arg: ticket, 16 bits; size, 4; degree of
	// over-provisioning, 4; seed of the requirement.
	opSubmit = "submit"
	opCancel = "cancel" // a client cancels its job; Arg: ticket

	opDrift   = "drift"   // a node moves to the position of the address Arg
	opMeasure = "measure" // a head measures its cluster again
	// A node, the first from Node on that has an idle job, may move it, Arg microseconds later.
	opBalance = "balance"
)

func (r *run) schedule() error {
	ticket := func(op sim.Op) (uint64, bool) { return op.Arg & 0xffff, op.Do == opSubmit }
	if err := r.Plan.Distinct("job ticket", ticket); err != nil {
		return err
	}
	err := r.Schedule(map[string]func(sim.Op){
		opJoin: r.join, opLeave: r.leave, opCrash: r.crash, opSlow: r.slow, opNear: r.near, opSubmit: r.submit,
		opCancel: r.cancel,
		opDrift:  r.drift, opMeasure: r.measure, opBalance: r.balance,
	})
	r.Every(redirection, r.redirect)
	return err
}

func (r *run) join(op sim.Op) {
	members := r.oracle.canMap.Members()
	if r.Live(op.Node) || len(members) == 0 || r.oracle.lives.Full() {
		return
	}
	if r.Persisted(op.Node) == nil {
		r.Start(op.Node)
	} else {
		r.Restart(op.Node)
	}
	r.Command(op.Node, peer.Command{Kind: peer.CommandJoin, Contact: members[op.Arg%uint64(len(members))]})
}

// redirect gives joiners whose contact is gone another contact, as their applications would.
func (r *run) redirect() {
	r.regrow()
	r.oracle.canMap.Redirect(r.Now(), func(node int, contact protocol.NodeID) {
		r.Command(node, peer.Command{Kind: peer.CommandJoin, Contact: contact})
	})
}

// isStaying reports whether a node is a member that does not want to leave.
func (r *run) isStaying(node int) bool {
	return r.Live(node) && r.State(node).Can.Phase == cancore.Member && !r.State(node).Leaving
}

// enough reports whether two other members stay.
func (r *run) enough(without int) bool {
	others := 0
	for i := range r.Len() {
		if i != without && r.isStaying(i) {
			others++
		}
	}
	return others >= 2
}

func (r *run) leave(op sim.Op) {
	if r.isStaying(op.Node) && r.enough(op.Node) {
		r.Command(op.Node, peer.Command{Kind: peer.CommandLeave})
	}
}

func (r *run) crash(op sim.Op) {
	if r.enough(op.Node) && r.oracle.canMap.MayCrash(op.Node) && r.oracle.treesIdle() {
		r.oracle.canMap.Fail(op.Node)
		r.Crash(op.Node)
	}
}

func (r *run) slow(op sim.Op) {
	r.Slow(op.Node, uint16(min(op.Arg, 1000)))
	r.Note("slow", fmt.Sprint(sim.NodeName(op.Node), " by ", min(op.Arg, 1000)))
}

// near notifies a node of the members that may be near: those not much farther than the diameter,
// since predictions are not exact.
func (r *run) near(op sim.Op) {
	if !r.isStaying(op.Node) {
		return
	}
	if r.isOutside(op.Node) {
		r.grow(op)
		return
	}
	if ids := r.nearTo(op.Node); len(ids) > 0 {
		r.Command(op.Node, peer.Command{Kind: peer.CommandNear, Near: ids})
	}
}

func (r *run) nearTo(node int) []protocol.NodeID {
	var ids []protocol.NodeID
	for i := range r.Len() {
		if i == node || !r.isStaying(i) {
			continue
		}
		if way, known := r.latency.Way(protocol.Address(node), protocol.Address(i)); known &&
			way > int64(r.cfg.Refine.DiameterMicros)*5/4 {
			continue
		}
		ids = append(ids, r.State(i).ID())
	}
	return ids
}

// introduce introduces a node that has joined and the nodes near it to each other.
func (r *run) introduce(node int) {
	r.At(r.Now()+second/2, func() {
		r.near(sim.Op{Node: node})
		if !r.isStaying(node) {
			return
		}
		for _, id := range r.nearTo(node) {
			r.Command(int(id.Address), peer.Command{Kind: peer.CommandNear, Near: []protocol.NodeID{r.State(node).ID()}})
		}
	})
}

// member returns the first member from an index on, or -1.
func (r *run) member(from int) int {
	for i := range r.Len() {
		if node := (from + i) % r.Len(); r.Live(node) && r.State(node).Can.Phase == cancore.Member {
			return node
		}
	}
	return -1
}

// submit submits a job. The client's clock is exact, and no two clients submit at the same
// microsecond.
func (r *run) submit(op sim.Op) {
	node := r.member(op.Node)
	if node < 0 {
		return
	}
	ticket := uint32(op.Arg & 0xffff)
	spec := reptask.Spec{
		Size: max(1, uint32(op.Arg>>16&15)), Over: reptaskmodel.Degree(op.Arg >> 20),
		Requirement: requirement(r.cfg.Can.Space, r.Plan.Shape, op.Arg>>24),
	}
	order := peer.Command{
		Kind:      peer.CommandSubmit,
		Ticket:    ticket,
		Submitted: uint64(r.Now())<<16 | uint64(ticket),
		Spec:      spec,
	}
	r.oracle.clients.submit(ticket, spec)
	r.Command(node, order)
}

// cancel commands the owner to cancel a job, if the client was notified that it has one. The client
// looks the requirement up in the CAN, and so finds the present owner.
func (r *run) cancel(op sim.Op) {
	for _, j := range r.oracle.clients.known(uint32(op.Arg & 0xffff)) {
		for i := range r.Len() {
			if r.Live(i) && r.State(i).ID() == r.oracle.clients.ownerOf(j) &&
				slices.ContainsFunc(r.State(i).Tasks.Owned, func(o reptask.Owned) bool { return o.Job == j }) {
				r.oracle.clients.cancel(j)
				r.Command(i, peer.Command{Kind: peer.CommandCancel, Ticket: j.Number, Contact: j.Owner})
				break
			}
		}
	}
}
