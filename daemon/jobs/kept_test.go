package jobs_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/verbatim"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// whole is a record that can be read.
func whole() *jobs.Record {
	return &jobs.Record{
		Version: jobs.Version, ID: "b4k2", Index: 1, State: jobs.Accepted,
		Spec:    jobs.Spec{Command: []string{"true"}, Tasks: 1},
		Changes: []jobs.Change{{State: jobs.Accepted}}, Custodians: jobs.Custodians{1},
	}
}

// A record that lacks something that the daemon counts on is refused, and the error says which.
func TestRecordsThatCannotBeRead(t *testing.T) {
	hosts := []protocol.NodeID{here, owner}
	for want, change := range map[string]func(*jobs.Record){
		"it has version 3, this build reads 2": func(r *jobs.Record) { r.Version = 3 },
		"it lacks id, changes or custodians":   func(r *jobs.Record) { r.ID = "" },
		"it lacks id, changes or custodians ":  func(r *jobs.Record) { r.Changes = nil },
		"it lacks id, changes or custodians  ": func(r *jobs.Record) { r.Custodians = nil },
		"job b4k2 has no command or no tasks":  func(r *jobs.Record) { r.Spec.Command = nil },
		"job b4k2 has no command or no tasks ": func(r *jobs.Record) { r.Spec.Tasks = 0 },
		"job b4k2 has an attempt with other ran": func(r *jobs.Record) {
			r.Attempts = []jobs.Attempt{{Hosts: hosts, Ranks: make([]jobs.Rank, 3)}}
		},
		"job b4k2 has an attempt with other ra": func(r *jobs.Record) {
			r.Attempts = []jobs.Attempt{{Hosts: hosts}, {Hosts: hosts, Statuses: make([]jobs.Status, 1)}}
		},
	} {
		r := whole()
		change(r)
		_, err := jobs.Decode(r.Encode())
		assert.ErrorIs(t, err, jobs.ErrRecord)
		assert.ErrorContains(t, err, "not a record of a job: "+strings.TrimSpace(want))
	}
	for _, change := range []func(*jobs.Record){
		func(*jobs.Record) {},
		func(r *jobs.Record) { r.Spec.Array = jobs.Indexes([]int{1}, 0) },
		func(r *jobs.Record) { r.Attempts = []jobs.Attempt{{Hosts: hosts}} },
		func(r *jobs.Record) {
			r.Attempts = []jobs.Attempt{{Hosts: hosts, Statuses: make([]jobs.Status, 2), Ranks: make([]jobs.Rank, 2)}}
		},
	} {
		r := whole()
		change(r)
		back, err := jobs.Decode(r.Encode())
		require.NoError(t, err)
		assert.Equal(t, r, back)
	}
	damaged := strings.Replace(string(whole().Encode()), `"tries":0`, `"tries":"0"`, 1)
	_, err := jobs.Decode([]byte(damaged))
	require.ErrorIs(t, err, jobs.ErrRecord, "the rest of it can be read")
	require.ErrorContains(t, err, "not a record of a job: json: ")
	_, err = jobs.NewTable(committed{"b4k2": []byte(damaged)}, clock)
	require.ErrorIs(t, err, jobs.ErrRecord)
}

func TestTheCopyThatCounts(t *testing.T) {
	record := func(s jobs.State, number uint32) *jobs.Record {
		return &jobs.Record{State: s, Stamp: jobs.Stamp{Number: number}}
	}
	for _, test := range []struct {
		a, b  *jobs.Record
		fresh bool
	}{
		{record(jobs.Running, 2), record(jobs.Accepted, 1), true},
		{record(jobs.Running, 1), record(jobs.Accepted, 1), false},
		{record(jobs.Accepted, 1), record(jobs.Running, 2), false},
		{record(jobs.Failed, 1), record(jobs.Running, 2), true},
		{record(jobs.Running, 2), record(jobs.Failed, 1), false},
		{record(jobs.Failed, 2), record(jobs.Succeeded, 1), true},
		{record(jobs.Failed, 1), record(jobs.Succeeded, 2), false},
	} {
		assert.Equal(t, test.fresh, jobs.Fresher(test.a, test.b), "%v %v", test.a.State, test.b.State)
	}
}

