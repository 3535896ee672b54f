package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/can"
)

// comparable is a report without what may differ between two runs: times, sizes, and the words of
// states.
type comparable struct {
	States, Transitions uint64
	Depth               int
	Classes             []uint64
	Verdicts            []checker.Verdict
	Cases               []uint64
	Paths               [][]int
}

func comparableOf(r *checker.Report) comparable {
	c := comparable{States: r.States, Transitions: r.Transitions, Depth: r.Depth, Classes: r.ClassCounts}
	for _, o := range r.Outcomes {
		c.Verdicts, c.Cases = append(c.Verdicts, o.Verdict), append(c.Cases, o.Cases)
		var path []int
		if o.Path != nil {
			for _, s := range o.Path.Steps {
				path = append(path, s.Action)
			}
		}
		c.Paths = append(c.Paths, path)
	}
	return c
}

// The number of workers changes nothing, and neither does running again: on the same model, whose
// tables are then full, or on a fresh one.
func TestReportsDoNotDependOnWorkers(t *testing.T) {
	systems := map[string]model.Checkable{
		"two":   compiled(t, twoCouriers(), model.Budget{Drop: 1, Duplicate: 1, Crash: 1, Restart: 1}),
		"three": compiled(t, threeCouriers(), model.Budget{Spurious: 1}),
	}
	for _, name := range []string{
		"can/row2/stale-update", "can/row3/leave-crash", "can/row4/limit-adjacent-crashes", "can/clones/join-join",
	} {
		systems[name] = canModel(name)
	}
	for name, m := range systems {
		shared := m.Model()
		want := comparableOf(check(t, shared, everything(1)))
		for workers := 1; workers <= 3; workers++ {
			assert.Equal(t, want, comparableOf(check(t, m.Model(), everything(workers))), "%s, %d workers", name, workers)
			assert.Equal(t, want, comparableOf(check(t, shared, everything(workers))), "%s, %d workers, again", name, workers)
		}
	}
}

// The sizes of some state spaces. They change when a core changes or when more or less can happen
// to it: look at why before you write down the new ones.
func TestPinnedCounts(t *testing.T) {
	tests := []struct {
		name                string
		states, transitions uint64
		depth               int
	}{
		{"can/row2/join", 15, 18, 10},
		{"can/row2/leave", 6, 5, 5},
		{"can/row2/leave-leave", 74, 98, 16},
		{"can/row2/stale-update", 2222, 6079, 31},
		{"can/row2/join-crash-rejoin", 3385, 7369, 44},
		{"can/row3/crash", 30, 39, 8},
		{"can/row3/crash-rejoin", 217, 405, 21},
		{"can/row3/leave-crash", 460, 757, 23},
		{"can/row3/leave-crash-rejoin", 7431, 19392, 55},
		{"can/row4/limit-adjacent-crashes", 681, 1472, 24},
		{"can/tee/leave", 18, 25, 9},
		{"can/clones/join-join", 929, 1962, 31},
	}
	models := map[string]model.Checkable{}
	for _, m := range can.Models() {
		models[m.Info().Name] = m
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Contains(t, models, test.name)
			r := check(t, models[test.name].Model(), everything(0))
			require.True(t, r.Complete)
			assert.Equal(t, test.states, r.States, "states")
			assert.Equal(t, test.transitions, r.Transitions, "transitions")
			assert.Equal(t, test.depth, r.Depth, "depth")
		})
	}
}
