package swf_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/swf"
)

const latest = 1 << 60 // the largest number of the format

// drawWorkload draws jobs that the format can hold: small numbers, round ones, extreme ones.
func drawWorkload(t *rapid.T) *scheduler.Workload {
	micros := rapid.OneOf(rapid.Int64Range(0, 3), rapid.Int64Range(0, 5_000_000), rapid.Int64Range(0, latest),
		rapid.Map(rapid.Int64Range(0, 1000), func(s int64) int64 { return s * scheduler.Second }))
	unknownOr := func(g *rapid.Generator[int64]) *rapid.Generator[int64] {
		return rapid.OneOf(rapid.Just[int64](scheduler.Unknown), g)
	}
	id := unknownOr(rapid.OneOf(rapid.Int64Range(0, 20), rapid.Int64Range(0, latest)))
	w := &scheduler.Workload{
		Name: rapid.String().Draw(t, "name"), Digest: "0123456789abcdef",
		Nodes: rapid.IntRange(0, 1<<31-1).Draw(t, "machine"),
	}
	for range rapid.IntRange(1, 20).Draw(t, "jobs") {
		w.Jobs = append(w.Jobs, scheduler.Job{
			Number: id.Draw(t, "number"), SubmitMicros: micros.Draw(t, "submit"), RunMicros: micros.Draw(t, "run"),
			RequestMicros: unknownOr(rapid.Int64Range(1, latest)).Draw(t, "request"), EstimateMicros: scheduler.Unknown,
			WaitMicros: unknownOr(micros).Draw(t, "wait"), Nodes: rapid.IntRange(1, 1<<31-1).Draw(t, "size"),
			User: id.Draw(t, "user"), Group: id.Draw(t, "group"), Executable: id.Draw(t, "executable"),
			Queue: id.Draw(t, "queue"), Partition: id.Draw(t, "partition"),
			Status: rapid.OneOf(rapid.Int64Range(-1, 5), rapid.Int64Range(-latest, latest)).Draw(t, "status"),
		})
	}
	w.Sort()
	return w
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorkload(t)
		var file bytes.Buffer
		require.NoError(t, swf.Write(&file, w))
		got, _, err := swf.Read(&file, "log", swf.Verbatim())
		require.NoError(t, err)
		assert.Equal(t, w.Jobs, got.Jobs)
		assert.Equal(t, w.Nodes, got.Nodes)
	})
}

// The values of a job in a schedule come back: its start, its end and its cluster.
func TestScheduleRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorkload(t)
		var records []scheduler.Record
		want := make([]scheduler.Job, len(w.Jobs))
		for _, i := range rapid.Permutation(indices(len(w.Jobs))).Draw(t, "order") {
			r := scheduler.Record{Job: i, Cluster: rapid.IntRange(0, 1000).Draw(t, "cluster")}
			j := w.Jobs[i]
			r.StartMicros = j.SubmitMicros + rapid.Int64Range(0, latest).Draw(t, "wait")
			r.EndMicros = r.StartMicros + rapid.Int64Range(0, latest).Draw(t, "run")
			j.WaitMicros, j.RunMicros, j.Partition = r.StartMicros-j.SubmitMicros, r.EndMicros-r.StartMicros, int64(r.Cluster+1)
			if rapid.IntRange(0, 9).Draw(t, "excluded") == 0 {
				r = scheduler.Record{Job: i, Excluded: "it is larger than every cluster"}
				j.WaitMicros, j.RunMicros, j.Partition, j.Status = -1, 0, -1, 5
			}
			want[i] = j
			records = append(records, r)
		}
		var file bytes.Buffer
		require.NoError(t, swf.WriteSchedule(&file, w, records))
		got, _, err := swf.Read(&file, "log", swf.Verbatim())
		require.NoError(t, err)
		assert.Equal(t, want, got.Jobs)
	})
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func TestWrittenText(t *testing.T) {
	w := read(t, "; MaxProcs: 64\n"+log("7 1.5 2.25 3.000001 4 5 6.1 1", "8 1.5 0 0 4 5 6 0", "9 2 -1 10 1 1 20 1"),
		swf.Options{})
	w.Name = "a\nb"
	var file bytes.Buffer
	require.NoError(t, swf.WriteSchedule(&file, w, []scheduler.Record{
		{Job: 1, Excluded: "too large"}, {Job: 0, StartMicros: 4_000_000, EndMicros: 7_000_000, Cluster: 3},
	}))
	assert.Equal(t, "; Version: 2.2\n; MaxJobs: 2\n; MaxRecords: 2\n; MaxProcs: 64\n"+
		"; Note: made by canvass from a b, SHA-256 "+w.Digest+"\n"+
		"; Note: dropped: no run time (zero or unknown): 1\n"+
		"7 1.5 2.5 3 5 -1 -1 5 6.1 -1 1 11 12 13 14 4 -1 -1\n"+
		"9 2 -1 -1 -1 -1 -1 1 20 -1 5 11 12 13 14 -1 -1 -1\n", file.String())
}