// toldWith is a job with attempts whose hosts have reported the given bytes of stderr for each
// rank.
func toldWith(t *testing.T, stderr ...int) (*jobs.Table, *jobs.Record) {
	tab, err := jobs.NewTable(committed{}, clock)
	require.NoError(t, err)
	r := take(t, tab, spec("true"), "")
	for i, size := range stderr {
		epoch := uint32(i + 1)
		permit(tab, r, epoch)
		for rank := range 2 {
			r.Open().Rank(rank).Isolation = "cgroup"
			r.Open().Rank(rank).Outputs = []jobs.File{{Path: "a", Digest: digest}}
			r.Open().Rank(rank).Stderr = strings.Repeat("x", size)
		}
		if i < len(stderr)-1 {
			tab.Follow(r, custody.Record{Try: epoch + 1})
		}
	}
	return tab, r
}

// A record that fits into a frame is left as it is, to the last byte. In a larger one, the oldest
// attempts lose the reports of their hosts, as many as need be, and the last one its stderr.
func TestWhatARecordGivesUpToFit(t *testing.T) {
	const most = jobs.RecordLimit
	told := jobs.Rank{Isolation: "none"}
	tab, r := toldWith(t, 1000, 1000, 1000)
	tab.Tell(r, owner, 3, 0, told)
	spare := most - len(r.Encode())
	name := r.Custody
	assert.Len(t, r.Attempts[0].Ranks[0].Stderr, 1000, "a small one keeps all")
	assert.Len(t, r.Attempts[2].Ranks[1].Stderr, 1000)

	tab, r = toldWith(t, 1000, 1000, 1000)
	r.Custody = name // as long as that one
	r.Attempts[1].Ranks[1].Stderr += strings.Repeat("x", spare)
	tab.Tell(r, owner, 3, 0, told)
	assert.Len(t, r.Encode(), most)
	assert.Len(t, r.Attempts[0].Ranks[0].Stderr, 1000)

	tab, r = toldWith(t, 1000, 1000, 1000)
	r.Custody = name // as long as that one
	r.Attempts[1].Ranks[1].Stderr += strings.Repeat("x", spare+1)
	tab.Tell(r, owner, 3, 0, told)
	for rank := range 2 {
		assert.Empty(t, r.Attempts[0].Ranks[rank].Outputs)
		assert.Empty(t, r.Attempts[0].Ranks[rank].Stderr)
		assert.GreaterOrEqual(t, len(r.Attempts[1].Ranks[rank].Stderr), 1000, "the oldest one suffices")
	}

	tab, r = toldWith(t, 1000, 1000, most/2)
	tab.Tell(r, owner, 3, 0, told)
	tab.Tell(r, owner, 3, 0, jobs.Rank{Isolation: "none", Stderr: strings.Repeat("x", most/2)})
	assert.Equal(t, jobs.Rank{Isolation: "cgroup"}, r.Attempts[1].Ranks[1])
	assert.Equal(t, []jobs.Rank{
		{Isolation: "none"},
		{Isolation: "cgroup", Outputs: []jobs.File{{Path: "a", Digest: digest}}},
	}, r.Attempts[2].Ranks, "the outputs of the last attempt stay")
}

// An attempt that is lost, or given up, leaves a record that fits.
func TestARecordFitsAfterItsNodesAreGone(t *testing.T) {
	for name, c := range map[string]custody.Record{"lost": {Try: 2}, "given up": {Try: 1, End: custody.Exhausted}} {
		tab, r := toldWith(t, jobs.RecordLimit/2-700)
		tab.Fate = func(protocol.NodeID) string { return "was declared dead, " + strings.Repeat("x", 1000) }
		require.LessOrEqual(t, len(r.Encode()), jobs.RecordLimit)
		tab.Follow(r, c)
		assert.LessOrEqual(t, len(r.Encode()), jobs.RecordLimit, name)
		assert.NotEmpty(t, r.Attempts[0].Ranks[0].Lost)
	}
}

