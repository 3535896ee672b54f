package workload_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/workload"
)

const s = scheduler.Second

// ten is a workload that can be checked by hand: submissions at 0, 10, 20, 21, 22, 50, 51, 53, 54
// and 100 s, sizes 1 to 10 in order, partitions 1 to 3 in turn, 10 s of run time, 30 s requested.
func ten() *scheduler.Workload {
	w := &scheduler.Workload{Name: "ten", Digest: "0123456789abcdef", Nodes: 16}
	for i, at := range []int64{0, 10, 20, 21, 22, 50, 51, 53, 54, 100} {
		w.Jobs = append(w.Jobs, scheduler.Job{
			Number: int64(i) + 101, SubmitMicros: at * s, RunMicros: 10 * s, RequestMicros: 30 * s,
			EstimateMicros: scheduler.Unknown, WaitMicros: 5 * s, Nodes: i + 1, Partition: int64(i%3) + 1,
		})
	}
	return w
}

func numbers(w *scheduler.Workload) (list []int64) {
	for _, j := range w.Jobs {
		list = append(list, j.Number-100)
	}
	return list
}

func submissions(w *scheduler.Workload) (list []int64) {
	for _, j := range w.Jobs {
		list = append(list, j.SubmitMicros)
	}
	return list
}

func sizes(w *scheduler.Workload) (list []int) {
	for _, j := range w.Jobs {
		list = append(list, j.Nodes)
	}
	return list
}

func selected(t *testing.T, selection string) *scheduler.Workload {
	t.Helper()
	given := ten()
	w, err := workload.Select(given, selection, 16, 1)
	require.NoError(t, err)
	assert.Equal(t, ten(), given, "a selection changes a copy")
	return w
}

func TestWhichJobsAStepKeeps(t *testing.T) {
	for _, c := range []struct {
		selection string
		jobs      []int64
		starts    int64 // the first submission, in seconds
		changes   []scheduler.Change
	}{
		{"", []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0, nil},
		{"filter:parallel", []int64{2, 3, 4, 5, 6, 7, 8, 9, 10}, 10,
			[]scheduler.Change{{What: "left out by filter:parallel", Jobs: 1}}},
		{"filter:size<=3", []int64{1, 2, 3}, 0, []scheduler.Change{{What: "left out by filter:size<=3", Jobs: 7}}},
		{"filter:cluster=3", []int64{3, 6, 9}, 20, []scheduler.Change{{What: "left out by filter:cluster=3", Jobs: 7}}},
		{"head:10", []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0, nil},
		{"head:2", []int64{1, 2}, 0, []scheduler.Change{{What: "left out by head:2", Jobs: 8}}},
		{"window:densest:3", []int64{3, 4, 5}, 0, []scheduler.Change{
			{What: "left out by window:densest:3", Jobs: 7},
			{What: "moved by window:densest:3 to a clock that begins with the window", Jobs: 3},
		}},
		{"window:densest:4", []int64{6, 7, 8, 9}, 0, []scheduler.Change{
			{What: "left out by window:densest:4", Jobs: 6},
			{What: "moved by window:densest:4 to a clock that begins with the window", Jobs: 4},
		}},
		// The last window counts, too.
		{"head:4,window:densest:2", []int64{3, 4}, 0, []scheduler.Change{
			{What: "left out by head:4", Jobs: 6}, {What: "left out by window:densest:2", Jobs: 2},
			{What: "moved by window:densest:2 to a clock that begins with the window", Jobs: 2},
		}},
		{"window:densest:1", []int64{1}, 0, []scheduler.Change{{What: "left out by window:densest:1", Jobs: 9}}},
		{"window:densest:10", []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0, nil},
		{"window:densest:9:parallel", []int64{2, 3, 4, 5, 6, 7, 8, 9, 10}, 0, []scheduler.Change{
			{What: "left out by window:densest:9:parallel", Jobs: 1},
			{What: "moved by window:densest:9:parallel to a clock that begins with the window", Jobs: 9},
		}},
		// A window of 4 s from 50 s on would end at the submission at 54 s, which is outside.
		{"window:busiest:4", []int64{3, 4, 5}, 0, []scheduler.Change{
			{What: "left out by window:busiest:4", Jobs: 7},
			{What: "moved by window:busiest:4 to a clock that begins with the window", Jobs: 3},
		}},
		{"window:busiest:4.001", []int64{6, 7, 8, 9}, 0, []scheduler.Change{
			{What: "left out by window:busiest:4.001", Jobs: 6},
			{What: "moved by window:busiest:4.001 to a clock that begins with the window", Jobs: 4},
		}},
		{"window:busiest:100", []int64{1, 2, 3, 4, 5, 6, 7, 8, 9}, 0,
			[]scheduler.Change{{What: "left out by window:busiest:100", Jobs: 1}}},
		{"window:busiest:1d", []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0,
			[]scheduler.Change{{What: "kept by window:busiest:1d, which is longer than the log", Jobs: 10}}},
		{" filter:size<=8 , head:7,filter:parallel", []int64{2, 3, 4, 5, 6, 7}, 10, []scheduler.Change{
			{What: "left out by filter:size<=8", Jobs: 2}, {What: "left out by head:7", Jobs: 1},
			{What: "left out by filter:parallel", Jobs: 1},
		}},
	} {
		t.Run(c.selection, func(t *testing.T) {
			w := selected(t, c.selection)
			assert.Equal(t, c.jobs, numbers(w))
			assert.Equal(t, c.starts*s, w.Jobs[0].SubmitMicros)
			assert.Equal(t, c.changes, w.Changes)
			assert.Equal(t, []any{"ten", "0123456789abcdef", 16}, []any{w.Name, w.Digest, w.Nodes})
		})
	}
}

