package node_test

import (
	"bytes"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/node"
	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// alone is a grid of one daemon, on a machine whose time, disk and processes belong to the test.
type alone struct {
	*node.Stepped
	host.Host // for files: no files are used
	now       time.Duration
	ahead     time.Duration // of the time of day
	names     int
	alarms    []alarm
	inbox     []func()

	values map[string][]byte
	slow   time.Duration // how long the next write takes

	started []*process
	tasks   []host.Task
	misfit  string // why no job can start here
	ports   []uint16
	noPorts error
	takes   []bool // each time that ports were taken, whether they still are
	forgets []string
	refuses error // that the next processes cannot be started
	ails    string
	broken  error // the result of a try
	tries   int
	clears  func(attempt string) // a further effect of Clear
}

type alarm struct {
	at time.Duration
	do func()
}

// process is a task that runs until the test ends it, even if its daemon kills it.
type process struct {
	of     *alone
	ended  func(runner.Exit)
	killed bool
	gone   bool
}

func (p *process) Gone() bool { return p.gone }

func (p *process) Kill(grace bool) { p.killed = p.killed || !grace }

// end is the end of all that the task has started.
func (p *process) end() { p.exits(runner.Exit{Code: 137, Signal: 9, Killed: true}) }

func (p *process) exits(exit runner.Exit) {
	p.of.inbox = append(p.of.inbox, func() { p.ended(exit) })
}

// newAlone returns a daemon that is a member of its grid.
func newAlone(t testing.TB) *alone {
	t.Helper()
	a := &alone{now: time.Hour, values: map[string][]byte{}}
	a.begin(t)
	return a
}

// begin begins an incarnation. The disk is that of earlier ones, all processes of which are gone.
func (a *alone) begin(t testing.TB) {
	t.Helper()
	a.alarms, a.inbox = nil, nil
	config := config.Config{CPUs: 1, Grid: config.DefaultGrid(1, 1)}
	life, err := node.Step(config, &identity.Identity{Grid: "test", Address: 1}, life.Machine{
		Clock:   func() time.Duration { return a.now },
		Wall:    func() time.Time { return time.Unix(1<<32, 0).Add(a.now + a.ahead) },
		After:   a.after,
		Between: func(low, _ uint32) uint32 { return low },
		JobID:   func() string { a.names++; return "job" + strconv.Itoa(a.names) },
		Connect: func(self protocol.NodeID) (life.Links, error) { return noLinks{self}, nil },
		Store:   a, Host: a,
	})
	require.NoError(t, err)
	a.Stepped = life
	require.NoError(t, a.until(t, func() bool { return a.Report().Phase == "member" }))
}

// until lets time pass until something is so, or the life is over.
func (a *alone) until(t testing.TB, so func() bool) error {
	t.Helper()
	for end := a.now + time.Minute; a.now < end; {
		next, ok, err := a.Turn()
		if err != nil || so() {
			return err
		}
		if len(a.inbox) == 0 {
			if len(a.alarms) > 0 && (!ok || a.alarms[0].at < next) {
				next = a.alarms[0].at
			}
			a.now = max(a.now, next)
		}
		a.due()
	}
	require.FailNow(t, "it is not so after a minute")
	return nil
}

// after does something after some time.
func (a *alone) after(d time.Duration, f func()) {
	at := a.now + d
	i := slices.IndexFunc(a.alarms, func(other alarm) bool { return other.at > at })
	if i < 0 {
		i = len(a.alarms)
	}
	a.alarms = slices.Insert(a.alarms, i, alarm{at, f})
}

// due handles the inbox, and the timers that are due.
func (a *alone) due() {
	for len(a.inbox) > 0 {
		f := a.inbox[0]
		a.inbox = a.inbox[1:]
		a.Do(f)
	}
	for len(a.alarms) > 0 && a.alarms[0].at <= a.now {
		f := a.alarms[0].do
		a.alarms = a.alarms[1:]
		a.Do(f)
	}
}

func (a *alone) Commit(puts ...disk.Put) error {
	a.now += a.slow
	a.slow = 0
	for _, p := range puts {
		a.values[p.Bucket+" "+string(p.Key)] = bytes.Clone(p.Value)
	}
	return nil
}

func (a *alone) Get(bucket string, key []byte) ([]byte, error) {
	return a.values[bucket+" "+string(key)], nil
}

func (a *alone) Each(bucket string, prefix []byte, f func(key, value []byte) error) error {
	for _, name := range slices.Sorted(maps.Keys(a.values)) {
		key, is := strings.CutPrefix(name, bucket+" ")
		if !is || !strings.HasPrefix(key, string(prefix)) || a.values[name] == nil {
			continue
		}
		if err := f([]byte(key), bytes.Clone(a.values[name])); err != nil {
			return err
		}
	}
	return nil
}

func (*alone) Close() error               { return nil }
func (a *alone) Ails() string             { return a.ails }
func (a *alone) Try(done func(error))     { a.tries++; done(a.broken) }
func (*alone) Extend(time.Duration)       {}
func (*alone) Isolation() string          { return "none" }
func (*alone) LastLines(of string) string { return "the last lines of " + of }
func (a *alone) Forget(of string) error   { a.forgets = append(a.forgets, of); return nil }
func (*alone) Tidy(map[string]bool)       {}

func (a *alone) Look(_ *jobs.Spec, done func(string, error)) { done(a.misfit, nil) }

func (a *alone) Ports() (numbers []uint16, release func(), err error) {
	i := len(a.takes)
	a.takes = append(a.takes, true)
	return a.ports, func() { a.takes[i] = false }, a.noPorts
}

// Clear takes the time that it says by the clock of the daemon: it is on its goroutine.
func (a *alone) Clear(attempt string) {
	if a.clears != nil {
		a.clears(attempt)
	}
}

func (a *alone) Start(t host.Task, ended func(runner.Exit)) (host.Process, error) {
	if a.refuses != nil {
		return nil, a.refuses
	}
	a.tasks = append(a.tasks, t)
	p := &process{of: a, ended: ended}
	a.started = append(a.started, p)
	return p, nil
}

// noLinks lead nowhere.
type noLinks struct{ self protocol.NodeID }

func (noLinks) Send(protocol.NodeID, transport.Channel, uint8, []byte) {}
func (noLinks) Reject(protocol.NodeID)                                 {}
func (noLinks) Learn(transport.Card)                                   {}
func (l noLinks) Cards() []transport.Card {
	return []transport.Card{{Address: l.self.Address, Incarnation: l.self.Incarnation}}
}
func (noLinks) Endpoint() string { return "" }
func (noLinks) Close() error     { return nil }

// Work that waits for a write is not done if the lease has run out meanwhile: others may count this
// incarnation as dead.
func TestNothingIsSaidAfterAWriteThatOutlastsTheLease(t *testing.T) {
	a := newAlone(t)
	id, _, err := a.Submit(jobs.Spec{Command: []string{"sleep"}, Tasks: 1}, "")
	require.NoError(t, err)
	require.NoError(t, a.until(t, func() bool { return len(a.started) > 0 }))

	said := false
	a.Note(id, "a change of the record alone", func() { said = true })
	_, _, err = a.Turn()
	require.NoError(t, err)
	require.True(t, said)

	said = false
	a.Note(id, "another one", func() { said = true })
	a.slow = time.Minute
	_, _, err = a.Turn()
	require.ErrorIs(t, err, life.ErrFenced)
	require.False(t, said)
}

// Messages of the task layer wait until a process that it ends is gone. That must not take longer
// than messages may.
func TestAProcessThatDoesNotEndEndsTheLife(t *testing.T) {
	a, p := runs(t)
	began := a.now
	require.ErrorIs(t, a.until(t, func() bool { return false }), life.ErrFenced)
	require.InDelta(t, 2*time.Second, a.now-began, float64(100*time.Millisecond))
	require.True(t, slices.ContainsFunc(a.Events(0), func(e api.Event) bool {
		return e.Job == "job1" && strings.Contains(e.Text, "unkillable")
	}))
	require.True(t, p.killed)
}

// A daemon that is stopped while it ends a process goes on: the process has ended meanwhile.
func TestAProcessThatEndsWhileItsDaemonIsStoppedDoesNotEndTheLife(t *testing.T) {
	a, p := runs(t)
	a.now += 2500 * time.Millisecond
	a.due() // before the end of the process is noticed
	_, _, err := a.Turn()
	require.NoError(t, err)
	p.end()
	end := a.now + 30*time.Second
	require.NoError(t, a.until(t, func() bool { return a.now > end }))
}

// runs returns a daemon that has just killed the process of a task.
func runs(t *testing.T) (*alone, *process) {
	t.Helper()
	a := newAlone(t)
	id, _, err := a.Submit(jobs.Spec{Command: []string{"sleep"}, Tasks: 1}, "")
	require.NoError(t, err)
	require.NoError(t, a.until(t, func() bool { return len(a.started) > 0 }))
	p := a.started[0]
	a.Cancel(id, func(error) {})
	require.NoError(t, a.until(t, func() bool { return p.killed }))
	return a, p
}

// Work that waits for the end of a process does not wait for its output.
func TestAnOutputThatIsLongInComingHoldsNothingUp(t *testing.T) {
	a, p := runs(t)
	p.gone = true
	end := a.now + 30*time.Second
	require.NoError(t, a.until(t, func() bool { return a.now > end }))
	p.end()
	require.NoError(t, a.until(t, func() bool { return a.now > end+time.Second }))
}

// passes lets time pass.
func (a *alone) passes(t *testing.T, d time.Duration) {
	t.Helper()
	for end := a.now + d; a.now < end; {
		part := min(end, a.now+30*time.Second)
		require.NoError(t, a.until(t, func() bool { return a.now >= part }))
		a.now = max(a.now, part)
	}
}

const aYear = 365 * 24 * time.Hour

// A jump of the time of day, in either direction, neither ends an attempt or a job early nor lets
// it go on for longer than its limits, also if the daemon is started again meanwhile.
func TestLimitsOfJobsDoNotGoByTheTimeOfDay(t *testing.T) {
	for name, limit := range map[string]func(s *jobs.Spec){
		"timeout":  func(s *jobs.Spec) { s.Timeout = 10 * time.Minute },
		"deadline": func(s *jobs.Spec) { s.Deadline = 10 * time.Minute },
	} {
		for _, jump := range []time.Duration{-aYear, -time.Hour, time.Hour, aYear} {
			t.Run(name+" "+jump.String(), func(t *testing.T) {
				a := newAlone(t)
				spec := jobs.Spec{Command: []string{"sleep"}, Tasks: 1}
				limit(&spec)
				id, _, err := a.Submit(spec, "")
				require.NoError(t, err)
				require.NoError(t, a.until(t, func() bool { return len(a.started) > 0 }))
				a.passes(t, 5*time.Minute)
				a.ahead += jump
				a.passes(t, 4*time.Minute+30*time.Second)
				require.False(t, a.started[0].killed)
				require.NoError(t, a.until(t, func() bool { return a.started[0].killed }))
				a.started[0].end()
				require.NoError(t, a.until(t, func() bool { return a.Job(id).State.Final() }))
				require.Equal(t, jobs.TimedOut, a.Job(id).State)
			})
		}
	}
}

// A daemon whose clock was set back while it was down ends a job after its deadline at the latest.
func TestADeadlineEndsAlsoWhenTheClockWasSetBack(t *testing.T) {
	a := newAlone(t)
	id, _, err := a.Submit(jobs.Spec{Command: []string{"sleep"}, Tasks: 1, Hold: true, Deadline: 10 * time.Minute}, "")
	require.NoError(t, err)
	a.passes(t, time.Minute)
	a.ahead -= aYear
	a.begin(t)
	a.passes(t, 11*time.Minute)
	require.Equal(t, jobs.TimedOut, a.Job(id).State)
}

// The records of jobs that have ended stay for seven days that have passed, however the time of day
// jumps meanwhile: a clock that is ahead for an hour must not cost results.
func TestRecordsStayWhenTheTimeOfDayJumps(t *testing.T) {
	a := newAlone(t)
	id, _, err := a.Submit(jobs.Spec{Command: []string{"true"}, Tasks: 1}, "")
	require.NoError(t, err)
	require.NoError(t, a.until(t, func() bool { return len(a.started) > 0 }))
	a.started[0].exits(runner.Exit{})
	require.NoError(t, a.until(t, func() bool { return a.Job(id).State.Final() }))
	for _, jump := range []time.Duration{aYear, -aYear, -aYear, aYear, 8 * 24 * time.Hour} {
		a.ahead += jump
		a.passes(t, 5*time.Minute)
		require.NotNil(t, a.Job(id), "%v", jump)
	}
}

// A task has left what takes ten seconds to remove. The node reports its end at once, and keeps
// its lease: the real host only renames the folder, and the loop does not remove it.
func TestARemovalThatBlocksDelaysNothing(t *testing.T) {
	const blocks = 10 * time.Second
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, disk.Work), 0o700))
	folders := host.OpenFolders(folder, slog.New(slog.DiscardHandler))
	folders.Close() // it removes nothing any more, as if its disk did not answer
	a := newAlone(t)
	cleared := 0
	a.clears = func(attempt string) {
		work := folders.Of(attempt)
		if err := os.MkdirAll(work, 0o700); err != nil {
			t.Error(err)
		}
		folders.Clear(attempt)
		if assert.NoDirExists(t, work); dropped(t, folder, attempt) {
			cleared++
		} else {
			a.now += blocks // it was removed here
		}
	}
	id, _, err := a.Submit(jobs.Spec{Command: []string{"make-many-files"}, Tasks: 1}, "")
	require.NoError(t, err)
	require.NoError(t, a.until(t, func() bool { return len(a.started) > 0 }))
	a.started[0].exits(runner.Exit{})
	began := a.now
	require.NoError(t, a.until(t, func() bool { return a.Job(id).State.Final() }))
	require.Equal(t, jobs.Succeeded, a.Job(id).State)
	require.Less(t, a.now-began, blocks)
	require.Positive(t, cleared)
	a.passes(t, 3*blocks)
}

// dropped reports whether the working folder of an attempt is in the bin of a daemon.
func dropped(t *testing.T, folder, attempt string) bool {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, disk.Work, ".gone", attempt+"-*", attempt))
	require.NoError(t, err)
	return len(found) > 0
}

// BenchmarkList asks a daemon for its copies of 10,000 jobs, as canvass status does.
func BenchmarkList(b *testing.B) {
	const all = 10_000
	a := newAlone(b)
	for i := range all {
		_, _, err := a.Submit(jobs.Spec{Command: []string{"train", "--seed", strconv.Itoa(i)}, Tasks: 2, Hold: true}, "")
		require.NoError(b, err)
	}
	for b.Loop() {
		copies, pages, size, err := a.ListAll()
		if err != nil || copies != all {
			b.Fatal(copies, err)
		}
		b.ReportMetric(float64(size), "sent-bytes")
		b.ReportMetric(float64(pages), "pages")
	}
}
