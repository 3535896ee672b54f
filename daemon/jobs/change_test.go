package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// third is a node that is neither the custodian here nor the owner.
var third = protocol.NodeID{Address: 3, Incarnation: 1}

// tried is an attempt whose owner, representative and hosts are three nodes.
func tried(epoch uint32) jobs.Attempt {
	return jobs.Attempt{By: owner, Epoch: epoch, Representative: third, Hosts: []protocol.NodeID{here, third}}
}

// decided is the record of custodians that have permitted an attempt.
func decided(epoch uint32) custody.Record {
	a := tried(epoch)
	return custody.Record{Try: epoch, Attempt: a.Attempt(), Hosts: a.Hosts}
}

// step is one call of a table, on a job that was brought to where it starts.
type step struct {
	name   string
	array  bool
	before func(*jobs.Table, *jobs.Record)
	do     func(*jobs.Table, *jobs.Record)
	want   func(*jobs.Record, time.Time) // its change, and the time of the call; nil: nothing
}

// runs brings a job to an attempt that runs.
func runs(tab *jobs.Table, r *jobs.Record) {
	tab.Ask(r, tried(1))
	tab.Follow(r, decided(1))
}

func becomes(s jobs.State, reason string) func(*jobs.Record, time.Time) {
	return func(r *jobs.Record, at time.Time) {
		r.State, r.Changes = s, append(r.Changes, jobs.Change{At: at, State: s, Reason: reason})
		if s.Final() {
			r.Times.Ended = at
		}
	}
}

func both(all ...func(*jobs.Record, time.Time)) func(*jobs.Record, time.Time) {
	return func(r *jobs.Record, at time.Time) {
		for _, f := range all {
			f(r, at)
		}
	}
}

// ends has the attempt that runs end for a reason.
func ends(reason string) func(*jobs.Record, time.Time) {
	return func(r *jobs.Record, at time.Time) { r.Open().Reason, r.Open().End = reason, &at }
}

// requests asks for the end of a job in a state.
func requests(s jobs.State, why string) func(*jobs.Record, time.Time) {
	return func(r *jobs.Record, _ time.Time) { r.Requested, r.Why = s, why }
}

// opens begins an attempt.
func opens(a jobs.Attempt, begin func(time.Time) time.Time) func(*jobs.Record, time.Time) {
	return func(r *jobs.Record, at time.Time) {
		a.Begin = begin(at)
		if r.Asked, r.Attempts = nil, append(r.Attempts, a); r.Times.Started.IsZero() {
			r.Times.Started = a.Begin
		}
		becomes(jobs.Running, "")(r, a.Begin)
	}
}

func atOnce(at time.Time) time.Time  { return at }
func aMinute(at time.Time) time.Time { return at.Add(-time.Minute) } // before, when the preparations were made

var well = []jobs.Status{{}, {}}