// A job is not tried again once its record has no room for another attempt, and the record fits at
// any time before.
func TestARecordHasRoomForItsAttempts(t *testing.T) {
	wide := make([]protocol.NodeID, 2000)
	for i := range wide {
		wide[i] = protocol.NodeID{Address: protocol.Address(i), Incarnation: 1}
	}
	for name, test := range map[string]struct {
		spec  jobs.Spec
		hosts []protocol.NodeID
		told  string // stderr of the first rank
		fails bool   // else its nodes are lost
		why   string
	}{
		"many fail": {
			spec: jobs.Spec{
				Command: []string{"true", strings.Repeat("x", 120<<10)}, Tasks: 50, Retries: jobs.Retries{OnExit: 1000},
			},
			hosts: wide[:50], told: strings.Repeat("x", 1000), fails: true,
		},
		"wide ones are lost": {
			spec: jobs.Spec{Command: []string{"true"}, Tasks: 2000}, hosts: wide, told: "x",
			why: "attempts, and its record has no room for more",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tab, err := jobs.NewTable(committed{}, clock)
			require.NoError(t, err)
			r := take(t, tab, test.spec, "")
			fits := func() { require.LessOrEqual(t, len(r.Encode()), jobs.RecordLimit, "%d attempts", len(r.Attempts)) }
			epoch := uint32(0)
			for again := true; again; {
				epoch++
				a := jobs.Attempt{By: owner, Epoch: epoch, Representative: owner, Hosts: test.hosts}
				tab.Ask(r, a)
				tab.Follow(r, custody.Record{Try: epoch, Attempt: a.Attempt(), Hosts: a.Hosts})
				fits()
				tab.Tell(r, owner, epoch, 0, jobs.Rank{Isolation: "cgroup", Stderr: test.told})
				if test.fails {
					statuses := make([]jobs.Status, 50)
					statuses[0].Code = 3
					tab.Deposit(r, owner, epoch, statuses)
				}
				fits()
				if _, again = r.Again(); again || !test.fails {
					tab.Follow(r, custody.Record{Try: epoch + 1})
					fits()
					again = r.Requested == ""
				}
			}
			assert.Less(t, int(epoch), 1000)
			assert.Greater(t, len(r.Attempts), 1)
			assert.Contains(t, r.Why, test.why)
			assert.NotEqual(t, test.fails, r.Exhausted() || r.Requested == jobs.Failed)
		})
	}
}

// Outputs that are reported again are not counted twice, and older attempts make room for those of
// the last one. Nothing of the record is lost before it is known that it must be.
func TestOutputsAreAdmittedAsRoomAllows(t *testing.T) {
	many := jobs.Rank{Isolation: "cgroup", Stderr: strings.Repeat("x", 1<<10)}
	for range 900 {
		many.Outputs = append(many.Outputs, jobs.File{Path: verbatim.Text(strings.Repeat("y", 64)), Digest: digest})
	}
	one, err := json.Marshal(many.Outputs[0])
	require.NoError(t, err)
	tab, r := toldWith(t, 1000)
	for range 3 {
		assert.Len(t, tab.Tell(r, owner, 1, 0, many).Outputs, 900, "the same ones")
	}
	before := r.Clone()
	kept := tab.Tell(r, owner, 1, 1, many)
	assert.Less(t, len(kept.Outputs), 900)
	assert.Equal(t, before.Attempts[0].Ranks[0], r.Attempts[0].Ranks[0])
	assert.Equal(t, 900-len(kept.Outputs), len(kept.Unkept)+kept.UnkeptMore)
	assert.Contains(t, kept.Problem, "the list of all outputs of the job is too long; put them into an archive")
	assert.Equal(t, jobs.Rank{Isolation: "none"}, tab.Tell(r, owner, 1, 1, jobs.Rank{Isolation: "none"}))
	r.Open().Ranks[0].Stderr = strings.Repeat("x", 100<<10)
	assert.Len(t, tab.Tell(r, owner, 1, 1, many).Outputs, len(kept.Outputs), "outputs come before stderr")

	// The free room is for the end of the attempt, and no larger than that.
	full := tab.Tell(r, owner, 1, 1, many)
	left := jobs.RecordLimit - len(r.Encode())
	assert.Greater(t, left, 2<<10)
	assert.Less(t, left, 12<<10+len(one))
	assert.NotEmpty(t, full.Outputs)

	tab.Follow(r, custody.Record{Try: 2})
	permit(tab, r, 2)
	assert.Len(t, tab.Tell(r, owner, 2, 0, many).Outputs, 900, "an older attempt makes room")
	assert.Len(t, r.Attempts[0].Ranks, 2)
}

func TestSummariesOfJobs(t *testing.T) {
	r := whole()
	r.Spec.Name, r.Spec.Array, r.Asked = "render", jobs.Indexes([]int{1}, 0), &jobs.Attempt{}
	s := r.Summary()
	assert.Equal(t, "render", s.Spec.Name)
	assert.Equal(t, r.Spec.Array, s.Spec.Array)
	assert.Nil(t, s.Asked)
	assert.Equal(t, r.Changes, s.Changes, "one change is the first and the last")
	for _, test := range []struct{ words, want []string }{
		{[]string{"echo", strings.Repeat("x", 1020)}, []string{"echo", strings.Repeat("x", 1020)}},
		{[]string{"echo", strings.Repeat("x", 1021)}, []string{"echo", strings.Repeat("x", 1020) + "…"}},
		{
			[]string{strings.Repeat("x", 1000), strings.Repeat("y", 24), "z", "z"},
			[]string{strings.Repeat("x", 1000), strings.Repeat("y", 24), "…"},
		},
		{[]string{strings.Repeat("x", 1023) + "ä"}, []string{strings.Repeat("x", 1023) + "…"}},
	} {
		r.Spec.Command = test.words
		assert.Equal(t, verbatim.List(test.want), r.Summary().Spec.Command)
	}
}

