package jobs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/verbatim"
	"github.com/canvass-grid/canvass/protocol"
)

const digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// Each limit of a job is a value that it may have, and the next one is refused by name.
func TestTheLimitsOfAJob(t *testing.T) {
	type change func(*jobs.Spec)
	number := func(n int) *int { return &n }
	for name, test := range map[string]struct {
		least, most, below, above change // nil: there is no such limit
		tooLow, tooHigh           string
	}{
		"tasks": {
			least: func(s *jobs.Spec) { s.Tasks = 1 }, below: func(s *jobs.Spec) { s.Tasks = -1 },
			most: func(s *jobs.Spec) { s.Tasks = 4095 }, above: func(s *jobs.Spec) { s.Tasks = 4096 },
			tooLow: "-1 tasks; want 1 to 4095", tooHigh: "4096 tasks; want 1 to 4095",
		},
		"time-out": {
			below:  func(s *jobs.Spec) { s.Timeout, s.Deadline = -time.Second, time.Minute },
			tooLow: "a time-out of -1s; want a positive one, or none",
		},
		"deadline": {
			below:  func(s *jobs.Spec) { s.Timeout, s.Deadline = time.Minute, -time.Second },
			tooLow: "a deadline of -1s; want a positive one, or none",
		},
		"retries": {
			below: func(s *jobs.Spec) { s.Retries.OnExit = -1 }, above: func(s *jobs.Spec) { s.Retries.OnExit = 1001 },
			least: func(s *jobs.Spec) { s.Retries.OnExit = 0 }, most: func(s *jobs.Spec) { s.Retries.OnExit = 1000 },
			tooLow: "-1 retries; want 0 to 1000", tooHigh: "1001 retries; want 0 to 1000",
		},
		"back-off": {
			below:  func(s *jobs.Spec) { s.Retries.BackoffMin = -time.Second },
			above:  func(s *jobs.Spec) { s.Retries.BackoffMin, s.Retries.BackoffMax = 2*time.Second, time.Second },
			most:   func(s *jobs.Spec) { s.Retries.BackoffMin, s.Retries.BackoffMax = time.Second, time.Second },
			tooLow: "a back-off of -1s..0s", tooHigh: "a back-off of 2s..1s; want a shorter time before a longer one",
		},
		"codes": {
			least:  func(s *jobs.Spec) { s.Retries.Codes = []int{1} },
			below:  func(s *jobs.Spec) { s.Retries.Codes = []int{7, 0} },
			most:   func(s *jobs.Spec) { s.Retries.Codes = []int{255} },
			above:  func(s *jobs.Spec) { s.Retries.Codes = []int{256} },
			tooLow: "retries on the codes [7 0]; want 1 to 255", tooHigh: "retries on the codes [256]; want 1 to 255",
		},
		"restarts": {
			least: func(s *jobs.Spec) { s.RestartLimit = number(0) },
			below: func(s *jobs.Spec) { s.RestartLimit = number(-1) },
			most:  func(s *jobs.Spec) { s.RestartLimit = number(1000) },
			above: func(s *jobs.Spec) { s.RestartLimit = number(1001) },

			tooLow: "a restart limit of -1; want 0 to 1000", tooHigh: "a restart limit of 1001; want 0 to 1000",
		},
		"grace": {
			below:  func(s *jobs.Spec) { s.Kill.Grace = -time.Second },
			most:   func(s *jobs.Spec) { s.Kill.Grace = 10 * time.Minute },
			above:  func(s *jobs.Spec) { s.Kill.Grace = 10*time.Minute + 1 },
			tooLow: "a grace of -1s; want 0 to 10m0s", tooHigh: "want 0 to 10m0s",
		},
		"output": {
			below:  func(s *jobs.Spec) { s.OutputLimit = -1 },
			most:   func(s *jobs.Spec) { s.OutputLimit = 1 << 40 },
			above:  func(s *jobs.Spec) { s.OutputLimit = 1<<40 + 1 },
			tooLow: "a limit of -1 bytes of output; want 1 to 1099511627776", tooHigh: "a limit of 1099511627777 bytes",
		},
		"inputs": {
			most:    func(s *jobs.Spec) { s.Inputs = files(1000) },
			above:   func(s *jobs.Spec) { s.Inputs = files(1001) },
			tooHigh: "1001 inputs and 0 patterns of outputs; 1000 are the limit",
		},
		"outputs": {
			most:    func(s *jobs.Spec) { s.Outputs = strings.Split(strings.Repeat("x", 1000), "") },
			above:   func(s *jobs.Spec) { s.Outputs = strings.Split(strings.Repeat("x", 1001), "") },
			tooHigh: "0 inputs and 1001 patterns of outputs; 1000 are the limit",
		},
		"file": {
			below:  func(s *jobs.Spec) { s.Inputs = files(1); s.Inputs[0].Size = -1 },
			least:  func(s *jobs.Spec) { s.Inputs = files(1); s.Inputs[0].Size = 0 },
			most:   func(s *jobs.Spec) { s.Inputs = files(1); s.Inputs[0].Size = 16 << 30 },
			above:  func(s *jobs.Spec) { s.Inputs = files(1); s.Inputs[0].Size = 16<<30 + 1 },
			tooLow: `file "f0" has -1 bytes; 17179869184 are the limit`, tooHigh: `file "f0" has 17179869185 bytes`,
		},
		"stdin": {
			most:    func(s *jobs.Spec) { s.Tasks, s.Stdin = 1, digest },
			above:   func(s *jobs.Spec) { s.Tasks, s.Stdin = 2, digest },
			tooHigh: "standard input for 2 tasks; only a job of one task can read it",
		},
		"name": {
			most:    func(s *jobs.Spec) { s.Name = strings.Repeat("a", 64) },
			above:   func(s *jobs.Spec) { s.Name = strings.Repeat("a", 65) },
			tooHigh: `name "` + strings.Repeat("a", 65) + `"; want 1 to 64 of a-z, 0-9 and -`,
		},
	} {
		try := func(change change, want string) {
			if change == nil {
				return
			}
			s := jobs.Spec{Command: []string{"true"}}
			change(&s)
			err := s.Validate()
			if want == "" {
				assert.NoError(t, err, name)
				return
			}
			assert.ErrorIs(t, err, jobs.ErrSpec, name)
			assert.ErrorContains(t, err, want, name)
		}
		try(test.least, "")
		try(test.most, "")
		try(test.below, test.tooLow)
		try(test.above, test.tooHigh)
	}
}

