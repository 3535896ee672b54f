package node

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/tasks"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/protocol/lease"
	"github.com/canvass-grid/canvass/protocol/muster"
	"github.com/canvass-grid/canvass/protocol/placement"
)

// judge is a custodian that decides about a job of two tasks, in a state that the test gives it.
type judge struct {
	*Node
	k    *keptJob
	core *scripted[custody.State, custody.Message, custody.Command]

	now   time.Time     // by the time of day
	clock time.Duration // by the clock
}

var (
	first  = custody.Attempt{By: there, Epoch: 1}
	second = custody.Attempt{By: there, Epoch: 2}
	hosts  = []protocol.NodeID{here, there}
)

// noStore is the store of a first life.
type noStore struct{}

func (noStore) Each(string, []byte, func(key, value []byte) error) error { return nil }

// newJudge returns a judge whose custodians have decided something, and have it on their disks.
func newJudge(t *testing.T, c custody.Record) *judge {
	t.Helper()
	n, _ := bench()
	j := &judge{Node: n, now: time.Unix(1000, 0)}
	n.Machine.Wall, n.Machine.Clock = func() time.Time { return j.now }, func() time.Duration { return j.clock }
	n.Machine.Between = func(low, _ uint32) uint32 { return low }
	var err error
	n.Table, err = jobs.NewTable(noStore{}, n.Wall)
	require.NoError(t, err)
	witness := &scripted[lease.State, lease.Message, lease.Command]{}
	witness.state.Self = here
	n.Lease = driver.Add(n.Loop, life.LeaseID, witness, driver.Traits[lease.State, lease.Message]{
		Self: func(lease.State) protocol.NodeID { return here },
	}, lease.State{}, nil)
	r := &jobs.Record{
		ID: "j", Spec: jobs.Spec{Command: []string{"true"}, Tasks: 2}, Custody: jobs.Name{By: here, Number: 1},
		Custodians: jobs.Custodians{here.Address},
	}
	require.NoError(t, n.Table.Take(r))
	core := &scripted[custody.State, custody.Message, custody.Command]{}
	core.state = custody.New(here, r.Custodians)
	core.state.Disk.View.Number = 1
	core.state.Primary = custody.Primary{Leads: true, Committed: true, Record: c}
	k := &keptJob{
		id: life.CustodyID(r.Custody), record: r, number: 1, ticket: 5, refused: map[custody.Attempt]bool{},
		closed: map[closing]bool{},
	}
	k.core = driver.Add(n.Loop, k.id, core, driver.Traits[custody.State, custody.Message]{
		Self: func(s custody.State) protocol.NodeID { return s.Self },
	}, core.state, nil)
	n.keptJobs[k.id] = k
	submitted(n, k, &c)
	step(t, n)
	j.k, j.core = k, core
	return j
}

// submitted submits a job in package placement: the present try has ticket 5.
func submitted(n *Node, k *keptJob, c *custody.Record) {
	job := placement.Job{Number: k.number, Try: max(1, c.Try), Stamp: 1, Phase: placement.Placed, Ticket: k.ticket}
	switch {
	case c.End != 0, c.Requested != 0 && c.Attempt.IsNone():
		job.Phase, job.Ticket = placement.Stopped, 0
	case !c.Attempt.IsNone():
		job.Phase = placement.Running
	}
	sub := n.submissions
	sub.jobs[k.number], sub.tickets[k.ticket], sub.numbers = k, k, k.number
	sub.add(placement.State{Self: here, Ticket: k.ticket, Jobs: placement.ListOf(job)})
}

// verdict is the answer and the actions of a judge.
type verdict struct {
	answer any  // nil if it comes later, or has no content
	later  bool // the answer comes when the custodians have decided
	again  bool // the job is handed to the grid again
	orders []custody.CommandKind
}

func (j *judge) verdict(t *testing.T, answer any, err error) verdict {
	t.Helper()
	v := verdict{}
	if _, none := answer.(rpc.None); !none && err == nil {
		v.answer = answer
	}
	if err != nil {
		require.Equal(t, j.k.waiting.Undecided(), err, "the question waits for this job")
		v.later = true
	}
	step(t, j.Node)
	v.again = j.submissions.core.State().Ticket > 5
	for _, in := range j.core.inputs[1:] {
		v.orders = append(v.orders, in.Command.Kind)
	}
	return v
}

