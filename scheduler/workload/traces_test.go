package workload_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/swf"
	"github.com/canvass-grid/canvass/scheduler/workload"
)

// Windows of logs of the Parallel Workloads Archive. 0 is a window that is larger than the log.
type windows struct {
	densest30000 int64 // span in seconds
	parallel1000 int64 // span in seconds of the densest 1,000 parallel jobs
	busiest30d   int   // jobs
}

// Of each log, the windows of all its lines and those of the jobs that ran. Lines without a run
// time count as submissions in the former, and lines without processors as serial jobs.
var traces = []struct {
	file     string
	all, ran windows
}{
	{"LCG-2005-1.swf.gz", windows{111_738, 0, 188_041}, windows{112_961, 0, 187_520}},
	{"LPC-EGEE-2004-1.2-cln.swf.gz", windows{1_240_681, 0, 45_542}, windows{1_452_314, 0, 42_397}},
	{"METACENTRUM-2009-2.swf.gz", windows{2_445_652, 93_858, 32_258}, windows{2_520_286, 93_858, 30_889}},
	{"DAS2-fs1-2003-1.swf.gz", windows{13_822_588, 10_559, 10_664}, windows{15_974_458, 21_202, 9_600}},
	{"HPC2N-2002-2.2-cln.swf.gz", windows{8_760_842, 10_595, 11_967}, windows{8_760_842, 10_595, 11_967}},
	{"LLNL-Thunder-2007-1.1-cln.swf.gz", windows{2_206_361, 9_222, 34_842}, windows{2_304_795, 9_222, 33_313}},
	{"CEA-Curie-2011-2.1-cln.swf.gz", windows{864_432, 502, 71_458}, windows{889_054, 503, 67_991}},
	{"Sandia-Ross-2001-1.1-cln.swf.gz", windows{47_674_055, 86_423, 2_810}, windows{49_342_441, 86_426, 2_776}},
	{"KTH-SP2-1996-2.1-cln.swf.gz", windows{0, 796_088, 4_108}, windows{0, 796_937, 4_107}},
	{"SDSC-SP2-1998-4.2-cln.swf.gz", windows{24_841_498, 388_576, 4_493}, windows{27_412_229, 397_962, 3_991}},
	{"CTC-SP2-1996-3.1-cln.swf.gz", windows{10_474_979, 221_836, 8_765}, windows{10_475_243, 221_836, 8_765}},
	{"OSC-Clust-2000-3.1-cln.swf.gz", windows{47_215_883, 2_440_005, 2_755}, windows{47_720_924, 2_511_919, 2_718}},
	{"lublin_256.swf.gz", windows{0, 772_555, 3_710}, windows{0, 772_555, 3_710}},
}

func readTrace(t *testing.T, file string, o swf.Options) *scheduler.Workload {
	t.Helper()
	folder := os.Getenv("CANVASS_DATA")
	if folder == "" {
		t.Skip("CANVASS_DATA names no folder with logs of the Parallel Workloads Archive")
	}
	w, _, err := swf.ReadFile(filepath.Join(folder, file), o)
	require.NoError(t, err)
	return w
}

func TestWindowsOfTraces(t *testing.T) {
	for _, c := range traces {
		t.Run(c.file, func(t *testing.T) {
			all := readTrace(t, c.file, swf.Options{ZeroRun: "keep", NoProcessors: "one"})
			assert.Equal(t, c.all, windowsOf(t, all))
			assert.Equal(t, c.ran, windowsOf(t, readTrace(t, c.file, swf.Options{})))
		})
	}
}

func windowsOf(t *testing.T, w *scheduler.Workload) (got windows) {
	t.Helper()
	span := func(selection string) int64 {
		selected, err := workload.Select(w, selection, 0, 1)
		if err != nil {
			var fault *workload.Error
			require.ErrorAs(t, err, &fault)
			return 0
		}
		require.Zero(t, selected.SpanMicros()%s)
		return selected.SpanMicros() / s
	}
	got.densest30000 = span("window:densest:30000")
	got.parallel1000 = span("filter:parallel,window:densest:1000")
	assert.Equal(t, got.parallel1000, span("window:densest:1000:parallel"))
	selected, err := workload.Select(w, "window:busiest:30d", 0, 1)
	require.NoError(t, err)
	got.busiest30d = len(selected.Jobs)
	return got
}

// The input that stands for the intense set of Jackson (2015), section 4.3.3, whose log is not
// public. There: 1,000 parallel jobs over 643 s, 7 of them above 64 nodes.
func TestIntenseSet(t *testing.T) {
	w := readTrace(t, "LLNL-Thunder-2007-1.1-cln.swf.gz", swf.Options{})
	w, err := workload.Select(w, "filter:parallel,fold:2,window:densest:30000,compress:to=12h,head:1000", 0, 1)
	require.NoError(t, err)
	d := workload.Describe(w, 0)
	assert.Equal(t, 1000, d.Jobs)
	assert.Equal(t, int64(693_735_625), d.SpanMicros)
	assert.Equal(t, 276, d.DistinctShapes)
	assert.Equal(t, 64, d.Sizes[6].FromNodes)
	assert.Equal(t, 10, d.Sizes[6].AboveFrom)
	assert.Zero(t, d.SerialJobs)
}

// Two logs have no requested times at all, and one has them for a part of its jobs.
func TestRequestedTimesOfTraces(t *testing.T) {
	for _, file := range []string{"METACENTRUM-2009-2.swf.gz", "lublin_256.swf.gz"} {
		_, err := workload.Estimate(readTrace(t, file, swf.Options{}), "requested", 1)
		assert.ErrorContains(t, err, "has a requested time; use exact, factor:F or user2")
	}
	w, err := workload.Estimate(readTrace(t, "LLNL-Thunder-2007-1.1-cln.swf.gz", swf.Options{}), "requested", 1)
	require.NoError(t, err)
	assert.Contains(t, w.Changes,
		scheduler.Change{What: "estimated exactly, since no time was requested", Jobs: 80_197})
}