// A clone of an attempt that runs has no end either.
func TestACloneOfAnAttemptThatRuns(t *testing.T) {
	r := whole()
	r.Attempts = []jobs.Attempt{{Ranks: []jobs.Rank{{}}}}
	assert.Equal(t, r, r.Clone())
}

// An element whose turn has not come yet is shown as its array is, and an element that has had its
// turn is the job that was taken.
func TestElementsBeforeTheirTurn(t *testing.T) {
	at := now
	tab, err := jobs.NewTable(committed{}, func() time.Time { return at })
	require.NoError(t, err)
	job := jobs.Spec{
		Command: []string{"echo", "{index}", "a{index}{index}"}, Tasks: 2, Deadline: time.Hour, Hold: true,
		Array: jobs.Indexes([]int{1, 2, 5}, 0), Env: []string{"A=b"},
	}
	array := take(t, tab, job, "")
	array.User = "ada"
	assert.Nil(t, tab.Spawn(array, 9), "it is held")
	assert.Nil(t, tab.Elements(array))
	at = at.Add(time.Minute)
	require.NoError(t, tab.Release(array))
	first := tab.Spawn(array, 9)
	one, two := 1, 2
	assert.Equal(t, &jobs.Record{
		Version: jobs.Version, ID: array.ID + "[1]", Parent: array.ID, Index: 1, State: jobs.Accepted, User: "ada",
		Spec:    jobs.Spec{Command: []string{"echo", "1", "a11"}, Tasks: 2, Env: []string{"A=b"}, Index: &one},
		Custody: jobs.Name{By: here, Number: array.Custody.Number + 1}, Custodians: array.Custodians,
		Changes: []jobs.Change{{At: at, State: jobs.Accepted}}, Times: jobs.Times{Accepted: at}, Stamp: jobs.Stamp{Number: 1},
	}, first)
	waiting := func() *jobs.Record {
		r, err := tab.Find(array.ID + "[2]")
		require.NoError(t, err)
		return r
	}
	want := &jobs.Record{
		Version: jobs.Version, ID: array.ID + "[2]", Parent: array.ID, Index: 2, State: jobs.Accepted,
		Spec:    jobs.Spec{Command: []string{"echo", "2", "a22"}, Tasks: 2, Env: []string{"A=b"}, Index: &two},
		Changes: array.Changes[:1], Note: "its turn in the array has not come",
	}
	assert.Equal(t, want, waiting())
	assert.Equal(t, map[jobs.State]int{jobs.Accepted: 3}, tab.Count(array))
	assert.Empty(t, tab.Count(first))
	assert.Equal(t, []int{2, 5}, tab.FailedIndexes(array))
	tab.Follow(array, custody.Record{Try: 1, End: custody.Cancelled})
	want.State, want.Changes = jobs.Cancelled, array.Changes[len(array.Changes)-1:]
	assert.Equal(t, want, waiting())
	assert.Nil(t, tab.Spawn(array, 9), "it has ended")
	outcome(tab, first, permit(tab, first, 1), well...)
	assert.Equal(t, map[jobs.State]int{jobs.Cancelled: 2, jobs.Succeeded: 1, jobs.Accepted: 0}, tab.Count(array))
	assert.Equal(t, []int{2, 5}, tab.FailedIndexes(array))

	single := take(t, tab, spec("true"), "")
	_, err = tab.Find(single.ID + "[0]")
	require.ErrorIs(t, err, jobs.ErrUnknown, "it is no array")
	for _, id := range []string{array.ID + "[1", array.ID + "[9]", "0[1]"} {
		_, err = tab.Find(id)
		require.ErrorIs(t, err, jobs.ErrUnknown, id)
	}
	assert.ErrorContains(t, tab.Hold(waiting()), "is cancelled")
	assert.Nil(t, tab.Count(&jobs.Record{ID: "elsewhere", Spec: array.Spec}), "it is not here")

	job.Hold = false
	array = take(t, tab, job, "")
	tab.Follow(array, custody.Record{Try: 1, Attempt: custody.Attempt{By: owner, Epoch: 1}})
	assert.Equal(t, map[jobs.State]int{jobs.Accepted: 3}, tab.Count(array), "though the array runs")
	for range 3 {
		assert.NoError(t, tab.Hold(tab.Spawn(array, 9)), "each may be held alone")
	}
	assert.Equal(t, map[jobs.State]int{jobs.Held: 3}, tab.Count(array))
	elsewhere, err := jobs.NewTable(committed{}, clock)
	require.NoError(t, err)
	over := array.Clone()
	over.State, over.Requested = jobs.Succeeded, ""
	over, _, _ = elsewhere.Adopt(over)
	assert.Nil(t, elsewhere.Spawn(over, 9), "it has ended, regardless of this daemon's elements")
	array = take(t, tab, job, "")
	second, err := tab.Find(array.ID + "[2]")
	require.NoError(t, err)
	assert.EqualError(t, tab.Hold(second), "the job cannot be taken: "+second.ID+" has not had its turn; hold the array")
	assert.EqualError(t, tab.Want(second, jobs.Cancelled, ""),
		"the job cannot be taken: "+second.ID+" has not had its turn; cancel the array")
}

