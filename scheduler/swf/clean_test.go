package swf_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/swf"
)

// log makes lines of 18 fields from "number submit wait run allocated requested request status".
func log(jobs ...string) string {
	var b strings.Builder
	for _, j := range jobs {
		f := strings.Fields(j)
		b.WriteString(strings.Join(f[:5], " ") + " -1 -1 " + strings.Join(f[5:7], " ") + " -1 " + f[7] +
			" 11 12 13 14 15 -1 -1\n")
	}
	return b.String()
}

func read(t *testing.T, text string, o swf.Options) *scheduler.Workload {
	t.Helper()
	w, _, err := swf.Read(strings.NewReader(text), "log", o)
	require.NoError(t, err)
	return w
}

func TestFieldsOfAJob(t *testing.T) {
	w := read(t, log("7 1.5 2.25 3.000001 4 5 6.1 1"), swf.Options{})
	assert.Equal(t, []scheduler.Job{{
		Number: 7, SubmitMicros: 1_500_000, WaitMicros: 2_250_000, RunMicros: 3_000_001, RequestMicros: 6_100_000,
		EstimateMicros: scheduler.Unknown, Nodes: 5, User: 11, Group: 12, Executable: 13, Queue: 14, Partition: 15, Status: 1,
	}}, w.Jobs)
	assert.Empty(t, w.Changes)
}

func TestUnknownIsMinusOne(t *testing.T) {
	w := read(t, "-1 0 -1 5 -1 -1.00 -1 2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\r\n", swf.Options{})
	assert.Equal(t, []scheduler.Job{{
		Number: -1, RunMicros: 5_000_000, RequestMicros: -1, EstimateMicros: -1, WaitMicros: -1, Nodes: 2,
		User: -1, Group: -1, Executable: -1, Queue: -1, Partition: -1, Status: -1,
	}}, w.Jobs)
}

// Job 2 should wait for job 1. No policy lets it, so the log's time counts, and that is noted.
func TestPrecedingJobsAreNoted(t *testing.T) {
	w := read(t, "1 0 0 5 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n2 3 0 5 1 -1 -1 1 9 -1 1 1 1 1 1 1 1 20\n", swf.Options{})
	require.Len(t, w.Jobs, 2)
	assert.Equal(t, 3*scheduler.Second, w.Jobs[1].SubmitMicros)
	assert.Equal(t, []scheduler.Change{
		{What: "ignored: waits for a preceding job (fields 17 and 18); it is submitted when the log says", Jobs: 1},
	}, w.Changes)
}

