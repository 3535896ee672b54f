package reptask

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

func explored(t *testing.T, system model.Checkable) *checker.Report {
	t.Helper()
	r, err := checker.Check(context.Background(), system.Model(), checker.Options{})
	require.NoError(t, err)
	return r
}

// movable is the grid of scenario move: two jobs that both need the middle node, one of which is to
// move.
func movable() Setting {
	return Setting{
		Name: "x", Clusters: [][]int{{0, 1}, {0, 1, 2}, {1, 2}},
		Jobs: []Submission{
			{Owner: 0, Submitted: 1, Size: 2, Candidates: []int{0}},
			{Owner: 2, Submitted: 2, Size: 2, Candidates: []int{2}},
		},
		Moves: []Move{{Owner: 0, From: 0, To: 2}},
	}
}

// A setting is the system of the catalogue that has the same nodes and commands.
func TestASettingIsTheModelThatItDescribes(t *testing.T) {
	listed := scenario{
		name:     "x",
		clusters: chain(),
		jobs:     cross(),
		moves:    []moving{{"A", "A", "C"}},
		tight:    true,
		safety:   true,
		hopeless: true,
	}
	drawn, err := movable().Compile()
	require.NoError(t, err)
	got, want := explored(t, drawn), explored(t, compiled(listed))
	assert.Equal(t, want.States, got.States)
	assert.Equal(t, want.Transitions, got.Transitions)
	assert.Equal(t, checker.Holds, got.Verdict())
}

func TestSettingsWithAllThatTheyMayHave(t *testing.T) {
	s := movable()
	s.Cancels, s.Crashers, s.Budget = []int{2}, []int{1, 2}, model.Budget{Crash: 1, Restart: 1, Drop: 1}
	system, err := s.Compile()
	require.NoError(t, err)
	assert.Equal(t, "reptask/x", system.Info().Name)
	assert.Equal(t, s.Budget, system.Info().Budget)
	assert.Equal(t, "clusters AB ABC BC; jobs 2@1 2@2; 1 move orders; 1 cancelled", system.Info().Bounds)
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
		{"nobody", "0 nodes", func(s *Setting) { s.Clusters = nil }},
		{"a crowd", "all are at most", func(s *Setting) { s.Clusters = make([][]int, model.MaxNodes+1) }},
		{"an unknown neighbour", "no node 3 among 3", func(s *Setting) { s.Clusters[1][2] = 3 }},
		{"an unknown owner", "no node -1 among 3", func(s *Setting) { s.Jobs[0].Owner = -1 }},
		{"an unknown target", "no node 9 among 3", func(s *Setting) { s.Moves[0].To = 9 }},
		{"no dependent", "job 1 has the size 0", func(s *Setting) { s.Jobs[1].Size = 0 }},
		{"an unknown degree", "the degree 999", func(s *Setting) { s.Jobs[0].Over = reptask.OverNone - 1 }},
		{"no candidate", "0 candidates", func(s *Setting) { s.Jobs[0].Candidates = nil }},
		{"nothing to move", "the first job of node 1", func(s *Setting) { s.Moves[0].Owner = 1 }},
		{"nothing to cancel", "the first job of node 1", func(s *Setting) { s.Cancels = []int{1} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := movable()
			c.change(&s)
			_, err := s.Compile()
			require.ErrorIs(t, err, model.ErrSystem)
			assert.ErrorContains(t, err, c.want)
		})
	}
	s := movable()
	s.Budget.Crash = 3
	_, err := s.Compile()
	require.ErrorIs(t, err, model.ErrBudget)
}