// files are inputs of a job.
func files(n int) (all []jobs.File) {
	for i := range n {
		all = append(all, jobs.File{Path: verbatim.Text(fmt.Sprint("f", i)), Digest: digest[:64-4] + fmt.Sprintf("%04x", i)})
	}
	return all
}

// A job as large as a frame takes is accepted, and a job that is a byte larger is not.
func TestTheLargestJob(t *testing.T) {
	s := jobs.Spec{Command: []string{"true", ""}}
	require.NoError(t, s.Validate())
	empty := len((&jobs.Record{Spec: s}).Encode()) - len((&jobs.Record{}).Encode()) +
		len(`{"command":null,"tasks":0}`)
	s.Command[1] = strings.Repeat("x", jobs.SpecLimit-empty)
	require.NoError(t, s.Validate())
	s.Command[1] += "x"
	require.ErrorIs(t, s.Validate(), jobs.ErrSpec)
}

// The error names the refused part.
func TestRefusedJobsNameWhatIsWrong(t *testing.T) {
	index, good := 1, jobs.File{Path: "a", Digest: digest}
	for want, s := range map[string]jobs.Spec{
		"no command; give one after --":               {Command: []string{""}},
		"environment \"A=b\\x00\"; want NAME=VALUE":   {Command: []string{"x"}, Env: []string{"A=b\x00"}},
		`name "Über"; want 1 to 64 of a-z, 0-9 and -`: {Command: []string{"x"}, Name: "Über"},
		`signal "STOP"; want one of TERM, INT, HUP, QUIT, USR1, USR2, KILL`: {
			Command: []string{"x"}, Kill: jobs.Kill{Signal: "STOP"},
		},
		"an index; only the elements of an array have one": {Command: []string{"x"}, Index: &index},
		"standard input for an array; give its elements an input file": {
			Command: []string{"x"}, Stdin: digest, Array: jobs.Indexes([]int{1}, 0),
		},
		"an array without indexes, or 0 elements at once": {Command: []string{"x"}, Array: &jobs.Array{}},
		"an array without indexes, or -2 elements at once": {
			Command: []string{"x"}, Array: &jobs.Array{Ranges: []jobs.Range{{}}, AtOnce: -2},
		},
		"an array of 3-1; want indexes from 0, the smaller one first": {
			Command: []string{"x"}, Array: &jobs.Array{Ranges: []jobs.Range{{First: 3, Last: 1}}},
		},
		"an array of -1-1; want indexes from 0": {
			Command: []string{"x"}, Array: &jobs.Array{Ranges: []jobs.Range{{First: -1, Last: 1}}},
		},
		"an array of -3--1; want indexes from 0": {
			Command: []string{"x"}, Array: &jobs.Array{Ranges: []jobs.Range{{First: -3, Last: -1}}},
		},
		"an array with the index 4 twice": {
			Command: []string{"x"}, Array: &jobs.Array{Ranges: []jobs.Range{{First: 4, Last: 6}, {First: 0, Last: 4}}},
		},
		"an array of more than 100000 elements": {
			Command: []string{"x"}, Array: &jobs.Array{Ranges: []jobs.Range{{Last: 49_999}, {First: 60_000, Last: 110_000}}},
		},
		`standard input with the digest "abc"; want 64 hexadecimal digits`: {Command: []string{"x"}, Stdin: "abc"},
		`file "."; want a name within the working folder`: {
			Command: []string{"x"}, Inputs: []jobs.File{{Path: ".", Digest: digest}},
		},
		`file "a" has the digest "` + digest[2:] + `"; want 64 hexadecimal digits`: {
			Command: []string{"x"}, Inputs: []jobs.File{{Path: "a", Digest: digest[2:]}},
		},
		`file "a" has the digest "` + digest[1:] + `g"; want 64 hexadecimal digits`: {
			Command: []string{"x"}, Inputs: []jobs.File{{Path: "a", Digest: digest[1:] + "g"}},
		},
		`file "a" has the digest "` + digest + `0"; want 64 hexadecimal digits`: {
			Command: []string{"x"}, Inputs: []jobs.File{{Path: "a", Digest: digest + "0"}},
		},
		`two inputs are called "a"`:                {Command: []string{"x"}, Inputs: []jobs.File{good, good}},
		`pattern "[": syntax error in pattern`:     {Command: []string{"x"}, Outputs: []string{"["}},
		`pattern "/a"; want one within the folder`: {Command: []string{"x"}, Outputs: []string{"b", "/a"}},
	} {
		err := s.Validate()
		assert.ErrorIs(t, err, jobs.ErrSpec, want)
		assert.ErrorContains(t, err, want)
	}
	assert.ErrorContains(t, jobs.CheckKey("k\xe9"), `key "k\xe9"; want UTF-8`)
	largest := jobs.Spec{
		Command: []string{"x"}, Array: &jobs.Array{Ranges: []jobs.Range{{Last: 49_999}, {First: 60_000, Last: 109_999}}},
	}
	assert.NoError(t, largest.Validate())
}

