package can

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Each setting is that of a model of the catalogue, and every model that holds is there, except
// models with rules that a setting cannot state.
func TestSettingsAreThoseOfTheModels(t *testing.T) {
	all, special := Settings(), map[string]bool{}
	for _, s := range rare() {
		special[s.info("can").Name] = true
	}
	for _, m := range Models() {
		info := m.Info()
		i := slices.IndexFunc(all, func(s Setting) bool { return s.Name == info.Name })
		require.Equal(t, len(info.Expected) == 0 && !special[info.Name], i >= 0, info.Name)
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
		layout: row3(), name: "x", joiners: one(4, "B"), leavers: "AC", crashers: "BD", rejoin: "B",
		budget: model.Budget{Crash: 1, Restart: 1},
	}
	want := Setting{
		Name: "can/row3/x", Space: s.space(), Coords: append(row3().nodes, at(4)), Founders: 3, Contacts: []int{1},
		Leavers:  []int{0, 2},
		Crashers: []int{1, 3}, Returns: []int{1}, Budget: s.budget,
	}
	assert.Equal(t, want, s.setting())
}

// The setting of a model, compiled, is that model: it has the same states. With more than one
// failure the models differ in when the next may come.
func TestSettingsCompileToTheirModels(t *testing.T) {
	const most = 10_000
	compared := 0
	for _, s := range Settings() {
		listed := Models()[slices.IndexFunc(Models(), func(m model.Checkable) bool { return m.Info().Name == s.Name })]
		if s.Budget.Crash > 1 || s.Space.Virtual > 0 {
			continue
		}
		want := explored(t, listed.(model.Safe).Safety(), most)
		if want.States > most {
			continue
		}
		drawn, err := s.Compile()
		require.NoError(t, err, s.Name)
		assert.Equal(t, want.States, explored(t, drawn, 0).States, s.Name)
		compared++
	}
	assert.Greater(t, compared, 20)
}

func explored(t *testing.T, system model.Checkable, most uint64) *checker.Report {
	t.Helper()
	r, err := checker.Check(context.Background(), system.Model(), checker.Options{MaxStates: most})
	require.NoError(t, err)
	return r
}

// A setting that makes no system is an error that says why.
func TestImpossibleSettings(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(s *Setting)
	}{
		{"no founder", "at least one", func(s *Setting) { s.Founders = 0 }},
		{"too many founders", "4 founders of 3 nodes", func(s *Setting) { s.Founders = 4 }},
		{"no contact", "0 contacts for 1 nodes", func(s *Setting) { s.Founders = 2 }},
		{"an unknown node", "no node 3 among 3", func(s *Setting) { s.Leavers = []int{3} }},
		{"no name", `the name ""`, func(s *Setting) { s.Name = "" }},
		{"a name of two lines", `the name "a\nb"`, func(s *Setting) { s.Name = "a\nb" }},
		{"no space", "0 dimensions", func(s *Setting) { s.Space = space.Space{} }},
		{"too large a space", "99 dimensions", func(s *Setting) { s.Space.Dims = 99 }},
		{"a contact of itself", "node 2 asks node 2", func(s *Setting) { s.Founders, s.Contacts = 2, []int{2} }},
		{"a virtual dimension", "virtual", func(s *Setting) { s.Space.Virtual = 1 }},
		{"two at one place", "nodes 0 and 2 have the same coordinates, [2]", func(s *Setting) { s.Coords[2] = s.Coords[0] }},
		{"outside", "node 1, [16 0 0 0 0 0 0 0], are outside the space of [16]", func(s *Setting) { s.Coords[1] = at(16) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Setting{Name: "x", Space: (&scenario{layout: row3()}).space(), Coords: slices.Clone(row3().nodes), Founders: 3}
			c.change(&s)
			_, err := s.Compile()
			require.ErrorIs(t, err, model.ErrSystem)
			assert.ErrorContains(t, err, c.want)
		})
	}
}