// asks is a question about an attempt, for a try, of the submission that the job had last.
func asks(a custody.Attempt, try uint32) rpc.PermitRequest {
	return rpc.PermitRequest{
		JobAttempt:     rpc.JobAttempt{AttemptName: rpc.AttemptName{By: a.By, Epoch: a.Epoch}, Try: try, Ticket: 5},
		Representative: here, Hosts: hosts,
	}
}

// permitted lets the record follow the custodians: the attempt runs.
func permitted(j *judge) { j.Table.Follow(j.k.record, j.k.decided()) }

func wantsPermit(a custody.Attempt) *jobs.Attempt { return &jobs.Attempt{By: a.By, Epoch: a.Epoch} }

// One attempt at a job at a time has the permit. The custodians decide which.
func TestPermits(t *testing.T) {
	permit := []custody.CommandKind{custody.CommandPermit}
	for name, test := range map[string]struct {
		decided custody.Record
		before  func(*judge)
		try     uint32
		ticket  uint32
		want    verdict
		refused bool
		asks    *custody.Attempt // whose permit is wanted afterwards
	}{
		"the first one": {
			decided: custody.Record{Try: 1}, try: 1, want: verdict{later: true, orders: permit}, asks: &first,
		},
		"after another request that was not passed on": {
			decided: custody.Record{Try: 1}, before: func(j *judge) { j.k.record.Asked = wantsPermit(second) }, try: 1,
			want: verdict{later: true, orders: permit}, asks: &first,
		},
		"while another one asks": {
			decided: custody.Record{Try: 1},
			before:  func(j *judge) { j.k.record.Asked, j.k.asking = wantsPermit(second), true }, try: 1,
			want: verdict{later: true}, asks: &second,
		},
		"while a request that is void is on its way": {
			decided: custody.Record{Try: 1}, before: func(j *judge) { j.k.asking = true }, try: 1,
			want: verdict{later: true}, asks: &first,
		},
		"it has the permit": {
			decided: custody.Record{Try: 1, Attempt: first, Hosts: hosts}, try: 1, want: verdict{answer: true},
		},
		"it has the permit, and is to end": {
			decided: custody.Record{Try: 1, Attempt: first, Hosts: hosts, Requested: custody.Cancelled}, try: 1,
			want: verdict{answer: false},
		},
		"it had the permit, and the job has ended": {
			decided: custody.Record{Try: 1, Attempt: first, Hosts: hosts, End: custody.Cancelled}, try: 1,
			want: verdict{answer: false},
		},
		"another one has the permit": {
			decided: custody.Record{Try: 1, Attempt: second, Hosts: hosts}, try: 1, want: verdict{answer: false}, refused: true,
		},
		"another one has lost it since": {
			decided: custody.Record{Try: 2}, try: 1, want: verdict{answer: false, again: true}, refused: true,
		},
		"another one has lost it since, and the job was submitted again": {
			decided: custody.Record{Try: 2}, try: 1, ticket: 1, want: verdict{answer: false}, refused: true,
		},
		"of a later try": {
			decided: custody.Record{Try: 1}, try: 2, want: verdict{answer: false, again: true}, refused: true,
		},
		"the job is to end": {
			decided: custody.Record{Try: 1, Requested: custody.Cancelled}, try: 1, want: verdict{answer: false}, refused: true,
		},
		"the job has ended": {
			decided: custody.Record{Try: 1, End: custody.Cancelled}, try: 1, want: verdict{answer: false}, refused: true,
		},
		"it was refused before": {
			decided: custody.Record{Try: 1}, before: func(j *judge) { j.k.refused[first] = true }, try: 1,
			want: verdict{answer: false, again: true}, refused: true,
		},
		"it was refused before, in a former try": {
			decided: custody.Record{Try: 2}, before: func(j *judge) { j.k.refused[first] = true }, try: 1,
			want: verdict{answer: false, again: true}, refused: true,
		},
		"the job is held": {
			decided: custody.Record{Try: 1}, before: func(j *judge) { j.k.record.Held = true }, try: 1,
			want: verdict{later: true},
		},
		"the job is held, and was to end": {
			decided: custody.Record{Try: 1, Requested: custody.Cancelled},
			before:  func(j *judge) { j.k.record.Held, j.k.record.Requested = true, jobs.Cancelled }, try: 1,
			want: verdict{answer: false}, refused: true,
		},
		"the job was held, and has ended": {
			decided: custody.Record{Try: 1, End: custody.Unplaced},
			before:  func(j *judge) { j.k.record.Held, j.k.record.State = true, jobs.Unplaced }, try: 1,
			want: verdict{answer: false}, refused: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			j := newJudge(t, test.decided)
			if test.before != nil {
				test.before(j)
			}
			p := asks(first, test.try)
			p.Ticket = cmp.Or(test.ticket, 5)
			answer, err := j.answerPermit(j.k, there, p)
			assert.Equal(t, test.want, j.verdict(t, answer, err))
			assert.Equal(t, test.refused, j.k.refused[first])
			var now *custody.Attempt
			if r := j.k.record; r.Asked != nil {
				a := r.Asked.Attempt()
				now = &a
			}
			assert.Equal(t, test.asks, now)
			if now != nil && *now == first {
				assert.Equal(t, here, j.k.record.Asked.Representative)
			}
			if test.want.answer == true {
				assert.NotNil(t, j.k.record.Open(), "it runs")
			}
		})
	}
}

