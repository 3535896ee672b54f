package peer

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/sim"
)

// ways is a latency that knows how long a message takes which waits nowhere.
type ways interface {
	Way(from, to protocol.Address) int64
}

var _, _ ways = sim.Plane{}, sim.Placed{}

// places are latencies that drift: each node lies where, by the latencies of the plan, the node of some address would.
type places struct {
	fixed sim.Latency
	at    []protocol.Address // by node
}

func newPlaces(fixed sim.Latency, nodes int) *places {
	p := &places{fixed: fixed}
	for i := range nodes {
		p.at = append(p.at, protocol.Address(i))
	}
	return p
}

// Micros implements [sim.Latency].
func (p *places) Micros(from, to protocol.Address, c *sim.Chance) int64 {
	return p.fixed.Micros(p.at[from], p.at[to], c)
}

// way is how far two nodes are from each other now, where that is known.
func (r *run) way(a, b protocol.Address) (micros int64, known bool) {
	l, known := r.latency.fixed.(ways)
	if !known {
		return 0, false
	}
	return l.Way(r.latency.at[a], r.latency.at[b]), true
}

// drift lets a node lie elsewhere. Nobody tells it or the others.
func (r *run) drift(op sim.Op) {
	r.latency.at[op.Node] = protocol.Address(op.Arg)
	r.judge.seen["drifted"]++
	r.note("drift", fmt.Sprint(sim.NodeName(op.Node), " lies at place ", op.Arg))
}

// measure lets a head measure its cluster again.
func (r *run) measure(op sim.Op) {
	if r.staying(op.Node) {
		r.Command(op.Node, peer.Order{Kind: peer.OrderMeasure})
	}
}

// drifting takes note of whether latencies change in the run. Clusters do then, so what one had room for says nothing.
func (j *judge) drifting() {
	j.drifts = slices.ContainsFunc(j.run.plan.Ops, func(op sim.Op) bool { return op.Do == opDrift })
	j.roomy = j.roomy && !j.drifts
}

// catchUp lets all learn who may be near, and measure again, when latencies rest.
func (r *run) catchUp() {
	if !r.judge.drifts {
		return
	}
	for i := range r.Len() {
		r.near(sim.Op{Node: i})
		r.measure(sim.Op{Node: i})
	}
}

// within reports whether two nodes are as near now as the members of a cluster must be. A measurement takes the way and
// whatever a message waits, so it is never too short.
func (j *judge) within(a, b protocol.NodeID) bool {
	way, known := j.run.way(a.Address, b.Address)
	return !known || way <= int64(j.run.cfg.Refine.DiameterMicros)
}
