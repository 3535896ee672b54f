package experiment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/cluster"
	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

const yes, no, open = experiment.Reproduced, experiment.Deviates, experiment.Undetermined

// slowdowns are rows of ten seeds on input T, with a mean and a median slowdown for each
// clustering.
func slowdowns(name string, byClustering map[string][2]float64) []*lab.Row {
	var rows []*lab.Row
	for clustering, s := range byClustering {
		c := lab.MustCell("workload=swf:LLNL-Thunder-2007-1.1-cln.swf.gz", "platform=sharcnet",
			"policy=qb+dlb", "clustering="+clustering)
		for seed := range uint64(10) {
			rows = append(rows, &lab.Row{
				Experiment: name, Settings: c, Seed: seed,
				Summary: metric.Summary{Measures: metric.Measures{
					JacksonSlowdown: metric.JacksonSlowdown{Mean: s[0] + float64(seed)/10, Median: s[1]},
				}},
			})
		}
	}
	return rows
}

// The published table is reproduced by itself; worse clusters are not.
func TestClaimsAboutFoundClusters(t *testing.T) {
	cells := map[string][2]float64{
		"disjoint:64": {68.2, 2}, "dyn:64,sites=median": {313, 7}, "dyn-sym:64,sites=median": {86.4, 3},
	}
	name := "jackson/t5.7"
	assert.Equal(t, []experiment.Verdict{yes, yes, yes}, verdicts(t, name, slowdowns(name, cells))[:3])
	cells["dyn-sym:64,sites=median"] = [2]float64{290, 8}
	assert.Equal(t, []experiment.Verdict{no, no, no}, verdicts(t, name, slowdowns(name, cells))[:3])

	cells = map[string][2]float64{"disjoint:128": {33, 2}, "dyn-sym:128,sites=median": {60, 2}}
	assert.Equal(t, no, verdicts(t, "jackson/128", slowdowns("jackson/128", cells))[0])
	c := lab.MustCell("predict=clusters:128 of sharcnet-latency")
	rows := slowdowns("jackson/128", cells)
	var row *lab.Row
	for seed := range uint64(10) {
		row = &lab.Row{Experiment: "jackson/128", Settings: c, Seed: seed, ElapsedSeconds: 59}
		rows = append(rows, row)
	}
	assert.Equal(t, yes, verdicts(t, "jackson/128", rows)[4])
	row.ElapsedSeconds = 61 // too long, in one run of ten
	assert.Equal(t, no, verdicts(t, "jackson/128", rows)[4])
}

// Sizes are compared seed by seed, with equal bounds.
func TestClaimsAboutCriteria(t *testing.T) {
	const of = " of sharcnet-latency:sites=plane,every=20"
	found := func(own, advertised float64, acquainted int) *cluster.Quality {
		return &cluster.Quality{
			Own:        cluster.Shape{MeanSize: own, MaxAcquainted: acquainted},
			Advertised: cluster.Shape{MeanSize: advertised},
		}
	}
	cells := map[string]*cluster.Quality{
		"clusters:8,memberships=2,criterion=greedy,aggregate=16" + of:     found(3, 6, 14),
		"clusters:8,memberships=2,criterion=greedy,aggregate=8" + of:      found(2, 6.5, 14),
		"clusters:8,memberships=2,criterion=first-come,aggregate=16" + of: found(3, 5, 14),
	}
	rows := func() (all []*lab.Row) {
		for predict, q := range cells {
			c := lab.MustCell("predict=" + predict)
			for seed := range uint64(10) {
				all = append(all, &lab.Row{Experiment: "jackson/criteria", Settings: c, Seed: seed, Clusters: q})
			}
		}
		return all
	}
	equal := experiment.CannotTell
	assert.Equal(t, []experiment.Verdict{equal, yes, yes, no, yes}, verdicts(t, "jackson/criteria", rows()))
	cells["clusters:8,memberships=2,criterion=greedy,aggregate=16"+of].Own.MaxAcquainted = 15
	assert.Equal(t, no, verdicts(t, "jackson/criteria", rows())[4])
}

// Jobs that are larger than the clusters are left out of all cells alike.
func TestLargeJobsAreLeftOut(t *testing.T) {
	chosen, err := experiment.Choose([]string{"jackson/t5.7"})
	require.NoError(t, err)
	for _, size := range experiment.Sizes {
		runs, err := chosen[0].Runs(size, []uint64{1})
		require.NoError(t, err)
		for _, r := range runs {
			assert.Contains(t, r.Cell.Get("select"), "filter:size<=64")
		}
	}
}
