package swf_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/swf"
)

var rewrite = flag.Bool("rewrite", false, "write testdata anew; read the difference")

var smallFile = filepath.Join("testdata", "small.swf")

// small generates a log of 300 jobs on 64 dual nodes. Every 20th job or so needs some cleaning.
func small() string {
	random := scheduler.Stream(1, "small.swf")
	var b strings.Builder
	b.WriteString("; Version: 2.2\n; Computer: a generator\n; Installation: the tests of package swf\n" +
		"; MaxJobs: 300\n; MaxRecords: 300\n; UnixStartTime: 1041377305\n; TimeZoneString: Europe/Amsterdam\n" +
		"; MaxNodes: 64 (dual CPU)\n; MaxProcs: 128\n; Queue: 0 short\n; Queue: 1 long\n" +
		"; Note: every 20th job or so needs some cleaning:\n;   it did not run, has no processors, and so on\n;\n")
	submit := 0
	for number := 1; number <= 300; number++ {
		submit += random.IntN(120)
		size := 1 << random.IntN(7)
		run := 1 + random.IntN(60)*random.IntN(60)
		request := (run/300 + 1) * 300
		job := smallJob{
			number: number, submit: fmt.Sprint(submit), wait: random.IntN(600), run: fmt.Sprint(run), allocated: size,
			requested: size, request: request, status: 1, user: 1 + random.IntN(12), queue: random.IntN(2),
			partition: 1 + random.IntN(3),
		}
		if number%20 == 10 {
			job.spoil(number/20, random)
		}
		if number == 150 {
			b.WriteString("; a comment between jobs\n")
		}
		job.write(&b)
	}
	return b.String()
}

type smallJob struct {
	number                                      int
	submit, run                                 string
	wait, allocated, requested, request, status int
	user, queue, partition                      int
}

// spoil gives the job one of the peculiarities of real logs.
func (j *smallJob) spoil(i int, random *rand.Rand) {
	switch i {
	case 0, 1, 2:
		j.run, j.status = "0", 0
	case 3, 4:
		j.run, j.allocated, j.status = "-1", -1, 5
	case 5, 6:
		j.allocated, j.requested = -1, -1
	case 7, 8, 9:
		j.run = fmt.Sprint(j.request + 1 + random.IntN(10))
	case 10:
		j.submit = fmt.Sprint(1000 + random.IntN(100))
	case 11:
		j.run = "12.345678"
	case 12:
		j.requested = -1
	case 13:
		j.number, j.status = j.number-1, 2
	case 14:
		j.request = 0
	}
}

func (j *smallJob) write(b *strings.Builder) {
	fmt.Fprintf(b, "%5d %7s %5d %9s %4d -1 -1 %4d %6d -1 %2d %3d 1 -1 %d %d -1 -1\n", j.number, j.submit, j.wait, j.run,
		j.allocated, j.requested, j.request, j.status, j.user, j.queue, j.partition)
}

func TestSmallLogIsTheGenerators(t *testing.T) {
	if *rewrite {
		require.NoError(t, os.WriteFile(smallFile, []byte(small()), 0o644))
	}
	got, err := os.ReadFile(smallFile)
	require.NoError(t, err)
	assert.Equal(t, small(), string(got), "run with -rewrite if the change is meant")
}

func TestSmallLog(t *testing.T) {
	w, h, err := swf.ReadFile(smallFile, swf.Options{})
	require.NoError(t, err)
	assert.Equal(t, "small.swf", w.Name)
	assert.Equal(t, "72a5a59b1ac98435", w.Digest)
	assert.Equal(t, 128, w.Nodes)
	assert.Len(t, w.Jobs, 292)
	assert.Equal(t, []scheduler.Change{
		{What: "dropped: part of a job that was swapped out (status 2, 3 or 4); the whole job has its own line", Jobs: 1},
		{What: "dropped: no run time (zero or unknown)", Jobs: 5},
		{What: "dropped: no processors", Jobs: 2},
		{What: "used: allocated processors for the size, since none are requested", Jobs: 1},
		{What: "changed: a requested time of zero counts as unknown", Jobs: 1},
		{What: "changed: killed at the requested time", Jobs: 3},
		{What: "sorted: submitted before the job ahead of it in the log", Jobs: 1},
	}, w.Changes)
	assert.Equal(t, "a generator", h.Computer)
	assert.Equal(t, "the tests of package swf", h.Installation)
	assert.Equal(t, "Europe/Amsterdam", h.Get("timezonestring"))
	assert.Equal(t, []int64{300, 300, 64, 128, 1041377305},
		[]int64{h.MaxJobs, h.MaxRecords, h.MaxNodes, h.MaxProcs, h.UnixStartTime})
	assert.Equal(t, swf.HeaderField{
		Key: "Note", Value: "every 20th job or so needs some cleaning:\nit did not run, has no processors, and so on",
	}, h.Fields[len(h.Fields)-1])
	for _, j := range w.Jobs {
		if j.Number == 230 {
			assert.Equal(t, int64(12_345_678), j.RunMicros)
		}
	}
}
