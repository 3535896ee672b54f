package reptask_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

func step(t *testing.T, s reptask.State, in reptask.Input) (reptask.State, reptask.Output) {
	t.Helper()
	cfg := testConfig()
	return reptask.Step(cfg, s, in)
}

func deliver(from byte, m reptask.Message) reptask.Input {
	return reptask.Input{Kind: protocol.Deliver, From: name(from), Message: m}
}

func command(o reptask.Command) reptask.Input {
	return reptask.Input{Kind: protocol.Command, Command: o}
}

func attempt(owner byte, submitted uint64, epoch uint32) reptask.Attempt {
	return reptask.Attempt{
		Job:   reptask.Job{Submitted: submitted, Owner: name(owner), Number: 1},
		By:    name(owner),
		Epoch: epoch,
	}
}

func ignored(out reptask.Output) string {
	for _, e := range out.Events {
		if e.Name == reptask.EventIgnore {
			return e.Detail
		}
	}
	return ""
}

func TestConfig(t *testing.T) {
	valid := reptask.DefaultConfig()
	require.NoError(t, valid.Validate())
	for name, spoil := range map[string]func(*reptask.Config){
		"dims":           func(c *reptask.Config) { c.Dims = space.MaxDimensions + 1 },
		"dims below":     func(c *reptask.Config) { c.Dims, c.Machine = -1, -1 },
		"machine":        func(c *reptask.Config) { c.Machine = 1 },
		"machine below":  func(c *reptask.Config) { c.Machine = -1 },
		"resend":         func(c *reptask.Config) { c.ResendTicks = 0 },
		"beat":           func(c *reptask.Config) { c.BeatTicks = 0 },
		"lease":          func(c *reptask.Config) { c.LeaseTicks = 2*c.BeatTicks - 1 },
		"lease, resends": func(c *reptask.Config) { c.ResendTicks = c.LeaseTicks },
		"regrant":        func(c *reptask.Config) { c.RegrantTicks = 2 * c.LeaseTicks },
		"tasks":          func(c *reptask.Config) { c.TaskLimit = 0 },
		"roles":          func(c *reptask.Config) { c.RoleLimit = 0 },
		"jobs":           func(c *reptask.Config) { c.JobLimit = 0 },
		"floors":         func(c *reptask.Config) { c.FloorLimit = 0 },
		"classes":        func(c *reptask.Config) { c.Classes[7] = match.Ignored + 1 },
	} {
		cfg := valid
		spoil(&cfg)
		assert.ErrorIs(t, cfg.Validate(), reptask.ErrConfig, name)
	}
}

// Values at the bounds are accepted.
func TestConfigAtItsBounds(t *testing.T) {
	cfg := reptask.Config{
		Dims: space.MaxDimensions, Machine: space.MaxDimensions,
		ResendTicks: 1, BeatTicks: 1, LeaseTicks: 2, RegrantTicks: 5,
		TaskLimit: 1, RoleLimit: 1, JobLimit: 1, FloorLimit: 1,
	}
	require.NoError(t, cfg.Validate())
}

// An incarnation ends with its memory; the next one is another node.
func TestRestart(t *testing.T) {
	s, out := step(t, reptask.New(3), reptask.Input{Kind: protocol.Start})
	require.Equal(t, uint16(1), s.Self.Incarnation)
	s.Jobs = 7
	again, out2 := step(t, s, reptask.Input{Kind: protocol.Restart, Persisted: out.Persist})
	want := reptask.New(3)
	want.Self.Incarnation = 2
	assert.Equal(t, want, again)
	assert.NotEqual(t, out.Persist, out2.Persist)
	last := protocol.AppendNodeID(nil, protocol.NodeID{Address: 3, Incarnation: 1<<16 - 1})
	for _, persisted := range [][]byte{nil, {}, {3}, {3, 0}, {3, 1, 1}, last} {
		kept, out := step(t, s, reptask.Input{Kind: protocol.Restart, Persisted: persisted})
		assert.Equal(t, s, kept)
		assert.Equal(t, "nothing to restart from", ignored(out))
	}
}