// A generator's name holds all its settings and can be long.
func TestLongNameIsReadable(t *testing.T) {
	w := read(t, log("1 0 0 4 2 2 9 1"), swf.Options{})
	w.Name = strings.Repeat("lublin:", 100_000)
	var file bytes.Buffer
	require.NoError(t, swf.Write(&file, w))
	assert.Equal(t, w.Jobs, read(t, file.String(), swf.Verbatim()).Jobs)
}

func TestErrorsOfWriting(t *testing.T) {
	job := func(change func(*scheduler.Job)) scheduler.Job {
		j := scheduler.Job{Number: 7, RequestMicros: scheduler.Unknown, Nodes: 1}
		change(&j)
		return j
	}
	for _, c := range []struct {
		job  scheduler.Job
		want string
	}{
		{job(func(j *scheduler.Job) { j.Nodes = 0 }), "its requested processors is 0; the format allows 1 to 2147483647"},
		{job(func(j *scheduler.Job) { j.RunMicros = -1 }), "its run time of -1 µs is negative"},
		{job(func(j *scheduler.Job) { j.WaitMicros = -2 }),
			"its wait time is -2 µs; the format allows -1 to 1152921504606846976"},
		{job(func(j *scheduler.Job) { j.RequestMicros = 0 }),
			"a requested time of zero cannot be written, since readers take it for unknown"},
		{job(func(j *scheduler.Job) { j.User = latest + 1 }),
			"its user is 1152921504606846977; the format allows -1 to 1152921504606846976"},
		{job(func(j *scheduler.Job) { j.SubmitMicros = -1 }),
			"it is submitted at -1 µs, before the job ahead of it; sort the workload"},
	} {
		err := swf.Write(&bytes.Buffer{}, &scheduler.Workload{Jobs: []scheduler.Job{c.job}})
		require.Error(t, err)
		assert.Equal(t, c.want, strings.TrimPrefix(err.Error(), "write job 0 (number 7): "))
	}
}

func TestErrorsOfRecords(t *testing.T) {
	w := &scheduler.Workload{Jobs: make([]scheduler.Job, 2)}
	for i := range w.Jobs {
		w.Jobs[i] = scheduler.Job{SubmitMicros: 5, RequestMicros: scheduler.Unknown, Nodes: 1}
	}
	first := scheduler.Record{StartMicros: 5, EndMicros: 5}
	for _, c := range []struct {
		records []scheduler.Record
		want    string
	}{
		{[]scheduler.Record{first}, "job 1 has no record; give one, with a reason if it was excluded"},
		{[]scheduler.Record{first, first}, "job 0 has two records; give one"},
		{[]scheduler.Record{{Job: 2}}, "a record is of job 2, and the workload has jobs 0 to 1; " +
			"give the workload that was scheduled"},
		{[]scheduler.Record{{Job: -1}}, "a record is of job -1, and the workload has jobs 0 to 1; " +
			"give the workload that was scheduled"},
		{[]scheduler.Record{{StartMicros: 4, EndMicros: 5}},
			"job 0 is submitted at 5 µs, starts at 4 µs and ends at 5 µs; these must be in order"},
		{[]scheduler.Record{{StartMicros: 7, EndMicros: 6}},
			"job 0 is submitted at 5 µs, starts at 7 µs and ends at 6 µs; these must be in order"},
	} {
		assert.EqualError(t, swf.WriteSchedule(&bytes.Buffer{}, w, c.records), "write a schedule: "+c.want)
	}
	assert.ErrorIs(t, swf.Write(full{}, w), errFull)
	w.Jobs[1].SubmitMicros--
	assert.EqualError(t, swf.Write(&bytes.Buffer{}, w),
		"write job 1 (number 0): it is submitted at 4 µs, before the job ahead of it; sort the workload")
}

var errFull = errors.New("the disk is full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// A copy keeps the machine and the clock of the log, and states no number of nodes that the log
// does not.
func TestWrittenHeaderIsThatOfTheLog(t *testing.T) {
	jobs := log("1 60 0 4 2 2 9 1", "2 90 0 4 2 2 9 1")
	clock := "; UnixStartTime: 12345\n; TimeZoneString: Europe/Berlin\n"
	for header, want := range map[string]string{
		"; MaxProcs: 16\n" + clock:                            "; MaxProcs: 16\n" + clock,
		"; MaxNodes: 4\n; MaxProcs: 16\n; UnixStartTime: 0\n": "; MaxNodes: 4\n; MaxProcs: 16\n",
		"; MaxNodes: 4\n":                                     "; MaxNodes: 4\n; MaxProcs: 4\n",
		"":                                                    "",
	} {
		var file bytes.Buffer
		require.NoError(t, swf.Write(&file, read(t, header+jobs, swf.Options{})))
		assert.Contains(t, file.String(), "; MaxRecords: 2\n"+want+"; Note", header)
	}
	w := read(t, "; MaxNodes: 4\n; MaxProcs: 16\n"+jobs, swf.Options{Unit: "node"})
	var file bytes.Buffer
	require.NoError(t, swf.Write(&file, w))
	assert.Contains(t, file.String(), "; MaxNodes: 4\n; MaxProcs: 4\n", "sizes are in nodes")
}
