package experiment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
)

// rowOf is a row without results.
func rowOf(name string, c lab.Cell) *lab.Row {
	return &lab.Row{Experiment: name, Settings: c, Seed: 1}
}

func TestPublishedValues(t *testing.T) {
	sharcnet := lab.MustCell("workload=sharcnet-like:N=1000", "platform=sharcnet", "policy=qb+dlb")
	small, disjoint, each := sharcnet.With("platform=uniform:2x256"), sharcnet.With("clustering=disjoint:128"),
		sharcnet.With("moves=each")
	reference := lab.MustCell("workload=swf:KTH-SP2-1996-2.1-cln.swf.gz", "policy=easy")
	for _, c := range []struct {
		experiment, number string
		cell               lab.Cell
		want               float64 // 0 if nothing is published
	}{
		{"jackson/4.6", "mean_sjackson", sharcnet, 77.9},
		{"jackson/4.6", "mean_sjackson", small, 0},
		{"jackson/4.6", "mean_sjackson", each, 0},
		{"jackson/4.6", "mean_bsld", sharcnet, 0},
		{"jackson/t5.1", "p99", lab.MustCell("predict=vivaldi:16000 of umiacs-like"), 4.10},
		{"jackson/t5.1", "p95", lab.MustCell("predict=vivaldi:16000 of umiacs-like"), 0},
		{"jackson/t5.4", "max", lab.MustCell("predict=gnp of sharcnet-latency"), 84_287.44},
		{"jackson/t5.4", "max", lab.MustCell("predict=gnp of sharcnet-latency:sites=plane,every=5"), 0},
		{"jackson/t5.6", "negative_error", lab.MustCell("predict=dtm of sharcnet-latency:sites=lowest"), 0.030},
		{"jackson/t4.1", "mean_sjackson", disjoint, 33.3},
		{"", "mean_sjackson", sharcnet, 0},
		{"central/references", "mean_bsld", reference, 92.73},
		{"central/references", "mean_wait_seconds", reference, 6837.5},
		{"central/references", "utilisation", reference, 0},
	} {
		found, published := experiment.Published(rowOf(c.experiment, c.cell), c.number)
		assert.Equal(t, c.want != 0, published, "%+v", c)
		assert.InDelta(t, c.want, found, 0, "%+v", c)
	}
}

// Each number that a figure shows is a number of rows. References and queueing theory have a value
// for each cell.
func TestNumbersOfFigures(t *testing.T) {
	for _, e := range experiment.All() {
		runs, err := e.Runs("ci", []uint64{1})
		require.NoError(t, err)
		for _, number := range e.Numbers() {
			_, err := rowOf(e.Name, runs[0].Cell).Value(number)
			require.NoError(t, err, "%s: %s", e.Name, number)
			for _, r := range runs {
				_, published := experiment.Published(rowOf(e.Name, r.Cell), number)
				assert.True(t, published || e.Name != "theory/queues" && e.Name != "central/references", "%+v", r.Cell)
			}
		}
	}
}

// The size of rows is that of their cells, and half of the cells are no size.
func TestSizeOfRows(t *testing.T) {
	for _, name := range []string{"jackson/4.5", "jackson/4.6", "central/order"} {
		e, err := experiment.Choose([]string{name})
		require.NoError(t, err)
		for _, size := range experiment.Sizes {
			if name == "jackson/4.5" && size == "paper" { // it has the cells of desk
				continue
			}
			runs, err := e[0].Runs(size, []uint64{1, 2})
			require.NoError(t, err)
			var rows []*lab.Row
			for _, r := range runs {
				rows = append(rows, &lab.Row{Experiment: name, Settings: r.Cell, Seed: r.Seed})
			}
			found, whole := e[0].SizeOf(rows)
			assert.True(t, whole)
			assert.Equal(t, size, found, name)
			_, whole = e[0].SizeOf(rows[:1])
			assert.Equal(t, len(runs) == 2, whole, "%s %s", name, size)
		}
	}
}