func TestGraceOfTasks(t *testing.T) {
	assert.Equal(t, jobs.Grace, (&jobs.Spec{}).GraceOf())
	assert.Equal(t, time.Minute, (&jobs.Spec{Kill: jobs.Kill{Grace: time.Minute}}).GraceOf())
}

// The indexes of an array are those of its text, in its own order.
func TestArraysHaveTheIndexesOfTheirText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type span struct{ first, last int }
		spans := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) span {
			return span{rapid.IntRange(0, 30).Draw(t, "first"), rapid.IntRange(0, 30).Draw(t, "last")}
		}), 1, 4).Draw(t, "ranges")
		atOnce := rapid.IntRange(0, 12).Draw(t, "at once")
		var words []string
		var want []int
		valid, seen := true, map[int]bool{}
		for _, s := range spans {
			word := fmt.Sprint(s.first)
			if s.last != s.first {
				word += fmt.Sprint("-", s.last)
			}
			words = append(words, word)
			valid = valid && s.first <= s.last
			for i := s.first; i <= s.last; i++ {
				valid = valid && !seen[i]
				seen[i], want = true, append(want, i)
			}
		}
		text := strings.Join(words, ",")
		if atOnce > 0 {
			text += fmt.Sprint("%", atOnce)
		}
		a, err := jobs.ParseArray(text)
		require.Equal(t, valid, err == nil, "%s: %v", text, err)
		if !valid {
			return
		}
		require.Equal(t, text, a.String())
		require.Equal(t, atOnce, a.AtOnce)
		require.Equal(t, len(want), a.Size())
		for n, index := range want {
			at, is := a.At(n)
			require.True(t, is)
			require.Equal(t, index, at, "%s at %d", text, n)
		}
		for index := range 32 {
			require.Equal(t, seen[index], a.Has(index), "%s has %d", text, index)
		}
	})
	a, err := jobs.ParseArray("8-9,0,2-6")
	require.NoError(t, err)
	for n, index := range []int{8, 9, 0, 2, 3, 4, 5, 6} {
		at, is := a.At(n)
		assert.True(t, is)
		assert.Equal(t, index, at)
	}
	for _, n := range []int{-1, 8} {
		at, is := a.At(n)
		assert.False(t, is)
		assert.LessOrEqual(t, at, 9)
	}
	for text, want := range map[string]string{
		"0-3%99999999999999999999": `array "0-3%99999999999999999999": "99999999999999999999" elements at once; ` +
			`want a number from 1`,
		"0-3%0":      `"0" elements at once`,
		"0-":         `array: "0-" is no index and no range; want indexes such as 0-99 or 1,5,7-9`,
		"0-x":        `array: "0-x" is no index`,
		"2147483648": `array: "2147483648" is no index`,
	} {
		_, err := jobs.ParseArray(text)
		require.ErrorContains(t, err, want, text)
	}
	a, err = jobs.ParseArray("2147483646-2147483647%1")
	require.NoError(t, err)
	assert.Equal(t, jobs.Array{Ranges: []jobs.Range{{First: 2147483646, Last: 2147483647}}, AtOnce: 1}, *a)
}