func TestTimesBetweenSubmissions(t *testing.T) {
	for _, c := range []struct {
		selection string
		want      []int64
	}{
		{"head:4,compress:to=42", []int64{0, 20 * s, 40 * s, 42 * s}},
		{"head:4,compress:to=3ms", []int64{0, 1429, 2857, 3000}}, // 1428.57 and 2857.14
		{"head:4,compress:to=0.7m", []int64{0, 20 * s, 40 * s, 42 * s}},
		{"head:4,compress:by=0.5", []int64{0, 20 * s, 40 * s, 42 * s}},
		{"head:3,compress:by=3", []int64{0, 3_333_333, 6_666_667}},
		{"head:2,compress:by=16000000", []int64{0, 1}}, // 0.625
		{"head:2,compress:by=20000000", []int64{0, 1}}, // 0.5 goes up
		{"head:2,compress:by=20000001", []int64{0, 0}}, // just below
		{"filter:size<=5,filter:parallel,compress:by=2", []int64{10 * s, 15 * s, 15*s + s/2, 16 * s}},
		// Area (1+2+3+4) x 10 s = 100 node-seconds on 16 nodes: at load 0.5 they span 12.5 s.
		{"head:4,load:to=0.5", []int64{0, 5_952_381, 11_904_762, 12_500_000}},
	} {
		w := selected(t, c.selection)
		assert.Equal(t, c.want, submissions(w), c.selection)
		for _, j := range w.Jobs {
			assert.Equal(t, []int64{10 * s, 30 * s, 5 * s}, []int64{j.RunMicros, j.RequestMicros, j.WaitMicros}, c.selection)
		}
	}
	w := selected(t, "compress:to=12h")
	assert.Equal(t, 12*3600*s, w.SpanMicros())
	assert.Equal(t, []scheduler.Change{{What: "submission rescaled by compress:to=12h", Jobs: 10}}, w.Changes)
}

func TestRunsScaleWithRequests(t *testing.T) {
	given := ten()
	given.Jobs[0].RunMicros = 0
	given.Jobs[1].RequestMicros = scheduler.Unknown
	given.Jobs[2].RunMicros = 1
	given.Jobs[3].EstimateMicros = 20 * s
	w, err := workload.Select(given, "runs:by=0.25", 0, 1)
	require.NoError(t, err)
	type times struct{ run, request, estimate int64 }
	var got []times
	for _, j := range w.Jobs[:5] {
		got = append(got, times{j.RunMicros, j.RequestMicros, j.EstimateMicros})
	}
	assert.Equal(t, []times{
		{0, 7_500_000, -1}, {2_500_000, -1, -1}, {1, 7_500_000, -1}, {2_500_000, 7_500_000, 5 * s},
		{2_500_000, 7_500_000, -1},
	}, got)
	assert.Equal(t, submissions(given), submissions(w))
	assert.Equal(t, []scheduler.Change{{What: "run time scaled by runs:by=0.25", Jobs: 10}}, w.Changes)
}

func TestFold(t *testing.T) {
	assert.Equal(t, []int{1, 1, 2, 2, 3, 3, 4, 4, 5, 5}, sizes(selected(t, "fold:2")))
	assert.Equal(t, []int{1, 1, 2, 2, 2, 3, 3, 4, 4, 4}, sizes(selected(t, "fold:by=2.5")))
	assert.Equal(t, []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, sizes(selected(t, "fold:10")))
	w := selected(t, "fold:1")
	assert.Equal(t, sizes(ten()), sizes(w))
	assert.Equal(t, []scheduler.Change{{What: "size folded by fold:1", Jobs: 10}}, w.Changes)
}