// judged is the outcome of an attempt, and the decision about it.
type judged struct {
	decided  custody.Record
	before   func(*judge)
	ticket   uint32
	statuses []jobs.Status // the second one; the first is in want.lost if it differs
	want     verdict
	refused  bool
	deposit  []jobs.Status
	lost     []string // of the ranks
}

func judgements() map[string]judged {
	unfit, lost := jobs.Status{Unfit: true, Error: "the host cannot start it"}, jobs.Status{Lost: true, Error: "lost"}
	halted := jobs.Status{Halted: true}
	explained := func(j *judge) { j.unfits[unfitKey{"j", there, 1, there}] = "no such file" }
	ended := []custody.CommandKind{custody.CommandOutcome}
	closed := []custody.CommandKind{custody.CommandClosed, custody.CommandClosed}
	permit := []custody.CommandKind{custody.CommandPermit}
	runs := custody.Record{Try: 1, Attempt: first, Hosts: hosts}
	return map[string]judged{
		"of a former try": {
			decided: custody.Record{Try: 2}, statuses: []jobs.Status{{}, {}}, want: verdict{again: true},
		},
		"of a former try, submitted again": {
			decided: custody.Record{Try: 2}, ticket: 1, statuses: []jobs.Status{{}, {}},
		},
		"of a former try, whose number is that of a submission": {
			decided: custody.Record{Try: 2}, ticket: 6, statuses: []jobs.Status{{}, {}},
		},
		"the job has ended": {
			decided:  custody.Record{Try: 1, Attempt: first, Hosts: hosts, End: custody.Cancelled},
			statuses: []jobs.Status{{}, {}},
		},
		"refused": {
			decided: runs, before: func(j *judge) { j.k.refused[first] = true }, statuses: []jobs.Status{{}, {}},
			refused: true,
		},
		"refused, and unfit": {
			decided: custody.Record{Try: 1},
			before:  func(j *judge) { explained(j); j.k.refused[first] = true }, statuses: []jobs.Status{{}, unfit},
			want: verdict{again: true}, refused: true,
		},
		"another one has the permit": {
			decided: custody.Record{Try: 1, Attempt: second, Hosts: hosts}, before: permitted,
			statuses: []jobs.Status{{}, {}},
		},
		"another one has the permit, and a host has lost it": {
			decided: custody.Record{Try: 1, Attempt: second, Hosts: hosts}, before: permitted,
			statuses: []jobs.Status{{}, lost},
		},
		"without the permit": {
			decided: custody.Record{Try: 1}, statuses: []jobs.Status{{}, {}}, want: verdict{again: true}, refused: true,
		},
		"without the permit, submitted again": {
			decided: custody.Record{Try: 1}, ticket: 1, statuses: []jobs.Status{{}, {}}, refused: true,
		},
		"without the permit, with the number of the latest try": {
			decided: custody.Record{Try: 1}, ticket: 6, statuses: []jobs.Status{{}, {}}, refused: true,
		},
		"ended by the grid without the permit": {
			decided: custody.Record{Try: 1}, statuses: []jobs.Status{{}, {Lost: true, Halted: true}},
			want: verdict{again: true}, refused: true,
		},
		"unfit without the permit": {
			decided: custody.Record{Try: 1}, before: explained, statuses: []jobs.Status{{}, unfit},
			want: verdict{later: true, orders: permit},
		},
		"lost without the permit": {
			decided: custody.Record{Try: 1}, statuses: []jobs.Status{{}, lost},
			want: verdict{later: true, orders: permit},
		},
		"strayed": {
			decided: custody.Record{Try: 1}, statuses: []jobs.Status{{}, unfit}, want: verdict{again: true}, refused: true,
		},
		"strayed, and its permit is on its way": {
			decided: custody.Record{Try: 1}, before: func(j *judge) { j.k.record.Asked = wantsPermit(first) },
			statuses: []jobs.Status{{}, unfit}, want: verdict{later: true},
		},
		"strayed, and the permit of another one is on its way": {
			decided: custody.Record{Try: 1}, before: func(j *judge) { j.k.record.Asked = wantsPermit(second) },
			statuses: []jobs.Status{{}, unfit}, want: verdict{again: true}, refused: true,
		},
		"unfit, and its permit is on its way": {
			decided:  custody.Record{Try: 1},
			before:   func(j *judge) { explained(j); j.k.record.Asked, j.k.asking = wantsPermit(first), true },
			statuses: []jobs.Status{{}, unfit}, want: verdict{later: true},
		},
		"all is well": {
			decided: runs, before: permitted, statuses: []jobs.Status{{}, {}}, want: verdict{later: true, orders: ended},
			deposit: []jobs.Status{{}, {}},
		},
		"unfit": {
			decided: runs, before: func(j *judge) { permitted(j); explained(j) }, statuses: []jobs.Status{halted, unfit},
			want:    verdict{later: true, orders: ended},
			deposit: []jobs.Status{halted, {Unfit: true, Error: "no such file"}},
		},
		"unkept": {
			decided: runs, before: func(j *judge) { permitted(j); j.k.record.Open().Rank(1).Problem = "x is too large" },
			statuses: []jobs.Status{{}, {Unkept: true, Error: "not all"}}, want: verdict{later: true, orders: ended},
			deposit: []jobs.Status{{}, {Unkept: true, Error: "x is too large"}},
		},
		"unkept, for a reason that is not known": {
			decided: runs, before: permitted, statuses: []jobs.Status{{}, {Unkept: true, Error: "not all"}},
			want: verdict{later: true, orders: ended}, deposit: []jobs.Status{{}, {Unkept: true, Error: "not all"}},
		},
		"a problem of a rank that has failed": {
			decided: runs, before: func(j *judge) { permitted(j); j.k.record.Open().Rank(1).Problem = "x is too large" },
			statuses: []jobs.Status{{}, {Code: 3}}, want: verdict{later: true, orders: ended},
			deposit: []jobs.Status{{}, {Code: 3}},
		},
		"lost": {
			decided: runs, before: permitted, statuses: []jobs.Status{halted, lost},
			want: verdict{later: true, orders: closed}, lost: []string{"", "on node C: lost"},
		},
		"lost, for a reason that is known": {
			decided: runs, before: func(j *judge) { permitted(j); explained(j) },
			statuses: []jobs.Status{{Lost: true, Halted: true}, lost},
			want:     verdict{later: true, orders: closed}, lost: []string{"", "on node C: no such file"},
		},
		"it strayed with the permit": {
			decided: runs, before: permitted, statuses: []jobs.Status{halted, unfit},
			want: verdict{later: true, orders: closed},
		},
		"it strayed with the permit, and its request is noted still": {
			decided: runs, before: func(j *judge) { permitted(j); j.k.record.Asked = wantsPermit(first) },
			statuses: []jobs.Status{halted, unfit}, want: verdict{later: true, orders: closed},
		},
		"without the permit that it has asked for": {
			decided: custody.Record{Try: 1}, before: func(j *judge) { j.k.record.Asked = wantsPermit(first) },
			statuses: []jobs.Status{{}, {}}, want: verdict{again: true}, refused: true,
		},
		"unkept, before its record is here": {
			decided: runs, statuses: []jobs.Status{{}, {Unkept: true}}, want: verdict{later: true},
		},
		"ended by the grid": {
			decided: runs, before: permitted, statuses: []jobs.Status{halted, {}}, want: verdict{later: true, orders: closed},
		},
		"ended by the grid, as was wished": {
			decided: custody.Record{Try: 1, Attempt: first, Hosts: hosts, Requested: custody.Cancelled}, before: permitted,
			statuses: []jobs.Status{halted, {}}, want: verdict{later: true, orders: ended},
			deposit: []jobs.Status{halted, {}},
		},
		"one has failed, and the others were ended": {
			decided: runs, before: permitted, statuses: []jobs.Status{halted, {Code: 3}},
			want: verdict{later: true, orders: ended}, deposit: []jobs.Status{halted, {Code: 3}},
		},
	}
}