var steps = []step{
	{
		name:   "lead",
		before: func(tab *jobs.Table, r *jobs.Record) { tab.Ask(r, tried(1)) },
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Lead(r, 7) },
		want:   func(r *jobs.Record, _ time.Time) { r.Stamp.View, r.Asked = 7, nil },
	},
	{
		name: "ack",
		do:   func(tab *jobs.Table, r *jobs.Record) { tab.Ack(r) },
		want: func(r *jobs.Record, _ time.Time) { r.Acked = true },
	},
	{
		name:   "submitted",
		before: func(tab *jobs.Table, r *jobs.Record) { tab.Own(r, owner) },
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Submitted(r) },
		want:   func(r *jobs.Record, _ time.Time) { r.Owner, r.Tries = protocol.NodeID{}, 1 },
	},
	{
		name:   "own",
		before: func(tab *jobs.Table, r *jobs.Record) { tab.Noted(r, "no room") },
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Own(r, owner) },
		want: both(becomes(jobs.Queued, ""), func(r *jobs.Record, _ time.Time) {
			r.Owner, r.Note = owner, ""
		}),
	},
	{
		name:   "own a job that runs",
		before: runs,
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Own(r, owner) },
		want:   func(r *jobs.Record, _ time.Time) { r.Owner = owner },
	},
	{
		name:   "own no more",
		before: func(tab *jobs.Table, r *jobs.Record) { tab.Own(r, owner); tab.Noted(r, "no room") },
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Own(r, protocol.NodeID{}) },
		want:   func(r *jobs.Record, _ time.Time) { r.Owner = protocol.NodeID{} },
	},
	{
		name: "noted",
		do:   func(tab *jobs.Table, r *jobs.Record) { tab.Noted(r, "no room") },
		want: func(r *jobs.Record, _ time.Time) { r.Note = "no room" },
	},
	{
		name: "ask",
		do:   func(tab *jobs.Table, r *jobs.Record) { tab.Ask(r, tried(1)) },
		want: func(r *jobs.Record, at time.Time) {
			a := tried(1)
			a.Begin = at
			r.Asked = &a
		},
	},
	{
		name:   "refuse",
		before: func(tab *jobs.Table, r *jobs.Record) { tab.Ask(r, tried(1)) },
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Refuse(r, owner, 1) },
		want:   func(r *jobs.Record, _ time.Time) { r.Asked = nil },
	},
	{name: "refuse nothing", do: func(tab *jobs.Table, r *jobs.Record) { tab.Refuse(r, owner, 1) }},
	{
		name:   "refuse other attempts",
		before: func(tab *jobs.Table, r *jobs.Record) { tab.Ask(r, tried(1)) },
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Refuse(r, third, 1); tab.Refuse(r, owner, 2) },
	},
	{
		name:   "deposit",
		before: runs,
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Deposit(r, owner, 1, well) },
		want:   func(r *jobs.Record, at time.Time) { r.Open().Statuses, r.Times.Noted = well, at },
	},
	{
		name:   "deposit of others, or too few",
		before: runs,
		do: func(tab *jobs.Table, r *jobs.Record) {
			tab.Deposit(r, third, 1, well)
			tab.Deposit(r, owner, 2, well)
			tab.Deposit(r, owner, 1, well[:1])
		},
	},
	{
		name:   "deposit once",
		before: func(tab *jobs.Table, r *jobs.Record) { runs(tab, r); tab.Deposit(r, owner, 1, well) },
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Deposit(r, owner, 1, []jobs.Status{{Code: 1}, {}}) },
	},
	{
		name:   "lose",
		before: runs,
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Lose(r, owner, 1, 1, "with its shim") },
		want: func(r *jobs.Record, _ time.Time) {
			r.Open().Ranks = []jobs.Rank{{}, {Lost: "with its shim"}}
		},
	},
	{
		name:   "lose for others, or no rank",
		before: func(tab *jobs.Table, r *jobs.Record) { runs(tab, r); tab.Lose(r, owner, 1, 1, "with its shim") },
		do: func(tab *jobs.Table, r *jobs.Record) {
			tab.Lose(r, third, 1, 0, "")
			tab.Lose(r, third, 1, 0, "of another owner")
			tab.Lose(r, owner, 2, 0, "of another attempt")
			tab.Lose(r, owner, 1, 2, "of no rank")
			tab.Lose(r, owner, 1, 1, "again")
		},
	},
	{name: "lose nothing", do: func(tab *jobs.Table, r *jobs.Record) { tab.Lose(r, protocol.NodeID{}, 0, 0, "x") }},
	{
		name:   "tell",
		before: func(tab *jobs.Table, r *jobs.Record) { runs(tab, r); tab.Lose(r, owner, 1, 1, "with its shim") },
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Tell(r, owner, 1, 1, jobs.Rank{Isolation: "cgroup"}) },
		want: func(r *jobs.Record, _ time.Time) {
			r.Open().Ranks[1] = jobs.Rank{Isolation: "cgroup", Lost: "with its shim"}
		},
	},
	{
		name:   "reports about other attempts, or without a rank",
		before: runs,
		do: func(tab *jobs.Table, r *jobs.Record) {
			told := jobs.Rank{Isolation: "cgroup"}
			tab.Tell(r, third, 1, 1, told)
			tab.Tell(r, owner, 2, 1, told)
			tab.Tell(r, owner, 1, -1, told)
			tab.Tell(r, owner, 1, 2, told)
		},
	},
	{
		name: "tell nothing",
		do:   func(tab *jobs.Table, r *jobs.Record) { tab.Tell(r, protocol.NodeID{}, 0, 0, jobs.Rank{}) },
	},
	{
		name: "want",
		do:   func(tab *jobs.Table, r *jobs.Record) { _ = tab.Want(r, jobs.TimedOut, "too long") },
		want: func(r *jobs.Record, at time.Time) { r.Requested, r.Why, r.Times.Noted = jobs.TimedOut, "too long", at },
	},
	{
		name:   "want once",
		before: func(tab *jobs.Table, r *jobs.Record) { _ = tab.Want(r, jobs.TimedOut, "too long") },
		do:     func(tab *jobs.Table, r *jobs.Record) { _ = tab.Want(r, jobs.Cancelled, "by its user") },
	},
	{
		name: "hold",
		do:   func(tab *jobs.Table, r *jobs.Record) { _ = tab.Hold(r) },
		want: both(becomes(jobs.Held, ""), func(r *jobs.Record, _ time.Time) { r.Held = true }),
	},
	{
		name:   "hold what runs",
		before: runs,
		do:     func(tab *jobs.Table, r *jobs.Record) { _ = tab.Hold(r) },
		want:   func(r *jobs.Record, _ time.Time) { r.Held = true },
	},
	{
		name:  "hold an array",
		array: true,
		do:    func(tab *jobs.Table, r *jobs.Record) { _ = tab.Hold(r) },
		want:  func(r *jobs.Record, _ time.Time) { r.Held = true },
	},
	{
		name:   "hold once",
		before: func(tab *jobs.Table, r *jobs.Record) { _ = tab.Hold(r) },
		do:     func(tab *jobs.Table, r *jobs.Record) { _ = tab.Hold(r) },
	},
	{
		name:   "release",
		before: func(tab *jobs.Table, r *jobs.Record) { _ = tab.Hold(r) },
		do:     func(tab *jobs.Table, r *jobs.Record) { _ = tab.Release(r) },
		want:   both(becomes(jobs.Accepted, "released"), func(r *jobs.Record, _ time.Time) { r.Held = false }),
	},
	{
		name:   "release what runs",
		before: func(tab *jobs.Table, r *jobs.Record) { runs(tab, r); _ = tab.Hold(r) },
		do:     func(tab *jobs.Table, r *jobs.Record) { _ = tab.Release(r) },
		want:   func(r *jobs.Record, _ time.Time) { r.Held = false },
	},
	{name: "release nothing", do: func(tab *jobs.Table, r *jobs.Record) { _ = tab.Release(r) }},
	{
		name:  "begin an array",
		array: true,
		do:    func(tab *jobs.Table, r *jobs.Record) { tab.Begin(r) },
		want:  func(r *jobs.Record, at time.Time) { r.Times.Started = at },
	},
	{
		name:   "begin once",
		array:  true,
		before: func(tab *jobs.Table, r *jobs.Record) { tab.Begin(r) },
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Begin(r) },
	},
	{
		name: "nothing is decided",
		do: func(tab *jobs.Table, r *jobs.Record) {
			c := decided(1)
			c.Try = 0
			tab.Follow(r, c)
		},
	},
	{name: "no attempt is permitted", do: func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, custody.Record{Try: 1}) }},
	{
		name:   "an attempt is permitted that has asked",
		before: func(tab *jobs.Table, r *jobs.Record) { tab.Ask(r, tried(1)) },
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, decided(1)) },
		want:   opens(tried(1), aMinute),
	},
	{
		name:   "an attempt is permitted that has asked another custodian",
		before: func(tab *jobs.Table, r *jobs.Record) { tab.Ask(r, tried(1)) },
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, decided(2)) },
		want: opens(jobs.Attempt{
			By: owner, Epoch: 2, Representative: owner, Hosts: tried(2).Hosts,
		}, atOnce),
	},
	{
		name: "another attempt is permitted",
		before: func(tab *jobs.Table, r *jobs.Record) {
			runs(tab, r)
			tab.Deposit(r, owner, 1, []jobs.Status{{}, {Code: 75}})
		},
		do: func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, decided(2)) },
		want: func(r *jobs.Record, at time.Time) {
			noted := aMinute(at)
			both(ends("rank 1 exited with 75"),
				becomes(jobs.Accepted, "rank 1 exited with 75; it is tried again"))(r, noted)
			opens(jobs.Attempt{By: owner, Epoch: 2, Representative: owner, Hosts: tried(2).Hosts}, atOnce)(r, at)
		},
	},
	{
		name:   "an attempt is given up",
		before: func(tab *jobs.Table, r *jobs.Record) { runs(tab, r); tab.Own(r, owner) },
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, custody.Record{Try: 2}) },
		want: both(ends("the grid gave the attempt up"), becomes(jobs.Accepted, "the grid gave the attempt up"),
			func(r *jobs.Record, _ time.Time) { r.Owner = protocol.NodeID{} }),
	},
	{
		name: "an attempt is given up that was to end",
		before: func(tab *jobs.Table, r *jobs.Record) {
			none := 0
			r.Spec.RestartLimit = &none
			runs(tab, r)
			_ = tab.Want(r, jobs.Cancelled, "by its user")
		},
		do: func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, custody.Record{Try: 2}) },
		want: func(r *jobs.Record, at time.Time) {
			both(ends("cancelled"), becomes(jobs.Accepted, "cancelled"))(r, aMinute(at))
		},
	},
	{
		name: "the last attempt that nodes may lose",
		before: func(tab *jobs.Table, r *jobs.Record) {
			none := 0
			r.Spec.RestartLimit = &none
			runs(tab, r)
		},
		do: func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, custody.Record{Try: 2}) },
		want: both(ends("the grid gave the attempt up"), becomes(jobs.Accepted, "the grid gave the attempt up"),
			requests(jobs.Failed, "its nodes have lost 1 attempt")),
	},
	{
		name:   "it is done, with an outcome that is not here",
		before: runs,
		do: func(tab *jobs.Table, r *jobs.Record) {
			c := decided(1)
			c.End = custody.Done
			tab.Follow(r, c)
		},
		want: both(ends("all tasks were ended"), becomes(jobs.Failed, "all tasks were ended")),
	},
	{
		name: "it is done, by an attempt that is new here",
		do: func(tab *jobs.Table, r *jobs.Record) {
			c := decided(1)
			c.End = custody.Done
			tab.Follow(r, c)
		},
		want: both(opens(jobs.Attempt{By: owner, Epoch: 1, Representative: owner, Hosts: tried(1).Hosts}, atOnce),
			ends("all tasks were ended"), becomes(jobs.Failed, "all tasks were ended")),
	},
	{
		name: "it is done, and the attempt is not here either",
		do:   func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, custody.Record{Try: 1, End: custody.Done}) },
		want: becomes(jobs.Failed, "its outcome is not known here"),
	},
	{
		name:   "it was to end, and its tasks have ended otherwise",
		before: func(tab *jobs.Table, r *jobs.Record) { runs(tab, r); _ = tab.Want(r, jobs.TimedOut, "too long") },
		do: func(tab *jobs.Table, r *jobs.Record) {
			c := decided(1)
			c.End = custody.Done
			tab.Follow(r, c)
		},
		want: func(r *jobs.Record, at time.Time) {
			both(ends("timed-out"), becomes(jobs.TimedOut, "too long"))(r, aMinute(at))
		},
	},
	{
		name: "it is cancelled",
		do:   func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, custody.Record{Try: 1, End: custody.Cancelled}) },
		want: both(requests(jobs.Cancelled, ""), becomes(jobs.Cancelled, "")),
	},
	{
		name: "its time is over",
		do:   func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, custody.Record{Try: 1, End: custody.TimedOut}) },
		want: both(requests(jobs.TimedOut, ""), becomes(jobs.TimedOut, "")),
	},
	{
		name: "no node can take it",
		do:   func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, custody.Record{Try: 1, End: custody.Unplaced}) },
		want: both(requests(jobs.Unplaced, ""), becomes(jobs.Unplaced, "")),
	},
	{
		name:   "it is given up while it runs",
		before: runs,
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, custody.Record{Try: 1, End: custody.Exhausted}) },
		want:   both(ends("failed"), requests(jobs.Failed, ""), becomes(jobs.Failed, "")),
	},
	{
		name: "it ends as was wished, under any name at the custodians",
		before: func(tab *jobs.Table, r *jobs.Record) {
			runs(tab, r)
			_ = tab.Want(r, jobs.Unplaced, "no node is as large")
		},
		do: func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, custody.Record{Try: 1, End: custody.Cancelled}) },
		want: func(r *jobs.Record, at time.Time) {
			both(ends("no node is as large"), becomes(jobs.Unplaced, "no node is as large"))(r, aMinute(at))
		},
	},
	{
		name:  "an array is permitted",
		array: true,
		do:    func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, decided(1)) },
		want:  becomes(jobs.Running, ""),
	},
	{
		name:   "an array is permitted that has begun",
		array:  true,
		before: func(tab *jobs.Table, r *jobs.Record) { tab.Begin(r) },
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, decided(1)) },
		want: func(r *jobs.Record, at time.Time) {
			becomes(jobs.Running, "")(r, aMinute(at))
		},
	},
	{
		name:   "another coordinator of an array",
		array:  true,
		before: func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, decided(1)) },
		do: func(tab *jobs.Table, r *jobs.Record) {
			tab.Follow(r, decided(2))
			tab.Follow(r, custody.Record{Try: 3, Requested: custody.Cancelled})
		},
	},
	{
		name:  "no coordinator of an array",
		array: true,
		do:    func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, custody.Record{Try: 1}) },
	},
	{
		name:  "an array is cancelled",
		array: true,
		do:    func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, custody.Record{Try: 1, End: custody.Cancelled}) },
		want:  both(requests(jobs.Cancelled, ""), becomes(jobs.Cancelled, "")),
	},
	{
		name:   "an array is cancelled whose elements have ended",
		array:  true,
		before: func(_ *jobs.Table, r *jobs.Record) { r.Result = jobs.Succeeded },
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, custody.Record{Try: 1, End: custody.Cancelled}) },
		want:   both(requests(jobs.Cancelled, ""), becomes(jobs.Cancelled, "")),
	},
	{
		name:  "an array is done, with a result that is not here",
		array: true,
		do:    func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, custody.Record{Try: 1, End: custody.Done}) },
		want:  both(requests(jobs.Failed, ""), becomes(jobs.Failed, "")),
	},
	{
		name:   "an array is done",
		array:  true,
		before: func(_ *jobs.Table, r *jobs.Record) { r.Result, r.Why = jobs.Failed, "1 of 2 elements" },
		do:     func(tab *jobs.Table, r *jobs.Record) { tab.Follow(r, custody.Record{Try: 1, End: custody.Done}) },
		want:   becomes(jobs.Failed, "1 of 2 elements"),
	},
}

