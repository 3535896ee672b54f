package node

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// decisions are the answers of the primary of a job to its attempts.
type decisions struct {
	*life.Runtime
	grid grid
	jobs decided

	unfits   map[unfitKey]string
	gathered map[rankName]*gathering // outputs that are being kept
}

// decided is the decisions' view of the records of jobs.
type decided interface {
	follow(k *keptJob)
	press(k *keptJob)
	close(k *keptJob, try uint32, a custody.Attempt, host protocol.NodeID)
	lapse(k *keptJob, a rpc.JobAttempt)
	spread(k *keptJob, then func(without []protocol.Address))
	isKept(k *keptJob) bool
}

// answerPermit gives an attempt the permit, or refuses it, as the custodians decide.
func (d *decisions) answerPermit(k *keptJob, _ protocol.NodeID, p rpc.PermitRequest) (granted bool, err error) {
	c, r := k.decided(), k.record
	switch {
	case k.refused[p.Attempt()]:
		d.jobs.lapse(k, p.JobAttempt)
		return false, nil
	case c.Attempt == p.Attempt():
		d.jobs.follow(k) // its event may come later
		return c.Requested == 0 && c.End == 0, nil
	case r.Held && r.Requested == "" && !r.State.Final():
		return false, k.waiting.Undecided() // its owner cancels it
	case c.End != 0 || c.Requested != 0 || p.Try != c.Try || !c.Attempt.IsNone():
		k.refused[p.Attempt()] = true
		return d.answerPermit(k, d.Self, p)
	}
	d.request(k, p)
	return false, k.waiting.Undecided()
}

// request asks the custodians for the permit of an attempt, one at a time.
func (d *decisions) request(k *keptJob, p rpc.PermitRequest) {
	if k.record.Asked == nil || !k.asking {
		d.Table.Ask(k.record, requested(p))
		k.asked = p.JobAttempt
		d.jobs.press(k)
	}
}

// answerOutcome takes the statuses of an attempt. An attempt that could not start at a host has had
// no permit, and asks for it first: its outcome counts. If a host has lost its task, the attempt
// has no outcome. It is closed, and the job is tried again as after the death of a node.
func (d *decisions) answerOutcome(k *keptJob, _ protocol.NodeID, o rpc.OutcomeReport) (rpc.None, error) {
	c, r := k.decided(), k.record
	lost := slices.ContainsFunc(o.Statuses, func(s jobs.Status) bool { return s.Lost && !s.Halted })
	unfit := lost || slices.ContainsFunc(o.Statuses, func(s jobs.Status) bool { return s.Unfit })
	strayed := d.strayed(r, o)
	switch {
	case c.End != 0 || o.Try != c.Try || k.refused[o.Attempt()], !c.Attempt.IsNone() && c.Attempt != o.Attempt():
		d.jobs.lapse(k, o.JobAttempt)
		return rpc.None{}, nil
	case c.Attempt.IsNone() && strayed && r.Asked != nil && r.Asked.Attempt() == o.Attempt():
		return rpc.None{}, k.waiting.Undecided() // its permit is on its way
	case c.Attempt.IsNone() && (!unfit || strayed):
		k.refused[o.Attempt()] = true
		d.jobs.lapse(k, o.JobAttempt) // it has run nothing
		return rpc.None{}, nil
	case c.Attempt.IsNone():
		d.request(k, o.PermitRequest)
		return rpc.None{}, k.waiting.Undecided()
	case lost, strayed, c.Requested == 0 && halted(o.Statuses):
		d.noteLosses(r, o)
		for _, host := range c.Hosts { // by its statuses nothing of it runs
			d.jobs.close(k, c.Try, c.Attempt, host)
		}
		return rpc.None{}, k.waiting.Undecided()
	}
	for rank, host := range o.Hosts {
		if o.Statuses[rank].Unfit {
			o.Statuses[rank].Error = d.unfits[unfitKey{r.ID, o.By, o.Epoch, host}]
		}
		if open := r.Open(); o.Statuses[rank].Unkept && open != nil {
			o.Statuses[rank].Error = cmp.Or(open.Rank(rank).Problem, o.Statuses[rank].Error)
		}
	}
	d.Table.Deposit(r, o.By, o.Epoch, o.Statuses)
	d.jobs.press(k)
	return rpc.None{}, k.waiting.Undecided()
}

// noteLosses keeps the reasons of hosts that have lost their tasks of an attempt that is closed
// without an outcome.
func (d *decisions) noteLosses(r *jobs.Record, o rpc.OutcomeReport) {
	for rank, host := range o.Hosts {
		if s := o.Statuses[rank]; s.Lost && !s.Halted {
			why := cmp.Or(d.unfits[unfitKey{r.ID, o.By, o.Epoch, host}], s.Error)
			d.Table.Lose(r, o.By, o.Epoch, rank, fmt.Sprintf("on node %v: %s", host, why))
		}
	}
}

// halted reports whether the grid has ended tasks, and no task has failed: the submission was given
// up at the moment at which the attempt got its permit. That is no failure of the job.
func halted(statuses []jobs.Status) bool {
	failed := func(s jobs.Status) bool { return !s.OK() && !s.Halted }
	ended := func(s jobs.Status) bool { return s.Halted }
	return slices.ContainsFunc(statuses, ended) && !slices.ContainsFunc(statuses, failed)
}

// strayed reports whether a host of an attempt has not started it because it could not find out the
// job, which had been submitted to the grid again in the meantime: a host that cannot start a job
// gives its reason first. That is no failure of the job.
func (d *decisions) strayed(r *jobs.Record, o rpc.OutcomeReport) bool {
	for rank, s := range o.Statuses {
		if s.Unfit && d.unfits[unfitKey{r.ID, o.By, o.Epoch, o.Hosts[rank]}] == "" {
			return true
		}
	}
	return false
}

// unfitKey names a host of an attempt.
type unfitKey struct {
	job   string
	by    protocol.NodeID
	epoch uint32
	host  protocol.NodeID
}

// unfitLimit is the largest number of reasons of hosts that are remembered, and unfitBytes the size
// of each.
const (
	unfitLimit = 16_384
	unfitBytes = 1 << 10
)

func (d *decisions) answerUnfit(k *keptJob, from protocol.NodeID, u rpc.UnfitReport) (rpc.None, error) {
	if len(d.unfits) >= unfitLimit {
		clear(d.unfits)
	}
	d.unfits[unfitKey{k.record.ID, u.By, u.Epoch, from}] = u.Why[:min(len(u.Why), unfitBytes)]
	d.Table.Noted(k.record, u.Why)
	return rpc.None{}, nil
}

// forgetUnfits drops the reasons of hosts about a job.
func (d *decisions) forgetUnfits(r *jobs.Record) {
	for key := range d.unfits {
		if key.job == r.ID {
			delete(d.unfits, key)
		}
	}
}

// answerGone notifies the custodians that nothing of an attempt runs at a host.
func (d *decisions) answerGone(k *keptJob, from protocol.NodeID, a rpc.JobAttempt) (rpc.None, error) {
	if k.closed[closing{from, a.Try}] || k.decided().End != 0 || a.Try != k.decided().Try {
		return rpc.None{}, nil
	}
	d.jobs.close(k, a.Try, a.Attempt(), from)
	return rpc.None{}, k.waiting.Undecided()
}

// requested is the attempt of a request as a record has it.
func requested(p rpc.PermitRequest) jobs.Attempt {
	return jobs.Attempt{By: p.By, Epoch: p.Epoch, Representative: p.Representative, Hosts: p.Hosts}
}
