package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
)

var (
	here  = protocol.NodeID{Address: 1, Incarnation: 1}
	owner = protocol.NodeID{Address: 2, Incarnation: 1}
	now   = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
)

func clock() time.Time { return now }

// table is a table over a folder.
func table(t require.TestingT, folder string) (*jobs.Table, *disk.Store) {
	s, err := disk.Open(folder)
	require.NoError(t, err)
	tab, err := jobs.NewTable(s, clock)
	require.NoError(t, err)
	return tab, s
}

func spec(command ...string) jobs.Spec { return jobs.Spec{Command: command, Tasks: 2} }

func attempt(epoch uint32) jobs.Attempt {
	return jobs.Attempt{By: owner, Epoch: epoch, Representative: owner, Hosts: []protocol.NodeID{here, owner}}
}

func TestOneKeyIsOneJobAlsoAfterARestart(t *testing.T) {
	folder := t.TempDir()
	tab, s := table(t, folder)
	first, err := tab.Submit(spec("true"), "tuesday")
	require.NoError(t, err)
	again, err := tab.Submit(spec("true"), "tuesday")
	require.NoError(t, err)
	assert.Same(t, first, again)
	require.NoError(t, s.Close())

	tab, s = table(t, folder)
	defer s.Close()
	again, err = tab.Submit(spec("true"), "tuesday")
	require.NoError(t, err)
	assert.Equal(t, first.ID, again.ID)
	_, err = tab.Submit(spec("false"), "tuesday")
	assert.ErrorIs(t, err, jobs.ErrSpec)
	other, err := tab.Submit(spec("true"), "")
	require.NoError(t, err)
	assert.NotEqual(t, first.Ticket, other.Ticket)
}

func TestASecondAttemptHasNoPermitBeforeTheFirstIsClosed(t *testing.T) {
	tab, s := table(t, t.TempDir())
	defer s.Close()
	r, err := tab.Submit(spec("true"), "")
	require.NoError(t, err)
	permit := func(epoch uint32) bool {
		granted, err := tab.Permit(r, attempt(epoch))
		require.NoError(t, err)
		return granted
	}
	assert.True(t, permit(1))
	assert.True(t, permit(1), "asked again")
	assert.False(t, permit(2))
	require.NoError(t, tab.Close(r, owner, 2, "not this one"))
	assert.False(t, permit(2))
	require.NoError(t, tab.Close(r, owner, 1, "a host was lost"))
	assert.Equal(t, jobs.Queued, r.State)
	assert.False(t, permit(1), "closed")
	assert.True(t, permit(2))
	require.NoError(t, tab.Deposit(r, attempt(1), []jobs.Status{{}, {}}))
	assert.Equal(t, jobs.Running, r.State, "an outcome of the closed attempt")
	require.NoError(t, tab.Deposit(r, attempt(2), []jobs.Status{{}, {Code: 3}}))
	assert.Equal(t, jobs.Failed, r.State)
	assert.Equal(t, 3, r.ExitCode())
	assert.False(t, permit(3))
}

func TestExitCodesOfJobs(t *testing.T) {
	for _, test := range []struct {
		name     string
		statuses []jobs.Status
		want     int
		state    jobs.State
	}{
		{"all well", []jobs.Status{{}, {}}, 0, jobs.Succeeded},
		{"the first that failed by itself", []jobs.Status{{Signal: 15, Halted: true}, {Code: 4}}, 4, jobs.Failed},
		{"a signal", []jobs.Status{{Signal: 9}, {}}, 137, jobs.Failed},
		{"no such command", []jobs.Status{{Unfit: true, Error: "no such file"}, {Halted: true}}, 127, jobs.Failed},
		{"ended by the grid", []jobs.Status{{Halted: true}, {Halted: true}}, jobs.ExitGaveUp, jobs.Failed},
	} {
		t.Run(test.name, func(t *testing.T) {
			tab, s := table(t, t.TempDir())
			defer s.Close()
			r, err := tab.Submit(spec("true"), "")
			require.NoError(t, err)
			_, err = tab.Permit(r, attempt(1))
			require.NoError(t, err)
			require.NoError(t, tab.Deposit(r, attempt(1), test.statuses))
			assert.Equal(t, test.state, r.State)
			assert.Equal(t, test.want, r.ExitCode())
		})
	}
}

