package can

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/model"
)

// Each setting is that of a model of the catalogue, and all are there that hold.
func TestSettingsAreThoseOfTheModels(t *testing.T) {
	all := Settings()
	for _, m := range Models() {
		info := m.Info()
		i := slices.IndexFunc(all, func(s Setting) bool { return s.Name == info.Name })
		require.Equal(t, len(info.Expected) == 0, i >= 0, info.Name)
		if i < 0 {
			continue
		}
		s := all[i]
		assert.Equal(t, info.Budget, s.Budget, s.Name)
		assert.Len(t, s.Coords, info.Nodes, s.Name)
		assert.Len(t, s.Contacts, info.Nodes-s.Founders, s.Name)
		all = slices.Delete(all, i, i+1)
	}
	assert.Empty(t, all)
}

func TestSetting(t *testing.T) {
	s := scenario{
		layout: row3(), name: "x", joiners: one(4, "B"), leavers: "AC", crashers: "BD", rejoin: "B", budget: model.Budget{Crash: 1, Restart: 1},
	}
	want := Setting{
		Name: "can/row3/x", Space: s.space(), Coords: append(row3().nodes, at(4)), Founders: 3, Contacts: []int{1}, Leavers: []int{0, 2},
		Crashers: []int{1, 3}, Returns: []int{1}, Budget: s.budget,
	}
	assert.Equal(t, want, s.setting())
}