// An element that has ended leaves its place once, however often its copies arrive.
func TestAnElementLeavesItsPlaceOnce(t *testing.T) {
	tab, err := jobs.NewTable(committed{}, clock)
	require.NoError(t, err)
	array := take(t, tab, jobs.Spec{Command: []string{"true"}, Array: jobs.Indexes([]int{1, 2, 3}, 1)}, "")
	first := tab.Spawn(array, 9)
	end(tab, first, custody.Cancelled)
	for range 2 {
		later := copyOf(t, first)
		later.Stamp.Number++
		_, fresh, _ := tab.Adopt(later)
		require.True(t, fresh)
	}
	second := tab.Spawn(array, 9)
	require.NotNil(t, second)
	require.Nil(t, tab.Spawn(array, 9), "one at once")
	tab.Remove(second)
	require.Equal(t, []*jobs.Record{first}, tab.Elements(array))
}

// A record that can never fit is kept as it is.
func TestARecordThatCannotFit(t *testing.T) {
	tab, r := toldWith(t, 10, 10)
	require.NoError(t, tab.Want(r, jobs.Failed, strings.Repeat("x", jobs.RecordLimit)))
	assert.Greater(t, len(r.Encode()), jobs.RecordLimit)
	assert.Equal(t, jobs.Rank{Isolation: "cgroup"}, r.Attempts[0].Ranks[0])
}

// Reports of a failed attempt do not keep the job from being tried again.
func TestWhatWasToldOfAnAttemptMakesRoomForTheNext(t *testing.T) {
	_, r := toldWith(t, jobs.RecordLimit/2-1000)
	r.Spec.Retries.OnExit = 1
	r.Attempts[0].Statuses = []jobs.Status{{Code: 1}, {}}
	_, again := r.Again()
	assert.True(t, again)
}

// News of the end of an attempt is not the end of a later one.
func TestEachAttemptHasItsOwnEnd(t *testing.T) {
	at := now
	tab, err := jobs.NewTable(committed{}, func() time.Time { return at })
	require.NoError(t, err)
	r := take(t, tab, spec("true"), "")
	for epoch := uint32(1); epoch < 3; epoch++ {
		at = at.Add(time.Minute)
		tab.Follow(r, decided(epoch))
		at = at.Add(time.Minute)
		if epoch == 1 {
			tab.NoteEnd(r)
		}
		at = at.Add(time.Minute)
		tab.Follow(r, custody.Record{Try: epoch + 1})
	}
	assert.Equal(t, now.Add(2*time.Minute), *r.Attempts[0].End, "when it was noted")
	assert.Equal(t, now.Add(6*time.Minute), *r.Attempts[1].End, "nothing was noted of it")
}

// An array that begins with index 0 ends like any other.
func TestNoElementFollowsTheLast(t *testing.T) {
	tab, err := jobs.NewTable(committed{}, clock)
	require.NoError(t, err)
	array := take(t, tab, jobs.Spec{Command: []string{"true"}, Array: jobs.Indexes([]int{0, 1}, 0)}, "")
	assert.Equal(t, 0, tab.Spawn(array, 9).Index)
	assert.Equal(t, 1, tab.Spawn(array, 9).Index)
	assert.Nil(t, tab.Spawn(array, 9))
}

