package reptask

import (
	"encoding/binary"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/sim"
)

// The operations of the worlds of this package. To submit, move and cancel, a node that cannot is
// passed over for the next that can; what else is not possible does not happen. Indices are modulo
// the number that there is. The last node that stays neither leaves nor fails.
const (
	opSubmit  = "submit"  // a job; Arg: ticket, 16 bits; size, 4; degree of over-provisioning, 2, and 2 unused; seed of its candidates
	opMove    = "move"    // a node is to give the Arg-th of the jobs away that it represents; Arg, shifted by 8: to whom
	opCancel  = "cancel"  // the Arg-th job that the node owns is not wanted any more
	opCluster = "cluster" // a node is told another cluster: those of the bits of Arg
	opLeave   = "leave"   // a node takes no more, and ends when it has nothing left to do
	opCrash   = "crash"   // a node fails
	opRestart = "restart" // it comes back
	opStrike  = "strike"  // the next node that does something of a kind, by Arg, fails; Arg, shifted by 8, modulo a second: so many microseconds later
	opBereave = "bereave" // the next node that does something of a kind loses who represents the attempt, or owns it; Arg as of a strike
	opCut     = "cut"     // the network falls apart: into the nodes of the bits of Arg, and the others
	opHeal    = "heal"    // the network is whole again
)

func (r *run) schedule() error {
	ticket := func(op sim.Op) (uint64, bool) { return op.Arg & 0xffff, op.Do == opSubmit }
	if err := r.Plan.Distinct("jobs have the ticket", ticket); err != nil {
		return err
	}
	return r.Schedule(map[string]func(sim.Op){
		opSubmit: r.submit, opMove: r.move, opCancel: r.cancel, opCluster: r.recluster, opLeave: r.leave, opCrash: r.crash,
		opRestart: r.restart, opStrike: r.targeted.Add, opBereave: r.counterpartFaults.Add, opCut: r.PartitionOp, opHeal: r.HealOp,
	})
}

// first returns the first live node from a place on of which something is true, or -1.
func (r *run) first(from int, able func(*reptask.State) bool) int {
	for i := range r.Len() {
		if node := (from + i) % r.Len(); r.Live(node) && able(r.State(node)) {
			return node
		}
	}
	return -1
}

func staying(s *reptask.State) bool { return !s.Leaving }

func (r *run) submit(op sim.Op) {
	node := r.first(op.Node, staying)
	if node < 0 {
		return
	}
	r.Command(node, reptask.Command{
		Kind: reptask.CommandSubmit, Submitted: r.submitted(op.Arg), Candidates: r.candidates(op.Arg >> 24),
		Spec: reptask.Spec{Size: max(1, uint32(op.Arg>>16&15)), Over: reptask.Over(op.Arg >> 20 & 3)},
	})
}

// submitted is when the client says that it submitted a job: now, or in the same ten seconds as
// others, or at a time drawn, since on its way to its owner a job may be overtaken by newer ones.
func (r *run) submitted(arg uint64) uint64 {
	switch r.ages {
	case 0:
		return uint64(r.Now())<<16 | arg&0xffff
	case 1:
		return uint64(r.Now() / (10 * second))
	}
	return protocol.Hash(binary.LittleEndian.AppendUint64(nil, arg)) >> 32
}

// move gives a job away, whether it runs or not, and whether it has moved before or not.
func (r *run) move(op sim.Op) {
	node := r.first(op.Node, func(s *reptask.State) bool { return len(s.Roles) > 0 })
	if node < 0 {
		return
	}
	roles := r.State(node).Roles
	to := r.first(int(op.Arg>>8%uint64(r.Len())), func(s *reptask.State) bool { return s.Self != r.State(node).Self })
	if to >= 0 {
		r.Command(
			node,
			reptask.Command{Kind: reptask.CommandMove, Job: roles[op.Arg%uint64(len(roles))].Job, Target: r.State(to).Self},
		)
	}
}

func open(s *reptask.State) (jobs []reptask.Job) {
	for _, o := range s.Owned {
		if o.State == reptask.JobOpen {
			jobs = append(jobs, o.Job)
		}
	}
	return jobs
}

func (r *run) cancel(op sim.Op) {
	if node := r.first(op.Node, func(s *reptask.State) bool { return len(open(s)) > 0 }); node >= 0 {
		jobs := open(r.State(node))
		job := jobs[op.Arg%uint64(len(jobs))]
		r.Command(node, reptask.Command{Kind: reptask.CommandCancel, Number: job.Number, Owner: job.Owner})
	}
}

func (r *run) recluster(op sim.Op) {
	r.clusters[op.Node] = op.Arg
	r.sendCluster(op.Node)
}

// leave lets a node go. Those in whose clusters it is are told a while later.
func (r *run) leave(op sim.Op) {
	if r.Live(op.Node) && staying(r.State(op.Node)) && r.enough(op.Node) {
		r.Command(op.Node, reptask.Command{Kind: reptask.CommandLeave})
		r.At(r.Now()+int64(op.Arg%second), r.sendClusters)
	}
}

// enough reports whether there is a node that stays besides one.
func (r *run) enough(without int) bool {
	return r.first(without+1, func(s *reptask.State) bool { return staying(s) && int(s.Self.Address) != without }) >= 0
}

func (r *run) crash(op sim.Op) {
	if r.Live(op.Node) && r.enough(op.Node) {
		r.Crash(op.Node)
	}
}

func (r *run) fail(node int) { r.crash(sim.Op{Node: node}) }

// restart lets a node come back. Those in whose clusters it is are told.
func (r *run) restart(op sim.Op) {
	if !r.Live(op.Node) && !r.oracle.lives.Full() {
		r.Restart(op.Node)
		r.sendClusters()
	}
}

// blows are the kinds of things after which a strike falls: others depend on what the node has
// still to tell them.
var triggers = []string{
	reptask.EventGrant, reptask.EventPart, reptask.EventAccept, reptask.EventAdopt, reptask.EventRepresent, reptask.EventDecide,
	reptask.EventMove, reptask.EventResign, reptask.EventReady, reptask.EventRequeue, reptask.EventFinish, reptask.EventCancelled,
}
