package can

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/sim"
)

// sequel is what happens to somebody near when a node next does something: what is hard on a round
// is what befalls whoever has a part in it while it lasts.
type followUp struct {
	trigger uint8 // what is waited for: one of causes, modulo their number
	target  uint8 // to whom it happens: itself, whom the cause is about, else the so many-th of those whom the node knows
	effect  uint8 // what happens: one of falls, leaves and isDeaf, modulo their number
	after   int64 // so many microseconds later; isDeaf: for so long
}

// What may happen.
const (
	thenFails = iota
	thenLeaves
	thenDeaf
	followUpKinds
)

// causes are the kinds of events on which sequels follow.
var triggers = []string{
	can.EventRequest, can.EventPromise, can.EventRefuse, can.EventDecide, can.EventExecute, can.EventRelease, can.EventJoined, can.EventFailed,
}

// pack makes an operation's Arg of a sequel.
func (s followUp) pack() uint64 {
	return uint64(s.trigger) | uint64(s.target)<<8 | uint64(s.effect)<<16 | uint64(s.after)<<24
}

func unpack(arg uint64) followUp {
	return followUp{trigger: uint8(arg), target: uint8(arg >> 8), effect: uint8(arg >> 16), after: int64(arg >> 24)}
}

// await adds a sequel. It waits for those before it.
func (r *run) addFollowUp(op sim.Op) { r.followUps = append(r.followUps, unpack(op.Arg)) }

// follow lets the first sequel happen if a node has just done what it waits for.
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

// near is a node, or whom an event of it is about, or one of those that it knows.
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

// deafen lets nothing reach some nodes from the others, among which a node is, for so long: those
// of the bits of a number, by address modulo 8.
func (r *run) deafen(node int, which uint8, micros int64) {
	groups := make([]uint8, r.Len())
	for i := range groups {
		groups[i] = 1 - which>>(i%8)&1
	}
	groups[node] = 1
	r.Partition(groups, true)
	r.Note("deaf", fmt.Sprint("those of group 0 hear nothing of the others: ", groups))
	r.At(r.Now()+micros, func() { r.HealOp(sim.Op{}) })
}

// fall lets a node fail as soon as the world allows, if it does before faults stop.
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

// patience is how often a failure that waits for its turn looks whether it may happen, unless that
// is at each step.
const retryMicros = second / 5

// wake lets the failures that wait for their turn look whether they may happen.
func (r *run) retryWaiting() {
	for _, try := range r.waiting {
		r.At(r.Now(), try)
	}
	r.waiting = r.waiting[:0]
}
