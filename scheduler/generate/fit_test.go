package generate_test

import (
	"bufio"
	"compress/gzip"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/generate"
)

// shape has the statistics by which the two workloads are compared: sorted logarithms, and shares.
type shape struct {
	logRun, log2Size, logBetween, hours []float64
	serial, powersOfTwo                 float64
}

// shapeOf reduces times to whole seconds, which is all that the program writes. A time of 0 s
// counts as half a second.
func shapeOf(jobs []scheduler.Job) shape {
	var s shape
	seconds := func(micros int64) int64 { return micros / scheduler.Second }
	for i, j := range jobs {
		s.logRun = append(s.logRun, math.Log(max(0.5, float64(seconds(j.RunMicros)))))
		s.log2Size = append(s.log2Size, math.Log2(float64(j.Nodes)))
		s.hours = append(s.hours, float64(seconds(j.SubmitMicros)%86_400)/3_600)
		if i > 0 {
			between := seconds(j.SubmitMicros) - seconds(jobs[i-1].SubmitMicros)
			s.logBetween = append(s.logBetween, math.Log(max(0.5, float64(between))))
		}
		if j.Nodes == 1 {
			s.serial += 1 / float64(len(jobs))
		}
		if j.Nodes&(j.Nodes-1) == 0 {
			s.powersOfTwo += 1 / float64(len(jobs))
		}
	}
	for _, list := range [][]float64{s.logRun, s.log2Size, s.logBetween, s.hours} {
		slices.Sort(list)
	}
	return s
}

// readLog reads submissions, run times and sizes of a log of 18 columns.
func readLog(t *testing.T, path string) []scheduler.Job {
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	require.NoError(t, err)
	var jobs []scheduler.Job
	lines := bufio.NewScanner(unzipped)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), ";") {
			continue
		}
		fields := strings.Fields(lines.Text())
		require.Len(t, fields, 18)
		number := func(i int) int64 {
			n, err := strconv.ParseInt(fields[i-1], 10, 64)
			require.NoError(t, err)
			return n
		}
		jobs = append(jobs, scheduler.Job{
			SubmitMicros: number(2) * scheduler.Second, RunMicros: number(4) * scheduler.Second, Nodes: int(number(5)),
		})
	}
	require.NoError(t, lines.Err())
	return jobs
}

// The program of the model's authors made the log, with one class: field 15 is 0 in all its lines.
// Two samples of 10,000 of one distribution differ by more than 0.0276 once in a thousand times.
func TestLublinFitsTheProgramOfItsAuthors(t *testing.T) {
	folder := os.Getenv("CANVASS_DATA")
	if folder == "" {
		t.Skip("CANVASS_DATA is not set to a folder with lublin_256.swf.gz")
	}
	want := shapeOf(readLog(t, filepath.Join(folder, "lublin_256.swf.gz")))
	require.Len(t, want.logRun, 10_000)
	for seed := range uint64(5) {
		w, err := generate.Parse("lublin:N=10000,nodes=256", seed)
		require.NoError(t, err)
		got := shapeOf(w.Jobs)
		distance := func(name string, limit float64, a, b []float64) {
			d := stat.KolmogorovSmirnov(a, nil, b, nil)
			t.Logf("seed %d: %s %.4f", seed, name, d)
			assert.Less(t, d, limit, "seed %d: %s", seed, name)
		}
		distance("log run time", 0.03, got.logRun, want.logRun)
		distance("log2 size", 0.03, got.log2Size, want.log2Size)
		distance("log time between submissions", 0.03, got.logBetween, want.logBetween)
		// Jobs come in clusters, so hours vary more: two seeds differ by 0.04 on average and by 0.10 at
		// most. A day that is off by two hours would be 0.12 away.
		distance("hour of the day", 0.1, got.hours, want.hours)
		t.Logf("seed %d: serial %.4f %.4f, powers of two %.4f %.4f", seed, got.serial, want.serial,
			got.powersOfTwo, want.powersOfTwo)
		assert.InDelta(t, want.serial, got.serial, 0.02)
		assert.InDelta(t, want.powersOfTwo, got.powersOfTwo, 0.02)
	}
}
