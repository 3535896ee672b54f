package node

import (
	"time"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/rpc"
)

// see notes when this life sees a job first. The time of day counts for what a former life has
// seen, and for nothing else: that of two machines may differ by anything.
func (n *Node) see(k *keeping, before bool) {
	k.seen, k.taken = n.clock(), n.clock()
	if !before {
		return
	}
	k.taken -= n.since(k.record.Changes[0].At)
	n.noteBegin(k)
	if open := k.record.Open(); open != nil {
		k.began -= n.since(open.Begin)
	}
}

// noteBegin notes when this life sees the open attempt of a job first.
func (n *Node) noteBegin(k *keeping) {
	if open := k.record.Open(); open != nil && open.Attempt() != k.attempt {
		k.attempt, k.began = open.Attempt(), n.clock()
	}
}

// watchTimeout ends the attempt of a job that runs for too long.
func (n *Node) watchTimeout(k *keeping) {
	r := k.record
	open := r.Open()
	if r.Spec.Timeout <= 0 || open == nil {
		return
	}
	name := open.Attempt()
	n.after(k.began+r.Spec.Timeout-n.clock(), func() {
		if open := r.Open(); open != nil && open.Attempt() == name {
			n.end(k, jobs.TimedOut, "an attempt ran for "+r.Spec.Timeout.String())
		}
	})
}

// watchDeadline ends a job whose time is over.
func (n *Node) watchDeadline(k *keeping) {
	r := k.record
	if r.Spec.Deadline > 0 {
		n.after(k.taken+r.Spec.Deadline-n.clock(), func() {
			n.end(k, jobs.TimedOut, "its deadline of "+r.Spec.Deadline.String()+" is over")
		})
	}
}

// end makes a job end as cancelled, timed out or unplaced, if this node decides about it. It has
// ended when its custodians have closed its attempt.
func (n *Node) end(k *keeping, s jobs.State, why string) {
	r := k.record
	if !k.leads() || r.State.Final() || r.Wish != "" {
		return
	}
	n.keep(n.table.Want(r, s, why))
	if r.Spec.Array != nil {
		n.spread(k, nil)
	}
	n.press(k)
}

// halt ends the attempt of a job that is to end. Its tasks get the signal and the time that the job
// wants; then the owner cancels it, which kills them.
func (n *Node) halt(k *keeping) {
	r := k.record
	open := r.Open()
	if open == nil {
		return
	}
	name := open.Attempt()
	same := func() bool { return r.Open() != nil && r.Open().Attempt() == name }
	halted := rpc.AttemptName{By: open.By, Epoch: open.Epoch}
	rpc.Halt.Ask(n.calls, rpc.Daemon(open.Representative).While(same), halted, nil)
	n.after(r.Spec.GraceOf()+haltPatience, func() {
		if same() {
			n.revoke(k)
		}
	})
}

// haltPatience is how long the tasks of a job may take to end, beyond their grace.
const haltPatience = 2 * time.Second
