package can

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	canmodel "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/sim"
)

func modelScenario() *sim.Scenario {
	all := Scenarios()
	return all[slices.IndexFunc(all, func(w *sim.Scenario) bool { return w.Name == "can/models" })]
}

// Every model is run, with its own map.
func TestAllModelsAreRun(t *testing.T) {
	settings, met := canmodel.Settings(), map[uint64]bool{}
	for seed := range uint64(30 * len(settings)) {
		p := modelScenario().Draw(seed)
		i := slices.IndexFunc(settings, func(s canmodel.Setting) bool { return shapeOf(s.Name) == p.Shape })
		require.GreaterOrEqual(t, i, 0)
		met[p.Shape] = true
		s, coords, err := modelSpace(p)
		require.NoError(t, err)
		assert.Equal(t, settings[i].Space, s)
		assert.Equal(t, settings[i].Coords, coords)
		assert.Equal(t, settings[i].Founders, p.Founders)
	}
	assert.Len(t, met, len(settings), "two models have one shape, or a model is not drawn")
}

// A plan that names no model is an error.
func TestPlanOfNoModel(t *testing.T) {
	w := modelScenario()
	p := w.Draw(1)
	p.Shape++
	_, err := w.Run(p, sim.RunOptions{})
	require.ErrorIs(t, err, sim.ErrPlan)
	require.ErrorContains(t, err, fmt.Sprintf("no model with %d nodes or more has the shape %d", p.Nodes, p.Shape))
}
