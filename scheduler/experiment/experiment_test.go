package experiment_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
)

func chosen(t *testing.T, name string) *experiment.Experiment {
	t.Helper()
	all, err := experiment.Choose([]string{name})
	require.NoError(t, err)
	require.Len(t, all, 1)
	return all[0]
}

func judged(t *testing.T, in *lab.Lab, e *experiment.Experiment, seeds string) []experiment.Judgement {
	t.Helper()
	some, err := lab.Seeds(seeds)
	require.NoError(t, err)
	runs, err := e.Runs("ci", some)
	require.NoError(t, err)
	rows, err := (&lab.Campaign{Lab: in, Rows: lab.NoRows(), Workers: 2}).Do(context.Background(), runs)
	require.NoError(t, err)
	return e.Judge(rows)
}

func TestOrderOfPolicies(t *testing.T) {
	for _, j := range judged(t, &lab.Lab{}, chosen(t, "central/order"), "10") {
		assert.Equal(t, experiment.Reproduced, j.Verdict, "%+v", j)
	}
}

// A claim about chance needs ten seeds, a claim needs its rows, and one about which nothing is
// published has no verdict.
func TestVerdictsAreHonest(t *testing.T) {
	e := chosen(t, "central/order")
	for _, j := range judged(t, &lab.Lab{}, e, "9") {
		assert.Equal(t, experiment.Undetermined, j.Verdict, "%+v", j)
		assert.Contains(t, j.Found, "fewer than 10 seeds: 9")
	}
	for _, j := range judged(t, &lab.Lab{}, chosen(t, "jackson/t5.2"), "1") {
		assert.NotContains(t, j.Found, "Inf", "one run has no interval: %+v", j)
	}
	for _, e := range experiment.All() {
		for _, j := range e.Judge(nil) {
			want := experiment.Undetermined
			if j.Relation == "" {
				want = experiment.None
			}
			assert.Equal(t, want, j.Verdict, "%+v", j)
			assert.True(t, j.Missing)
		}
	}
}

// A mean that is not the known one deviates.
func TestReferencesCanDeviate(t *testing.T) {
	e := chosen(t, "central/references")
	runs, err := e.Runs("ci", []uint64{1})
	require.NoError(t, err)
	row := &lab.Row{Experiment: e.Name, Settings: runs[1].Cell}
	row.Summary.Wait.Mean, row.Summary.BoundedSlowdown.Mean = 6_837.5, 92.73
	assert.Equal(t, experiment.Reproduced, e.Judge([]*lab.Row{row})[1].Verdict)
	row.Summary.BoundedSlowdown.Mean = 93.3
	assert.Equal(t, experiment.Deviates, e.Judge([]*lab.Row{row})[1].Verdict)
}

func TestReferences(t *testing.T) {
	data := os.Getenv("CANVASS_DATA")
	if data == "" {
		t.Skip("CANVASS_DATA does not name a folder of logs")
	}
	for _, name := range []string{"central/references", "central/intense"} {
		for _, j := range judged(t, &lab.Lab{Data: data}, chosen(t, name), "1") {
			want := experiment.Reproduced
			if name == "central/intense" {
				want = experiment.Unchanged
			}
			assert.Equal(t, want, j.Verdict, "%+v", j)
		}
	}
}

func TestUnknownExperiments(t *testing.T) {
	_, err := experiment.Choose([]string{"central/refs"})
	assert.ErrorContains(t, err, "no experiment is called")
	_, err = chosen(t, "central/order").Runs("huge", []uint64{1})
	assert.ErrorContains(t, err, "ci, desk, paper")
}

// The description of an experiment before it runs: every size has an input, and a claim that is
// made about several inputs is there once.
func TestAboutExperiments(t *testing.T) {
	for _, e := range experiment.All() {
		for _, size := range experiment.Sizes {
			assert.NotEmpty(t, e.Inputs(size), "%s %s", e.Name, size)
			assert.NotPanics(t, func() { e.Time(size) })
		}
		said := map[experiment.Statement]bool{}
		for _, s := range e.Statements() {
			assert.NotContains(t, s.Claim, "(input")
			assert.False(t, said[s], s.Claim)
			said[s] = true
		}
		assert.LessOrEqual(t, len(said), len(e.Claims))
	}
	figure, err := experiment.Choose([]string{"jackson/4.6"})
	require.NoError(t, err)
	assert.Equal(t, []string{"sharcnet-like:N=250 filter:size<=64 on uniform:2x256"}, figure[0].Inputs("ci"))
	assert.Len(t, figure[0].Inputs("paper"), 3)
	assert.Len(t, figure[0].Statements(), 15)
}

// An interval over seeds that have the same jobs says nothing about others. Only the recorded
// schedule of a log is one run.
func TestSeedsDrawTheJobs(t *testing.T) {
	for _, e := range experiment.All() {
		for _, size := range experiment.Sizes {
			runs, err := e.Runs(size, []uint64{1})
			require.NoError(t, err)
			for _, r := range runs {
				draws := r.Cell.Draws()
				if e.Chance && r.Cell.Get("policy") != "actual" && (draws == lab.Placements || draws == lab.OneRun) {
					t.Errorf("%s: all seeds have the same jobs: %s", e.Name, r.Cell)
				}
			}
		}
	}
}

// Every cell has jobs. Cells on logs need the folder of logs.
func TestCellsHaveJobs(t *testing.T) {
	in := &lab.Lab{Data: os.Getenv("CANVASS_DATA")}
	if in.Data == "" {
		t.Skip("CANVASS_DATA does not name a folder of logs")
	}
	known := map[string]bool{}
	recorded := 0
	for _, e := range experiment.All() {
		for _, size := range experiment.Sizes {
			runs, err := e.Runs(size, []uint64{7})
			require.NoError(t, err)
			for _, r := range runs {
				jobs := r.Cell.Get("workload") + r.Cell.Get("select") + r.Cell.Get("platform")
				if r.Cell.Get("workload") == "" || known[jobs] {
					continue
				}
				known[jobs] = true
				if r.Cell.Get("policy") == "actual" { // the records have to fit the machine
					_, err := in.Run(t.Context(), e.Name, r.Cell, r.Seed)
					require.NoError(t, err)
					recorded++
				}
				_, _, err := in.Jobs(r.Cell, r.Seed)
				require.NoError(t, err, "%s: %s", e.Name, r.Cell)
			}
		}
	}
	assert.Equal(t, 2, recorded)
}
