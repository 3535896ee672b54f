package refine

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/sim"
)

// The operations of the scenarios of this package.
const (
	opNear      = "near"       // a node is notified that the nodes of the bits of Arg may be near
	opStruckOff = "struck-off" // a node is notified that the nodes of the bits of Arg are no longer near
	opMeasure   = "measure"    // a head measures its cluster again
	opDrift     = "drift"      // a node moves to the position of the address Arg, modulo twice the number of nodes
	// A node leaves. If Arg is odd, its process ends Arg, modulo twenty seconds, microseconds later.
	opLeave   = "leave"
	opCrash   = "crash"   // a node fails
	opRestart = "restart" // it restarts, and all are notified that it, and the nodes of the bits of Arg, may be near
	opStrike  = "strike"  // the next node with a certain event fails; Arg: see sim.Run.FailOn
	opCut     = "cut"     // a partition; see sim.Run.PartitionOp
	opHeal    = "heal"    // the partition ends
)

func (r *run) schedule() error {
	return r.Schedule(map[string]func(sim.Op){
		opNear: r.learn, opStruckOff: r.strikeOff, opMeasure: r.measure, opDrift: r.drift, opLeave: r.leave, opCrash: r.crash,
		opRestart: r.restart, opStrike: r.targeted.Add, opCut: r.PartitionOp, opHeal: r.HealOp,
	})
}

func (r *run) command(node int, o refine.Command) {
	if r.Live(node) {
		r.Command(node, o)
	}
}

// others lists the live nodes of a mask, except one.
func (r *run) others(node int, mask uint64) []protocol.NodeID {
	var ids []protocol.NodeID
	for i := range r.Len() {
		if i != node && mask>>i&1 == 1 && r.Live(i) && !r.State(i).Departed {
			ids = append(ids, r.State(i).ID)
		}
	}
	return ids
}

func (r *run) learn(op sim.Op) {
	r.command(op.Node, refine.Command{Kind: refine.CommandAdd, Nodes: r.others(op.Node, op.Arg)})
}

func (r *run) strikeOff(op sim.Op) {
	r.command(op.Node, refine.Command{Kind: refine.CommandDrop, Nodes: r.others(op.Node, op.Arg)})
}

func (r *run) measure(op sim.Op) { r.command(op.Node, refine.Command{Kind: refine.CommandMeasure}) }

func (r *run) drift(op sim.Op) {
	to := op.Arg % uint64(2*r.Len())
	r.places.Move(op.Node, protocol.Address(to))
	r.seen["drifted"]++
	r.Note("drift", fmt.Sprint(sim.NodeName(op.Node), " lies at place ", to))
}

func (r *run) leave(op sim.Op) {
	if !r.Live(op.Node) || r.State(op.Node).Departed {
		return
	}
	id := r.State(op.Node).ID
	r.Command(op.Node, refine.Command{Kind: refine.CommandLeave})
	r.At(r.Now()+int64(op.Arg%(20*second)), func() {
		if r.Running(id) && op.Arg%2 == 1 {
			r.Crash(op.Node)
		}
	})
}

func (r *run) crash(op sim.Op) {
	if r.Live(op.Node) {
		r.Crash(op.Node)
	}
}

func (r *run) restart(op sim.Op) {
	if r.Live(op.Node) {
		return
	}
	r.Restart(op.Node)
	for i := range r.Len() {
		r.learn(sim.Op{Node: i, Arg: op.Arg | 1<<op.Node})
	}
}

// triggers are the kinds of events that trigger a strike. Other nodes then depend on messages that
// the node has not sent yet.
var triggers = []string{
	refine.EventRound, refine.EventAccept, refine.EventSteady, refine.EventCommitted, refine.EventReleased,
	refine.EventDefer,
	refine.EventMeasured, refine.EventRemoved,
}
