package jobs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
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

var taken uint32 // names of jobs

// take takes a job.
func take(t require.TestingT, tab *jobs.Table, s jobs.Spec, key string) *jobs.Record {
	require.NoError(t, s.Validate())
	taken += 10
	r := &jobs.Record{
		ID: jobs.NewID(), Key: key, Spec: s, Custody: jobs.Name{By: here, Number: taken},
		Custodians: []protocol.Address{here.Address, owner.Address},
	}
	require.NoError(t, tab.Take(r))
	return r
}

// permit lets an attempt ask, and has the custodians permit it.
func permit(tab *jobs.Table, r *jobs.Record, epoch uint32) custody.Record {
	a := attempt(epoch)
	tab.Ask(r, a)
	c := custody.Record{Try: epoch, Attempt: a.Attempt(), Hosts: a.Hosts}
	tab.Follow(r, c)
	return c
}

// outcome has an attempt end with statuses, and the custodians keep that.
func outcome(tab *jobs.Table, r *jobs.Record, c custody.Record, statuses ...jobs.Status) {
	tab.Deposit(r, c.Attempt.By, c.Attempt.Epoch, statuses)
	c.End, c.Hosts, c.Outcome = custody.Done, nil, r.Digest()
	tab.Follow(r, c)
}

// end has the custodians end a job.
func end(tab *jobs.Table, r *jobs.Record, e custody.End) {
	tab.Follow(r, custody.Record{Try: 1, End: e})
}

func spec(command ...string) jobs.Spec { return jobs.Spec{Command: command, Tasks: 2} }

func attempt(epoch uint32) jobs.Attempt {
	return jobs.Attempt{By: owner, Epoch: epoch, Representative: owner, Hosts: []protocol.NodeID{here, owner}}
}

func TestOneKeyIsOneJobAlsoAfterARestart(t *testing.T) {
	folder := t.TempDir()
	tab, s := table(t, folder)
	first := take(t, tab, spec("true"), "tuesday")
	again, err := tab.Known(spec("true"), "tuesday")
	require.NoError(t, err)
	assert.Same(t, first, again)
	require.NoError(t, s.Commit(tab.Puts()...))
	assert.Empty(t, tab.Puts(), "all is committed")
	require.NoError(t, s.Close())

	tab, s = table(t, folder)
	defer s.Close()
	again, err = tab.Known(spec("true"), "tuesday")
	require.NoError(t, err)
	assert.Equal(t, first, again)
	assert.Same(t, again, tab.Named(first.Custody))
	_, err = tab.Known(spec("false"), "tuesday")
	require.ErrorIs(t, err, jobs.ErrSpec)
	none, err := tab.Known(spec("true"), "")
	require.NoError(t, err)
	assert.Nil(t, none)
}

func TestTheRecordFollowsItsCustodians(t *testing.T) {
	tab, s := table(t, t.TempDir())
	defer s.Close()
	r := take(t, tab, spec("true"), "")
	first := permit(tab, r, 1)
	assert.Equal(t, jobs.Running, r.State)
	assert.Nil(t, r.Asked)
	tab.Follow(r, first)
	require.Len(t, r.Attempts, 1, "told again")
	assert.Equal(t, owner, r.Attempts[0].Representative)

	tab.Follow(r, custody.Record{Try: 2})
	assert.Equal(t, jobs.Accepted, r.State)
	assert.Equal(t, 1, r.Lost())
	tab.Deposit(r, owner, 1, []jobs.Status{{}, {}})
	assert.Nil(t, r.Attempts[0].Statuses, "it is closed")

	stranger := custody.Record{Try: 2, Attempt: custody.Attempt{By: here, Epoch: 9}, Hosts: []protocol.NodeID{here}}
	tab.Follow(r, stranger)
	require.Len(t, r.Attempts, 2, "another custodian has permitted it")
	assert.Equal(t, stranger.Hosts, r.Attempts[1].Hosts)
	tab.Deposit(r, owner, 1, []jobs.Status{{}})
	assert.Nil(t, r.Open().Statuses, "of another attempt")
	outcome(tab, r, stranger, jobs.Status{Code: 3})
	assert.Equal(t, jobs.Failed, r.State)
	assert.Equal(t, 3, r.ExitCode())
	changes := len(r.Changes)
	end(tab, r, custody.Cancelled)
	assert.Len(t, r.Changes, changes, "a job ends once")
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
			r := take(t, tab, spec("true"), "")
			outcome(tab, r, permit(tab, r, 1), test.statuses...)
			assert.Equal(t, test.state, r.State)
			assert.Equal(t, test.want, r.ExitCode())
		})
	}
}