func TestCleaning(t *testing.T) {
	type change struct {
		what string
		jobs int
	}
	type job struct {
		number, run, request int64
		nodes                int
	}
	const s = scheduler.Second
	noRun := log("1 0 0 0 2 2 9 0", "2 0 0 -1 2 2 9 5", "3 0 0 4 2 2 9 0")
	noSize := log("1 0 0 4 -1 -1 9 1", "2 0 0 4 0 0 9 1", "3 0 0 4 2 0 9 1", "4 0 0 4 2 3 9 1")
	overrun := log("1 0 0 9.5 2 2 9 1", "2 0 0 9 2 2 9 1", "3 0 0 9 2 2 -1 1", "4 0 0 9 2 2 0 1")
	statuses := log("1 0 0 4 2 2 9 1", "1 0 0 1 2 2 9 2", "1 -1 0 3 2 2 9 3", "1 -1 0 3 2 2 9 4",
		"2 0 0 4 2 2 9 2", "3 0 0 4 2 2 9 -1", "3 0 0 4 2 2 9 5")
	again := change{"kept: has the number of an earlier job; the log may contain a part twice", 1}
	for _, c := range []struct {
		name    string
		log     string
		options swf.Options
		jobs    []job
		changes []change
	}{
		{"no run, dropped", noRun, swf.Options{}, []job{{3, 4 * s, 9 * s, 2}},
			[]change{{"dropped: no run time (zero or unknown)", 2}}},
		{"no run, one second", noRun, swf.Options{ZeroRun: "one-second"},
			[]job{{1, s, 9 * s, 2}, {2, s, 9 * s, 2}, {3, 4 * s, 9 * s, 2}},
			[]change{{"changed: a run time of zero or unknown counts as one second", 2}}},
		{"no run, kept", noRun, swf.Options{ZeroRun: "keep"},
			[]job{{1, 0, 9 * s, 2}, {2, 0, 9 * s, 2}, {3, 4 * s, 9 * s, 2}},
			[]change{{"kept: a run time of zero or unknown counts as zero", 2}}},
		{"no processors, dropped", noSize, swf.Options{}, []job{{3, 4 * s, 9 * s, 2}, {4, 4 * s, 9 * s, 3}},
			[]change{{"dropped: no processors", 2},
				{"used: allocated processors for the size, since none are requested", 1}}},
		{"no processors, one", noSize, swf.Options{NoProcessors: "one", Size: "allocated"},
			[]job{{1, 4 * s, 9 * s, 1}, {2, 4 * s, 9 * s, 1}, {3, 4 * s, 9 * s, 2}, {4, 4 * s, 9 * s, 2}},
			[]change{{"changed: no processors counts as one", 2}}},
		{"not allocated", log("1 0 0 4 -1 3 9 1"), swf.Options{Size: "allocated"}, []job{{1, 4 * s, 9 * s, 3}},
			[]change{{"used: requested processors for the size, since none are allocated", 1}}},
		{"overrun, killed", overrun, swf.Options{},
			[]job{{1, 9 * s, 9 * s, 2}, {2, 9 * s, 9 * s, 2}, {3, 9 * s, -1, 2}, {4, 9 * s, -1, 2}},
			[]change{{"changed: a requested time of zero counts as unknown", 1},
				{"changed: killed at the requested time", 1}}},
		{"overrun, kept", overrun, swf.Options{Overrun: "keep"},
			[]job{{1, 9*s + s/2, 9 * s, 2}, {2, 9 * s, 9 * s, 2}, {3, 9 * s, -1, 2}, {4, 9 * s, -1, 2}},
			[]change{{"changed: a requested time of zero counts as unknown", 1},
				{"kept: ran longer than requested", 1}}},
		{"overrun, exchanged", overrun, swf.Options{Overrun: "exchange"},
			[]job{{1, 9 * s, 9*s + s/2, 2}, {2, 9 * s, 9 * s, 2}, {3, 9 * s, -1, 2}, {4, 9 * s, -1, 2}},
			[]change{{"changed: a requested time of zero counts as unknown", 1},
				{"changed: killed at the requested time, and planned with the run time of the log", 1}}},
		{"status ran", statuses, swf.Options{},
			[]job{{1, 4 * s, 9 * s, 2}, {2, 4 * s, 9 * s, 2}, {3, 4 * s, 9 * s, 2}, {3, 4 * s, 9 * s, 2}},
			[]change{{"dropped: part of a job that was swapped out (status 2, 3 or 4); " +
				"the whole job has its own line", 3}, again}},
		{"the log twice", strings.Repeat(log("1 0 0 4 2 2 9 1", "2 3 0 4 2 2 9 1"), 2), swf.Options{},
			[]job{{1, 4 * s, 9 * s, 2}, {1, 4 * s, 9 * s, 2}, {2, 4 * s, 9 * s, 2}, {2, 4 * s, 9 * s, 2}},
			[]change{{"sorted: submitted before the job ahead of it in the log", 1},
				{"kept: has the number of an earlier job; the log may contain a part twice", 2}}},
		{"status completed", statuses, swf.Options{Status: "completed"}, []job{{1, 4 * s, 9 * s, 2}},
			[]change{{"dropped: part of a job that was swapped out (status 2, 3 or 4); " +
				"the whole job has its own line", 3}, {"dropped: not completed (status is not 1)", 3}}},
		{"any status", statuses, swf.Options{Status: "any"},
			[]job{{1, 4 * s, 9 * s, 2}, {1, s, 9 * s, 2}, {2, 4 * s, 9 * s, 2}, {3, 4 * s, 9 * s, 2}, {3, 4 * s, 9 * s, 2}},
			[]change{{"dropped: no submit time", 2}}},
		{"out of order", log("1 5 0 4 2 2 9 1", "2 3 0 4 2 2 9 1", "3 4 0 4 2 2 9 1", "4 3 0 0 2 2 9 1", "5 3 0 4 2 2 9 1"),
			swf.Options{}, []job{{2, 4 * s, 9 * s, 2}, {5, 4 * s, 9 * s, 2}, {3, 4 * s, 9 * s, 2}, {1, 4 * s, 9 * s, 2}},
			[]change{{"dropped: no run time (zero or unknown)", 1},
				{"sorted: submitted before the job ahead of it in the log", 2}}},
		{"bad lines", "1 2 3\n" + log("1 0 0 4 2 2 9 1") + "; a comment\n2 x\n", swf.Options{SkipBad: true},
			[]job{{1, 4 * s, 9 * s, 2}}, []change{{"skipped: malformed line", 2}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := read(t, c.log, c.options)
			var jobs []job
			for _, j := range w.Jobs {
				jobs = append(jobs, job{j.Number, j.RunMicros, j.RequestMicros, j.Nodes})
			}
			assert.Equal(t, c.jobs, jobs)
			var changes []change
			for _, n := range w.Changes {
				changes = append(changes, change{n.What, n.Jobs})
			}
			assert.Equal(t, c.changes, changes)
		})
	}
}

