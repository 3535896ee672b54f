package jobs

import (
	"slices"
	"time"
)

const (
	backoffMin = time.Second
	backoffMax = time.Minute
)

// Again reports whether the job wants another attempt after the outcome of its last one, and after
// which time. It is a function of the job's settings and the outcomes of its attempts.
func (r *Record) Again() (pause time.Duration, again bool) {
	want := r.Spec.Retries
	failures := 0
	for i := range r.Attempts {
		if _, s, failed := r.Attempts[i].failing(); failed && !s.Unfit {
			failures++
		}
	}
	_, s, failed := r.Failing()
	if !failed || s.Unfit || failures > want.OnExit || r.full() {
		return 0, false
	}
	if len(want.Codes) > 0 && !slices.Contains(want.Codes, s.exit()) {
		return 0, false
	}
	low, high := want.BackoffMin, want.BackoffMax
	if high == 0 {
		low, high = backoffMin, backoffMax
	}
	for ; failures > 1 && low < high; failures-- {
		low *= 2
	}
	return min(low, high), true
}

// Rest is how long a job whose last attempt has failed still pauses before it is tried again; 0 if
// it does not.
func (r *Record) Rest(now time.Time) time.Duration {
	last := r.Last()
	if last == nil || last.End == nil || r.State != Accepted || !r.Owner.IsNobody() {
		return 0
	}
	pause, _ := r.Again()
	return max(0, pause-max(0, now.Sub(*last.End)))
}

// Lost is how many attempts have ended without an outcome, with their nodes.
func (r *Record) Lost() (lost int) {
	for i := range r.Attempts {
		if a := &r.Attempts[i]; a.End != nil && a.Statuses == nil {
			lost++
		}
	}
	return lost
}

// Exhausted reports that nodes have lost more attempts than the job can bear.
func (r *Record) Exhausted() bool {
	return r.Lost() > r.restartLimit()
}

func (r *Record) restartLimit() int {
	if r.Spec.RestartLimit != nil {
		return *r.Spec.RestartLimit
	}
	return RestartLimit
}
