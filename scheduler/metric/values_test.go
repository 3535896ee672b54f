package metric_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// Two jobs on one node: the second waits for the first.
func two() (*scheduler.Workload, *scheduler.Platform, []scheduler.Record) {
	const s = scheduler.Second
	w := &scheduler.Workload{Jobs: []scheduler.Job{
		{Number: 1, SubmitMicros: 0, RunMicros: 100 * s, Nodes: 1},
		{Number: 2, SubmitMicros: 40 * s, RunMicros: 5 * s, Nodes: 1},
	}}
	p := &scheduler.Platform{Clusters: []scheduler.Cluster{{Name: "c", Nodes: 1}}}
	return w, p, []scheduler.Record{
		{Job: 0, StartMicros: 0, EndMicros: 100 * s}, {Job: 1, StartMicros: 100 * s, EndMicros: 105 * s},
	}
}

// The measures of single jobs are those whose means a summary has.
func TestValuesAreThoseOfTheSummary(t *testing.T) {
	w, p, records := two()
	for name, want := range map[string][]float64{
		"wait_seconds": {0, 60}, "response_seconds": {100, 65}, "bsld": {1, 6.5}, "sjackson": {1, 7},
		"bsld_per_processor": {1, 6.5},
	} {
		got, err := metric.Values(w, p, records, name, metric.Options{})
		require.NoError(t, err)
		assert.Equal(t, want, got, name)
	}
	assert.Len(t, metric.PerJob(), 5)
	got, err := metric.Values(w, p, records, "bsld", metric.Options{Trim: "50:0"})
	require.NoError(t, err)
	assert.Equal(t, []float64{6.5}, got)

	_, err = metric.Values(w, p, records, "bsdl", metric.Options{})
	assert.ErrorContains(t, err, `did you mean "bsld"?`)
	_, err = metric.Values(w, p, records[:1], "bsld", metric.Options{})
	require.ErrorIs(t, err, metric.ErrRecords)
	records[0].Excluded, records[1].Excluded = "too large", "too large"
	_, err = metric.Values(w, p, records, "bsld", metric.Options{})
	require.ErrorIs(t, err, metric.ErrNoJobs)
}

func TestShapesCountEachJobOnce(t *testing.T) {
	const s = scheduler.Second
	shapes := metric.CountShapes([]scheduler.Job{
		{Nodes: 2, RunMicros: 63*s + s - 1}, {Nodes: 3, RunMicros: 32 * s}, {Nodes: 4, RunMicros: 64 * s},
		{Nodes: 2, RunMicros: 31 * s}, {Nodes: 2, RunMicros: 40 * s}, {Nodes: 9, RunMicros: s - 1},
	})
	assert.Equal(t, []string{"2-3", "4-7", "8-15"}, shapes.Nodes)
	assert.Equal(t, []string{"below 1", "1", "2-3", "4-7", "8-15", "16-31", "32-63", "64-127"}, shapes.Seconds)
	assert.Equal(t, []int{0, 0, 1}, shapes.Jobs[0])
	assert.Equal(t, []int{3, 0, 0}, shapes.Jobs[6])
	nodes, seconds, jobs := shapes.Mode()
	assert.Equal(t, "2-3", nodes)
	assert.Equal(t, "32-63", seconds)
	assert.Equal(t, 3, jobs)
	assert.Empty(t, metric.CountShapes(nil).Jobs)
}
