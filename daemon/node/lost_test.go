package node_test

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/runner"
)

// submitted submits a job that tolerates a number of lost attempts.
func (a *alone) submitted(t *testing.T, limit int) *jobs.Record {
	t.Helper()
	id, _, err := a.Submit(jobs.Spec{Command: []string{"sleep"}, Tasks: 1, RestartLimit: &limit}, "")
	require.NoError(t, err)
	return a.Job(id)
}

// starts waits until a number of processes were started.
func (a *alone) starts(t *testing.T, so int) *process {
	t.Helper()
	require.NoError(t, a.until(t, func() bool { return len(a.started) == so }))
	return a.started[so-1]
}

func (a *alone) ends(t *testing.T, r *jobs.Record) {
	t.Helper()
	require.NoError(t, a.until(t, func() bool { return r.State.Final() }))
}

// A killed shim costs an attempt, not the job. The node takes no task before it has
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

// Lost attempts count as attempts that died with a node: the job ends when it tolerates no further
// loss, and gives the reason.
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

// A host on which a job cannot start reports why, and the job fails at once. A host with a fault of
// the machine loses an attempt, and takes no task until it has recovered.
func TestAHostThatCannotStartATask(t *testing.T) {
	ports := func(err error) func(a *alone) {
		return func(a *alone) { a.noPorts = err }
	}
	for name, test := range map[string]struct {
		lacks func(a *alone)
		why   string
		lost  bool
	}{
		"command": {lacks: func(a *alone) { a.misfit = "no such command" }, why: "no such command"},
		"ports":   {lacks: ports(errors.New("no free port")), why: "no free port", lost: true},
		"names":   {lacks: ports(fmt.Errorf("lay: %w", syscall.ENAMETOOLONG)), why: "file name too long"},
		"folder":  {lacks: ports(fmt.Errorf("lay: %w", syscall.ENOTDIR)), why: "not a directory"},
		"space":   {lacks: ports(fmt.Errorf("lay: %w", syscall.ENOSPC)), why: "no space left", lost: true},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAlone(t)
			cleared := 0
			a.clears = func(string) { cleared++ }
			test.lacks(a)
			r := a.submitted(t, 2)
			if test.lost {
				require.NoError(t, a.until(t, func() bool { return len(r.Attempts) > 0 && r.Open() == nil }))
				assert.Contains(t, a.Report().NoTasks, test.why)
				a.noPorts = nil
				a.starts(t, 1).exits(runner.Exit{})
			}
			a.ends(t, r)
			a.passes(t, 20*time.Second)
			assert.NotContains(t, a.takes, true, "no ports stay taken")
			assert.Zero(t, a.Attempts(), "no attempt is remembered")
			assert.Positive(t, cleared, "no working folder is left")
			shown, err := a.Metrics()
			require.NoError(t, err)
			counts := []string{values(shown)["task_lost_total"], values(shown)["task_unfit_total"]}
			if test.lost {
				assert.Equal(t, jobs.Succeeded, r.State)
				assert.Equal(t, []string{"1", "0"}, counts)
				assert.Contains(t, r.Attempts[0].Reason, test.why)
				return
			}
			assert.Equal(t, jobs.Failed, r.State)
			assert.Contains(t, r.Changes[len(r.Changes)-1].Reason, test.why)
			assert.Equal(t, []string{"0", "1"}, counts)
			assert.Empty(t, a.started)
		})
	}
}

// A lost task whose host has no space leaves no output there: the next attempt prints it again.
func TestTheOutputOfALostTaskOnAFullDisk(t *testing.T) {
	for _, full := range []bool{false, true} {
		a := newAlone(t)
		r := a.submitted(t, 2)
		p := a.starts(t, 1)
		if full {
			a.ails = "disk-low: no space"
		}
		p.exits(runner.Exit{Lost: true, Error: "its shim has ended"})
		require.NoError(t, a.until(t, func() bool { return r.Open() == nil }))
		want := []string(nil)
		if full {
			want = []string{a.tasks[0].Attempt}
		}
		assert.Equal(t, want, a.forgets)
	}
}