func TestShake(t *testing.T) {
	w := selected(t, "shake:0.1")
	again := selected(t, "head:10,shake:0.1")
	assert.Equal(t, w.Jobs, again.Jobs, "equal seeds shake equally after any other steps")
	assert.NotEqual(t, submissions(ten()), submissions(w))
	assert.Equal(t, []scheduler.Change{{What: "submission moved by shake:0.1", Jobs: 10}}, w.Changes)
	other, err := workload.Select(ten(), "shake:0.1", 0, 2)
	require.NoError(t, err)
	assert.NotEqual(t, w.Jobs, other.Jobs)

	// The second shake draws other numbers: with equal ones, all moves would double.
	twice := selected(t, "shake:0.1,shake:0.1")
	var first, second []int64
	for i, j := range ten().Jobs[1:] {
		first = append(first, w.Jobs[i+1].SubmitMicros-j.SubmitMicros)
		second = append(second, twice.Jobs[i+1].SubmitMicros-w.Jobs[i+1].SubmitMicros)
	}
	assert.NotEqual(t, first, second)
}

// The list of changes of the workload that was given is not written to.
func TestChangesAreCopied(t *testing.T) {
	given := ten()
	given.Note("left out by head:2", 5)
	w, err := workload.Select(given, "head:2", 0, 1)
	require.NoError(t, err)
	assert.Equal(t, []scheduler.Change{{What: "left out by head:2", Jobs: 13}}, w.Changes)
	assert.Equal(t, []scheduler.Change{{What: "left out by head:2", Jobs: 5}}, given.Changes)
}

func TestErrorsOfSelections(t *testing.T) {
	const windowForm = "write window:densest:N, window:densest:N:parallel, window:busiest:DURATION or " +
		"window:drawn:N"
	const filterForm = "write filter:parallel, filter:size<=N or filter:cluster=I"
	const factorForm = "a decimal number above 0 with at most 9 decimals and 18 digits in all"
	const durationForm = "a duration above 0 such as 90, 1.5h or 30d, in whole microseconds and at most 2^60 of them"
	for _, c := range []struct {
		selection, want string
		jobs            int
	}{
		{"windw:densest:3", `select "windw:densest:3": there is no step "windw"; did you mean "window"? ` +
			"use one of filter, head, window, compress, load, runs, fold, shake", 0},
		{"head:3,x", `select "x": there is no step "x"; use one of filter, head, window, compress, load, ` +
			"runs, fold, shake", 0},
		{"head:3,", `select "": a step is empty; separate steps by one comma, such as filter:parallel,head:1000`, 0},
		{"window:denset:3", `select "window:denset:3": there is no window "denset"; ` +
			`did you mean "densest"? ` + windowForm, 0},
		{"window", `select "window": there is no window ""; ` + windowForm, 0},
		{"window:densest:0", `select "window:densest:0": "0" is not a number of jobs from 1 on; ` + windowForm, 0},
		{"window:densest:3:paralel", `select "window:densest:3:paralel": there are no jobs "paralel"; ` +
			`did you mean "parallel"? ` + windowForm, 0},
		{"window:busiest:30y", `select "window:busiest:30y": "30y" is not ` + durationForm + "; " + windowForm, 0},
		{"filter:paralel", `select "filter:paralel": there is no filter "paralel"; ` +
			`did you mean "parallel"? ` + filterForm, 0},
		{"filter:size<9", `select "filter:size<9": there is no filter "size<9"; did you mean "size"? ` + filterForm, 0},
		{"filter:size<=x", `select "filter:size<=x": "x" is not a number of nodes from 1 on; ` + filterForm, 0},
		{"filter:cluster=-1", `select "filter:cluster=-1": "-1" is not the number of a partition; ` + filterForm, 0},
		{"head:+3", `select "head:+3": "+3" is not a number of jobs from 1 on; write head:N`, 0},
		{"compress:3", `select "compress:3": "3" is not a setting; write compress:to=DURATION or compress:by=FACTOR`, 0},
		{"compress:bye=3", `select "compress:bye=3": there is no setting "bye"; did you mean "by"? ` +
			"write compress:to=DURATION or compress:by=FACTOR", 0},
		{"compress:by=0", `select "compress:by=0": "0" is not ` + factorForm +
			"; write compress:to=DURATION or compress:by=FACTOR", 0},
		{"compress:to=1.0000001", `select "compress:to=1.0000001": "1.0000001" is not ` + durationForm +
			"; write compress:to=DURATION or compress:by=FACTOR", 0},
		{"runs:by=1e3", `select "runs:by=1e3": "1e3" is not ` + factorForm + "; write runs:by=FACTOR", 0},
		{"load:to=NaN", `select "load:to=NaN": "NaN" is not ` + factorForm + "; write load:to=LOAD", 0},
		{"fold:0.5", `select "fold:0.5": "0.5" is not ` + factorForm +
			", and at least 1; write fold:by=FACTOR", 0},
		{"fold:x=2", `select "fold:x=2": there is no setting "x"; did you mean "by"? write fold:by=FACTOR`, 0},
		{"shake:-1", `select "shake:-1": "-1" is not ` + durationForm + "; write shake:DURATION", 0},
		{"window:densest:11", `select "window:densest:11": it asks for 11 jobs, and there are 10 jobs; ` +
			"ask for no more than there are", 10},
		{"head:1,head:2", `select "head:2": it asks for 2 jobs, and there is 1 job; ask for no more than there are`, 1},
		{"window:densest:10:parallel", `select "window:densest:10:parallel": it asks for 10 jobs, and there are 9 jobs; ` +
			"ask for no more than there are", 10},
		{"head:4,filter:cluster=9", `select "filter:cluster=9": it leaves none of 4 jobs; select less strictly`, 4},
		{"head:1,window:densest:1:parallel", `select "window:densest:1:parallel": it asks for 1 job, and there are 0 jobs; ` +
			"ask for no more than there are", 1},
		{"head:1,compress:to=5", `select "compress:to=5": 1 job, all submitted at once, have no span to scale; ` +
			"leave this step out", 1},
		{"compress:by=0.000000001,compress:by=0.001", `select "compress:by=0.001": the submission of job number 102 ` +
			"would be beyond 2^60 µs; use a factor nearer to 1, or a shorter time", 10},
		{"runs:by=2000000000000", `select "runs:by=2000000000000": the run time of job number 101 would be beyond 2^60 µs; ` +
			"use a factor nearer to 1, or a shorter time", 10},
		{"load:to=0.000000001,load:to=99999999999999", `select "load:to=99999999999999": ` +
			"the submissions would span 0 µs, which is not from 1 to 2^60; choose another load", 10},
	} {
		w, err := workload.Select(ten(), c.selection, 16, 1)
		require.EqualError(t, err, c.want)
		assert.Nil(t, w)
		var fault *workload.Error
		require.ErrorAs(t, err, &fault)
		assert.Equal(t, c.jobs, fault.Jobs, c.selection)
	}
	_, err := workload.Select(ten(), "load:to=0.5", 0, 1)
	assert.EqualError(t, err, `select "load:to=0.5": a load needs the number of nodes, and it is not known; `+
		"name the platform")
	_, err = workload.Select(&scheduler.Workload{}, "compress:by=2", 0, 1)
	assert.EqualError(t, err, `select "compress:by=2": there are no jobs; give a workload with jobs`)
	late := &scheduler.Workload{
		Jobs: []scheduler.Job{{Number: 1, SubmitMicros: 1<<60 - 5}, {Number: 2, SubmitMicros: 1 << 60}},
	}
	for _, selection := range []string{"compress:by=0.5", "shake:5"} {
		_, err = workload.Select(late, selection, 0, 2)
		assert.ErrorContains(t, err, "the submission of job number 2 would be beyond 2^60 µs")
	}
	idle := ten()
	for i := range idle.Jobs {
		idle.Jobs[i].RunMicros = 0
	}
	_, err = workload.Select(idle, "load:to=0.5", 16, 1)
	assert.EqualError(t, err, `select "load:to=0.5": 10 jobs without run time have no load; leave this step out`)
}

