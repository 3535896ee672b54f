package lab

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler"
)

// toy is a scheduler with one policy and one setting: jobs run one after the other, with a pause
// between two.
type toy struct{}

func (toy) Policies() []scheduler.Policy {
	return []scheduler.Policy{{Name: "one-by-one", Rule: "no two jobs run at once"}}
}

func (toy) Settings() []scheduler.Setting {
	return []scheduler.Setting{{Name: "pause", Default: "0", Doc: "seconds between two jobs"}}
}

func (toy) Prepare(value func(setting string) string) (scheduler.Runner, error) {
	pause, err := strconv.ParseInt(value("pause"), 10, 64)
	if err != nil {
		return nil, usage.Errorf("pause is %q: use whole seconds", value("pause"))
	}
	return func(_ context.Context, w *scheduler.Workload, _ *scheduler.Ground, _ uint64) (*scheduler.Result, error) {
		r := &scheduler.Result{Counts: map[string]int64{"paused_seconds": pause * int64(len(w.Jobs))}}
		free := int64(0)
		for i, j := range w.Jobs {
			start := max(free, j.SubmitMicros)
			free = start + j.RunMicros
			r.Records = append(r.Records, scheduler.Record{Job: i, StartMicros: start, EndMicros: free})
			free += pause * scheduler.Second
		}
		r.Digest = scheduler.Digest(r.Records)
		return r, nil
	}, nil
}

// A new system needs its name in the table, and nothing else: its policy can be run, explained and
// swept, its setting is one of cells and rows, and its counts are numbers of rows.
func TestANewSystemNeedsOneLine(t *testing.T) {
	before := known
	known = newSystems(append(slices.Clone(before.all), toy{})...)
	t.Cleanup(func() { known = before })

	runs, err := Product([]Cell{MustCell("workload=lublin:N=30,nodes=16", "policy=one-by-one")},
		[]Values{{Name: "pause", Values: []string{"0", "60"}}}, []uint64{1})
	require.NoError(t, err)
	folder := t.TempDir()
	file, err := OpenRows(folder)
	require.NoError(t, err)
	_, err = (&Campaign{Lab: &Lab{}, Rows: file, Workers: 2}).Do(t.Context(), runs)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	rows, err := ReadRows(folder)
	require.NoError(t, err)
	require.Len(t, rows, 2)
	slices.SortFunc(rows, func(a, b *Row) int { return len(a.Settings.String()) - len(b.Settings.String()) })
	assert.Equal(t, "workload=lublin:N=30,nodes=16 policy=one-by-one pause=60", rows[1].Settings.String())
	assert.Less(t, rows[0].Summary.Wait.Mean, rows[1].Summary.Wait.Mean)
	paused, err := rows[1].Value("paused_seconds")
	require.NoError(t, err)
	assert.InDelta(t, 1800, paused, 0)

	o, err := (&Lab{}).Again(t.Context(), rows[1])
	require.NoError(t, err)
	text, err := Explain(o, o.Workload.Jobs[0].Number)
	require.NoError(t, err)
	assert.Contains(t, text, "The rule of one-by-one: no two jobs run at once.")

	_, err = (&Lab{}).Run(t.Context(), "", runs[0].Cell.With("pause=long"), 1) // the toy does not check
	require.ErrorContains(t, err, `pause is "long"`)
	_, err = (&Lab{}).Run(t.Context(), "", runs[1].Cell.With("policy=fcfs"), 1)
	require.ErrorContains(t, err, "pause has no effect on policy fcfs; leave it out, or use one-by-one")
	_, err = (&Lab{}).Run(t.Context(), "", runs[0].Cell.With("reach=3"), 1)
	require.ErrorContains(t, err, "reach has no effect on policy one-by-one")
}