// A task receives its rank, the addresses of the other tasks, and the signal that ends it.
func TestWhatATaskIsGiven(t *testing.T) {
	a := newAlone(t)
	a.ports = []uint16{7001, 7002}
	id, _, err := a.Submit(jobs.Spec{
		Command: []string{"work", "hard"}, Tasks: 1, Env: []string{"MINE=1"}, OutputLimit: 5,
		Kill:  jobs.Kill{Signal: "USR1", Grace: 3 * time.Second},
		Array: &jobs.Array{Ranges: []jobs.Range{{First: 4, Last: 4}}},
	}, "")
	require.NoError(t, err)
	a.starts(t, 1)
	given := a.tasks[0]
	assert.EqualValues(t, []string{"work", "hard"}, given.Command)
	assert.Equal(t, []string{
		"LANG=C.UTF-8", "CANVASS_JOB=" + id + "[4]", "CANVASS_ATTEMPT=" + given.Attempt, "CANVASS_RANK=0", "CANVASS_SIZE=1",
		"CANVASS_HOST=B", "CANVASS_PORTS=7001,7002", "CANVASS_GRID=test", "CANVASS_INDEX=4", "MINE=1",
	}, []string(given.Env))
	assert.Equal(t, []bool{false}, a.takes, "its process has the ports")
	assert.Equal(t, "0 B - 7001,7002\n", given.Peers)
	assert.Equal(t, id+"[4]", given.ID)
	assert.Equal(t, []any{int64(5), 3 * time.Second, int(syscall.SIGUSR1), false, 0},
		[]any{given.OutputLimit, given.Grace, given.Signal, given.Reads, given.Rank})

	b := newAlone(t)
	b.submitted(t, 0)
	b.starts(t, 1)
	assert.EqualValues(t, jobs.OutputLimit, b.tasks[0].OutputLimit)
	assert.Equal(t, int(syscall.SIGTERM), b.tasks[0].Signal)
	assert.NotContains(t, strings.Join(b.tasks[0].Env, " "), "CANVASS_INDEX")
}

// The record of a task has how it was held together and when it ran, and the last lines if it
// failed. Its working folder is removed.
func TestWhatIsToldOfATask(t *testing.T) {
	for _, code := range []int{0, 3} {
		a := newAlone(t)
		cleared := map[string]int{}
		a.clears = func(attempt string) { cleared[attempt]++ }
		r := a.submitted(t, 0)
		p := a.starts(t, 1)
		began := time.Unix(1<<32, 0).Add(a.now).UTC()
		require.NoError(t, a.until(t, func() bool { return r.Attempts[0].Ranks != nil }))
		assert.Equal(t, jobs.Rank{Isolation: "none", Begin: began}, r.Attempts[0].Ranks[0], "while it runs")
		a.passes(t, 7*time.Second)
		p.exits(runner.Exit{Code: code})
		a.ends(t, r)
		told := r.Attempts[0].Ranks[0]
		assert.Equal(t, began, told.Begin)
		require.NotNil(t, told.End)
		assert.InDelta(t, 7*time.Second, told.End.Sub(began), float64(time.Second))
		assert.Equal(t, "none", told.Isolation)
		lines := ""
		if code > 0 {
			lines = "the last lines of " + a.tasks[0].Attempt
		}
		assert.Equal(t, lines, told.Stderr)
		assert.Equal(t, code, r.ExitCode())
		assert.Positive(t, cleared[a.tasks[0].Attempt])
		shown, err := a.Metrics()
		require.NoError(t, err)
		assert.Equal(t, []string{"1", "0"}, []string{values(shown)["task_starts_total"], values(shown)["task_kills_total"]})
	}
}