// The outcome of an attempt counts if it has the permit. An attempt that ran without a permit came
// to nothing, and an attempt that could not start anywhere asks for one first.
func TestOutcomes(t *testing.T) {
	for name, test := range judgements() {
		t.Run(name, func(t *testing.T) {
			j := newJudge(t, test.decided)
			if test.before != nil {
				test.before(j)
			}
			o := rpc.OutcomeReport{PermitRequest: asks(first, 1), Statuses: slices.Clone(test.statuses)}
			o.Ticket = cmp.Or(test.ticket, 5)
			answer, err := j.answerOutcome(j.k, there, o)
			assert.Equal(t, test.want, j.verdict(t, answer, err))
			assert.Equal(t, test.refused, j.k.refused[first])
			var deposit []jobs.Status
			var lost []string
			if open := j.k.record.Open(); open != nil {
				deposit = open.Statuses
				for _, rank := range open.Ranks {
					lost = append(lost, rank.Lost)
				}
			}
			assert.Equal(t, test.deposit, deposit)
			if test.lost != nil {
				assert.Equal(t, test.lost, lost)
				assert.False(t, j.k.record.Times.Noted.IsZero(), "when it was lost is known")
			} else {
				assert.Empty(t, strings.Join(lost, ""))
			}
		})
	}
}

