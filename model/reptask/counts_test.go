package reptask

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
)

// The sizes of some state spaces. They change when the core changes or when more or less can happen
// to it: look at why before you write down the new ones.
func TestPinnedCounts(t *testing.T) {
	tests := []struct {
		name                string
		states, transitions uint64
		depth               int
	}{
		{"lone", 18, 23, 11},
		{"serial", 40, 70, 10},
		{"pair", 435, 1023, 18},
		{"chain", 534, 1515, 18},
		{"spare", 248, 595, 14},
		{"three-jobs", 7676, 26007, 29},
		{"move", 15971, 65043, 28},
		{"cancel", 2646, 7684, 19},
		{"refuse", 65, 132, 12},
		{"lone-mixed", 932, 2907, 18},
		{"pair-drop", 2092, 5730, 21},
		{"pair-dup", 3817, 12291, 19},
		{"owner-crash", 174, 343, 16},
		{"owner-crash-move", 3284, 10677, 24},
		{"spare-crash", 611, 1178, 26},
		{"spare-crash-rejoin", 1797, 4566, 28},
		{"remote-crash", 3116, 9533, 27},
		{"limit-doomed", 611, 1178, 26},
		{"limit-false-suspicion", 1436, 3827, 32},
		{"mutual-suspicion", 1074, 2824, 14},
	}
	models := map[string]model.Checkable{}
	for _, m := range Models() {
		models[m.Info().Name] = m
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := models["reptask/"+test.name]
			require.NotNil(t, m)
			r, err := checker.Check(context.Background(), m.Model(), checker.Options{ContinueAfterViolation: true})
			require.NoError(t, err)
			require.True(t, r.Complete)
			assert.Equal(t, test.states, r.States, "states")
			assert.Equal(t, test.transitions, r.Transitions, "transitions")
			assert.Equal(t, test.depth, r.Depth, "depth")
		})
	}
}

// A model takes another budget, and refuses an impossible one.
func TestBudgets(t *testing.T) {
	for _, m := range Models() {
		other, err := m.With(model.Budget{Drop: 1, Crash: 1})
		require.NoError(t, err)
		assert.Equal(t, model.Budget{Drop: 1, Crash: 1}, other.Info().Budget)
		_, err = m.With(model.Budget{Crash: m.Info().Nodes})
		require.ErrorIs(t, err, model.ErrBudget)
		for _, p := range m.(model.Safe).Safety().Model().Properties() {
			assert.False(t, p.Shape.Live(), p.Name)
		}
	}
}
