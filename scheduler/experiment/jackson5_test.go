package experiment_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/embed"
	"github.com/canvass-grid/canvass/scheduler/experiment"
)

// predictedRows are rows of ten seeds: the errors of each cell, the same for every seed.
func predictedRows(name string, cells map[string]embed.Errors) (rows []*experiment.Row) {
	for seed := uint64(1); seed <= 10; seed++ {
		for predict, errors := range cells {
			c := experiment.Cell{Predict: predict}
			rows = append(rows, &experiment.Row{
				Experiment: name, Settings: c.Resolved(), Seed: seed,
				Prediction: &experiment.Prediction{Errors: errors, Hosts: 100, Measurements: 5_000},
			})
		}
	}
	return rows
}

func verdicts(t *testing.T, name string, rows []*experiment.Row) (all []experiment.Verdict) {
	t.Helper()
	for _, j := range chosen(t, name).Judge(rows) {
		all = append(all, j.Verdict)
	}
	return all
}

// The published numbers reproduce themselves, and numbers that are worse deviate.
func TestPublishedPredictionsReproduce(t *testing.T) {
	const yes, no, open = experiment.Reproduced, experiment.Deviates, experiment.Undetermined
	cells := map[string]embed.Errors{
		"dtm of umiacs-like":            {P50: 0.019, P95: 0.209, P99: 0.492, Max: 21.75},
		"vivaldi:128000 of umiacs-like": {P50: 0.122, P95: 0.467, P99: 0.701, Max: 6.31},
		"gnp of umiacs-like":            {P50: 0.235, P95: 0.891, P99: 0.995, Max: 29.66},
	}
	assert.Equal(t, []experiment.Verdict{yes, yes, yes, yes, yes, open},
		verdicts(t, "jackson/t5.2", predictedRows("jackson/t5.2", cells)))
	cells["dtm of umiacs-like"] = embed.Errors{P50: 0.1, P95: 0.5, P99: 0.8, Max: 5}
	assert.Equal(t, []experiment.Verdict{no, no, no, yes, no, open},
		verdicts(t, "jackson/t5.2", predictedRows("jackson/t5.2", cells)))

	cells = map[string]embed.Errors{
		"dtm of sharcnet-latency":             {P95: 0.11, P99: 0.37},
		"gnp of sharcnet-latency":             {P50: 0.19, P95: 1.94, P99: 4.65},
		"vivaldi:4096000 of sharcnet-latency": {P50: 0.01, P95: 97, P99: 238.9},
		"vivaldi:117941 of sharcnet-latency":  {P50: 0.2, P95: 5_032, P99: 13_483},
	}
	// No tree of the sites is in the rows, so nothing can be near it.
	assert.Equal(t, []experiment.Verdict{yes, yes, yes, yes, yes, no, no, yes, yes, yes, yes},
		verdicts(t, "jackson/t5.4", predictedRows("jackson/t5.4", cells)))
	rows := predictedRows("jackson/t5.4", cells)
	for _, r := range rows {
		r.Prediction.Measurements *= 2
	}
	assert.Equal(t, no, verdicts(t, "jackson/t5.4", rows)[7])

	cells = map[string]embed.Errors{"vivaldi:128000 of sharcnet-latency": {P95: 8_798, P99: 14_023}}
	assert.Equal(t, yes, verdicts(t, "jackson/t5.3", predictedRows("jackson/t5.3", cells))[2])
	cells["vivaldi:128000 of sharcnet-latency"] = embed.Errors{P95: 8_798, P99: 5_000}
	assert.Equal(t, no, verdicts(t, "jackson/t5.3", predictedRows("jackson/t5.3", cells))[2])

	original, rejoin := "dtm of sharcnet-latency:sites=mean", "dtm-rejoin of sharcnet-latency:sites=mean"
	cells = map[string]embed.Errors{original: {Max: 10_290}, rejoin: {Max: 2.06}}
	found := verdicts(t, "jackson/t5.5", predictedRows("jackson/t5.5", cells))
	assert.Equal(t, yes, found[len(found)-1])
	cells[rejoin] = embed.Errors{Max: 9_000}
	found = verdicts(t, "jackson/t5.5", predictedRows("jackson/t5.5", cells))
	assert.Equal(t, no, found[len(found)-1])
}

// The plateau of table 5.1: the published percentiles have one, a later rise has not.
func TestPlateau(t *testing.T) {
	cells := map[string]embed.Errors{
		"vivaldi:4000 of umiacs-like": {P99: 13.86}, "vivaldi:64000 of umiacs-like": {P99: 0.69},
		"vivaldi:128000 of umiacs-like": {P99: 0.69}, "vivaldi:1024000 of umiacs-like": {P99: 0.67},
	}
	name := "jackson/t5.1"
	assert.Equal(t, []experiment.Verdict{experiment.Reproduced, experiment.Reproduced, experiment.Undetermined},
		verdicts(t, name, predictedRows(name, cells)))
	cells["vivaldi:1024000 of umiacs-like"] = embed.Errors{P99: 0.9}
	assert.Equal(t, experiment.Deviates, verdicts(t, name, predictedRows(name, cells))[1])
}

// A cell that predicts has errors in its row, and no jobs. Runs repeat.
func TestCellsThatPredict(t *testing.T) {
	lab := &experiment.Lab{}
	c := experiment.Cell{Predict: "dtm of sharcnet-latency:sites=plane,every=20"}
	first, err := lab.Run(context.Background(), "", &c, 3)
	require.NoError(t, err)
	p := first.Row.Prediction
	assert.Equal(t, p.Hosts*(p.Hosts-1)/2, p.Errors.Pairs)
	assert.Positive(t, p.Measurements)
	assert.Positive(t, p.Floor.P99)
	again, err := lab.Run(context.Background(), "", &c, 3)
	require.NoError(t, err)
	assert.Equal(t, p, again.Row.Prediction)
	for text, want := range map[string]string{
		"dtm":              "METHOD of INPUT",
		"dtm:x of tree:10": "METHOD of INPUT",
		"dtm:0 of tree:10": "METHOD of INPUT",
		"dtn of tree:10":   `did you mean "dtm"`,
		"dtm of tree":      "as in tree:300",
		"dtm of planetlab": "CANVASS_DATA",
	} {
		_, err := lab.Run(context.Background(), "", &experiment.Cell{Predict: text}, 1)
		assert.ErrorContains(t, err, want, text)
	}
	_, err = lab.Run(context.Background(), "", &experiment.Cell{Predict: "dtm of planetlab"}, 1)
	require.ErrorIs(t, err, experiment.ErrNoData)
}

// On the grid at measured sites, DTM measures seldom and confuses almost nothing.
func TestDTMAtMeasuredSites(t *testing.T) {
	data := os.Getenv("CANVASS_DATA")
	if data == "" {
		t.Skip("CANVASS_DATA does not name a folder of measured latencies")
	}
	o, err := (&experiment.Lab{Data: data}).Run(context.Background(), "",
		&experiment.Cell{Predict: "dtm of sharcnet-latency"}, 1)
	require.NoError(t, err)
	p := o.Row.Prediction
	assert.Equal(t, 2_185_095, p.Errors.Pairs)
	assert.LessOrEqual(t, p.Measurements, 57*p.Hosts)
	assert.LessOrEqual(t, p.Errors.Positive, 3e-5)
	assert.LessOrEqual(t, p.Errors.Negative, 0.03)
}