// Each call changes what it names and nothing else. A record that has changed has another stamp, is
// passed to Changed, and is committed. An unchanged record keeps its stamp and is neither passed on
// nor committed.
func TestEachCallChangesWhatItNames(t *testing.T) {
	for _, s := range steps {
		t.Run(s.name, func(t *testing.T) {
			at := now
			tab, err := jobs.NewTable(committed{}, func() time.Time { return at })
			require.NoError(t, err)
			job := spec("true")
			if s.array {
				job.Array = jobs.Indexes([]int{4, 5}, 0)
			}
			r := take(t, tab, job, "")
			assert.Equal(t, []jobs.Change{{At: at, State: jobs.Accepted}}, r.Changes)
			assert.Equal(t, jobs.Times{Accepted: at}, r.Times)
			at = at.Add(time.Minute)
			if s.before != nil {
				s.before(tab, r)
			}
			tab.Puts()
			told := 0
			tab.Changed = func(changed *jobs.Record) {
				assert.Same(t, r, changed)
				told++
			}
			want := r.Clone()
			at = at.Add(time.Minute)
			s.do(tab, r)
			if s.want == nil {
				assert.Equal(t, want, r)
				assert.Zero(t, told)
				assert.Empty(t, tab.Puts())
				return
			}
			s.want(want, at)
			assert.Greater(t, r.Stamp.Number, want.Stamp.Number)
			want.Stamp.Number = r.Stamp.Number
			assert.Equal(t, want, r)
			assert.NotZero(t, told)
			assert.Len(t, tab.Puts(), 1)
		})
	}
}

