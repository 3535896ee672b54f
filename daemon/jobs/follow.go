package jobs

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// Digest stands for the outcome of the open attempt, or of an array, among custodians. It is empty
// if there is none yet.
func (r *Record) Digest() custody.Digest {
	outcome := any(r.Result)
	if r.Spec.Array == nil {
		open := r.Open()
		if open == nil || open.Statuses == nil {
			return ""
		}
		outcome = open.Statuses
	} else if r.Result == "" {
		return ""
	}
	sum := sha256.Sum256(encoded(outcome))
	return custody.Digest(sum[:])
}

// Limit is how many attempts custodians permit. The record counts more finely, and ends the job
// earlier: see Again and Exhausted.
func (r *Record) Limit() uint32 {
	if r.Spec.Array != nil {
		return 1<<32 - 1 // attempts at coordination
	}
	return uint32(r.Spec.Retries.OnExit + r.restartLimit() + 2)
}

// End is how custodians name the end that the job is to have.
func (r *Record) End() custody.End {
	switch r.Requested {
	case Cancelled:
		return custody.Cancelled
	case TimedOut:
		return custody.TimedOut
	case Unplaced:
		return custody.Unplaced
	}
	return custody.Exhausted
}

// Follow updates the record to the decisions of the custodians: which attempt runs, which ones are
// closed, and how the job has ended. Only the primary calls it.
func (t *Table) Follow(r *Record, c custody.Record) {
	switch {
	case r.State.Final() || c.Try == 0:
	case r.Spec.Array != nil:
		t.followArray(r, c)
	case c.End == custody.Done:
		t.open(r, c)
		t.finish(r)
	case c.End != 0:
		t.abandon(r, c.End)
	default:
		if open := r.Open(); open != nil && open.Attempt() != c.Attempt {
			t.close(r, open)
		}
		t.open(r, c)
	}
}

// Preview updates a copy of a record to the state of a custodian that is not the primary. The copy
// is for users only.
func (t *Table) Preview(r *Record, c custody.Record) { (&Table{now: t.now, Fate: t.Fate}).Follow(r, c) }

// open notes the attempt that has the permit.
func (t *Table) open(r *Record, c custody.Record) {
	if c.Attempt.IsNone() || r.Open() != nil {
		return
	}
	a := Attempt{By: c.Attempt.By, Epoch: c.Attempt.Epoch, Representative: c.Attempt.By, Hosts: slices.Clone(c.Hosts)}
	if r.Asked != nil && r.Asked.Attempt() == c.Attempt {
		a = *r.Asked
	}
	if r.Asked = nil; a.Begin.IsZero() {
		a.Begin = t.now()
	}
	if r.Times.Started.IsZero() {
		r.Times.Started = a.Begin
	}
	r.Attempts = append(r.Attempts, a)
	t.enterAt(r, Running, "", a.Begin)
}

// close notes that nothing of an attempt runs any more, and that the job is tried again. An attempt
// without statuses was lost with nodes.
func (t *Table) close(r *Record, open *Attempt) {
	end := t.end(r)
	open.End = &end
	r.Owner = protocol.NodeID{}
	if open.Statuses != nil {
		open.Reason = open.why()
		t.enterAt(r, Accepted, open.Reason+"; it is tried again", end)
		return
	}
	fate := t.fates(open)
	open.Reason = cmp.Or(string(r.Requested), fate, "the grid gave the attempt up")
	if r.Requested == "" && (r.Exhausted() || r.full()) {
		r.Requested, r.Why = Failed, fmt.Sprintf("its nodes have lost %s", attempts(r.Lost()))
		if !r.Exhausted() {
			r.Why += ", and its record has no room for more"
		}
		if fate != "" {
			r.Why += "; in the last one, " + fate
		}
	}
	t.enterAt(r, Accepted, open.Reason, end)
}

// fates describes the fate of the nodes with which an attempt was lost, and records it for their
// ranks. It is empty if all of them are alive and still have their tasks.
func (t *Table) fates(a *Attempt) string {
	fateOf := t.Fate
	if fateOf == nil {
		fateOf = func(protocol.NodeID) string { return "" }
	}
	var all []string
	for rank, host := range a.Hosts {
		fate := fateOf(host)
		switch {
		case rank < len(a.Ranks) && a.Ranks[rank].Lost != "":
			all = append(all, fmt.Sprintf("rank %d was lost %s", rank, a.Ranks[rank].Lost))
		case fate != "":
			a.Rank(rank).Lost = fmt.Sprintf("node %v %s", host, fate)
			all = append(all, fmt.Sprintf("host %v of rank %d %s", host, rank, fate))
		}
	}
	if fate := fateOf(a.Representative); fate != "" && !slices.Contains(a.Hosts, a.Representative) {
		all = append(all, fmt.Sprintf("representative %v %s", a.Representative, fate))
	}
	if more := len(all) - fatesLimit; more > 0 {
		all = append(all[:fatesLimit], fmt.Sprintf("%d more of its nodes are gone", more))
	}
	return strings.Join(all, ", ")
}

// fatesLimit is how many nodes a reason names: it is kept with the record.
const fatesLimit = 3

// attempts writes a number of attempts in words.
func attempts(n int) string {
	if n == 1 {
		return "1 attempt"
	}
	return fmt.Sprintf("%d attempts", n)
}

// finish ends a job with the outcome of its open attempt.
func (t *Table) finish(r *Record) {
	end, open := t.end(r), r.Open()
	if open == nil {
		t.enterAt(r, Failed, "its outcome is not known here", end)
		return
	}
	open.End = &end
	switch {
	case open.Statuses != nil && !slices.ContainsFunc(open.Statuses, func(s Status) bool { return !s.OK() }):
		r.Why = "" // the reason to end it came too late
		t.enterAt(r, Succeeded, "", end)
	case r.Requested != "":
		open.Reason = string(r.Requested)
		t.enterAt(r, r.Requested, r.Why, end)
	default:
		open.Reason = open.why()
		t.enterAt(r, Failed, open.Reason, end)
	}
}

// why says why an attempt with statuses has failed.
func (a *Attempt) why() string {
	if rank, s, ok := a.failing(); ok {
		killer := ""
		if rank < len(a.Ranks) {
			killer = a.Ranks[rank].Killer()
		}
		return fmt.Sprintf("rank %d %s%s", rank, s.text(), killer)
	}
	return "all tasks were ended"
}

// text says how a task ended.
func (s Status) text() string {
	switch {
	case s.Unfit:
		return "could not start: " + s.Error
	case s.Lost:
		return "was lost: " + s.Error
	case s.Unkept:
		return "ended with 0, but " + s.Error
	case s.Signal > 0:
		return fmt.Sprintf("ended by signal %d", s.Signal)
	}
	return fmt.Sprintf("exited with %d", s.Code)
}

// abandon ends a job without an outcome.
func (t *Table) abandon(r *Record, end custody.End) {
	if r.Requested == "" {
		r.Requested = map[custody.End]State{
			custody.Cancelled: Cancelled, custody.TimedOut: TimedOut, custody.Unplaced: Unplaced,
		}[end]
		r.Requested = cmp.Or(r.Requested, Failed)
	}
	at := t.end(r)
	if open := r.Open(); open != nil {
		t.fates(open)
		open.End, open.Reason = &at, cmp.Or(r.Why, string(r.Requested))
	}
	t.enterAt(r, r.Requested, r.Why, at)
}
