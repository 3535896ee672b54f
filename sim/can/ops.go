package can

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/sim"
)

// The operations of the scenarios of this package.
const (
	opJoin   = "join"   // a node outside joins; Arg: the contact, an index of the members
	opLeave  = "leave"  // a member leaves
	opCrash  = "crash"  // a node fails
	opStrike = "strike" // the next node that decides a round fails; Arg, modulo a second: microseconds later
	opFall   = "fall"   // a node fails as soon as the guard allows it
	opSequel = "sequel" // a follow-up; Arg: see followUp
	opCut    = "cut"    // a partition; see sim.Run.PartitionOp
	opHeal   = "heal"   // the partition ends
	opSlow   = "slow"   // messages to and from a node take Arg times longer
	opListen = "listen" // all properties of quiescent maps are checked, in scenarios in which nothing changes
)

func (r *run) schedule() error {
	err := r.Schedule(map[string]func(sim.Op){
		opJoin: r.join, opLeave: r.leave, opCrash: r.crash, opStrike: r.targeted.Add, opFall: r.failWhenAllowed,
		opSequel: r.addFollowUp, opCut: r.PartitionOp, opHeal: r.HealOp, opSlow: r.slow, opListen: r.checkNow,
	})
	if len(r.Plan.Ops) > 0 {
		r.Every(redirection, r.redirect)
	}
	return err
}

func (r *run) join(op sim.Op) {
	members := r.canMap.Members()
	if r.Live(op.Node) || len(members) == 0 {
		return
	}
	if r.Persisted(op.Node) == nil {
		r.Start(op.Node)
	} else {
		r.Restart(op.Node)
	}
	r.Command(op.Node, can.Command{Kind: can.CommandJoin, Contact: members[op.Arg%uint64(len(members))]})
}

// redirect gives joiners whose contact is gone another contact, as their applications would.
func (r *run) redirect() {
	r.canMap.Redirect(r.Now(), func(node int, contact protocol.NodeID) {
		r.Command(node, can.Command{Kind: can.CommandJoin, Contact: contact})
	})
}

func (r *run) leave(op sim.Op) {
	if r.canMap.MayLeave(op.Node) {
		r.Command(op.Node, can.Command{Kind: can.CommandLeave})
	}
}

func (r *run) crash(op sim.Op) {
	if r.canMap.MayCrash(op.Node) {
		r.canMap.Fail(op.Node)
		r.Crash(op.Node)
	}
}

// failTargeted lets a node fail soon after it decided a round, if a strike is waiting.
func (r *run) failTargeted(node int, events []protocol.Event) {
	for i := range events {
		op, falls := r.targeted.Take(events[i:i+1], []string{can.EventDecide})
		if !falls {
			continue
		}
		op.Node = node
		r.At(r.Now()+int64(op.Arg%second), func() {
			if r.Now() < r.Plan.UntilMicros {
				r.crash(op)
			}
		})
	}
}

func (r *run) slow(op sim.Op) {
	r.Slow(op.Node, uint16(min(op.Arg, 1000)))
	r.Note("slow", fmt.Sprint(sim.NodeName(op.Node), " by ", min(op.Arg, 1000)))
}

func (r *run) checkNow(sim.Op) {
	if p, _ := r.canMap.Whole(); p != "" {
		r.canMap.Violate(p, "although nothing has changed")
		r.Note("listen", "all is looked at")
	}
}
