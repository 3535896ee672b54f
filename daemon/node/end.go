package node

import (
	"time"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/rpc"
)

// see notes when this incarnation first sees a job. The time of day counts only for jobs of
// earlier incarnations: the times of two machines may differ by anything.
func (rs *records) see(k *keptJob, before bool) {
	k.seen, k.taken = rs.Clock(), rs.Clock()
	if !before {
		return
	}
	k.taken -= rs.Since(k.record.Changes[0].At)
	rs.noteBegin(k)
	if open := k.record.Open(); open != nil {
		k.began -= rs.Since(open.Begin)
	}
}

// noteBegin notes when this incarnation first sees the open attempt of a job.
func (rs *records) noteBegin(k *keptJob) {
	if open := k.record.Open(); open != nil && open.Attempt() != k.attempt {
		k.attempt, k.began = open.Attempt(), rs.Clock()
	}
}

// watchTimeout ends the attempt of a job that runs for too long.
func (rs *records) watchTimeout(k *keptJob) {
	r := k.record
	open := r.Open()
	if r.Spec.Timeout <= 0 || open == nil {
		return
	}
	name := open.Attempt()
	rs.After(k.began+r.Spec.Timeout-rs.Clock(), func() {
		if open := r.Open(); open != nil && open.Attempt() == name {
			rs.end(k, jobs.TimedOut, "an attempt ran for "+r.Spec.Timeout.String())
		}
	})
}

// watchDeadline ends a job whose time is over.
func (rs *records) watchDeadline(k *keptJob) {
	r := k.record
	if r.Spec.Deadline > 0 {
		rs.After(k.taken+r.Spec.Deadline-rs.Clock(), func() {
			rs.end(k, jobs.TimedOut, "its deadline of "+r.Spec.Deadline.String()+" is over")
		})
	}
}

// end makes a job end as cancelled, timed out or unplaced, if this node decides about it. It has
// ended when its custodians have closed its attempt.
func (rs *records) end(k *keptJob, s jobs.State, why string) {
	r := k.record
	if !k.leads() || r.State.Final() || r.Requested != "" {
		return
	}
	rs.Keep(rs.Table.Want(r, s, why))
	if r.Spec.Array != nil {
		rs.copies.spread(k, nil)
	}
	rs.press(k)
}

// halt ends the attempt of a job that is to end, or its wait for one. Its tasks get the signal and
// the time that the job wants; then the owner cancels it, which kills them.
func (rs *records) halt(k *keptJob) {
	r := k.record
	open := r.Open()
	if open == nil {
		rs.turns.stop(k)
		return
	}
	name := open.Attempt()
	same := func() bool { return r.Open() != nil && r.Open().Attempt() == name }
	halted := rpc.AttemptName{By: open.By, Epoch: open.Epoch}
	rpc.Halt.Ask(rs.Calls, rpc.Daemon(open.Representative).While(same), halted, nil)
	rs.After(r.Spec.GraceOf()+haltPatience, func() {
		if same() {
			rs.turns.stop(k)
		}
	})
}

// haltPatience is how long the tasks of a job may take to end, beyond their grace.
const haltPatience = 2 * time.Second