func TestExitCodesOfEnds(t *testing.T) {
	for _, test := range []struct {
		r    jobs.Record
		want int
	}{
		{jobs.Record{State: jobs.Cancelled}, 130},
		{jobs.Record{State: jobs.TimedOut}, 124},
		{jobs.Record{State: jobs.Unplaced}, 254},
		{jobs.Record{State: jobs.Failed}, 253},
		{jobs.Record{State: jobs.Failed, Tries: 9}, 253},
		{jobs.Record{State: jobs.Failed, FailedCode: 7, Tries: 9}, 7},
		{jobs.Record{State: jobs.Succeeded, FailedCode: 7}, 0},
	} {
		assert.Equal(t, test.want, test.r.ExitCode(), "%+v", test.r)
	}
}

// A rank that failed by itself is found, and nothing else is.
func TestTheRankThatFailed(t *testing.T) {
	for _, test := range []struct {
		attempts []jobs.Attempt
		rank     int
		failed   bool
	}{
		{nil, 0, false},
		{[]jobs.Attempt{{Statuses: []jobs.Status{{}, {}}}}, 0, false},
		{[]jobs.Attempt{{Statuses: []jobs.Status{{Code: 1}, {}}}, {Statuses: []jobs.Status{{}, {Code: 2}}}}, 1, true},
		{[]jobs.Attempt{{Statuses: []jobs.Status{{Code: 1}, {}}}, {}}, 0, false},
	} {
		rank, s, failed := (&jobs.Record{Attempts: test.attempts}).Failing()
		assert.Equal(t, test.rank, rank)
		assert.Equal(t, test.failed, failed)
		assert.Equal(t, test.failed, s != jobs.Status{})
	}
}