// The process of a task that is stopped is killed, and that of the next one is another process,
// although the timer's name is the same.
func TestRunTimer(t *testing.T) {
	run := protocol.Timer{Kind: reptask.RunTimer}
	old, next := attempt('B', 1, 1), attempt('A', 2, 1)
	s := reptask.State{Self: name('A'), Cluster: []reptask.Neighbour{{ID: name('A')}}}
	s, _ = step(t, s, deliver('B', reptask.Message{Kind: reptask.Dispatch, Attempt: old}))
	s, out := step(t, s, deliver('B', reptask.Message{Kind: reptask.Start, Attempt: old, Vote: 1}))
	require.Contains(t, out.Set, protocol.SetTimer{Timer: run})
	s, out = step(t, s, deliver('A', reptask.Message{Kind: reptask.Grant, Attempt: next, Spec: reptask.Spec{Size: 1}}))
	require.NotContains(t, out.Set, protocol.SetTimer{Timer: run}, "it waits")
	s, out = step(t, s, deliver('B', reptask.Message{Kind: reptask.Cancel, Attempt: old}))
	assert.Contains(t, out.Cancel, run, "the old process is killed")
	assert.Contains(t, out.Set, protocol.SetTimer{Timer: run}, "and the next one begins")
	is, runs := s.Runs()
	require.True(t, runs)
	assert.Equal(t, next, is.Attempt())
}

// The pending timers match the wishes of the state after any input.
func TestBadInput(t *testing.T) {
	s := reptask.State{Self: name('A')}
	a := attempt('B', 1, 1)
	for why, in := range map[string]reptask.Input{
		"input of another protocol": {Kind: protocol.Chosen},
		"no such message":           deliver('B', reptask.Message{}),
		"no such timer":             {Kind: protocol.Timeout, Timer: protocol.Timer{Kind: 99}},
		"no such order":             command(reptask.Command{}),
		"nothing runs":              {Kind: protocol.Timeout, Timer: protocol.Timer{Kind: reptask.RunTimer}},
		"nothing is withdrawn":      deliver('B', reptask.Message{Kind: reptask.Withdrawn, Attempt: a}),
		"nothing to settle":         deliver('B', reptask.Message{Kind: reptask.Settled, Attempt: a}),
		"an attempt that is over":   deliver('B', reptask.Message{Kind: reptask.GiveUp, Attempt: a}),
		"an impossible job":         command(reptask.Command{Kind: reptask.CommandSubmit, Spec: reptask.Spec{Size: 1}}),
		"no such open job":          command(reptask.Command{Kind: reptask.CommandCancel, Number: 1}),
		"no such orphan":            command(reptask.Command{Kind: reptask.CommandAdopt, Job: a.Job, Target: name('C')}),
		"it was not asked":          deliver('B', reptask.Message{Kind: reptask.Decline, Attempt: a}),
		"no such idle job":          command(reptask.Command{Kind: reptask.CommandMove, Job: a.Job, Target: name('C')}),
	} {
		after, out := step(t, s, in)
		assert.Equal(t, s, after, why)
		assert.Equal(t, why, ignored(out))
	}
}

func TestLimits(t *testing.T) {
	cfg := testConfig()
	cfg.TaskLimit, cfg.RoleLimit, cfg.JobLimit, cfg.FloorLimit = 1, 1, 1, 2
	s := reptask.State{
		Self: name('A'),
		Cluster: []reptask.Neighbour{
			{ID: name('A'), Capability: space.Point{1}},
			{ID: name('B'), Capability: space.Point{1}},
		},
	}
	feed := func(in reptask.Input) (out reptask.Output) {
		s, out = reptask.Step(cfg, s, in)
		return out
	}
	feed(deliver('B', reptask.Message{Kind: reptask.Grant, Attempt: attempt('B', 3, 2), Spec: two}))
	require.Len(t, s.Tasks, 1)
	out := feed(deliver('B', reptask.Message{Kind: reptask.Dispatch, Attempt: attempt('B', 2, 1)}))
	assert.Equal(t, reptask.Gone, out.Send[0].Message.Kind, "the queue is full")
	out = feed(deliver('C', reptask.Message{Kind: reptask.Grant, Attempt: attempt('C', 4, 1), Spec: two}))
	assert.Equal(t, reptask.GiveUp, out.Send[0].Message.Kind, "enough representative tasks")

	submit := command(
		reptask.Command{Kind: reptask.CommandSubmit, Submitted: 5, Spec: two, Candidates: []protocol.NodeID{name('B')}},
	)
	feed(submit)
	assert.Equal(t, "too many jobs", ignored(feed(submit)))
	s.Owned[0].State = reptask.JobAccepted
	assert.Empty(t, ignored(feed(submit)), "a settled job makes room")
	assert.Equal(t, uint32(2), s.Owned[0].Job.Number)

	for submitted := range uint64(5) {
		feed(deliver('C', reptask.Message{Kind: reptask.Cancel, Attempt: attempt('C', 10+submitted, 1)}))
	}
	require.Len(t, s.Floors, 2)
	assert.Equal(t, uint64(14), s.Floors[1].Job.Submitted, "the oldest are forgotten")
}

