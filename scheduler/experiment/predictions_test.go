package experiment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/latency"
)

// predictedRows are rows of ten seeds: the errors of each cell, the same for every seed.
func predictedRows(name string, cells map[string]latency.Errors) (rows []*lab.Row) {
	for seed := uint64(1); seed <= 10; seed++ {
		for predict, errors := range cells {
			c := lab.MustCell("predict=" + predict)
			rows = append(rows, &lab.Row{
				Experiment: name, Settings: c, Seed: seed,
				Prediction: &lab.Prediction{Errors: errors, Hosts: 100, Measurements: 5_000},
			})
		}
	}
	return rows
}

// The published numbers reproduce themselves, and numbers that are worse deviate.
func TestPublishedPredictionsReproduce(t *testing.T) {
	for name, cells := range map[string]map[string]latency.Errors{
		"jackson/t5.2": {
			"dtm of umiacs-like":            {P50: 0.019, P95: 0.209, P99: 0.492, Max: 21.75},
			"vivaldi:128000 of umiacs-like": {P50: 0.122, P95: 0.467, P99: 0.701, Max: 6.31},
			"gnp of umiacs-like":            {P50: 0.235, P95: 0.891, P99: 0.995, Max: 29.66},
		},
		"jackson/t5.3": {
			"vivaldi:128000 of sharcnet-latency":  {P50: 0.14, P95: 8_797.83, P99: 14_023.01},
			"vivaldi:4096000 of sharcnet-latency": {P50: 0.01, P95: 97, P99: 238.90},
		},
		"jackson/t5.4": {
			"dtm of sharcnet-latency":             {P95: 0.11, P99: 0.37},
			"gnp of sharcnet-latency":             {P50: 0.19, P95: 1.94, P99: 4.65},
			"vivaldi:4096000 of sharcnet-latency": {P50: 0.01, P95: 97, P99: 238.9, BelowOne: 0.7, Negative: 0.9},
			"vivaldi:117941 of sharcnet-latency":  {P50: 0.2, P95: 5_031.89, P99: 13_483.07},
			"dtm of umiacs-like":                  {P50: 0.019, P95: 0.209, P99: 0.492},
			"gnp of umiacs-like":                  {P50: 0.235, P95: 0.891, P99: 0.995},
		},
		"jackson/t5.5": {
			"dtm of sharcnet-latency:sites=mean":           {P95: 0.11, P99: 0.37, Max: 10_289.7},
			"dtm of sharcnet-latency:sites=mean,round=yes": {P95: 0.090, P99: 0.31, Max: 9_329.09},
			"dtm of sharcnet-latency:sites=lowest":         {P95: 0.089, P99: 0.35, Max: 8_077.81},
			"dtm-rejoin of sharcnet-latency:sites=mean":    {P95: 0.28, P99: 0.50, Max: 2.06},
		},
		"jackson/t5.6": {
			"dtm of sharcnet-latency:sites=mean":           {Far: 1_500_000, Positive: 1.4e-5, Negative: 0.022},
			"dtm of sharcnet-latency:sites=mean,round=yes": {Far: 1_800_000, Positive: 1.0e-5, Negative: 0.013},
			"dtm of sharcnet-latency:sites=lowest":         {Far: 1_800_000, Positive: 0.99e-5, Negative: 0.030},
			"dtm-rejoin of sharcnet-latency:sites=mean":    {Far: 1_800_000, Negative: 0.022},
		},
		"jackson/5.2.5": {
			"vivaldi:128000 of sharcnet-latency:every=10": {Negative: 0.2},
			"vivaldi:4096000 of sharcnet-latency":         {Negative: 0.9},
		},
		"jackson/2.2.1": {"dtm of tree:151": {}, "dtm-walk of tree:300": {}},
	} {
		judged := byClaim(t, name, predictedRows(name, cells), "")
		assert.NotEmpty(t, judged, name)
		for claim, j := range judged {
			assert.Contains(t, []experiment.Verdict{experiment.Reproduced, experiment.None}, j.Verdict, "%s: %s: %s", name,
				claim, j.Found)
		}
	}
	// Without a tree of the sites, its errors are 0.
	const floor = "the 99th percentile of the errors of DTM beyond 1.3 times that of a tree of the sites"
	cells := map[string]latency.Errors{"dtm of sharcnet-latency": {P50: 0.02, P95: 0.2, P99: 0.5}}
	rows := predictedRows("jackson/t5.4", cells)
	assert.Equal(t, experiment.Deviates, byClaim(t, "jackson/t5.4", rows, "")[floor].InBand)
	for _, r := range rows {
		r.Prediction.Floor.P99, r.Prediction.Measurements = 0.4, 120_000
	}
	judged := byClaim(t, "jackson/t5.4", rows, "")
	assert.Equal(t, experiment.Reproduced, judged[floor].InBand)
	for _, claim := range []string{
		"the median error of DTM is the printed one", "the 95th percentile of the errors of DTM is the printed one",
		"DTM makes at most 117,941 measurements",
	} {
		assert.Equal(t, experiment.Deviates, judged[claim].Verdict, claim)
	}
}

// Numbers that are printed with two decimals are rounded, and a wide interval around one is open.
func TestPrintedNumbers(t *testing.T) {
	const claim = "the 95th percentile of the errors of DTM is the printed one"
	for _, c := range []struct {
		odd, even float64 // seeds
		want      experiment.Verdict
	}{
		{0.106, 0.114, experiment.Reproduced}, {0.116, 0.116, experiment.Deviates},
		{0.104, 0.104, experiment.Deviates}, {0.11, 0.13, experiment.Reproduced}, {0.01, 0.3, experiment.Undetermined},
	} {
		rows := predictedRows("jackson/t5.4", map[string]latency.Errors{"dtm of sharcnet-latency": {P95: c.even}})
		for _, r := range rows {
			if r.Seed%2 == 1 {
				r.Prediction.Errors.P95 = c.odd
			}
		}
		assert.Equal(t, c.want, byClaim(t, "jackson/t5.4", rows, "")[claim].Verdict, "%+v", c)
	}
}

// The plateau of table 5.1: the published percentiles have one, a later rise has not.
func TestPlateau(t *testing.T) {
	cells := map[string]latency.Errors{
		"vivaldi:4000 of umiacs-like": {P99: 13.86}, "vivaldi:64000 of umiacs-like": {P99: 0.69},
		"vivaldi:128000 of umiacs-like": {P99: 0.69}, "vivaldi:1024000 of umiacs-like": {P99: 0.67},
	}
	name := "jackson/t5.1"
	judged := chosen(t, name).Judge(predictedRows(name, cells))
	assert.Equal(t, experiment.Reproduced, judged[0].Verdict)
	assert.Equal(t, experiment.Reproduced, judged[1].Verdict)
	assert.Equal(t, experiment.None, judged[2].Verdict)
	cells["vivaldi:1024000 of umiacs-like"] = latency.Errors{P99: 0.76} // in our band, which is wider
	judged = chosen(t, name).Judge(predictedRows(name, cells))
	assert.Equal(t, experiment.Deviates, judged[1].Verdict)
	assert.Equal(t, experiment.Reproduced, judged[1].InBand)
}