// Each window is as likely as another, its clock begins with it, and a second draw is independent.
func TestDrawnWindows(t *testing.T) {
	firsts := map[int64]int{}
	const draws = 800
	for seed := range uint64(draws) {
		w, err := workload.Select(ten(), "window:drawn:3", 16, seed)
		require.NoError(t, err)
		n := numbers(w)
		assert.Equal(t, []int64{n[0], n[0] + 1, n[0] + 2}, n)
		assert.Zero(t, w.Jobs[0].SubmitMicros)
		firsts[n[0]]++
		again, err := workload.Select(ten(), "window:drawn:3", 16, seed)
		require.NoError(t, err)
		assert.Equal(t, w, again)
	}
	assert.Len(t, firsts, 8)
	for first, times := range firsts {
		assert.InDelta(t, draws/8, times, 40, "the window that begins with job %d", first)
	}
	different := 0
	for seed := range uint64(100) {
		w, err := workload.Select(ten(), "window:drawn:9,window:drawn:8", 16, seed)
		require.NoError(t, err)
		if n := numbers(w)[0]; n == 2 {
			different++
		}
	}
	assert.InDelta(t, 50, different, 20, "1 or 3 if both draws were one")
	_, err := workload.Select(ten(), "window:drawn:11", 16, 1)
	require.EqualError(t, err, `select "window:drawn:11": it asks for 11 jobs, and there are 10 jobs; `+
		"ask for no more than there are")
}

func TestWhatASelectionDraws(t *testing.T) {
	assert.Empty(t, workload.Drawn("filter:parallel,window:densest:3"))
	assert.Equal(t, []string{"drawn windows", "shaken submissions"}, workload.Drawn("shake:3s, window:drawn:3"))
}