// How an array ends, by the ends of its elements.
func TestResultsOfArrays(t *testing.T) {
	const one, two = "1 of 3 elements have not succeeded", "2 of 3 elements have not succeeded"
	for name, test := range map[string]struct {
		codes     []int // of its elements: negative, it is cancelled; 0, it succeeds
		requested jobs.State
		result    jobs.State
		why       string
		failed    int
		code      int
	}{
		"all well":   {codes: []int{0, 0, 0}, result: jobs.Succeeded},
		"one failed": {codes: []int{0, 7, 0}, result: jobs.Failed, why: one, failed: 1, code: 7},
		"the first":  {codes: []int{0, 7, 8}, result: jobs.Failed, why: two, failed: 2, code: 7},
		"cancelled":  {codes: []int{-1, 0, 0}, result: jobs.Failed, why: one, failed: 1, code: 130},
		"as was asked": {
			codes: []int{0, 0}, requested: jobs.Cancelled, result: jobs.Cancelled, why: "by its user", failed: 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			at := now
			tab, err := jobs.NewTable(committed{}, func() time.Time { return at })
			require.NoError(t, err)
			job := jobs.Spec{Command: []string{"true"}, Array: jobs.Indexes([]int{1, 2, 3}, 0)}
			array := take(t, tab, job, "")
			for i, code := range test.codes {
				assert.False(t, tab.Settle(array))
				r := tab.Spawn(array, 9)
				assert.Same(t, array, tab.Parent(r))
				assert.False(t, tab.Settle(array), "one has not ended")
				if code < 0 {
					end(tab, r, custody.Cancelled)
					continue
				}
				c := custody.Record{Try: 1, Attempt: custody.Attempt{By: owner, Epoch: 1}, Hosts: []protocol.NodeID{here}}
				tab.Follow(r, c)
				outcome(tab, r, c, jobs.Status{Code: code})
				assert.Len(t, tab.Elements(array), i+1)
			}
			if test.requested != "" {
				require.NoError(t, tab.Want(array, test.requested, "by its user"))
			}
			at = at.Add(time.Hour)
			tab.Puts()
			before := array.Clone()
			assert.True(t, tab.Settle(array))
			want := before.Clone()
			want.Result, want.Why, want.FailedCode, want.Times.Noted = test.result, test.why, test.code, at
			want.Stamp.Number = array.Stamp.Number
			assert.Equal(t, want, array)
			assert.Len(t, tab.Puts(), 1)
			at = at.Add(time.Hour)
			assert.True(t, tab.Settle(array), "once")
			assert.Equal(t, want, array)
			assert.Len(t, tab.FailedIndexes(array), test.failed)
			end(tab, array, custody.Done)
			assert.Equal(t, test.result, array.State)
			assert.True(t, tab.Settle(array), "it keeps its result")
		})
	}
	tab, err := jobs.NewTable(committed{}, clock)
	require.NoError(t, err)
	array := take(t, tab, jobs.Spec{Command: []string{"true"}, Array: jobs.Indexes([]int{1}, 0)}, "")
	end(tab, array, custody.TimedOut)
	before := array.Clone()
	assert.False(t, tab.Settle(array), "it has ended without a result")
	assert.Equal(t, before, array)
}

// Jobs are forgotten once they have ended long ago, or the oldest of too many, and elements with
// their arrays.
func TestWhichJobsAreForgotten(t *testing.T) {
	at := now
	tab, err := jobs.NewTable(committed{}, func() time.Time { return at })
	require.NoError(t, err)
	var all []*jobs.Record
	for i := range 4 {
		r := &jobs.Record{
			ID: fmt.Sprint("j", 3-i), Custody: jobs.Name{By: here, Number: uint32(i * 10)}, Custodians: jobs.Custodians{1},
			Spec: jobs.Spec{Command: []string{"true"}, Tasks: 1},
		}
		if i == 2 {
			r.Spec.Array = jobs.Indexes([]int{1}, 0)
		}
		require.NoError(t, tab.Take(r))
		all = append(all, r)
	}
	element := tab.Spawn(all[2], 1)
	ends := func(r *jobs.Record, after time.Duration) {
		at = now.Add(after)
		end(tab, r, custody.Cancelled)
	}
	ends(element, time.Second)
	ends(all[2], 2*time.Second) // j1
	ends(all[1], 3*time.Second) // j2
	ends(all[0], 3*time.Second) // j3
	ids := func(before time.Duration, most int) (ids []string) {
		for _, r := range tab.Expired(now.Add(before), most) {
			ids = append(ids, r.ID)
		}
		return ids
	}
	assert.Empty(t, ids(2*time.Second, 3))
	assert.Equal(t, []string{"j1"}, ids(2*time.Second+1, 3))
	assert.Equal(t, []string{"j1"}, ids(0, 2))
	assert.Equal(t, []string{"j1", "j2"}, ids(0, 1), "equal times are sorted by name")
	assert.Equal(t, []string{"j1", "j2", "j3"}, ids(time.Hour, 3), "j0 has not ended")
}