// When a job that has failed is tried again, and after which pause.
func TestPausesBetweenTries(t *testing.T) {
	failures := func(n int) (all []jobs.Attempt) {
		for range n {
			all = append(all, jobs.Attempt{Statuses: []jobs.Status{{Code: 3}}}, jobs.Attempt{},
				jobs.Attempt{Statuses: []jobs.Status{{Halted: true}}})
		}
		return append(all[:len(all)-3], jobs.Attempt{Statuses: []jobs.Status{{Code: 3}}})
	}
	for _, test := range []struct {
		retries  jobs.Retries
		attempts []jobs.Attempt
		pause    time.Duration
		again    bool
	}{
		{jobs.Retries{OnExit: 9}, failures(1), time.Second, true},
		{jobs.Retries{OnExit: 9}, failures(2), 2 * time.Second, true},
		{jobs.Retries{OnExit: 9}, failures(9), time.Minute, true},
		{jobs.Retries{OnExit: 999}, failures(500), time.Minute, true},
		{jobs.Retries{OnExit: 8}, failures(9), 0, false},
		{jobs.Retries{}, failures(1), 0, false},
		{jobs.Retries{OnExit: 9, BackoffMax: time.Hour}, failures(3), 0, true},
		{jobs.Retries{OnExit: 9, BackoffMin: 40 * time.Second, BackoffMax: time.Minute}, failures(1), 40 * time.Second, true},
		{jobs.Retries{OnExit: 9, BackoffMin: 40 * time.Second, BackoffMax: time.Minute}, failures(2), time.Minute, true},
		{jobs.Retries{OnExit: 9, Codes: []int{4}}, failures(1), 0, false},
		{jobs.Retries{OnExit: 9}, []jobs.Attempt{{Statuses: []jobs.Status{{Unfit: true}}}}, 0, false},
		{ // a task that could not start somewhere has not failed
			jobs.Retries{OnExit: 1},
			[]jobs.Attempt{{Statuses: []jobs.Status{{Unfit: true}}}, {Statuses: []jobs.Status{{Code: 1}}}}, time.Second, true,
		},
		{jobs.Retries{OnExit: 9}, []jobs.Attempt{{Statuses: []jobs.Status{{}}}}, 0, false},
	} {
		r := jobs.Record{Spec: jobs.Spec{Retries: test.retries}, Attempts: test.attempts}
		pause, again := r.Again()
		assert.Equal(t, test.pause, pause, "%+v", test.retries)
		assert.Equal(t, test.again, again, "%+v", test.retries)
	}
	end := now
	over := jobs.Attempt{End: &end, Statuses: []jobs.Status{{Code: 3}}}
	open := jobs.Attempt{Statuses: []jobs.Status{{Code: 3}}}
	rests := func(s jobs.State, a jobs.Attempt) time.Duration {
		r := jobs.Record{State: s, Spec: jobs.Spec{Retries: jobs.Retries{OnExit: 9}}, Attempts: []jobs.Attempt{a}}
		return r.Rest(now)
	}
	assert.Equal(t, time.Second, rests(jobs.Accepted, over))
	assert.Zero(t, rests(jobs.Failed, over))
	assert.Zero(t, rests(jobs.Accepted, open))
}

// Attempts are lost that have ended without an outcome. More than twenty are too many, unless the
// job says otherwise, and the custodians allow for all of them.
func TestAttemptsThatNodesMayLose(t *testing.T) {
	end := now
	r := jobs.Record{Spec: jobs.Spec{Retries: jobs.Retries{OnExit: 5}}}
	r.Attempts = []jobs.Attempt{{End: &end, Statuses: []jobs.Status{{Code: 1}}}}
	assert.Zero(t, r.Lost(), "that one has failed")
	for n := range 21 {
		assert.Equal(t, n, r.Lost())
		assert.False(t, r.Exhausted())
		r.Attempts = append(r.Attempts, jobs.Attempt{End: &end})
	}
	assert.True(t, r.Exhausted())
	r.Attempts[len(r.Attempts)-1].End = nil
	assert.Equal(t, 20, r.Lost(), "it runs")
	assert.GreaterOrEqual(t, r.Limit(), uint32(5+20+1), "retries, losses and the first attempt")
	assert.Less(t, r.Limit(), uint32(100))
	three := 3
	r.Spec.RestartLimit = &three
	assert.True(t, r.Exhausted())
	r.Spec.Array = jobs.Indexes([]int{1}, 0)
	assert.EqualValues(t, 1<<32-1, r.Limit(), "coordinators of an array may be lost without end")
}

