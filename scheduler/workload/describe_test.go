package workload_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/workload"
)

// six has a job at each bound of the classes.
func six() *scheduler.Workload {
	w := &scheduler.Workload{Name: "six", Digest: "0123456789abcdef", Nodes: 16}
	for i, c := range []struct {
		nodes  int
		micros int64
	}{{1, 10*s - 1}, {1, 10 * s}, {2, 60 * s}, {3, 36_000 * s}, {4, 36_000*s - 1}, {9, 10 * s}} {
		w.Jobs = append(w.Jobs, scheduler.Job{
			SubmitMicros: int64(i) * 300 * s, RunMicros: c.micros, RequestMicros: int64(i) - 1, Nodes: c.nodes,
		})
	}
	w.Note("dropped: no run time", 1234)
	return w
}

func TestDescription(t *testing.T) {
	d := workload.Describe(six(), 200)
	assert.Equal(t, workload.Description{
		Name: "six", Digest: "0123456789abcdef", Jobs: 6, MachineNodes: 16, SpanMicros: 1500 * s, SerialJobs: 2,
		SerialShare: 1. / 3, LargestNodes: 9, MedianRunMicros: 10 * s, LongestRunMicros: 36_000 * s, DistinctShapes: 6,
		RequestedJobs: 5, LoadNodes: 200, OfferedLoad: 252_229.999_995 / (200 * 1500),
		Sizes: []workload.SizeClass{
			{FromNodes: 1, ToNodes: 1, Jobs: 2, Share: 1. / 3, AboveFrom: 4},
			{FromNodes: 2, ToNodes: 3, Jobs: 2, Share: 1. / 3, AboveFrom: 3},
			{FromNodes: 4, ToNodes: 7, Jobs: 1, Share: 1. / 6, AboveFrom: 1},
			{FromNodes: 8, ToNodes: 15, Jobs: 1, Share: 1. / 6, AboveFrom: 1},
		},
		Runs: []workload.RunClass{
			{BelowMicros: 10 * s, Jobs: 1, Share: 1. / 6}, {BelowMicros: 60 * s, Jobs: 2, Share: 1. / 3},
			{BelowMicros: 600 * s, Jobs: 1, Share: 1. / 6}, {BelowMicros: 3_600 * s},
			{BelowMicros: 36_000 * s, Jobs: 1, Share: 1. / 6}, {Jobs: 1, Share: 1. / 6},
		},
		Changes: []scheduler.Change{{What: "dropped: no run time", Jobs: 1234}}, Header: []scheduler.Statement{},
	}, d)
	assert.InDelta(t, 252_229.999_995/(16*1500), workload.Describe(six(), 0).OfferedLoad, 1e-12)
}

func TestDescriptionAsText(t *testing.T) {
	assert.Equal(t, `workload  six 0123456789abcdef
jobs      6, of which 2 serial (33.3 %)
machine   16 nodes
span      1,500 s
size      at most 9 nodes
run time  median 10 s, longest 36,000 s
shapes    6 distinct pairs of size and run time
requests  5 jobs with a requested time
load      0.841 offered to 200 nodes

  nodes  jobs   share     larger
      1     2  33.3 %  4 above 1
    2-3     2  33.3 %  3 above 2
    4-7     1  16.7 %  1 above 4
   8-15     1  16.7 %  1 above 8

        run time  jobs   share
      below 10 s     1  16.7 %
      below 60 s     2  33.3 %
     below 600 s     1  16.7 %
   below 3,600 s     0   0.0 %
  below 36,000 s     1  16.7 %
   from 36,000 s     1  16.7 %

left out or changed
  1,234 dropped: no run time
`, workload.Describe(six(), 200).String())
}

func TestDescriptionOfNothing(t *testing.T) {
	d := workload.Describe(&scheduler.Workload{Name: "none"}, 0)
	assert.Equal(t, "none", d.Name)
	assert.Contains(t, d.String(), "machine   the log does not state it\n")
	assert.NotContains(t, d.String(), "\nload")
	assert.NotContains(t, d.String(), "left out")
	one := workload.Describe(&scheduler.Workload{Jobs: []scheduler.Job{{Nodes: 1, RunMicros: 1_050_000}}}, 5)
	assert.Contains(t, one.String(), "jobs      1, of which 1 serial (100.0 %)")
	assert.Contains(t, one.String(), "median 1.05 s, longest 1.05 s")
	assert.Zero(t, one.OfferedLoad, "a single submission has no span")
}

// The names of the fields are an interface to other programs.
func TestDescriptionAsJSON(t *testing.T) {
	w := six()
	w.Jobs = w.Jobs[1:2]
	w.Changes = nil
	text, err := json.Marshal(workload.Describe(w, 0))
	require.NoError(t, err)
	assert.JSONEq(t, `{
		"name": "six", "digest": "0123456789abcdef", "jobs": 1, "machine_nodes": 16, "span_micros": 0,
		"serial_jobs": 1, "serial_share": 1, "largest_nodes": 1, "median_run_micros": 10000000,
		"longest_run_micros": 10000000, "distinct_shapes": 1, "requested_jobs": 1, "load_nodes": 16,
		"changes": [], "header": [],
		"sizes": [{"from_nodes": 1, "to_nodes": 1, "jobs": 1, "share": 1, "above_from_jobs": 0}],
		"runs": [
			{"below_micros": 10000000, "jobs": 0, "share": 0}, {"below_micros": 60000000, "jobs": 1, "share": 1},
			{"below_micros": 600000000, "jobs": 0, "share": 0}, {"below_micros": 3600000000, "jobs": 0, "share": 0},
			{"below_micros": 36000000000, "jobs": 0, "share": 0}, {"jobs": 0, "share": 0}
		]
	}`, string(text))
}

func TestExclude(t *testing.T) {
	given := ten()
	grid := &scheduler.Platform{Name: "two", Clusters: []scheduler.Cluster{{Nodes: 4}, {Nodes: 8}}}
	fits, excluded := workload.Exclude(given, grid)
	assert.Equal(t, []int64{1, 2, 3, 4, 5, 6, 7, 8}, numbers(fits))
	const reason = "larger than every cluster: the largest of two has 8 nodes"
	assert.Equal(t, []workload.Exclusion{{8, 109, 9, reason}, {9, 110, 10, reason}}, excluded)
	assert.Equal(t, []scheduler.Change{{What: "excluded: larger than every cluster", Jobs: 2}}, fits.Changes)
	assert.Equal(t, ten(), given)

	fits, excluded = workload.Exclude(given, &scheduler.Platform{Name: "none"})
	assert.Empty(t, fits.Jobs)
	assert.Len(t, excluded, 10)
	fits, excluded = workload.Exclude(given, &scheduler.Platform{Clusters: []scheduler.Cluster{{Nodes: 10}}})
	assert.Equal(t, given, fits)
	assert.Empty(t, excluded)
}
