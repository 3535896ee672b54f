package central_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/central"
	"github.com/canvass-grid/canvass/scheduler/swf"
)

// log reads a log of the Parallel Workloads Archive. Its requested times are the estimates. In logs
// without requested times the estimates are exact.
func log(t testing.TB, name string, o swf.Options) *scheduler.Workload {
	folder := os.Getenv("CANVASS_DATA")
	if folder == "" {
		t.Skip("CANVASS_DATA names no folder with logs of the Parallel Workloads Archive")
	}
	w, _, err := swf.ReadFile(filepath.Join(folder, name+".swf.gz"), o)
	require.NoError(t, err)
	for i := range w.Jobs {
		j := &w.Jobs[i]
		j.EstimateMicros = j.RequestMicros
		if j.RequestMicros < 0 {
			j.EstimateMicros = j.RunMicros
		}
	}
	return w
}

const (
	kth         = "KTH-SP2-1996-2.1-cln"
	ctc         = "CTC-SP2-1996-3.1-cln"
	sdsc        = "SDSC-SP2-1998-4.2-cln"
	das2        = "DAS2-fs1-2003-1"
	metacentrum = "METACENTRUM-2009-2"
	lublin      = "lublin_256"
)

// reference is a row that an independent simulator of 60 lines gave, for all jobs of a log on one
// machine. A maximum of 0 was not recorded.
type reference struct {
	log                   string
	nodes, jobs           int
	policy                string
	wait, bsld, worstBsld float64 // seconds; bounded slowdowns with a threshold of 10 s
}

func references() []reference {
	return []reference{
		{kth, 100, 28_467, "fcfs", 353_950, 6_818, 93_994},
		{kth, 100, 28_467, "easy", 6_837.5, 92.73, 14_805},
		{kth, 100, 28_467, "easy-sjbf", 5_906.1, 69.42, 14_805},
		{kth, 100, 28_467, "sjf", 13_339, 135.4, 48_263},
		{kth, 100, 28_467, "first-fit", 5_721.7, 71.49, 74_417},
		{ctc, 338, 77_205, "fcfs", 655_549, 3_652, 0},
		{ctc, 338, 77_205, "easy", 13_942, 48.83, 13_290},
		{ctc, 338, 77_205, "easy-sjbf", 11_817, 30.10, 0},
		{sdsc, 128, 54_034, "easy", 20_576, 88.54, 10_955},
		{sdsc, 128, 54_034, "easy-sjbf", 20_405, 82.95, 0},
		{sdsc, 128, 54_034, "sjf", 177_023, 400.3, 0},
		{das2, 64, 38_294, "fcfs", 194.0, 4.11, 8_012},
		{das2, 64, 38_294, "easy", 185.8, 3.95, 8_012},
		{metacentrum, 806, 99_944, "fcfs", 1_500, 6.17, 10_038},
		{metacentrum, 806, 99_944, "easy", 1_494, 5.85, 9_934},
		{metacentrum, 806, 99_944, "first-fit", 1_493, 6.08, 10_048},
		{lublin, 256, 10_000, "fcfs", 2.39e6, 66_502, 0},
		{lublin, 256, 10_000, "easy", 97_156, 590, 17_772},
		{lublin, 256, 10_000, "sjf", 275_304, 53.5, 0},
		{lublin, 256, 10_000, "first-fit", 63_773, 764, 0},
	}
}

func TestReferences(t *testing.T) {
	logs := map[string]*scheduler.Workload{}
	for _, want := range references() {
		t.Run(want.log+"/"+want.policy, func(t *testing.T) {
			if logs[want.log] == nil {
				logs[want.log] = log(t, want.log, swf.Options{})
			}
			w := logs[want.log]
			got := measure(w, run(t, w, grid(want.nodes), central.Options{Policy: want.policy}))
			assert.Equal(t, want.jobs, got.jobs)
			assert.InEpsilon(t, want.wait, got.wait, 0.005)
			assert.InEpsilon(t, want.bsld, got.bsld, 0.005)
			if want.worstBsld > 0 {
				assert.InEpsilon(t, want.worstBsld, got.worstBsld, 0.005)
			}
		})
	}
}

// The means over all jobs of pyss itself.
func TestPyss(t *testing.T) {
	w := log(t, kth, swf.Options{ZeroRun: "keep", NoProcessors: "one", Overrun: "keep", Size: "allocated", Status: "any"})
	for i := range w.Jobs {
		// As pyss reads them: a job without a run time gets a second. The estimate of a job that is
		// killed is how long it ran in the log.
		j := &w.Jobs[i]
		if j.RunMicros <= 0 {
			j.RunMicros, j.EstimateMicros = scheduler.Second, scheduler.Second
			continue
		}
		j.EstimateMicros = max(j.RequestMicros, j.RunMicros)
		j.RunMicros = min(j.RequestMicros, j.RunMicros)
	}
	for _, want := range []reference{
		{kth, 100, 28_476, "easy", 6_899.1, 92.874, 14_805},
		{kth, 100, 28_476, "conservative", 7_296.7, 88.29, 0},
	} {
		got := measure(w, run(t, w, grid(want.nodes), central.Options{Policy: want.policy, Passes: "event"}))
		assert.Equal(t, want.jobs, got.jobs, want.policy)
		assert.InDelta(t, want.wait, got.wait, 0.06, want.policy)
		assert.InDelta(t, want.bsld, got.bsld, 0.006, want.policy)
	}
}

func measure(w *scheduler.Workload, r *central.Result) (m reference) {
	for _, x := range r.Records {
		if x.Excluded != "" {
			continue
		}
		j := &w.Jobs[x.Job]
		wait, length := float64(x.StartMicros-j.SubmitMicros)/1e6, float64(j.RunMicros)/1e6
		bsld := max(1, (wait+length)/max(length, 10))
		m.jobs++
		m.wait += wait
		m.bsld += bsld
		m.worstBsld = max(m.worstBsld, bsld)
	}
	m.wait /= float64(m.jobs)
	m.bsld /= float64(m.jobs)
	return m
}

func benchmark(b *testing.B, policy string) {
	w := log(b, ctc, swf.Options{})
	b.ReportAllocs()
	for b.Loop() {
		run(b, w, grid(338), central.Options{Policy: policy})
	}
	b.ReportMetric(float64(len(w.Jobs)*b.N)/b.Elapsed().Seconds(), "jobs/s")
}

func BenchmarkEasyCTC(b *testing.B)         { benchmark(b, "easy") }
func BenchmarkConservativeCTC(b *testing.B) { benchmark(b, "conservative") }