func TestNamesOfJobs(t *testing.T) {
	name := jobs.Name{By: here, Number: 2}
	assert.True(t, name.Replaces(jobs.Name{By: here, Number: 1}))
	assert.False(t, name.Replaces(name))
	assert.False(t, name.Replaces(jobs.Name{By: owner, Number: 1}), "of another daemon")
	for range 20 {
		assert.Regexp(t, `^[a-z2-7]{13}$`, jobs.NewID())
	}
}

func TestCustodiansAreNamesOfNodes(t *testing.T) {
	c := jobs.Custodians{1, 3}
	assert.Equal(t, []protocol.NodeID{{Address: 1, Incarnation: 1}, {Address: 3, Incarnation: 1}}, c.Nodes())
	text, err := c.MarshalJSON()
	require.NoError(t, err)
	back := jobs.Custodians{7}
	require.NoError(t, back.UnmarshalJSON(text))
	assert.Equal(t, c, back)
	require.Error(t, back.UnmarshalJSON([]byte(`[1`)))
	require.Error(t, back.UnmarshalJSON([]byte(`["D", 1]`)))
	assert.Equal(t, c, back, "it is as it was")
}

// Each limit of the record of another daemon is a value that it may have, and the next one is
// refused.
func TestTheLimitsOfARecord(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	told := func(change func(*jobs.Rank)) func(*jobs.Record) {
		return func(r *jobs.Record) {
			r.Attempts = []jobs.Attempt{{Hosts: []protocol.NodeID{here}, Ranks: make([]jobs.Rank, 1)}}
			change(&r.Attempts[0].Ranks[0])
		}
	}
	outputs := func(n int) func(*jobs.Record) {
		return told(func(r *jobs.Rank) { r.Outputs = files(n) })
	}
	texts := func(stderr int) func(*jobs.Record) {
		return told(func(r *jobs.Rank) {
			r.Isolation, r.Problem, r.Lost, r.Remarks = long(1000), long(1000), long(1000), []string{long(1000)}
			r.Lacking = make(jobs.Custodians, 100)
			r.Unkept = []jobs.Unkept{{Path: verbatim.Text(long(1000)), Why: long(1000)}}
			r.Stderr = long(stderr)
		})
	}
	of := func(parent string, index int, at *int) func(*jobs.Record) {
		return func(r *jobs.Record) {
			r.Parent, r.Index, r.Spec.Index, r.ID = parent, index, at, jobs.ElementID("a", 3)
		}
	}
	three, minus := 3, -1
	for name, test := range map[string]struct{ good, bad func(*jobs.Record) }{
		"id": {func(r *jobs.Record) { r.ID = long(64) }, func(r *jobs.Record) { r.ID, r.Asked = long(65), &jobs.Attempt{} }},
		"result": {
			func(r *jobs.Record) { r.Result = jobs.Failed }, func(r *jobs.Record) { r.Result = jobs.Running },
		},
		"hosts": {
			func(r *jobs.Record) { r.Attempts = []jobs.Attempt{{Hosts: make([]protocol.NodeID, 4095)}} },
			func(r *jobs.Record) { r.Attempts = []jobs.Attempt{{Hosts: make([]protocol.NodeID, 4096)}} },
		},
		"outputs": {outputs(1000), outputs(1001)},
		"texts":   {texts(32<<10 - 6100), texts(32<<10 - 6099)},
		"unkept": {
			told(func(r *jobs.Rank) { r.Unkept = make([]jobs.Unkept, 20) }),
			told(func(r *jobs.Rank) { r.Unkept = make([]jobs.Unkept, 21) }),
		},
		"remarks": {
			told(func(r *jobs.Rank) { r.Remarks = make([]string, 6) }),
			told(func(r *jobs.Rank) { r.Remarks = make([]string, 7) }),
		},
		"key":     {func(r *jobs.Record) { r.Key = long(256) }, func(r *jobs.Record) { r.Key = long(257) }},
		"element": {of("a", 3, &three), of("a", 2, &three)},
		"element by another name": {of("a", 3, &three), func(r *jobs.Record) {
			of("a", 2, &three)(r)
			r.ID = "a[2]"
		}},
		"element of nothing to run": {of("a", 3, &three), func(r *jobs.Record) {
			of("a", 3, &three)(r)
			r.Spec.Command = []string{"a\x00"}
		}},
		"element of another array": {of("a", 3, &three), of("b", 3, &three)},
		"element of none":          {of("a", 3, &three), of("", 3, nil)},
		"element before the first": {of("a", 3, &three), func(r *jobs.Record) {
			r.Parent, r.Index, r.Spec.Index, r.ID = "a", -1, &minus, "a[-1]"
		}},
		"element that is an array": {of("a", 3, &three), func(r *jobs.Record) {
			of("a", 3, &three)(r)
			r.Spec.Array = jobs.Indexes([]int{1}, 0)
		}},
		"first element": {func(r *jobs.Record) {
			r.Parent, r.Index, r.Spec.Index, r.ID = "a", 0, new(int), "a[0]"
		}, of("", 3, &three)},
	} {
		r := whole()
		test.good(r)
		_, err := jobs.Decode(r.Encode())
		require.NoError(t, err, name)
		r = whole()
		test.bad(r)
		_, err = jobs.Decode(r.Encode())
		require.ErrorIs(t, err, jobs.ErrRecord, name)
		require.ErrorContains(t, err, "not a record of a job: job ", name)
		require.NotContains(t, strings.TrimPrefix(err.Error(), "not a record of a job"), "not a record", name)
	}
	for want, change := range map[string]func(*jobs.Record){
		`job "b4k2": the state "done", to become "failed""running"`: func(r *jobs.Record) {
			r.State, r.Requested, r.Result = "done", jobs.Failed, jobs.Running
		},
		`job "a[3]": an index 2 of array "a"`:      of("a", 2, &three),
		`rank 0: 1001 outputs; 1000 are the limit`: outputs(1001),
		`job "b4k2": the job cannot be taken: no command; give one after --`: func(r *jobs.Record) {
			r.Spec.Array, r.Spec.Command = jobs.Indexes([]int{1}, 0), nil
		},
	} {
		r := whole()
		change(r)
		require.ErrorContains(t, r.Check(), want)
	}
	r := whole()
	r.Version = 3
	assert.EqualError(t, r.Check(), "not a record of a job: it has version 3, this build reads 2")
	assert.ErrorContains(t, jobs.CheckKey(long(257)), "a key of 257 bytes; want at most 256")
	s := jobs.Spec{Command: []string{"true"}, Inputs: []jobs.File{{Path: "a", Link: "b"}}}
	assert.ErrorContains(t, s.Validate(), `file "a" is no regular file`)
	element := whole()
	of("a", 3, &three)(element)
	assert.Equal(t, &three, element.Summary().Spec.Index)
	for range jobs.Indexes([]int{1, 2}, 0).All {
		break // a caller may have enough
	}
}