// A requested end counts unless all tasks have ended well before it was known.
func TestHowAJobEndsThatIsToEnd(t *testing.T) {
	for _, test := range []struct {
		name string
		ends func(*jobs.Table, *jobs.Record, custody.Record)
		want jobs.State
	}{
		{"no attempt", func(tab *jobs.Table, r *jobs.Record, _ custody.Record) {
			end(tab, r, custody.TimedOut)
		}, jobs.TimedOut},
		{"halted", func(tab *jobs.Table, r *jobs.Record, c custody.Record) {
			outcome(tab, r, c, jobs.Status{Halted: true}, jobs.Status{Signal: 15, Halted: true})
		}, jobs.TimedOut},
		{"it had succeeded", func(tab *jobs.Table, r *jobs.Record, c custody.Record) {
			outcome(tab, r, c, jobs.Status{}, jobs.Status{})
		}, jobs.Succeeded},
	} {
		t.Run(test.name, func(t *testing.T) {
			tab, s := table(t, t.TempDir())
			defer s.Close()
			r := take(t, tab, spec("true"), "")
			c := permit(tab, r, 1)
			require.NoError(t, tab.Want(r, jobs.TimedOut, "too long"))
			assert.Equal(t, custody.TimedOut, r.End())
			test.ends(tab, r, c)
			assert.Equal(t, test.want, r.State)
			assert.Equal(t, test.want == jobs.Succeeded, r.Why == "", r.Why)
			assert.NotNil(t, r.Last().End)
			assert.ErrorIs(t, tab.Want(r, jobs.Cancelled, ""), jobs.ErrOver)
		})
	}
}

func TestWhatCannotBeTaken(t *testing.T) {
	for name, s := range map[string]jobs.Spec{
		"no command":     {},
		"too many tasks": {Command: []string{"true"}, Tasks: jobs.TasksLimit + 1},
		"a name":         {Command: []string{"true"}, Name: "Über"},
		"environment":    {Command: []string{"true"}, Env: []string{"=x"}},
		"the grid's":     {Command: []string{"true"}, Env: []string{"A=b", "CANVASS_RANK=9"}},
		"a zero byte":    {Command: []string{"true", "a\x00b"}},
		"a time-out":     {Command: []string{"true"}, Timeout: -1},
	} {
		t.Run(name, func(t *testing.T) { assert.ErrorIs(t, s.Validate(), jobs.ErrSpec) })
	}
}

func TestJobsAreFoundByTheBeginningOfTheirID(t *testing.T) {
	tab, s := table(t, t.TempDir())
	defer s.Close()
	r := take(t, tab, spec("true"), "")
	found, err := tab.Find(r.ID[:5])
	require.NoError(t, err)
	assert.Same(t, r, found)
	_, err = tab.Find("")
	assert.ErrorIs(t, err, jobs.ErrUnknown)
}

// The primary of the later view decides, however often that of a former view has changed its copy.
func TestACopyOfALaterViewIsNewer(t *testing.T) {
	for _, c := range []struct {
		a, b  jobs.Stamp
		after bool
	}{
		{jobs.Stamp{View: 2, Number: 1}, jobs.Stamp{View: 1, Number: 9}, true},
		{jobs.Stamp{View: 1, Number: 9}, jobs.Stamp{View: 2, Number: 1}, false},
		{jobs.Stamp{View: 1, Number: 2}, jobs.Stamp{View: 1, Number: 1}, true},
		{jobs.Stamp{View: 1, Number: 1}, jobs.Stamp{View: 1, Number: 2}, false},
		{jobs.Stamp{View: 1, Number: 1}, jobs.Stamp{View: 1, Number: 1}, false},
	} {
		assert.Equal(t, c.after, c.a.After(c.b), "%v after %v", c.a, c.b)
	}
}

// takenAs takes a job of one task under an id.
func takenAs(t *testing.T, tab *jobs.Table, id string) *jobs.Record {
	r := &jobs.Record{
		ID: id, Custody: jobs.Name{Number: uint32(tab.Size() + 1)}, Custodians: jobs.Custodians{0, 1, 2},
		Spec: jobs.Spec{Command: []string{"true"}, Tasks: 1},
	}
	require.NoError(t, tab.Take(r))
	return r
}

