package can

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/sim"
)

// followUp is a fault or command at a node or its neighbourhood, triggered by the next event of a
// certain kind at some node. Rounds are most sensitive to events at their participants while they
// last.
type followUp struct {
	trigger uint8 // index of the awaited kind of event in triggers, modulo their number
	// The node that it happens to: 0 is the node itself, 1 the node that the event is about, and
	// larger numbers select one of the nodes that it knows.
	target uint8
	effect uint8 // thenFails, thenLeaves or thenDeaf, modulo their number
	after  int64 // delay in microseconds; thenDeaf: duration
}

// The effects of follow-ups.
const (
	thenFails = iota
	thenLeaves
	thenDeaf
	followUpKinds
)

// triggers are the kinds of events that trigger follow-ups.
var triggers = []string{
	can.EventRequest, can.EventPromise, can.EventRefuse, can.EventDecide, can.EventExecute, can.EventRelease,
	can.EventJoined, can.EventFailed,
}

// pack encodes a follow-up as the Arg of an operation.
func (s followUp) pack() uint64 {
	return uint64(s.trigger) | uint64(s.target)<<8 | uint64(s.effect)<<16 | uint64(s.after)<<24
}

func unpack(arg uint64) followUp {
	return followUp{trigger: uint8(arg), target: uint8(arg >> 8), effect: uint8(arg >> 16), after: int64(arg >> 24)}
}

// addFollowUp appends a follow-up. It waits until those before it have happened.
func (r *run) addFollowUp(op sim.Op) { r.followUps = append(r.followUps, unpack(op.Arg)) }

// triggerFollowUp lets the first follow-up happen if a node has just had its event.
func (r *run) triggerFollowUp(node int, events []protocol.Event) {
	if len(r.followUps) == 0 || !r.Live(node) {
		return
	}
	s := r.followUps[0]
	name := triggers[int(s.trigger)%len(triggers)]
	i := slices.IndexFunc(events, func(e protocol.Event) bool { return e.Name == name })
	if i < 0 {
		return
	}
	r.followUps = r.followUps[1:]
	op := sim.Op{Node: r.near(node, events[i].Peer, int(s.target))}
	switch s.effect % followUpKinds {
	case thenFails:
		r.At(r.Now()+s.after, func() { r.failWhenAllowed(op) })
	case thenLeaves:
		r.At(r.Now()+s.after, func() { r.leave(op) })
	case thenDeaf:
		r.deafen(node, s.target, s.after)
	}
}

// near selects the node itself, the node that the event is about, or one of the nodes that it
// knows.
func (r *run) near(node int, peer protocol.NodeID, which int) int {
	known := r.State(node).Known
	switch {
	case which == 1 && int(peer.Address) < r.Len():
		return int(peer.Address)
	case which > 1 && len(known) > 0:
		return int(known[which%len(known)].ID.Address)
	}
	return node
}

// deafen cuts some nodes off from all messages of the others for a while. The bits of which, by
// address modulo 8, select them; node is always among the others.
func (r *run) deafen(node int, which uint8, micros int64) {
	groups := make([]uint8, r.Len())
	for i := range groups {
		groups[i] = 1 - which>>(i%8)&1
	}
	groups[node] = 1
	r.Partition(groups, true)
	r.NoteDeaf(fmt.Sprint(groups))
	r.At(r.Now()+micros, func() { r.HealOp(sim.Op{}) })
}

// failWhenAllowed lets a node fail as soon as the guard allows it, unless faults stop before.
func (r *run) failWhenAllowed(op sim.Op) {
	if !r.Live(op.Node) {
		return
	}
	id := r.State(op.Node).Self.ID
	var try func()
	try = func() {
		switch {
		case !r.Running(id) || r.Now() >= r.Plan.UntilMicros:
		case r.canMap.MayCrash(op.Node):
			r.crash(op)
		case r.canMap.guard.Soon:
			r.waiting = append(r.waiting, try)
		default:
			r.At(r.Now()+retryMicros, try)
		}
	}
	try()
}

// retryMicros is the interval at which a failure checks whether it is allowed, unless it checks at
// each step.
const retryMicros = second / 5

// retryWaiting lets the waiting failures check whether they are allowed now.
func (r *run) retryWaiting() {
	for _, try := range r.waiting {
		r.At(r.Now(), try)
	}
	r.waiting = r.waiting[:0]
}
