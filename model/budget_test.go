package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

func TestImpossibleBudgets(t *testing.T) {
	tests := []struct {
		name   string
		budget model.Budget
		says   []string // nothing: the budget is possible
	}{
		{"none", model.Budget{}, nil},
		{"the most", model.Budget{Drop: 15, Duplicate: 15, Spurious: 15, Crash: 1, Restart: 1, Suspect: 15}, nil},
		{"crash", model.Budget{Crash: 1}, nil},
		{"drop below 0", model.Budget{Drop: -1}, []string{"drop -1", "from 0 to 15"}},
		{"duplicate below 0", model.Budget{Duplicate: -1}, []string{"duplicate -1", "from 0 to 15"}},
		{"spurious below 0", model.Budget{Spurious: -2}, []string{"spurious -2", "from 0 to 15"}},
		{"crash below 0", model.Budget{Crash: -1}, []string{"crash -1", "from 0 to 15"}},
		{"restart below 0", model.Budget{Restart: -1}, []string{"restart -1", "from 0 to 15"}},
		{"suspect below 0", model.Budget{Suspect: -1}, []string{"suspect -1", "from 0 to 15"}},
		{"drop above 15", model.Budget{Drop: 16}, []string{"drop 16", "from 0 to 15"}},
		{"duplicate above 15", model.Budget{Duplicate: 16}, []string{"duplicate 16", "from 0 to 15"}},
		{"spurious above 15", model.Budget{Spurious: 100}, []string{"spurious 100", "from 0 to 15"}},
		{"crash above 15", model.Budget{Crash: 16}, []string{"crash 16", "from 0 to 15"}},
		{"restart above 15", model.Budget{Crash: 1, Restart: 16}, []string{"restart 16", "from 0 to 15"}},
		{"suspect above 15", model.Budget{Suspect: 1 << 30}, []string{"suspect 1073741824", "from 0 to 15"}},
		{
			"nobody survives",
			model.Budget{Crash: 2},
			[]string{"crash 2 with 2 nodes", "at least one node must survive", "at most 1"},
		},
		{"restart without crash", model.Budget{Restart: 1}, []string{"restart 1 with crash 0", "raise crash"}},
	}
	possible := compiled(t, twoCouriers(), model.Budget{})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, compileErr := twoCouriers().system(test.budget).Compile()
			m, withErr := possible.With(test.budget)
			if test.says == nil {
				require.NoError(t, compileErr)
				require.NoError(t, withErr)
				assert.Equal(t, test.budget, m.Info().Budget)
				return
			}
			for _, err := range []error{compileErr, withErr} {
				require.ErrorIs(t, err, model.ErrBudget)
				require.ErrorContains(t, err, "model toy/couriers: impossible fault budget: ")
				for _, part := range test.says {
					require.ErrorContains(t, err, part)
				}
			}
		})
	}
}

// The same one of several mistakes is always reported.
func TestTheFirstImpossibleBudgetIsReported(t *testing.T) {
	for range 20 {
		budget := model.Budget{Drop: 16, Duplicate: 16, Spurious: -1, Crash: 16, Restart: 16, Suspect: 16}
		_, err := twoCouriers().system(budget).Compile()
		require.ErrorContains(t, err, "drop 16")
	}
}

func TestRepetitionWithoutEndNeedsNoCount(t *testing.T) {
	_, err := twoCouriers().system(model.Budget{Duplicate: 2, Repeat: true}).Compile()
	require.ErrorIs(t, err, model.ErrBudget)
	require.ErrorContains(t, err, "duplicate 2 with repeat")
}

func TestAdversarialDeliveryIncludesDuplicates(t *testing.T) {
	for _, b := range []model.Budget{
		{Duplicate: 1, Adversarial: true}, {Repeat: true, Adversarial: true}, {Late: 1, Adversarial: true},
	} {
		_, err := twoCouriers().system(b).Compile()
		require.ErrorIs(t, err, model.ErrBudget)
		require.ErrorContains(t, err, "adversarial delivery with repeat, duplicate or late")
	}
}

func TestWithLeavesTheModelAlone(t *testing.T) {
	m := compiled(t, twoCouriers(), model.Budget{Drop: 1})
	wider, err := m.With(model.Budget{Drop: 2, Crash: 1})
	require.NoError(t, err)
	assert.Equal(t, model.Budget{Drop: 2, Crash: 1}, wider.Info().Budget)
	assert.Equal(t, model.Budget{Drop: 1}, m.Info().Budget)
	assert.Equal(t, wider.Info().Name, m.Info().Name)
	assert.Equal(t, uint64(21), check(t, m.Model(), everything(1)).States)
}