func TestUnit(t *testing.T) {
	jobs := log("1 0 0 4 1 1 9 1", "2 0 0 4 4 4 9 1", "3 0 0 4 5 5 9 1")
	for _, c := range []struct {
		name    string
		header  string
		options swf.Options
		sizes   []int
		nodes   int
	}{
		{"processors", "; MaxNodes: 32\n; MaxProcs: 64\n", swf.Options{}, []int{1, 4, 5}, 64},
		{"nodes are stated only", "; MaxNodes: 32\n", swf.Options{}, []int{1, 4, 5}, 32},
		{"nothing is stated", "; MaxNodes: N/A\n", swf.Options{}, []int{1, 4, 5}, 0},
		{"by the header", "; MaxNodes: 32 (dual CPU)\n; MaxProcs: 64\n", swf.Options{Unit: "node"}, []int{1, 2, 3}, 32},
		{"by option", "; MaxNodes: 57\n; MaxProcs: 178\n", swf.Options{Unit: "node", ProcessorsPerNode: 4}, []int{1, 1, 2},
			57},
		{"by option, nothing is stated", "", swf.Options{Unit: "node", ProcessorsPerNode: 4}, []int{1, 1, 2}, 0},
		{"without nodes", "; MaxProcs: 178\n", swf.Options{Unit: "node", ProcessorsPerNode: 4}, []int{1, 1, 2}, 45},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := read(t, c.header+jobs, c.options)
			var sizes []int
			for _, j := range w.Jobs {
				sizes = append(sizes, j.Nodes)
			}
			assert.Equal(t, c.sizes, sizes)
			assert.Equal(t, c.nodes, w.Nodes)
		})
	}
	w := read(t, "; MaxNodes: 32\n; MaxProcs: 64\n"+jobs, swf.Options{Unit: "node"})
	assert.Equal(t, []scheduler.Change{{What: "changed: size in nodes of 2 processors", Jobs: 3}}, w.Changes)
}

func TestHeader(t *testing.T) {
	text := ";Version: SWF v2\n;  MaxNodes: 338 (batch partition; 512 total)\n; MaxQueues: 4\n; Note: one\n" +
		";       http://example.org: two\n;\n; MaxQueues: 3\n;\t\n" + log("1 0 0 4 1 1 9 1") + "; Late: no header\n"
	_, h, err := swf.Read(strings.NewReader(text), "log", swf.Options{})
	require.NoError(t, err)
	assert.Equal(t, swf.Header{
		Version: "SWF v2", MaxNodes: 338, UnixStartTime: scheduler.Unknown,
		Fields: []swf.HeaderField{
			{Key: "Version", Value: "SWF v2"}, {Key: "MaxNodes", Value: "338 (batch partition; 512 total)"},
			{Key: "MaxQueues", Value: "4"}, {Key: "Note", Value: "one\nhttp://example.org: two"},
			{Key: "MaxQueues", Value: "3"},
		},
	}, h)
}

// A number of the header is read as a whole or refused: never a prefix of it.
func TestNumbersOfTheHeader(t *testing.T) {
	job := log("1 0 0 4 2 2 9 1")
	for value, want := range map[string]int{
		"1024": 1024, "1,024": 1024, "12,345,678": 12_345_678, "338 (batch partition; 512 total)": 338, "70  (dual)": 70,
		"32(dual CPU)": 32, "3600              # DEPRECATED": 3600, "64 processors": 64, "64 CPUs (dual)": 64, "1 core": 1,
		"1024\n; in two parts, of 512 each": 1024, "\n; 1,024": 1024, "0": 0,
		"N/A": 0, "unknown (see Note)": 0, "-1": 0, "": 0, "None": 0,
	} {
		assert.Equal(t, want, read(t, "; MaxProcs: "+value+"\n"+job, swf.Options{}).Nodes, value)
	}
	for _, value := range []string{
		"1,02", "1,0244", ",024", "1,", "1,,024", "1.024", "1'024", "1 024", "1_024", "1e3", "1k", "4K", "0x40", "+64", "-64",

		"64 128", "64-128", "128/64", "64 nodes", "64 processors and more", "~64", "many", "64.", "64.5",
		"16x4", "\u0661\u0662",
		"12,345,6789", "1234,567", "see below",
	} {
		_, _, err := swf.Read(strings.NewReader("; MaxProcs: "+value+"\n"+job), "log", swf.Options{})
		assert.ErrorContains(t, err, "log:1: the header states a MaxProcs of ", value)
	}
}