// The contents that a job refers to: the inputs of its ranks, and their outputs, except links.
func TestContentsOfAJob(t *testing.T) {
	digests := make([]string, 5)
	for i := range digests {
		digests[i] = strings.Repeat(fmt.Sprint(i), 64)
	}
	r := whole()
	r.Spec.Inputs = []jobs.File{{Path: "a", Digest: digests[0], Size: 10}}
	r.Attempts = []jobs.Attempt{
		{Hosts: make([]protocol.NodeID, 2), Ranks: []jobs.Rank{
			{Outputs: []jobs.File{{Path: "b", Digest: digests[1], Size: 11}}},
			{Outputs: []jobs.File{{Path: "c", Digest: digests[2], Size: 12}, {Path: "l", Link: "c"}}},
		}},
		{Hosts: make([]protocol.NodeID, 1), Ranks: []jobs.Rank{
			{Outputs: []jobs.File{{Path: "d", Digest: digests[3], Size: 13}}},
		}},
	}
	assert.Equal(t, digests[:4], r.Contents())
	r.Spec.Stdin = digests[4]
	assert.ElementsMatch(t, digests, r.Contents())
	sizes := r.Sizes()
	delete(sizes, "") // of the link
	assert.Equal(t, map[string]int64{digests[0]: 10, digests[1]: 11, digests[2]: 12, digests[3]: 13}, sizes)

	tab, err := jobs.NewTable(committed{"b4k2": r.Encode()}, clock)
	require.NoError(t, err)
	other := take(t, tab, jobs.Spec{Command: []string{"true"}, Stdin: strings.Repeat("a", 64)}, "")
	all := tab.Digests()
	assert.Len(t, all, 6)
	for _, d := range append(digests, other.Spec.Stdin) {
		assert.True(t, all[d], d)
	}
}

// A table takes jobs as long as it has room for all elements of its arrays.
func TestATableIsFull(t *testing.T) {
	tab, err := jobs.NewTable(committed{}, clock)
	require.NoError(t, err)
	number := uint32(0)
	try := func(elements int) (*jobs.Record, error) {
		number += jobs.ArrayLimit + 1
		r := &jobs.Record{
			ID: jobs.NewID(), Custody: jobs.Name{By: here, Number: number}, Custodians: jobs.Custodians{1},
			Spec: jobs.Spec{Command: []string{"true"}, Tasks: 1},
		}
		if elements > 0 {
			r.Spec.Array = &jobs.Array{Ranges: []jobs.Range{{Last: elements - 1}}}
		}
		return r, tab.Take(r)
	}
	big, err := try(jobs.ArrayLimit)
	require.NoError(t, err)
	require.NotNil(t, tab.Spawn(big, 1))
	require.NotNil(t, tab.Spawn(big, 2))
	_, err = try(jobs.ArrayLimit - 1)
	require.ErrorIs(t, err, jobs.ErrBusy, "with the two arrays themselves")
	require.ErrorContains(t, err, "200000")
	other, err := try(jobs.ArrayLimit - 3)
	require.NoError(t, err)
	_, err = try(0)
	require.NoError(t, err)
	_, err = try(0)
	require.ErrorIs(t, err, jobs.ErrBusy)
	end(tab, other, custody.Cancelled)
	_, err = try(0)
	require.NoError(t, err, "its elements will not come any more")
	_, err = try(jobs.ArrayLimit)
	require.ErrorIs(t, err, jobs.ErrBusy)
	for _, r := range tab.Kin(big) {
		tab.Remove(r)
	}
	_, err = try(jobs.ArrayLimit)
	require.NoError(t, err, "nothing is left of the first array")

	// An element may be known before its array is.
	fresh, err := jobs.NewTable(committed{}, clock)
	require.NoError(t, err)
	element := whole()
	element.Parent, element.Index, element.Custody.Number = "a", 1, 7
	fresh.Adopt(element)
	take(t, fresh, spec("true"), "")
}

