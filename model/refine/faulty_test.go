package refine

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/model"
)

func has(m model.Checkable, property string) bool {
	for _, p := range m.Model().Properties() {
		if p.Name == property {
			return true
		}
	}
	return false
}

// Properties that presume that no node fails are dropped from a model whose budget is raised, and
// return when it is lowered.
func TestPropertiesFollowTheBudget(t *testing.T) {
	for _, m := range Models() {
		if m.Info().Name != "refine/pair" {
			continue
		}
		require.True(t, has(m, "Whole") && has(m, "Taken"))
		tests := []struct {
			budget       model.Budget
			whole, taken bool
		}{
			{model.Budget{Drop: 1, Duplicate: 1}, true, true},
			{model.Budget{Spurious: 1}, false, true},
			{model.Budget{Crash: 1}, false, false},
			{model.Budget{Suspect: 1}, false, false},
			{model.Budget{}, true, true},
		}
		for _, test := range tests {
			var err error
			m, err = m.With(test.budget)
			require.NoError(t, err)
			assert.Equal(t, test.whole, has(m, "Whole"), "%+v", test.budget)
			assert.Equal(t, test.taken, has(m, "Taken"), "%+v", test.budget)
			assert.Equal(t, test.budget, m.Info().Budget)
			assert.False(t, has(m.(model.Safe).Safety(), "Converges"))
		}
		_, err := m.With(model.Budget{Crash: 2})
		require.ErrorIs(t, err, model.ErrBudget)
		return
	}
	require.Fail(t, "no such model")
}