// A job is taken whose record fits, and a copy belongs to one job.
func TestJobsThatCannotBeKept(t *testing.T) {
	tab, err := jobs.NewTable(committed{}, clock)
	require.NoError(t, err)
	r := whole()
	r.ID = jobs.NewID()
	r.User = strings.Repeat("u", jobs.RecordLimit-len(r.Encode())-len(`,"user":""`))
	require.Len(t, r.Encode(), jobs.RecordLimit)
	long := r.Clone()
	long.User += "u"
	require.EqualError(t, tab.Take(long),
		"the job cannot be taken: its record takes 229377 bytes; 229376 are the limit")
	require.NoError(t, tab.Take(r))

	r = takenAs(t, tab, "a")
	for want, change := range map[string]func(*jobs.Record){
		`it is of job "b", and another copy of it is of job "a"`: func(r *jobs.Record) { r.ID = "b" },
		`it is of job "a", and another copy of it is of job "a"`: func(r *jobs.Record) { r.Parent = "x" },
		`it is of job "a", and another copy of it is of job "a" `: func(r *jobs.Record) {
			r.Spec.Array = jobs.Indexes([]int{1}, 0)
		},
	} {
		other := r.Clone()
		other.Stamp.Number++
		change(other)
		_, _, err := tab.Adopt(other)
		require.ErrorIs(t, err, jobs.ErrRecord)
		require.ErrorContains(t, err, strings.TrimSpace(want))
	}
	for size, want := range map[int]int{2048: 2048, 2049: 2048 + len("…")} {
		tab.Noted(r, strings.Repeat("x", size))
		assert.Len(t, r.Note, want)
	}
}