func TestWhatCannotBeTaken(t *testing.T) {
	for name, s := range map[string]jobs.Spec{
		"no command":     {},
		"too many tasks": {Command: []string{"true"}, Tasks: jobs.TasksLimit + 1},
		"a name":         {Command: []string{"true"}, Name: "Über"},
		"environment":    {Command: []string{"true"}, Env: []string{"=x"}},
		"a zero byte":    {Command: []string{"true", "a\x00b"}},
		"a time-out":     {Command: []string{"true"}, Timeout: -1},
	} {
		t.Run(name, func(t *testing.T) { assert.ErrorIs(t, s.Validate(), jobs.ErrSpec) })
	}
}

func TestJobsAreFoundByTheBeginningOfTheirID(t *testing.T) {
	tab, s := table(t, t.TempDir())
	defer s.Close()
	r, err := tab.Submit(spec("true"), "")
	require.NoError(t, err)
	found, err := tab.Find(r.ID[:5])
	require.NoError(t, err)
	assert.Same(t, r, found)
	_, err = tab.Find("")
	assert.ErrorIs(t, err, jobs.ErrUnknown)
}

func TestOutcomesOfAttemptsWithoutAPermit(t *testing.T) {
	unfit := []jobs.Status{{Unfit: true, Error: "no such command"}, {Halted: true}}
	for _, test := range []struct {
		name     string
		wish     jobs.State
		statuses []jobs.Status
		want     jobs.State
	}{
		{"a host could not start it", "", unfit, jobs.Failed},
		{"refused", "", []jobs.Status{{Halted: true}, {Halted: true}}, jobs.Accepted},
		{"to be cancelled", jobs.Cancelled, []jobs.Status{{Halted: true}, {Halted: true}}, jobs.Cancelled},
	} {
		t.Run(test.name, func(t *testing.T) {
			tab, s := table(t, t.TempDir())
			defer s.Close()
			r, err := tab.Submit(spec("true"), "")
			require.NoError(t, err)
			if test.wish != "" {
				require.NoError(t, tab.Want(r, test.wish, ""))
			}
			require.NoError(t, tab.Deposit(r, attempt(1), test.statuses))
			assert.Equal(t, test.want, r.State)
			if test.want == jobs.Failed {
				assert.Equal(t, 127, r.ExitCode())
			}
		})
	}
}

// Whatever the grid says, and in whatever order: one permit at a time, one outcome, and a restart
// changes nothing.
func TestPermitsAndOutcomes(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		tab, s := table(t, folder)
		r, err := tab.Submit(spec("true"), "")
		require.NoError(t, err)
		final := jobs.State("")
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			epoch := rapid.Uint32Range(1, 4).Draw(t, "epoch")
			switch rapid.SampledFrom([]string{"permit", "close", "deposit", "cancel", "end", "restart"}).Draw(t, "what") {
			case "permit":
				open := r.Open()
				granted, err := tab.Permit(r, attempt(epoch))
				require.NoError(t, err)
				if granted {
					require.True(t, open == nil || open.Epoch == epoch)
					require.Equal(t, epoch, r.Open().Epoch)
					require.False(t, r.Wish != "" && open == nil, "a job that is to end began")
				}
			case "close":
				require.NoError(t, tab.Close(r, owner, epoch, "lost"))
			case "deposit":
				code := rapid.IntRange(0, 1).Draw(t, "code")
				require.NoError(t, tab.Deposit(r, attempt(epoch), []jobs.Status{{Code: code}, {}}))
			case "cancel":
				if err := tab.Want(r, jobs.Cancelled, ""); err != nil {
					require.ErrorIs(t, err, jobs.ErrOver)
				}
			case "end":
				if r.Wish != "" {
					require.NoError(t, tab.End(r, r.Wish, ""))
				}
			case "restart":
				require.NoError(t, s.Close())
				tab, s = table(t, folder)
				fresh, err := tab.Find(r.ID)
				require.NoError(t, err)
				require.Equal(t, r, fresh)
				r = fresh
			}
			if final != "" {
				require.Equal(t, final, r.State, "an outcome changed")
			}
			if r.State.Final() {
				final = r.State
				require.Nil(t, r.Open())
			}
			require.False(t, r.Open() != nil && r.State != jobs.Running, "a permit, and the state is %s", r.State)
		}
		require.NoError(t, s.Close())
	})
}