// A host that runs nothing of an attempt any more is noted once, while it matters.
func TestWhatNoLongerRuns(t *testing.T) {
	runs := custody.Record{Try: 2, Attempt: first, Hosts: hosts}
	over := runs
	over.End = custody.Cancelled
	ran := verdict{later: true, orders: []custody.CommandKind{custody.CommandClosed}}
	for name, test := range map[string]struct {
		decided custody.Record
		try     uint32
		known   closing
		want    verdict
	}{
		"it ran":            {decided: runs, try: 2, want: ran},
		"in a former try":   {decided: runs, try: 1},
		"the job has ended": {decided: over, try: 2},
		"it is known":       {decided: runs, try: 2, known: closing{there, 2}},
		"of another host":   {decided: runs, try: 2, known: closing{here, 2}, want: ran},
		"of the try before": {decided: runs, try: 2, known: closing{there, 1}, want: ran},
	} {
		t.Run(name, func(t *testing.T) {
			j := newJudge(t, test.decided)
			j.k.closed[test.known] = true
			answer, err := j.answerGone(j.k, there, asks(first, test.try).JobAttempt)
			assert.Equal(t, test.want, j.verdict(t, answer, err))
		})
	}
}

// Why a host cannot start a job is kept for its outcome, and shown. No member fills memory with it.
func TestReasonsOfHostsAreLimited(t *testing.T) {
	for before, left := range map[int]int{unfitLimit - 1: unfitLimit, unfitLimit: 1} {
		j := newJudge(t, custody.Record{Try: 1})
		for i := range before {
			j.unfits[unfitKey{"other", there, uint32(i), there}] = "x"
		}
		report := rpc.UnfitReport{JobAttempt: asks(first, 1).JobAttempt, Why: strings.Repeat("y", unfitBytes+1)}
		answer, err := j.answerUnfit(j.k, there, report)
		require.NoError(t, err)
		assert.Equal(t, rpc.None{}, answer)
		assert.Len(t, j.unfits, left)
		assert.Equal(t, report.Why[:unfitBytes], j.unfits[unfitKey{"j", there, 1, there}])
		assert.True(t, strings.HasPrefix(j.k.record.Note, "yyy"), "its user sees it")
	}
}

// clocked is a judge of an attempt that runs, whose time and timers belong to the test.
type clocked struct {
	*judge
	timers []timer
}

func newClocked(t *testing.T) *clocked {
	t.Helper()
	c := &clocked{judge: newJudge(t, custody.Record{Try: 1, Attempt: first, Hosts: hosts})}
	c.now = c.now.Add(time.Minute)
	permitted(c.judge)
	c.k.record.Open().Representative = third
	c.Machine.After = func(after time.Duration, do func()) { c.timers = append(c.timers, timer{after, do}) }
	return c
}

