package reptask

import (
	"encoding/binary"

	reptaskmodel "github.com/canvass-grid/canvass/model/reptask"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/sim"
)

// The operations of the scenarios of this package. A submit, move or cancel that a node cannot do
// goes to the next node that can. All other impossible operations do nothing. Indices are modulo
// the number of items. The last node that stays neither leaves nor fails.
const (
	// A job. Arg: ticket, 16 bits; size, 4; degree of over-provisioning, 2, and 2 unused; seed of
	// its candidates.
	opSubmit  = "submit"
	opMove    = "move"    // a node gives away the Arg-th of the jobs that it represents; Arg, shifted by 8: to which node
	opCancel  = "cancel"  // the Arg-th job that the node owns is cancelled
	opCluster = "cluster" // a node gets another cluster: the nodes of the bits of Arg
	opLeave   = "leave"   // a node takes no more jobs, and ends when it has nothing left to do
	opCrash   = "crash"   // a node fails
	opRestart = "restart" // it restarts
	opStrike  = "strike"  // the next node with a certain event fails; Arg: see sim.Run.FailOn
	opBereave = "bereave" // the counterpart of the next node with a certain event fails; Arg as in a strike
	opCut     = "cut"     // a partition; see sim.Run.PartitionOp
	opHeal    = "heal"    // the partition ends
)

func (r *run) schedule() error {
	ticket := func(op sim.Op) (uint64, bool) { return op.Arg & 0xffff, op.Do == opSubmit }
	if err := r.Plan.Distinct("job ticket", ticket); err != nil {
		return err
	}
	return r.Schedule(map[string]func(sim.Op){
		opSubmit: r.submit, opMove: r.move, opCancel: r.cancel, opCluster: r.recluster, opLeave: r.leave, opCrash: r.crash,
		opRestart: r.restart, opStrike: r.targeted.Add, opBereave: r.counterpartFaults.Add, opCut: r.PartitionOp,
		opHeal: r.HealOp,
	})
}

// first returns the first live node, from an index on, that satisfies a condition, or -1.
func (r *run) first(from int, able func(*reptask.State) bool) int {
	for i := range r.Len() {
		if node := (from + i) % r.Len(); r.Live(node) && able(r.State(node)) {
			return node
		}
	}
	return -1
}

func isStaying(s *reptask.State) bool { return !s.Leaving }

func (r *run) submit(op sim.Op) {
	node := r.first(op.Node, isStaying)
	if node < 0 {
		return
	}
	r.Command(node, reptask.Command{
		Kind: reptask.CommandSubmit, Submitted: r.submitted(op.Arg), Candidates: r.candidates(op.Arg >> 24),
		Spec: reptask.Spec{Size: max(1, uint32(op.Arg>>16&15)), Over: reptaskmodel.Degree(op.Arg >> 20)},
	})
}

// submitted is the time of submission that a client claims: now, or in the same ten seconds as
// others, or a drawn time. On its way to its owner a job may be overtaken by newer ones.
func (r *run) submitted(arg uint64) uint64 {
	switch r.ages {
	case 0:
		return uint64(r.Now())<<16 | arg&0xffff
	case 1:
		return uint64(r.Now() / (10 * second))
	}
	return protocol.Hash(binary.LittleEndian.AppendUint64(nil, arg)) >> 32
}

// move moves a job, whether it runs or not, and whether it has moved before or not.
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

// leave lets a node leave. Nodes with it in their clusters are notified a while later.
func (r *run) leave(op sim.Op) {
	if r.Live(op.Node) && isStaying(r.State(op.Node)) && r.enough(op.Node) {
		r.Command(op.Node, reptask.Command{Kind: reptask.CommandLeave})
		r.At(r.Now()+int64(op.Arg%second), r.sendClusters)
	}
}

// enough reports whether another node stays.
func (r *run) enough(without int) bool {
	return r.first(without+1, func(s *reptask.State) bool { return isStaying(s) && int(s.Self.Address) != without }) >= 0
}

func (r *run) crash(op sim.Op) {
	if r.Live(op.Node) && r.enough(op.Node) {
		r.Crash(op.Node)
	}
}

func (r *run) fail(node int) { r.crash(sim.Op{Node: node}) }

// restart restarts a node. Nodes with it in their clusters are notified at once.
func (r *run) restart(op sim.Op) {
	if !r.Live(op.Node) && !r.oracle.lives.Full() {
		r.Restart(op.Node)
		r.sendClusters()
	}
}

// triggers are the kinds of events that trigger a strike. Other nodes then depend on messages that
// the node has not sent yet.
var triggers = []string{
	reptask.EventGrant, reptask.EventPart, reptask.EventAccept, reptask.EventAdopt, reptask.EventRepresent,
	reptask.EventDecide,
	reptask.EventMove, reptask.EventResign, reptask.EventReady, reptask.EventRequeue, reptask.EventFinish,
	reptask.EventCancelled,
}