// An owner with a full queue that may represent a job itself does not keep turning its own tasks
// away: it immediately reports that it cannot run the job.
func TestFullQueueOfAnOwner(t *testing.T) {
	for _, size := range []uint32{1, 2} {
		cfg := testConfig()
		cfg.TaskLimit = 1
		s := reptask.State{Self: name('A'), Cluster: []reptask.Neighbour{{ID: name('A')}, {ID: name('B')}}}
		s, _ = reptask.Step(cfg, s, deliver('B', reptask.Message{Kind: reptask.Dispatch, Attempt: attempt('B', 1, 1)}))
		submit := reptask.Command{
			Kind:       reptask.CommandSubmit,
			Submitted:  2,
			Spec:       reptask.Spec{Size: size, Over: reptask.OverNone},
			Candidates: []protocol.NodeID{name('A')},
		}
		s, _ = reptask.Step(cfg, s, command(submit))
		require.Len(t, s.Owned, 1)
		assert.Equal(t, reptask.JobFailed, s.Owned[0].State, "size %d", size)
	}
}

// Dispatch prefers nodes that are not busy, then minimally capable ones, and takes no incapable
// node.
func TestDispatchOrder(t *testing.T) {
	cluster := []reptask.Neighbour{
		{ID: name('B'), Capability: space.Point{9}},
		{ID: name('C'), Capability: space.Point{5}},
		{ID: name('D'), Capability: space.Point{1}},
		{ID: name('E'), Capability: space.Point{5}, Length: 2},
		{ID: name('F'), Capability: space.Point{9}, Length: 1},
	}
	for over, want := range map[reptask.Over]string{
		reptask.OverNone:  "BC",
		1_500:             "BCE",
		8_000:             "BCEF",
		reptask.OverTotal: "BCEF",
	} {
		s := reptask.State{Self: name('A'), Cluster: cluster}
		spec := reptask.Spec{Size: 2, Over: over, Requirement: space.Point{3}}
		_, out := step(t, s, deliver('A', reptask.Message{Kind: reptask.Grant, Attempt: attempt('A', 1, 1), Spec: spec}))
		var got string
		for _, id := range []byte("BCDEF") {
			for _, e := range out.Send {
				if e.To == name(id) && e.Message.Kind == reptask.Dispatch {
					got += string(id)
				}
			}
		}
		assert.Equal(t, want, got, over.String())
	}
}

// Queue positions reach the representative, and count everything but representative tasks.
func TestPositions(t *testing.T) {
	s := reptask.State{Self: name('A')}
	for _, a := range []reptask.Attempt{attempt('B', 1, 1), attempt('C', 2, 1), attempt('B', 3, 1)} {
		s, _ = step(t, s, deliver(byte('A'+a.Job.Owner.Address), reptask.Message{Kind: reptask.Dispatch, Attempt: a}))
	}
	require.Equal(t, uint32(3), s.QueueLength())
	_, out := step(t, s, reptask.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: reptask.BeatTimer}})
	beats := map[protocol.NodeID][]reptask.Position{}
	for _, e := range out.Send {
		beats[e.To] = e.Message.Positions
	}
	assert.Equal(t, []reptask.Position{{Attempt: attempt('B', 3, 1), Ahead: 2}}, beats[name('B')])
	assert.Equal(t, []reptask.Position{{Attempt: attempt('C', 2, 1), Ahead: 1}}, beats[name('C')])
}

// The order of jobs is total: two jobs are equal only if they are the same.
func TestJobOrderIsTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		few := func(t *rapid.T) reptask.Job {
			return reptask.Job{
				Submitted: rapid.Uint64Range(0, 1).Draw(t, "submitted"),
				Owner:     name(byte('A' + rapid.IntRange(0, 1).Draw(t, "owner"))),
				Number:    rapid.Uint32Range(0, 1).Draw(t, "number"),
			}
		}
		a, b, c := few(t), few(t), few(t)
		require.Equal(t, a == b, a.Compare(b) == 0)
		require.Equal(t, a.Compare(b), -b.Compare(a))
		if a.Compare(b) < 0 && b.Compare(c) < 0 {
			require.Negative(t, a.Compare(c))
		}
		if a.Submitted < b.Submitted {
			require.True(t, a.Older(b), "the submit time comes first")
		}
		if a.Submitted == b.Submitted && a.Hash() < b.Hash() {
			require.True(t, a.Older(b), "then the hash")
		}
		require.Equal(t, a.Compare(b) < 0, a.Older(b))
	})
}
