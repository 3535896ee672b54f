package main

import (
	"fmt"
	"strings"
	"syscall"

	"github.com/canvass-grid/canvass/daemon/jobs"
)

// results: the end of a job and its output are those of its tasks.
func (e *evidence) results() Judgement {
	var f finding
	by := map[jobs.State]int{}
	for id, h := range e.workload.jobs {
		record := e.final[id]
		if record == nil || !record.State.Final() {
			continue // another judge says so
		}
		by[record.State]++
		if why := e.wrong(h, record); why != "" {
			f.add("job %s (%s, %d tasks that exit with %d) is %s: %s", id, h.key, h.spec.Tasks, h.code, record.State, why)
		}
	}
	return f.as("J8 Results", fmt.Sprintf("%d succeeded, %d failed, %d cancelled, %d otherwise", by[jobs.Succeeded],
		by[jobs.Failed], by[jobs.Cancelled], by[jobs.TimedOut]+by[jobs.Unplaced]))
}

// wrong describes the mistake in the end of a job, if there is one.
func (e *evidence) wrong(h *handed, record *jobs.Record) string {
	last := record.Last()
	switch record.State {
	case jobs.Cancelled:
		if !h.revoked {
			return "no user has cancelled it"
		}
		return ""
	case jobs.Succeeded:
		return e.wrongSuccess(h, record)
	case jobs.Failed:
		_, status, failed := record.Failing()
		switch {
		case last == nil || !failed:
			return "no rank has failed"
		case status.Unfit:
			return "it could not start: " + status.Error
		case status.Signal == int(syscall.SIGKILL) && e.kills[h.id]:
			return ""
		case status.Signal > 0:
			return fmt.Sprintf("a task was ended by signal %d, which the nemesis has not sent", status.Signal)
		case status.Code != h.code:
			return fmt.Sprintf("a task exited with %d", status.Code)
		}
		return ""
	}
	return "no job of this run can end so"
}

// wrongSuccess checks a job that succeeded: all ranks of its last attempt ran to their end.
func (e *evidence) wrongSuccess(h *handed, record *jobs.Record) string {
	if h.code != 0 {
		return "its tasks fail"
	}
	ended := map[int]bool{}
	for _, r := range e.ledger.Runs {
		if r.Job == h.id && r.Attempt == nameOf(record.Last()) && r.Ended {
			ended[r.Rank] = true
		}
	}
	if len(ended) != h.spec.Tasks {
		return fmt.Sprintf("%d ranks of its last attempt ran to their end", len(ended))
	}
	for rank, text := range e.outputs[h.id] {
		gone := strings.HasPrefix(text, outputError) && e.onLost(record.Last().Hosts[rank])
		if text != outputOf(h.id, rank) && !gone {
			return fmt.Sprintf("the output of rank %d is %.200q", rank, text)
		}
	}
	return ""
}