// The reason of an ended attempt names the outcome of its ranks.
func TestReasonsNameTheRankThatFailed(t *testing.T) {
	for want, statuses := range map[string][]jobs.Status{
		"rank 0 exited with 3":                       {{Code: 3}, {Code: 4}},
		"rank 1 exited with 4":                       {{Halted: true, Code: 3}, {Code: 4}},
		"rank 1 ended by signal 9":                   {{}, {Code: 5, Signal: 9}},
		"rank 0 could not start: no such file":       {{Unfit: true, Code: 1, Error: "no such file"}, {}},
		"rank 0 was lost: no space left":             {{Lost: true, Error: "no space left"}, {}},
		"rank 0 ended with 0, but it is too large":   {{Unkept: true, Error: "it is too large"}, {}},
		"all tasks were ended":                       {{Halted: true, Signal: 15}, {Halted: true}},
		"rank 1 could not start: permission denied":  {{}, {Unfit: true, Signal: 9, Error: "permission denied"}},
		"rank 1 ended with 0, but permission denied": {{}, {Unkept: true, Signal: 9, Error: "permission denied"}},
	} {
		tab, err := jobs.NewTable(committed{}, clock)
		require.NoError(t, err)
		r := take(t, tab, spec("true"), "")
		outcome(tab, r, permit(tab, r, 1), statuses...)
		assert.Equal(t, want, r.Last().Reason)
		assert.Equal(t, jobs.Change{At: now, State: jobs.Failed, Reason: want}, r.Changes[len(r.Changes)-1])
	}
}