type timer struct {
	after time.Duration
	do    func()
}

// asksOf are the nodes that are asked something.
func (c *clocked) asksOf() (all []protocol.NodeID) {
	return c.Links.(*recorded).to
}

// A job ends when an attempt has run for too long, or its time is over, and no sooner.
func TestTimesOfJobs(t *testing.T) {
	c := newClocked(t)
	r := c.k.record
	c.watchTimeout(c.k)
	c.watchDeadline(c.k)
	assert.Empty(t, c.timers, "it may run for as long as it likes")

	r.Spec.Timeout, r.Spec.Deadline = time.Hour, 2*time.Hour
	c.k.began, c.k.taken, c.clock = 10*time.Minute, 4*time.Minute, 11*time.Minute
	c.watchTimeout(c.k)
	c.watchDeadline(c.k)
	require.Len(t, c.timers, 2)
	assert.Equal(t, 59*time.Minute, c.timers[0].after, "since the attempt began")
	assert.Equal(t, 113*time.Minute, c.timers[1].after, "since the job was taken")
	open := r.Open()
	open.Epoch = 7
	c.timers[0].do()
	assert.Empty(t, r.Requested, "another attempt runs")
	open.Epoch, open.End = first.Epoch, &c.now
	c.timers[0].do()
	assert.Empty(t, r.Requested, "it has ended")
	c.watchTimeout(c.k)
	assert.Len(t, c.timers, 2, "nothing runs")
	open.End = nil
	c.timers[0].do()
	assert.Equal(t, jobs.TimedOut, r.Requested)
	assert.Equal(t, "an attempt ran for 1h0m0s", r.Why)

	c = newClocked(t)
	c.k.record.Spec.Deadline = 2 * time.Hour
	c.watchDeadline(c.k)
	c.timers[0].do()
	assert.Equal(t, jobs.TimedOut, c.k.record.Requested)
	assert.Equal(t, "its deadline of 2h0m0s is over", c.k.record.Why)
}

// When an attempt began is noted once, by the clock. The time of day counts only for events of
// earlier incarnations.
func TestAnAttemptBeginsOnce(t *testing.T) {
	c := newClocked(t)
	c.k.attempt, c.clock = custody.Attempt{}, 11*time.Minute
	c.noteBegin(c.k)
	assert.Equal(t, 11*time.Minute, c.k.began)
	assert.Equal(t, first, c.k.attempt)
	c.clock = 20 * time.Minute
	c.noteBegin(c.k)
	assert.Equal(t, 11*time.Minute, c.k.began)
	c.k.record.Open().Epoch = second.Epoch
	c.noteBegin(c.k)
	assert.Equal(t, 20*time.Minute, c.k.began)
	assert.Equal(t, second, c.k.attempt)

	r := c.k.record
	r.Changes[0].At, r.Open().Begin, c.clock = c.now.Add(-9*time.Minute), c.now.Add(-2*time.Minute), 30*time.Minute
	c.see(c.k, false)
	assert.Equal(t, []time.Duration{30 * time.Minute, 30 * time.Minute}, []time.Duration{c.k.seen, c.k.taken})
	assert.Equal(t, 20*time.Minute, c.k.began)
	c.k.attempt = first
	c.see(c.k, true)
	assert.Equal(t, 30*time.Minute, c.k.seen)
	assert.Equal(t, 21*time.Minute, c.k.taken)
	assert.Equal(t, 28*time.Minute, c.k.began)
	r.Open().End, c.k.attempt = &c.now, first
	c.see(c.k, true)
	assert.Equal(t, first, c.k.attempt, "nothing runs")
}