// Every custodian reports the same times of a job. A second custodian has the messages that the
// first one sent before each decision, and its own clock.
func TestTheTimesOfAJobOutliveTheCustodianThatDecides(t *testing.T) {
	day := time.Date(2026, 11, 28, 8, 0, 0, 0, time.UTC)
	now := day
	first, err := jobs.NewTable(committed{}, func() time.Time { return now })
	require.NoError(t, err)
	late := func() time.Time { return now.Add(time.Hour) }
	attempt := custody.Attempt{By: protocol.NodeID{Address: 3, Incarnation: 1}, Epoch: 7}
	asked := jobs.Attempt{By: attempt.By, Epoch: attempt.Epoch, Hosts: []protocol.NodeID{attempt.By}}
	copied := func(r *jobs.Record, decided custody.Record) *jobs.Record {
		second, err := jobs.NewTable(committed{}, late)
		require.NoError(t, err)
		fresh, err := jobs.Decode(r.Encode())
		require.NoError(t, err)
		other, _, err := second.Adopt(fresh)
		require.NoError(t, err)
		second.Follow(other, decided)
		return other
	}
	equal := func(name string, r *jobs.Record, decided custody.Record) {
		other := copied(r, decided)
		first.Follow(r, decided)
		assert.Equal(t, r.Times, other.Times, name)
		assert.Equal(t, r.Changes, other.Changes, name)
		require.Len(t, other.Attempts, len(r.Attempts))
		for i := range r.Attempts {
			assert.Equal(t, r.Attempts[i].Begin, other.Attempts[i].Begin, name)
			assert.Equal(t, r.Attempts[i].End, other.Attempts[i].End, name)
		}
	}
	permitted := custody.Record{Try: 1, Attempt: attempt, Hosts: asked.Hosts}
	begun := func(id string) *jobs.Record {
		r := takenAs(t, first, id)
		now = now.Add(time.Minute)
		first.Ask(r, asked)
		now = now.Add(time.Second)
		equal(id+" begins", r, permitted)
		assert.Equal(t, r.Attempts[0].Begin, r.Times.Started)
		now = now.Add(time.Minute)
		return r
	}
	ended := permitted
	ended.End = custody.Done
	r := begun("done")
	first.Deposit(r, attempt.By, attempt.Epoch, []jobs.Status{{}})
	now = now.Add(time.Second)
	equal("done", r, ended)
	assert.Equal(t, r.Changes[len(r.Changes)-1].At, r.Times.Ended)

	r, ended.End = begun("cancelled"), custody.Cancelled
	require.NoError(t, first.Want(r, jobs.Cancelled, ""))
	now = now.Add(time.Second)
	first.NoteEnd(r) // its host says that nothing runs there any more
	now = now.Add(time.Second)
	equal("cancelled", r, ended)

	r = begun("lost")
	first.NoteEnd(r)
	now = now.Add(time.Second)
	equal("lost", r, custody.Record{Try: 2})
}

func TestASummaryHasWhatAListShows(t *testing.T) {
	r := &jobs.Record{
		Version: jobs.Version, ID: "a", Custodians: jobs.Custodians{1}, State: jobs.Running,
		Changes:  []jobs.Change{{State: jobs.Accepted}, {State: jobs.Queued}, {State: jobs.Running}},
		Attempts: []jobs.Attempt{{Epoch: 1}},
		Spec:     jobs.Spec{Command: []string{"echo", strings.Repeat("ä", 900), "more"}, Tasks: 1, Env: []string{"A=b"}},
	}
	s, err := jobs.Decode(r.Summary().Encode())
	require.NoError(t, err)
	assert.Equal(t, []jobs.Change{{State: jobs.Accepted}, {State: jobs.Running}}, s.Changes)
	assert.Empty(t, s.Attempts)
	assert.Empty(t, s.Spec.Env)
	assert.Len(t, s.Spec.Command, 2)
	assert.Less(t, len(s.Spec.Command[1]), 1100)
	assert.Len(t, r.Changes, 3, "the record is as it was")
}

// A table lists its jobs from any id on, without the elements of arrays.
func TestJobsAreListedFromAnyIDOn(t *testing.T) {
	tab, err := jobs.NewTable(committed{}, time.Now)
	require.NoError(t, err)
	for _, id := range []string{"c", "a", "d", "b"} {
		takenAs(t, tab, id)
	}
	tab.Remove(tab.Get("c"))
	ids := func(after string) (all []string) {
		for r := range tab.After(after) {
			all = append(all, r.ID)
		}
		return all
	}
	assert.Equal(t, []string{"a", "b", "d"}, ids(""))
	assert.Equal(t, []string{"b", "d"}, ids("a"))
	assert.Equal(t, []string{"d"}, ids("c"))
	assert.Empty(t, ids("d"))
}