func TestAKeyNamesJobsOfOneCommandAndSize(t *testing.T) {
	tab, err := jobs.NewTable(committed{}, clock)
	require.NoError(t, err)
	take(t, tab, spec("true"), "")
	none, err := tab.Known(spec("true"), "")
	require.NoError(t, err)
	assert.Nil(t, none, "no key names no job")
	r := take(t, tab, spec("true"), "tuesday")
	one := spec("true")
	one.Tasks = 1
	_, err = tab.Known(one, "tuesday")
	require.ErrorIs(t, err, jobs.ErrSpec)
	require.ErrorContains(t, err, `key "tuesday" names job `+r.ID+`, which has another command`)
}

func TestJobsWithOneBeginning(t *testing.T) {
	tab, err := jobs.NewTable(committed{}, clock)
	require.NoError(t, err)
	for _, id := range []string{"ab", "abc", "abd"} {
		takenAs(t, tab, id)
	}
	r, err := tab.Find("ab")
	require.NoError(t, err)
	assert.Equal(t, "ab", r.ID, "a whole id is no beginning")
	_, err = tab.Find("a")
	require.ErrorIs(t, err, jobs.ErrAmbiguous)
	require.ErrorContains(t, err, `3 begin with "a"; give more of the id`)
	_, err = tab.Find("x")
	require.ErrorContains(t, err, `no such job: "x"; canvass status lists them`)
	_, err = tab.Find("a[1]")
	require.ErrorIs(t, err, jobs.ErrAmbiguous)
	for r := range tab.After("") {
		assert.Equal(t, "ab", r.ID)
		break // a caller may have enough
	}
	assert.Equal(t, []string{"ab", "abc", "abd"}, ids(tab.Everything()), "equal times are sorted by name")
}

func ids(all []*jobs.Record) (ids []string) {
	for _, r := range all {
		ids = append(ids, r.ID)
	}
	return ids
}

func TestRemarksAndReasonsAreLimited(t *testing.T) {
	var r jobs.Rank
	for i := range 7 {
		r.Remark(fmt.Sprint("remark ", i))
	}
	assert.Equal(t, []string{"remark 0", "remark 1", "remark 2", "remark 3", "remark 4", "and more"}, r.Remarks)
	var m jobs.Rank
	m.Miss("a", strings.Repeat("x", 200))
	m.Miss("b", strings.Repeat("x", 199)+"ä")
	var long jobs.Rank
	long.Miss("a", strings.Repeat("x", 201))
	assert.Equal(t, strings.Repeat("x", 200)+"…", long.Unkept[0].Why)
	assert.Equal(t, strings.Repeat("x", 200), m.Unkept[0].Why)
	assert.Equal(t, strings.Repeat("x", 199)+"…", m.Unkept[1].Why)
	assert.Contains(t, m.Problem, "; nor is 1 other")
	m.Miss("c", "")
	assert.Contains(t, m.Problem, "; nor are 2 others")
	for range 17 {
		m.Miss("d", "")
	}
	assert.Len(t, m.Unkept, 20)
	assert.Zero(t, m.UnkeptMore)
	m.Miss("e", "")
	assert.Len(t, m.Unkept, 20)
	assert.Equal(t, 1, m.UnkeptMore)
}

func TestBackslashesInPatterns(t *testing.T) {
	assert.Equal(t, "a", jobs.Escape("a"))
	assert.Equal(t, `\*\?\[\\\:]`, jobs.Escape(`*?[\:]`))
	assert.Equal(t, `a\`, jobs.Unescape(`a\`), "one at the end is itself")
	assert.Equal(t, `ab`, jobs.Unescape(`\a\b`))
	assert.True(t, jobs.IsPattern("*"))
	assert.True(t, jobs.IsPattern(`\**`))
	assert.False(t, jobs.IsPattern(`\*`))
	assert.False(t, jobs.MayHold("[", "a"), "no name is like that")
	assert.False(t, jobs.Matches("[", "a"))
	assert.True(t, jobs.MayHold("./out/", "out"))
	_, _, err := jobs.CutInput("[:b")
	assert.ErrorContains(t, err, `input "[:b"; want FROM or FROM:TO`)
	_, _, err = jobs.CutInput("a:../b")
	assert.ErrorContains(t, err, `input "a:../b"; want a name within the working folder after the colon`)
}

// A store that fails while it is read lets no table begin.
func TestAStoreThatFails(t *testing.T) {
	broken := errors.New("broken")
	_, err := jobs.NewTable(failing{broken}, clock)
	require.ErrorIs(t, err, broken)
	assert.True(t, slices.Contains(jobs.States, jobs.Held))
}

type failing struct{ err error }

func (f failing) Each(string, []byte, func(key, value []byte) error) error { return f.err }
