package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/model"
)

// Describing a system for another budget leaves it unchanged, and the result can be described for a
// third.
func TestRebudgeted(t *testing.T) {
	described := 0
	plain, err := model.ForBudget(model.Budget{}, func(b model.Budget) (model.Checkable, error) {
		described++
		script := twoCouriers()
		sys := script.system(b)
		if b.Drop > 0 {
			sys.Properties = sys.Properties[:1]
		}
		return sys.Compile()
	})
	require.NoError(t, err)
	lossy, err := plain.With(model.Budget{Drop: 1})
	require.NoError(t, err)
	again, err := lossy.With(model.Budget{})
	require.NoError(t, err)
	assert.Equal(t, 3, described)
	assert.Len(t, lossy.Model().Properties(), 1)
	assert.Equal(t, plain.Model().Properties(), again.Model().Properties())
	assert.NotEqual(t, plain.Model().Properties(), lossy.(model.Safe).Safety().Model().Properties())
	_, err = plain.With(model.Budget{Crash: 9})
	require.ErrorIs(t, err, model.ErrBudget)
}