func TestTooManyNodes(t *testing.T) {
	all := couriers(make([][][]order, model.MaxNodes+1)...)
	_, err := all.system(model.Budget{}).Compile()
	require.ErrorIs(t, err, model.ErrNodes)
	require.ErrorContains(t, err, "17 nodes; at most 16 are possible")
	all.lives = all.lives[:model.MaxNodes]
	s := all.system(model.Budget{})
	for i := range s.Nodes {
		s.Nodes[i].State.Self.Incarnation = 1 // couriers know too few to be started
	}
	_, err = s.Compile()
	require.NoError(t, err)
}

func TestBudgetString(t *testing.T) {
	for want, b := range map[string]model.Budget{
		"none":                         {},
		"drop 1":                       {Drop: 1},
		"suspect 15":                   {Suspect: 15},
		"drop 2, crash 1":              {Crash: 1, Drop: 2},
		"crash 3, restart 2":           {Crash: 3, Restart: 2},
		"duplicate 15, spurious 15":    {Duplicate: 15, Spurious: 15},
		"repeat without end":           {Repeat: true},
		"repeat without end, drop 1":   {Repeat: true, Drop: 1},
		"adversarial delivery, drop 1": {Adversarial: true, Drop: 1},
		"drop 1, duplicate 2, spurious 3, crash 4, restart 5, suspect 6": {1, 2, 3, 4, 5, 6, false, false, 0},
	} {
		assert.Equal(t, want, b.String())
	}
}

// An invalid description is an error that says where.
func TestImpossibleSystems(t *testing.T) {
	tests := []struct {
		says   string
		change func(*toySystem)
	}{
		{"it has no Info.Name", func(s *toySystem) { s.Info.Name = "" }},
		{"it has no Core", func(s *toySystem) { s.Core = nil }},
		{"it has no Identity", func(s *toySystem) { s.Identity = nil }},
		{"it has no Nodes", func(s *toySystem) { s.Nodes = nil }},
		{"node 1 (B) has the address 0 in its identity", func(s *toySystem) { s.Nodes[1].State = newCourier(0) }},
		{
			`node 1: the name "network" is taken by another variable of traces`,
			func(s *toySystem) { s.Nodes[1].Name = "network" },
		},
		{`node 0: the name "x\ny" does not fit in a line`, func(s *toySystem) { s.Nodes[0].Name = "x\ny" }},
		{`the property name "a\nb" does not fit in a line`, func(s *toySystem) { s.Properties[0].Name = "a\nb" }},
		{"Prelude[0] is for node 2 of 2", func(s *toySystem) { s.Prelude = []model.PreludeCommand[order]{{Node: 2}} }},
		{`property "True" has no Holds`, func(s *toySystem) { s.Properties[0].Holds = nil }},
		{
			`property "True" has no Triggers, which its shape (leads to) needs`,
			func(s *toySystem) { s.Properties[0].Shape = checker.LeadsTo },
		},
		{`property "True" has no shape`, func(s *toySystem) { s.Properties[0].Shape = 0 }},
		{`Info.Expected names "Lost", which is none of the properties`, func(s *toySystem) {
			s.Info.Expected = []model.Expectation{{Property: checker.Deadlock}, {Property: "Lost", Violated: true}}
		}},
		{`Optional names "timeout@Z"; it must be deliver, timeout, chosen or measured`, func(s *toySystem) {
			s.Optional = []string{"deliver@A", "timeout@Z"}
		}},
		{`Optional names "crash@A", which no run has to take`, func(s *toySystem) { s.Optional = []string{"crash@A"} }},
		{`there are two properties named "True"`, func(s *toySystem) { s.Properties[1].Name = "True" }},
	}
	for _, test := range tests {
		sys := twoCouriers().system(model.Budget{})
		test.change(sys)
		_, err := sys.Compile()
		require.ErrorIs(t, err, model.ErrSystem)
		require.ErrorContains(t, err, test.says)
	}
}

// Omitted functions mean: no node ends, every node may crash, timers fire at any time, no end is
// accepted.
func TestWhatMayBeLeftOut(t *testing.T) {
	full := twoCouriers().system(model.Budget{Crash: 1})
	full.Stopped = func(courier) bool { return false }
	full.Crashable = func(*model.GlobalState[courier, note], int) bool { return true }
	full.Due = func(*model.GlobalState[courier, note], int, protocol.Timer) model.Due { return model.Now }
	full.QuiescentEnd = func(*model.GlobalState[courier, note]) bool { return false }
	bare := twoCouriers().system(model.Budget{Crash: 1})
	bare.Stopped, bare.Crashable, bare.Due, bare.QuiescentEnd = nil, nil, nil, nil
	limit := checker.Options{MaxDepth: 6, ContinueAfterViolation: true}
	want, err := full.Compile()
	require.NoError(t, err)
	got, err := bare.Compile()
	require.NoError(t, err)
	assert.Equal(t, comparableOf(check(t, want.Model(), limit)), comparableOf(check(t, got.Model(), limit)))
}
