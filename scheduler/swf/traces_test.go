package swf_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/swf"
)

// The logs of the Parallel Workloads Archive that the experiments use, and one synthetic one.
// Counts are in jobs, the span in seconds.
var traces = []struct {
	file                                                          string
	digest                                                        string
	lines, noSubmit, noRun, noProcessors, killed, allocated, left int
	machine                                                       int
	span                                                          int64
}{
	{"METACENTRUM-2009-2.swf.gz", "7c0b347e77fc7a9a", 103_656, 0, 3_712, 0, 0, 99_944, 99_944, 0, 14_896_887},
	{"LCG-2005-1.swf.gz", "cda5d512febf84a3", 188_041, 0, 521, 0, 0, 187_520, 187_520, 24_515, 950_392},
	{"DAS2-fs1-2003-1.swf.gz", "f5a195674b257673", 40_315, 0, 2_021, 0, 1_316, 0, 38_294, 64, 31_077_267},
	{"LPC-EGEE-2004-1.2-cln.swf.gz", "2fc37df5cc14c355", 234_889, 0, 20_567, 0, 755, 0, 214_322, 140, 20_618_941},
	{"HPC2N-2002-2.2-cln.swf.gz", "3c534857d6065cfd", 202_871, 0, 0, 0, 14_817, 0, 202_871, 240, 109_241_501},
	{"KTH-SP2-1996-2.1-cln.swf.gz", "3e152f201fd2e968", 28_476, 0, 8, 1, 475, 0, 28_467, 100, 28_763_768},
	{"SDSC-SP2-1998-4.2-cln.swf.gz", "e03fe48be50c4ab0", 59_715, 0, 5_681, 0, 4_134, 0, 54_034, 128, 63_016_164},
	{"CTC-SP2-1996-3.1-cln.swf.gz", "9fa28ac16c4386fb", 77_222, 0, 17, 0, 7_174, 77_205, 77_205, 338, 29_299_062},
	{"OSC-Clust-2000-3.1-cln.swf.gz", "f2d762130a55ab26", 36_097, 0, 505, 0, 0, 0, 35_592, 178, 58_503_302},
	{"LLNL-Thunder-2007-1.1-cln.swf.gz", "00d9bce501efd3a2",
		121_039, 1_190, 6_236, 0, 1_101, 3, 113_613, 4_008, 12_976_987},
	{"Sandia-Ross-2001-1.1-cln.swf.gz", "08b390c160c41c5d", 57_882, 0, 2_277, 10, 3_686, 0, 55_595, 1_524, 98_286_156},
	{"CEA-Curie-2011-2.1-cln.swf.gz", "2a0fdbd40837590b",
		312_826, 0, 17_286, 0, 5_416, 79_590, 295_540, 93_312, 21_923_322},
	{"lublin_256.swf.gz", "ba3ee5b59b5bd8df", 10_000, 0, 0, 0, 0, 10_000, 10_000, 256, 7_706_607},
}

// data is the folder of the logs.
func data(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("CANVASS_DATA")
	if folder == "" {
		t.Skip("CANVASS_DATA names no folder with logs of the Parallel Workloads Archive")
	}
	return folder
}

func TestTraces(t *testing.T) {
	folder := data(t)
	for _, c := range traces {
		t.Run(c.file, func(t *testing.T) {
			w, _, err := swf.ReadFile(filepath.Join(folder, c.file), swf.Options{})
			require.NoError(t, err)
			count := func(what string) int {
				n := 0
				for _, change := range w.Changes {
					if strings.HasPrefix(change.What, what) {
						n += change.Jobs
					}
				}
				return n
			}
			assert.Equal(t, c.file, w.Name)
			assert.Equal(t, c.digest, w.Digest)
			assert.Equal(t, c.lines, len(w.Jobs)+count("dropped"))
			assert.Equal(t, c.noSubmit, count("dropped: no submit time"))
			assert.Equal(t, c.noRun, count("dropped: no run time"))
			assert.Equal(t, c.noProcessors, count("dropped: no processors"))
			assert.Equal(t, c.killed, count("changed: killed"))
			assert.Equal(t, c.allocated, count("used: allocated"))
			assert.Len(t, w.Jobs, c.left)
			assert.Equal(t, c.machine, w.Nodes)
			assert.Equal(t, c.span*scheduler.Second, w.SpanMicros())
			assert.Zero(t, count("skipped")+count("sorted"))
		})
	}
}

// LLNL-Thunder has 808 lines whose submit time is below that of the line before, if -1 counts as a
// time. All of them are among the 1,190 lines without a submit time, so nothing is left to sort.
func TestThunderIsInOrder(t *testing.T) {
	log := filepath.Join(data(t), "LLNL-Thunder-2007-1.1-cln.swf.gz")
	w, _, err := swf.ReadFile(log, swf.Options{ZeroRun: "keep", NoProcessors: "one"})
	require.NoError(t, err)
	assert.Len(t, w.Jobs, 121_039-1_190)
	assert.Contains(t, w.Changes, scheduler.Change{What: "dropped: no submit time", Jobs: 1_190})
	for _, c := range w.Changes {
		assert.NotContains(t, c.What, "sorted")
	}
}

func BenchmarkRead(b *testing.B) {
	folder := os.Getenv("CANVASS_DATA")
	if folder == "" {
		b.Skip("CANVASS_DATA names no folder with logs of the Parallel Workloads Archive")
	}
	for b.Loop() {
		w, _, err := swf.ReadFile(filepath.Join(folder, "CEA-Curie-2011-2.1-cln.swf.gz"), swf.Options{})
		require.NoError(b, err)
		b.ReportMetric(float64(len(w.Jobs)), "jobs")
	}
}