// A job ends once, as the first one wished, and only the custodian that decides makes it end.
func TestWishesForAnEnd(t *testing.T) {
	c := newClocked(t)
	r := c.k.record
	c.end(c.k, jobs.Cancelled, "by its user")
	c.end(c.k, jobs.TimedOut, "too late")
	assert.Equal(t, []string{"cancelled", "by its user"}, []string{string(r.Requested), r.Why})
	step(t, c.Node)
	require.Len(t, c.core.inputs, 2, "once")
	last := c.core.inputs[1]
	assert.Equal(t, custody.CommandCancel, last.Command.Kind)
	assert.Equal(t, custody.Cancelled, last.Command.Requested)

	c = newClocked(t)
	r = c.k.record
	r.State = jobs.Succeeded
	c.end(c.k, jobs.Cancelled, "")
	assert.Empty(t, r.Requested, "it has ended")
	assert.NoError(t, c.Failed)

	c = newClocked(t)
	c.core.state.Primary.Leads = false
	c.order(c.k, custody.Command{})
	step(t, c.Node)
	c.end(c.k, jobs.Cancelled, "")
	assert.Empty(t, c.k.record.Requested, "another custodian decides")

	for _, array := range []bool{false, true} {
		c = newClocked(t)
		r = c.k.record
		if array {
			r.Spec.Array, r.Result = jobs.Indexes([]int{1}, 0), jobs.Cancelled
		}
		r.Custodians = jobs.Custodians{here.Address, there.Address}
		c.Meet(there)
		c.core.state.Lives = make([]custody.Life, 2)
		c.order(c.k, custody.Command{})
		step(t, c.Node)
		c.end(c.k, jobs.Cancelled, "")
		assert.Equal(t, array, len(c.asksOf()) == 1, "the elements of an array need to know at once: %v", c.asksOf())
	}
}

// The tasks of a job that is to end get its signal from their representative, and SIGKILL if the
// attempt is still there after their grace.
func TestTasksAreHalted(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*jobs.Record)
		kills  bool
	}{
		"it goes on":       {func(*jobs.Record) {}, true},
		"it has ended":     {func(r *jobs.Record) { r.Open().End = &time.Time{} }, false},
		"another one runs": {func(r *jobs.Record) { r.Open().Epoch++ }, false},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClocked(t)
			r := c.k.record
			c.command(placement.Command{Kind: placement.CommandOwned, Ticket: 5, Node: there})
			c.halt(c.k)
			require.Equal(t, []protocol.NodeID{third}, c.asksOf(), "its representative")
			name, err := rpc.Decode[rpc.AttemptName](read(t, c.Links.(*recorded).frames[0]).Body)
			require.NoError(t, err)
			assert.Equal(t, rpc.AttemptName{By: there, Epoch: 1}, name)
			c.clock += time.Hour
			c.timers[0].do()
			assert.Equal(t, []protocol.NodeID{third, third}, c.asksOf(), "it is asked until it has ended")
			i := slices.IndexFunc(c.timers, func(t timer) bool { return t.after == jobs.Grace+2*time.Second })
			require.GreaterOrEqual(t, i, 0)
			test.change(r)
			c.timers[i].do()
			settle(t, c.Node, 0)
			assert.Equal(t, test.kills, len(c.asksOf()) == 3, "its owner cancels it")
		})
	}
	c := newClocked(t)
	c.k.record.Open().End = &time.Time{}
	c.halt(c.k)
	assert.Empty(t, c.asksOf(), "nothing runs")

	answer, err := c.attempts.AnswerHalt(there, rpc.AttemptName{By: there, Epoch: 1})
	assert.NoError(t, err, "an attempt that is not here any more")
	assert.Equal(t, rpc.None{}, answer)

	rep := &scripted[muster.State, muster.Message, muster.Command]{}
	a := &tasks.Attempt{ID: life.MusterID(there, 1)}
	a.Core = driver.Add(c.Loop, a.ID, rep, driver.Traits[muster.State, muster.Message]{
		Self: func(muster.State) protocol.NodeID { return here },
	}, muster.State{}, nil)
	c.attempts.All[a.ID] = a
	step(t, c.Node)
	_, err = c.attempts.AnswerHalt(there, rpc.AttemptName{By: there, Epoch: 1})
	require.NoError(t, err)
	step(t, c.Node)
	require.Len(t, rep.inputs, 2)
	assert.Equal(t, muster.Command{Kind: muster.CommandHalt, Reason: muster.Cancelled}, rep.inputs[1].Command)
}

func TestForgottenUnfits(t *testing.T) {
	j := newJudge(t, custody.Record{})
	other := unfitKey{"other", there, 1, there}
	j.unfits = map[unfitKey]string{{"j", there, 1, there}: "a", {"j", there, 2, here}: "b", other: "c"}
	j.forgetUnfits(j.k.record)
	assert.Equal(t, map[unfitKey]string{other: "c"}, j.unfits, "only the reasons of that job go")
}
