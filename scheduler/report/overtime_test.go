package report_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/plot"
	"github.com/canvass-grid/canvass/scheduler/report"
)

func drawn(t *testing.T, kind string, f *report.Figures) (*plot.Figure, [][]string) {
	t.Helper()
	k, err := report.KindNamed(kind)
	require.NoError(t, err)
	figures, err := f.Draw(k)
	require.NoError(t, err)
	require.Len(t, figures, 1)
	lines, err := csv.NewReader(strings.NewReader(string(figures[0].CSV))).ReadAll()
	require.NoError(t, err)
	return figures[0], lines[1:]
}

// Two jobs on two nodes: both busy from 0 to 10 s, one from 10 to 20 s; the third waits for 10 s.
func TestOverTimeByHand(t *testing.T) {
	path := filepath.Join(t.TempDir(), "jobs.csv")
	require.NoError(t, os.WriteFile(path, []byte("number,submit_micros,start_micros,end_micros,nodes,cluster,excluded\n"+
		"1,0,0,10000000,1,c,\n2,0,0,10000000,1,c,\n3,0,10000000,20000000,1,c,\n"), 0o600))
	_, lines := drawn(t, "utilisation", &report.Figures{Files: []string{path}})
	assert.Equal(t, [][]string{{"jobs.csv", "0", "1"}, {"jobs.csv", "10", "0.5"}, {"jobs.csv", "20", "0"}}, lines)
	_, lines = drawn(t, "queue", &report.Figures{Files: []string{path}})
	assert.Equal(t, [][]string{{"jobs.csv", "0", "1"}, {"jobs.csv", "10", "0"}, {"jobs.csv", "20", "0"}}, lines)
}

// The share at a value is that of the jobs up to it, and its interval is over the three seeds.
func TestDistributionsOverSeedsHaveABand(t *testing.T) {
	in := &lab.Lab{Commit: "test"}
	campaign := lab.Campaign{Lab: in, Rows: lab.NoRows(), Workers: 1}
	cell := lab.MustCell("workload=lublin:N=80,nodes=16", "select=load:to=0.9", "estimate=exact")
	rows, err := campaign.Do(t.Context(), []lab.Run{{Cell: cell, Seed: 1}, {Cell: cell, Seed: 2}, {Cell: cell, Seed: 3}})
	require.NoError(t, err)
	values := make([][]float64, len(rows))
	for i, r := range rows {
		o, err := in.Again(t.Context(), r)
		require.NoError(t, err)
		values[i], err = metric.Values(o.Workload, o.Platform, o.Records, "wait_seconds", metric.Options{})
		require.NoError(t, err)
	}
	_, lines := drawn(t, "cdf", &report.Figures{Lab: in, Rows: rows, Metrics: []string{"wait_seconds"}})
	with := 0
	for _, line := range lines {
		if line[3] == "" {
			continue
		}
		with++
		x, err := strconv.ParseFloat(line[1], 64)
		require.NoError(t, err)
		var shares []float64
		for _, all := range values {
			count := 0.0
			for _, v := range all {
				if v <= x {
					count++
				}
			}
			shares = append(shares, count/80)
		}
		mean, low, high := metric.Interval(shares)
		for i, want := range []float64{mean, max(0, low), min(1, high)} {
			got, err := strconv.ParseFloat(line[2+i], 64)
			require.NoError(t, err)
			assert.InDelta(t, want, got, 1e-12)
		}
	}
	assert.Greater(t, with, 50)
}

// The areas below mean curves are those of the rows: node-seconds, and time that jobs waited.
func TestMeansOverTimeHaveTheAreaOfTheRuns(t *testing.T) {
	in := &lab.Lab{Commit: "test"}
	campaign := lab.Campaign{Lab: in, Rows: lab.NoRows(), Workers: 1}
	cell := lab.MustCell("workload=lublin:N=80,nodes=16", "select=load:to=0.9", "estimate=exact")
	rows, err := campaign.Do(t.Context(), []lab.Run{{Cell: cell, Seed: 1}, {Cell: cell, Seed: 2}, {Cell: cell, Seed: 3}})
	require.NoError(t, err)
	for kind, area := range map[string]func(r *lab.Row) float64{
		"utilisation": func(r *lab.Row) float64 { return r.Summary.Utilisation * r.Summary.Makespan },
		"queue":       func(r *lab.Row) float64 { return r.Summary.MeanQueue * r.Summary.Makespan },
	} {
		figure, lines := drawn(t, kind, &report.Figures{Lab: in, Rows: rows})
		require.Len(t, lines, 200)
		want, got, longest := 0.0, 0.0, 0.0
		for _, r := range rows {
			want += area(r) / 3
			longest = max(longest, r.Summary.Makespan)
		}
		for _, line := range lines {
			mean, err := strconv.ParseFloat(line[2], 64)
			require.NoError(t, err)
			low, err := strconv.ParseFloat(line[3], 64)
			require.NoError(t, err)
			assert.GreaterOrEqual(t, low, 0.0)
			got += mean * longest / 200
		}
		assert.InEpsilon(t, want, got, 1e-9, kind)
		assert.Contains(t, string(figure.SVG), "Means over seeds with 95 % intervals")
	}
}
