package peer

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/sim"
)

// drift moves a node. No node is notified.
func (r *run) drift(op sim.Op) {
	r.latency.Move(op.Node, protocol.Address(op.Arg))
	r.oracle.seen["drifted"]++
	r.Note("drift", fmt.Sprint(sim.NodeName(op.Node), " lies at place ", op.Arg))
}

// measure lets a head measure its cluster again.
func (r *run) measure(op sim.Op) {
	if r.isStaying(op.Node) {
		r.Command(op.Node, peer.Command{Kind: peer.CommandMeasure})
	}
}

// drifts reports whether latencies change in the run.
func drifts(p *sim.Plan) bool {
	return slices.ContainsFunc(p.Ops, func(op sim.Op) bool { return op.Do == opDrift })
}

// learnAgain introduces all nodes to members that may be near, and lets them measure again, once
// latencies are stable.
func (r *run) learnAgain() {
	if !r.oracle.drifts {
		return
	}
	for i := range r.Len() {
		r.near(sim.Op{Node: i})
		r.measure(sim.Op{Node: i})
	}
}

// isWithin reports whether two nodes are as near as members of a cluster must be. A measurement
// includes queueing, so it is never too short.
func (o *oracle) isWithin(a, b protocol.NodeID) bool {
	way, known := o.run.latency.Way(a.Address, b.Address)
	return !known || way <= int64(o.run.cfg.Refine.DiameterMicros)
}