// Nodes that are gone are named with their fate: the hosts of ranks, and the representative if it
// is no host.
func TestTheNodesOfALostAttempt(t *testing.T) {
	for name, test := range map[string]struct {
		gone []protocol.NodeID
		lost int // a rank whose task was lost by its host, or -1
		want string
	}{
		"none":              {lost: -1, want: "the grid gave the attempt up"},
		"owner":             {gone: []protocol.NodeID{owner}, lost: -1, want: "the grid gave the attempt up"},
		"host":              {gone: []protocol.NodeID{here}, lost: -1, want: "host B of rank 0 was declared dead"},
		"representative":    {gone: []protocol.NodeID{third}, lost: -1, want: "representative D was declared dead"},
		"task":              {lost: 1, want: "rank 1 was lost with its shim"},
		"task and its host": {gone: []protocol.NodeID{{Address: 9}}, lost: 1, want: "rank 1 was lost with its shim"},
		"host and other task": {
			gone: []protocol.NodeID{here}, lost: 1,
			want: "host B of rank 0 was declared dead, rank 1 was lost with its shim",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tab, err := jobs.NewTable(committed{}, clock)
			require.NoError(t, err)
			tab.Fate = func(id protocol.NodeID) string {
				for _, gone := range test.gone {
					if gone == id {
						return "was declared dead"
					}
				}
				return ""
			}
			r := take(t, tab, spec("true"), "")
			a := tried(1)
			a.Hosts = []protocol.NodeID{{Address: 1, Incarnation: 1}, {Address: 9}}
			if name == "representative" {
				a.Hosts[0] = owner // the owner of the attempt is a host, and lives
			}
			tab.Ask(r, a)
			tab.Follow(r, custody.Record{Try: 1, Attempt: a.Attempt(), Hosts: a.Hosts})
			if test.lost >= 0 {
				tab.Lose(r, owner, 1, test.lost, "with its shim")
			}
			seen := r.Clone()
			tab.Preview(seen, custody.Record{Try: 2})
			tab.Follow(r, custody.Record{Try: 2})
			assert.Equal(t, test.want, r.Attempts[0].Reason)
			assert.Equal(t, test.want, seen.Attempts[0].Reason, "as other custodians see it")
		})
	}
	// Three are named, and no more than three are no more.
	tab, err := jobs.NewTable(committed{}, clock)
	require.NoError(t, err)
	tab.Fate = func(protocol.NodeID) string { return "left" }
	r := take(t, tab, spec("true"), "")
	a := tried(1)
	a.Representative, a.Hosts = here, []protocol.NodeID{here, owner, third}
	tab.Ask(r, a)
	tab.Follow(r, custody.Record{Try: 1, Attempt: a.Attempt(), Hosts: a.Hosts})
	tab.Follow(r, custody.Record{Try: 2})
	assert.Equal(t, "host B of rank 0 left, host C of rank 1 left, host D of rank 2 left", r.Attempts[0].Reason)
}

