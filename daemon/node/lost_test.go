package node_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/runner"
)

// submitted hands a job in that bears so many lost attempts.
func (a *alone) submitted(t *testing.T, limit int) *jobs.Record {
	t.Helper()
	id, _, err := a.Submit(jobs.Spec{Command: []string{"sleep"}, Tasks: 1, RestartLimit: &limit}, "")
	require.NoError(t, err)
	return a.Job(id)
}

// starts waits until so many processes were started.
func (a *alone) starts(t *testing.T, so int) *process {
	t.Helper()
	require.NoError(t, a.until(t, func() bool { return len(a.started) == so }))
	return a.started[so-1]
}

func (a *alone) ends(t *testing.T, r *jobs.Record) {
	t.Helper()
	require.NoError(t, a.until(t, func() bool { return r.State.Final() }))
}

// A shim that somebody kills costs an attempt, not the job. The node takes no task before it has
// tried whether tasks can run.
func TestALostTaskIsTriedAgain(t *testing.T) {
	a := newAlone(t)
	r := a.submitted(t, 1)
	a.starts(t, 1).exits(runner.Exit{Code: 137, Signal: 9, Killed: true, Lost: true, Error: "its shim has ended"})
	require.NoError(t, a.until(t, func() bool { return r.Open() == nil }))
	assert.Equal(t, "its shim has ended", a.Report().NoTasks)
	assert.Equal(t, "rank 0 was lost on node B: its shim has ended", r.Attempts[0].Reason)
	assert.Equal(t, "on node B: its shim has ended", r.Attempts[0].Ranks[0].Lost)
	assert.Nil(t, r.Attempts[0].Statuses)
	lost := a.now

	p := a.starts(t, 2)
	assert.GreaterOrEqual(t, a.now-lost, time.Second)
	assert.Equal(t, 1, a.tries)
	assert.Empty(t, a.Report().NoTasks)
	p.exits(runner.Exit{})
	a.ends(t, r)
	assert.Equal(t, jobs.Succeeded, r.State)
	assert.Equal(t, 1, r.Lost())
}

// Attempts that are lost count as those that died with a node: the job ends when it cannot bear
// another one, and says with what.
func TestLostAttemptsAreLimited(t *testing.T) {
	for limit := range 3 {
		a := newAlone(t)
		r := a.submitted(t, limit)
		a.refuses = errors.New("start task job1: make a cgroup: no space left on device")
		a.ends(t, r)
		assert.Equal(t, jobs.Failed, r.State)
		assert.Equal(t, jobs.ExitGaveUp, r.ExitCode())
		assert.Equal(t, limit+1, r.Lost())
		assert.Contains(t, r.Changes[len(r.Changes)-1].Reason,
			"; in the last one, rank 0 was lost on node B: start task job1: make a cgroup: no space left on device")
		assert.Empty(t, a.started)
	}
}

// A task that cannot be started anywhere fails its job at once: another attempt would fail alike.
func TestAnUnfitTaskFails(t *testing.T) {
	a := newAlone(t)
	r := a.submitted(t, 5)
	a.starts(t, 1).exits(runner.Exit{Code: 127, Error: `start "sleep": not found`})
	a.ends(t, r)
	assert.Equal(t, 127, r.ExitCode())
	assert.Contains(t, r.Changes[len(r.Changes)-1].Reason, `rank 0 could not start: start "sleep": not found on host B`)
	assert.Len(t, r.Attempts, 1)
	assert.Empty(t, a.Report().NoTasks)
}

// A task that was killed by itself, as by the kernel for want of memory, has failed by itself. The
// kernel is named if it is known to be the one.
func TestATaskThatIsKilledFails(t *testing.T) {
	for _, oom := range []bool{false, true} {
		a := newAlone(t)
		r := a.submitted(t, 5)
		a.starts(t, 1).exits(runner.Exit{Code: 137, Signal: 9, OOM: oom})
		a.ends(t, r)
		assert.Equal(t, 137, r.ExitCode())
		require.Len(t, r.Attempts, 1)
		assert.Contains(t, r.Attempts[0].Reason, "rank 0 ended by signal 9")
		assert.Equal(t, oom, strings.Contains(r.Attempts[0].Reason, "OOM killer"), r.Attempts[0].Reason)
	}
}

// A job that is cancelled while its task is lost is cancelled.
func TestACancelledJobWhoseTaskIsLost(t *testing.T) {
	a := newAlone(t)
	r := a.submitted(t, 5)
	p := a.starts(t, 1)
	a.Cancel(r.ID, func(error) {})
	_, _, err := a.Turn()
	require.NoError(t, err)
	p.exits(runner.Exit{Lost: true, Error: "its shim has ended"})
	a.ends(t, r)
	assert.Equal(t, jobs.Cancelled, r.State)
	assert.Len(t, a.started, 1)
}

// A node whose disk is full takes no task until there is space again, and says so.
func TestANodeThatAilsTakesNoTasks(t *testing.T) {
	a := newAlone(t)
	a.ails = "disk-low: no space"
	require.NoError(t, a.until(t, func() bool { return a.Report().NoTasks == "disk-low: no space" }))
	r := a.submitted(t, 0)
	end := a.now + 20*time.Second
	require.NoError(t, a.until(t, func() bool { return a.now > end }))
	assert.Empty(t, a.started)
	assert.False(t, r.State.Final())

	a.ails = ""
	a.starts(t, 1).exits(runner.Exit{})
	a.ends(t, r)
	assert.Equal(t, jobs.Succeeded, r.State)
}

// Tries become rarer as long as tasks cannot run, and a job that waits is not lost meanwhile.
func TestANodeTriesMoreAndMoreSeldom(t *testing.T) {
	a := newAlone(t)
	r := a.submitted(t, 1)
	a.broken = errors.New("start the shim: resource temporarily unavailable")
	a.starts(t, 1).exits(runner.Exit{Lost: true, Error: "its shim has ended"})
	end := a.now + 50*time.Second
	require.NoError(t, a.until(t, func() bool { return a.now > end }))
	assert.Greater(t, a.tries, 2)
	assert.Less(t, a.tries, 8)
	assert.Equal(t, "start the shim: resource temporarily unavailable", a.Report().NoTasks)
	assert.Equal(t, 1, r.Lost())
	assert.Len(t, a.started, 1)
}
