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

func verdicts(t *testing.T, name string, rows []*lab.Row) (all []experiment.Verdict) {
	t.Helper()
	for _, j := range chosen(t, name).Judge(rows) {
		all = append(all, j.Verdict)
	}
	return all
}

// The published numbers reproduce themselves, and numbers that are worse deviate.
func TestPublishedPredictionsReproduce(t *testing.T) {
	const yes, no, none = experiment.Reproduced, experiment.Deviates, experiment.None
	cells := map[string]latency.Errors{
		"dtm of umiacs-like":            {P50: 0.019, P95: 0.209, P99: 0.492, Max: 21.75},
		"vivaldi:128000 of umiacs-like": {P50: 0.122, P95: 0.467, P99: 0.701, Max: 6.31},
		"gnp of umiacs-like":            {P50: 0.235, P95: 0.891, P99: 0.995, Max: 29.66},
	}
	assert.Equal(t, []experiment.Verdict{yes, yes, yes, yes, yes, none},
		verdicts(t, "jackson/t5.2", predictedRows("jackson/t5.2", cells)))
	cells["dtm of umiacs-like"] = latency.Errors{P50: 0.1, P95: 0.5, P99: 0.8, Max: 5}
	assert.Equal(t, []experiment.Verdict{no, no, no, yes, no, none},
		verdicts(t, "jackson/t5.2", predictedRows("jackson/t5.2", cells)))

	cells = map[string]latency.Errors{
		"dtm of sharcnet-latency":             {P95: 0.11, P99: 0.37},
		"gnp of sharcnet-latency":             {P50: 0.19, P95: 1.94, P99: 4.65},
		"vivaldi:4096000 of sharcnet-latency": {P50: 0.01, P95: 97, P99: 238.9},
		"vivaldi:117941 of sharcnet-latency":  {P50: 0.2, P95: 5_032, P99: 13_483},
	}
	assert.Equal(t, []experiment.Verdict{yes, yes, yes, yes, yes, none, none, yes, yes, yes, yes},
		verdicts(t, "jackson/t5.4", predictedRows("jackson/t5.4", cells)))
	rows := predictedRows("jackson/t5.4", cells)
	for _, r := range rows {
		r.Prediction.Measurements *= 2
	}
	assert.Equal(t, no, verdicts(t, "jackson/t5.4", rows)[7])

	cells = map[string]latency.Errors{"vivaldi:128000 of sharcnet-latency": {P95: 8_798, P99: 14_023}}
	assert.Equal(t, yes, verdicts(t, "jackson/t5.3", predictedRows("jackson/t5.3", cells))[2])
	cells["vivaldi:128000 of sharcnet-latency"] = latency.Errors{P95: 8_798, P99: 5_000}
	assert.Equal(t, no, verdicts(t, "jackson/t5.3", predictedRows("jackson/t5.3", cells))[2])

	original, rejoin := "dtm of sharcnet-latency:sites=mean", "dtm-rejoin of sharcnet-latency:sites=mean"
	cells = map[string]latency.Errors{original: {Max: 10_290}, rejoin: {Max: 2.06}}
	found := verdicts(t, "jackson/t5.5", predictedRows("jackson/t5.5", cells))
	assert.Equal(t, yes, found[len(found)-1])
	cells[rejoin] = latency.Errors{Max: 9_000}
	found = verdicts(t, "jackson/t5.5", predictedRows("jackson/t5.5", cells))
	assert.Equal(t, no, found[len(found)-1])
}

// The plateau of table 5.1: the published percentiles have one, a later rise has not.
func TestPlateau(t *testing.T) {
	cells := map[string]latency.Errors{
		"vivaldi:4000 of umiacs-like": {P99: 13.86}, "vivaldi:64000 of umiacs-like": {P99: 0.69},
		"vivaldi:128000 of umiacs-like": {P99: 0.69}, "vivaldi:1024000 of umiacs-like": {P99: 0.67},
	}
	name := "jackson/t5.1"
	assert.Equal(t, []experiment.Verdict{experiment.Reproduced, experiment.Reproduced, experiment.None},
		verdicts(t, name, predictedRows(name, cells)))
	cells["vivaldi:1024000 of umiacs-like"] = latency.Errors{P99: 0.9}
	assert.Equal(t, experiment.Deviates, verdicts(t, name, predictedRows(name, cells))[1])
}