// Custodians agree on an outcome by its digest: that of the statuses, or of the result of an array.
func TestOutcomesHaveDigests(t *testing.T) {
	tab, err := jobs.NewTable(committed{}, clock)
	require.NoError(t, err)
	seen := map[custody.Digest]string{}
	for i, statuses := range [][]jobs.Status{{{}, {}}, {{Code: 1}, {}}, {{}, {Code: 1}}} {
		r := take(t, tab, spec("true"), "")
		assert.Empty(t, r.Digest(), "it does not run")
		permit(tab, r, 1)
		assert.Empty(t, r.Digest(), "nothing is known of its end")
		tab.Deposit(r, owner, 1, statuses)
		assert.Len(t, r.Digest(), 32)
		seen[r.Digest()] = fmt.Sprint("statuses ", i)
	}
	job := spec("true")
	job.Array = jobs.Indexes([]int{1}, 0)
	for _, result := range []jobs.State{jobs.Succeeded, jobs.Failed} {
		r := take(t, tab, job, "")
		assert.Empty(t, r.Digest())
		r.Result = result
		seen[r.Digest()] = string(result)
	}
	assert.Len(t, seen, 5)
}

func TestHowCustodiansNameTheEndThatAJobIsToHave(t *testing.T) {
	for requested, want := range map[jobs.State]custody.End{
		jobs.Cancelled: custody.Cancelled, jobs.TimedOut: custody.TimedOut, jobs.Unplaced: custody.Unplaced,
		jobs.Failed: custody.Exhausted,
	} {
		assert.Equal(t, want, (&jobs.Record{Requested: requested}).End())
	}
}
