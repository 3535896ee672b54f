package refine

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/refine"
)

func explored(t *testing.T, system model.Checkable) *checker.Report {
	t.Helper()
	r, err := checker.Check(context.Background(), system.Model(), checker.Options{})
	require.NoError(t, err)
	return r
}

// struck has all that a setting may have.
func struck() Setting {
	return Setting{
		Name: "x", Candidates: [][]int{{1, 2}, nil, {1}}, Membership: 2, Size: 3, Criterion: refine.Greedy,
		Distant: [][2]int{
			{1, 2},
		}, Drifting: [][2]int{{0, 1}}, Started: true, Crashers: []int{1}, Budget: model.Budget{Crash: 1, Restart: 1},
		Later: []Later{
			{0, refine.CommandDrop, []int{1}},
			{0, refine.CommandAdd, []int{1}},
			{0, refine.CommandMeasure, nil},
			{2, refine.CommandLeave, nil},
		},
	}
}

// A setting is the system of the catalogue that has the same nodes and commands.
func TestASettingIsTheModelThatItDescribes(t *testing.T) {
	s := Setting{
		Name: "x", Candidates: [][]int{{1}, {2}, nil}, Membership: 2, Size: 3,
		Later:   []Later{{0, refine.CommandAdd, []int{2}}},
		Distant: [][2]int{{0, 2}},
	}
	listed, err := compile(
		scenario{name: "x", candidates: "B C -", later: "A+C", distant: "AC", membership: 2, size: 3, safety: true},
	)
	require.NoError(t, err)
	drawn, err := s.Compile()
	require.NoError(t, err)
	got, want := explored(t, drawn), explored(t, listed)
	assert.Equal(t, want.States, got.States)
	assert.Equal(t, want.Transitions, got.Transitions)
	assert.Equal(t, checker.Holds, got.Verdict())
}

func TestSettingsWithAllThatTheyMayHave(t *testing.T) {
	system, err := struck().Compile()
	require.NoError(t, err)
	assert.Equal(t, "refine/x", system.Info().Name)
	assert.Equal(t, "M=2, N=3", system.Info().Bounds)
	assert.Equal(t, struck().Budget, system.Info().Budget)
	for _, p := range system.Model().Properties() {
		assert.False(t, p.Shape.Live(), p.Name)
		assert.NotEqual(t, checker.Sometimes, p.Shape, p.Name)
	}
}

// A setting that makes no system is an error that says why.
func TestImpossibleSettings(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(s *Setting)
	}{
		{"nobody", "0 nodes", func(s *Setting) { s.Candidates = nil }},
		{"a crowd", "all are at most", func(s *Setting) { s.Candidates = make([][]int, model.MaxNodes+1) }},
		{"an unknown candidate", "no node 3 among 3", func(s *Setting) { s.Candidates[0][0] = 3 }},
		{"an unknown pair", "no node 4 among 3", func(s *Setting) { s.Drifting[0][1] = 4 }},
		{"a command to no node", "no node 5 among 3", func(s *Setting) { s.Later[3].Node = 5 }},
		{"an unknown command", "of kind 9", func(s *Setting) { s.Later[0].Kind = 9 }},
		{"a command that names no node", "names 0 nodes", func(s *Setting) { s.Later[0].Nodes = nil }},
		{"a leave of others", "names 1 node;", func(s *Setting) { s.Later[3].Nodes = []int{1} }},
		{"no cluster", "SizeBound", func(s *Setting) { s.Size = 0 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := struck()
			c.change(&s)
			_, err := s.Compile()
			require.ErrorIs(t, err, model.ErrSystem)
			assert.ErrorContains(t, err, c.want)
		})
	}
	s := struck()
	s.Budget.Crash = 3
	_, err := s.Compile()
	require.ErrorIs(t, err, model.ErrBudget)
}
