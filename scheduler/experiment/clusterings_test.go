package experiment_test

import (
	"strings"
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

// byClaim judges rows, and returns the judgements whose claims end so, by the rest of their texts.
func byClaim(t *testing.T, name string, rows []*lab.Row, end string) map[string]experiment.Judgement {
	t.Helper()
	all := map[string]experiment.Judgement{}
	for _, j := range chosen(t, name).Judge(rows) {
		if claim, found := strings.CutSuffix(j.Claim, end); found && !j.Missing {
			all[claim] = j
		}
	}
	return all
}

// The published table is reproduced by itself; worse clusters are not.
func TestClaimsAboutFoundClusters(t *testing.T) {
	cells := map[string][2]float64{
		"disjoint:64": {68.2, 2}, "dyn:64,sites=median": {313, 7}, "dyn-sym:64,sites=median": {86.4, 3},
	}
	name := "jackson/t5.7"
	const sym, dyn = "qb+dlb clustering=dyn-sym:64,sites=median", "qb+dlb clustering=dyn:64,sites=median"
	mean, median := sym+" has a smaller mean slowdown than "+dyn, sym+" has a smaller median slowdown than "+dyn
	const edge = "qb+dlb clustering=disjoint:64 has a smaller mean slowdown than " + sym
	const comparable = "the mean slowdown of " + sym + " is at most 1.267 times that of qb+dlb clustering=disjoint:64"
	of := func() map[string]experiment.Judgement { return byClaim(t, name, slowdowns(name, cells), " (input T)") }
	for _, claim := range []string{mean, median, edge, comparable, "the median slowdown of " + sym + " is 2 to 3.5"} {
		assert.Equal(t, yes, of()[claim].Verdict, claim)
	}
	assert.Equal(t, yes, of()[mean].InBand)
	cells["dyn-sym:64,sites=median"] = [2]float64{330, 8}
	for _, claim := range []string{mean, median, comparable, "the median slowdown of " + sym + " is 2 to 3.5"} {
		assert.Equal(t, no, of()[claim].Verdict, claim)
	}
	assert.Equal(t, no, of()[comparable].InBand)

	cells = map[string][2]float64{"disjoint:128": {33, 2}, "dyn-sym:128,sites=median": {60, 2}}
	first := chosen(t, "jackson/128").Judge(slowdowns("jackson/128", cells))[0]
	assert.Equal(t, experiment.None, first.Verdict, "nothing is published")
	assert.Equal(t, no, first.InBand)
	c := lab.MustCell("predict=clusters:128 of sharcnet-latency")
	rows := slowdowns("jackson/128", cells)
	var row *lab.Row
	for seed := range uint64(10) {
		row = &lab.Row{Experiment: "jackson/128", Settings: c, Seed: seed, ElapsedSeconds: 59}
		rows = append(rows, row)
	}
	inTime := func() experiment.Verdict {
		return byClaim(t, "jackson/128", rows, "")["clusters of 128 of 2,091 nodes are found within a minute"].InBand
	}
	assert.Equal(t, yes, inTime())
	row.ElapsedSeconds = 61 // too long, in one run of ten
	assert.Equal(t, no, inTime())
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
		"clusters:8,memberships=2,criterion=greedy,aggregate=32" + of:     found(3.1, 5.9, 14),
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
	judged := func() map[string]experiment.Judgement {
		return byClaim(t, "jackson/criteria", rows(), " (N = 8, M = 2)")
	}
	const acquaintances = "most acquaintances of a host, before and after symmetry"
	for claim, want := range map[string]experiment.Verdict{
		"mean size of own clusters: first-come less greedy":                         experiment.CannotTell,
		"mean size of advertised clusters: first-come less greedy":                  yes,
		"mean size of own clusters: single less double aggregation":                 yes,
		"mean size of advertised clusters: single less double aggregation":          no,
		"mean size of own clusters: fourfold in times of double aggregation":        no,
		"mean size of advertised clusters: fourfold in times of double aggregation": yes,
		acquaintances: yes,
		"most memberships of a host, before symmetry":                yes,
		"most memberships of a host, more with symmetry than before": no,
	} {
		assert.Equal(t, want, judged()[claim].Verdict, claim)
	}
	cells["clusters:8,memberships=2,criterion=greedy,aggregate=16"+of].Own.MaxAcquainted = 15
	assert.Equal(t, no, judged()[acquaintances].Verdict)
	assert.Len(t, judged(), 9)
}

// Clusters that lie partly within the diameter, pairs beyond it, and slow reports, with M = N.
func TestClaimsAboutUnfilteredClusters(t *testing.T) {
	q := &cluster.Quality{
		Own: cluster.Shape{MeanSize: 5, MaxAcquainted: 9}, Advertised: cluster.Shape{MeanSize: 7, MaxAcquainted: 9},
		Unfiltered: cluster.Split{Within: 20, Beyond: 3}, FilteredPairs: 12, Rounds: 30,
	}
	c := lab.MustCell("predict=clusters:8,memberships=8,criterion=greedy,aggregate=16 of " +
		"sharcnet-latency:sites=plane,every=20")
	var rows []*lab.Row
	for seed := range uint64(10) {
		rows = append(rows, &lab.Row{Experiment: "jackson/criteria", Settings: c, Seed: seed, Clusters: q})
	}
	all := byClaim(t, "jackson/criteria", rows, " (N = M = 8)")
	require.Len(t, all, 5)
	for claim, j := range all {
		assert.Equal(t, yes, j.Verdict, claim)
	}
	*q = cluster.Quality{
		Own: cluster.Shape{MeanSize: 5, MaxAcquainted: 9}, Advertised: cluster.Shape{MeanSize: 4, MaxAcquainted: 10},
		Unfiltered: cluster.Split{Within: 20, Mixed: 1}, Rounds: 31,
	}
	for claim, j := range byClaim(t, "jackson/criteria", rows, " (N = M = 8)") {
		assert.Equal(t, no, j.Verdict, claim)
	}
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
