package store

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

func leaving() Setting {
	return Setting{
		Name: "x", Founders: []int32{2, 6, 12}, Joiners: []int32{3}, Contacts: []int{1}, Leavers: []int{1},
		Crashers: []int{0}, Returns: []int{0},
		Calls: []Call{
			{0, store.Operation{ID: 1, Kind: store.Put, Key: at(6), Value: 1}},
			{2, store.Operation{ID: 2, Kind: store.Get, Key: at(6)}},
		},
		Budget: model.Budget{Crash: 1, Restart: 1},
	}
}

func explored(t *testing.T, system model.Checkable) *checker.Report {
	t.Helper()
	r, err := checker.Check(context.Background(), system.Model(), checker.Options{})
	require.NoError(t, err)
	return r
}

// A setting is the system of the catalogue that has the same nodes, commands and calls.
func TestASettingIsTheModelThatItDescribes(t *testing.T) {
	s := leaving()
	s.Joiners, s.Contacts, s.Crashers, s.Returns, s.Budget = nil, nil, nil, nil, model.Budget{}
	drawn, err := s.Compile()
	require.NoError(t, err)
	listed, err := (&scenario{
		layout: row3(), name: "leave", leavers: "B", calls: []call{put("A", 1, at(6), 1), get("C", 2, at(6))}, safety: true,
	}).system().Compile()
	require.NoError(t, err)
	got, want := explored(t, drawn), explored(t, listed)
	assert.Equal(t, want.States, got.States)
	assert.Equal(t, want.Transitions, got.Transitions)
	assert.Equal(t, checker.Holds, got.Verdict())
}

func TestSettingsWithAllThatTheyMayHave(t *testing.T) {
	system, err := leaving().Compile()
	require.NoError(t, err)
	assert.Equal(t, 4, system.Info().Nodes)
	assert.Equal(t, "3 zones, 1 join, 1 leave, 2 operations", system.Info().Bounds)
	for _, p := range system.Model().Properties() {
		assert.NotEqual(t, "Certain", p.Name, "a leaver may take the answer with it")
		assert.False(t, p.Shape.Live())
	}
}

// A setting that makes no system is an error that says why.
func TestImpossibleSettings(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(s *Setting)
	}{
		{"nobody", "at least one", func(s *Setting) { s.Founders = nil }},
		{"no contact", "0 contacts for 1 nodes", func(s *Setting) { s.Contacts = nil }},
		{"no order", "in no order", func(s *Setting) { s.Founders = []int32{6, 2} }},
		{"outside", "from 0 to 15", func(s *Setting) { s.Joiners = []int32{16} }},
		{"one place for two", "there twice", func(s *Setting) { s.Joiners = []int32{6} }},
		{"an unknown node", "no node 4 among 4", func(s *Setting) { s.Leavers = []int{4} }},
		{"a key outside", "of the key [16", func(s *Setting) { s.Calls[0].Operation.Key = at(16) }},
		{"a key beside the row", "of the key [6 1", func(s *Setting) { s.Calls[0].Operation.Key = space.Point{6, 1} }},
		{"an unknown operation", "is of kind 9", func(s *Setting) { s.Calls[0].Operation.Kind = 9 }},
		{"one ID for two", "have the ID 1", func(s *Setting) { s.Calls[1].Operation.ID = 1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := leaving()
			c.change(&s)
			_, err := s.Compile()
			require.ErrorIs(t, err, model.ErrSystem)
			assert.ErrorContains(t, err, c.want)
		})
	}
	s := leaving()
	s.Budget.Crash = 7
	_, err := s.Compile()
	require.ErrorIs(t, err, model.ErrBudget)
}
