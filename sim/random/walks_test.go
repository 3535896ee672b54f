package random_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/random"
	"github.com/canvass-grid/canvass/traces"
)

// modelNamed returns a model of the catalogue.
func modelNamed(name string) model.Checkable {
	all := can.Models()
	return all[slices.IndexFunc(all, func(m model.Checkable) bool { return m.Info().Name == name })]
}

// scenarioOf is a scenario in which every seed walks through one system.
func scenarioOf(system model.Checkable) *sim.Scenario {
	return random.Scenario{
		Name: "test/walks", Fill: func(p *sim.Plan, _ *sim.Chance) { p.Nodes = system.Info().Nodes },
		System: func(*sim.Plan) (model.Checkable, error) { return system, nil },
	}.Build()
}

func run(t *testing.T, w *sim.Scenario, p *sim.Plan, o sim.RunOptions) *sim.Result {
	t.Helper()
	r, err := sim.Try(w, p, o)
	require.NoError(t, err)
	return r
}

// firstOf returns the plan of the first seed that violates a property.
func firstOf(t *testing.T, w *sim.Scenario, property string) *sim.Plan {
	t.Helper()
	for seed := range uint64(200) {
		if p := w.Draw(seed); run(t, w, p, sim.RunOptions{}).Property == property {
			return p
		}
	}
	require.Fail(t, "no seed violates "+property)
	return nil
}

func TestSystemThatHolds(t *testing.T) {
	w, met := scenarioOf(modelNamed("can/row2/leave-leave")), map[sim.Digest]bool{}
	for seed := range uint64(20) {
		p := w.Draw(seed)
		r := run(t, w, p, sim.RunOptions{Stop: func() bool { return false }})
		require.Equal(t, sim.Holds, r.Verdict)
		assert.Equal(t, random.WalksPerSeed, r.Counts["walks"])
		assert.GreaterOrEqual(t, r.Counts["rests"], random.WalksPerSeed, "each walk comes to rest")
		assert.Greater(t, r.Stats.Steps, uint64(random.WalksPerSeed))
		assert.EqualValues(t, r.Stats.Steps, r.Counts["steps"])
		assert.Equal(t, r, run(t, w, p, sim.RunOptions{}))
		met[r.Digest] = true
	}
	assert.Greater(t, len(met), 15)
}

// A finding becomes a list of actions, shrinks to a few of them, and can be replayed.
func TestFindingShrinksAndReplays(t *testing.T) {
	w := scenarioOf(modelNamed("can/row4/limit-adjacent-crashes"))
	found := firstOf(t, w, "NoGap")
	r := run(t, w, found, sim.RunOptions{Faults: true})
	require.NotEmpty(t, r.Steps)

	small, result := sim.Shrink(w, found, "NoGap", nil)
	require.Equal(t, "NoGap", result.Property)
	assert.Equal(t, uint64(2), result.Stats.Crashes, "a trace's bounds name the faults")
	require.NotNil(t, small.Faults, "nothing is left to chance")
	assert.Less(t, len(small.Ops), len(r.Steps))
	assert.True(t, slices.ContainsFunc(small.Ops, func(op sim.Op) bool { return op.Do == "step crash" }), small)
	again, err := sim.DecodePlan(small.String())
	require.NoError(t, err)
	assert.Equal(t, result, run(t, w, again, sim.RunOptions{}))

	for _, p := range []*sim.Plan{found, small} {
		m, err := sim.NewMachine(w, p)
		require.NoError(t, err)
		steps := 0
		for ; len(m.Enabled()) > 0; steps++ {
			holds, err := m.Check("OwnerInside")
			require.NoError(t, err)
			require.True(t, holds)
			m.Take(0)
		}
		require.Equal(t, "NoGap", m.Result().Property)
		trace, err := traces.Record(m, make([]int, steps), -1, traces.Header{
			Model: "sim/test/walks", Property: "NoGap", Shape: w.ShapeOf("NoGap"), Verdict: traces.Violated, Trigger: -1,
			Bounds: p.String(), Description: "a test",
		})
		require.NoError(t, err)
		require.NoError(t, traces.Replay(m, trace, nil))
	}
}

func TestShapes(t *testing.T) {
	w := scenarioOf(modelNamed("can/row2/leave"))
	assert.Equal(t, "always", w.ShapeOf("NoOverlap"))
	assert.Equal(t, "quiescent", w.ShapeOf("NoGap"))
	assert.Equal(t, "deadlock free", w.ShapeOf(checker.Deadlock))
	assert.Empty(t, w.ShapeOf("Leaves"), "a witness is no demand")
	assert.Empty(t, w.ShapeOf("Answered"), "nor is liveness")
}

// fragile is a system whose core panics when a node leaves.
type fragile struct{ model.Checkable }

func (f fragile) Model() checker.Model { return fragileModel{f.Checkable.Model()} }

type fragileModel struct{ checker.Model }

func (m fragileModel) NewWorker() checker.Worker { return fragileWorker{m.Model.NewWorker(), m} }

type fragileWorker struct {
	checker.Worker
	model fragileModel
}

func (w fragileWorker) Expand(state []uint32, out *checker.Successors) {
	w.Worker.Expand(state, out)
	for i, p := range w.model.Properties() {
		if p.Name == "Leaves" && w.Holds(i, state) {
			panic("gone")
		}
	}
}

func TestPanicIsAFinding(t *testing.T) {
	w := scenarioOf(fragile{modelNamed("can/row2/leave-leave")})
	r := run(t, w, w.Draw(1), sim.RunOptions{Faults: true})
	assert.Equal(t, sim.PanicProperty, r.Property)
	assert.Equal(t, "gone", r.Where)
	assert.NotEmpty(t, r.Steps)
}

func TestStoppedRun(t *testing.T) {
	w := scenarioOf(modelNamed("can/row4/limit-adjacent-crashes"))
	p := w.Draw(1)
	p.Faults = []sim.Fault{}
	p.Ops = []sim.Op{{Do: "step crash", Node: 1}}
	_, err := w.Run(p, sim.RunOptions{Stop: func() bool { return true }})
	require.ErrorIs(t, err, sim.ErrStopped)
}

// If a message has another number because an earlier step was removed, the step still means that
// message.
func TestActionOfTheSameSort(t *testing.T) {
	w := scenarioOf(modelNamed("can/row4/limit-adjacent-crashes"))
	found := firstOf(t, w, "NoGap")
	small, _ := sim.Shrink(w, found, "NoGap", nil)
	other := small.Clone()
	steps := 0
	for i := range other.Ops {
		if other.Ops[i].IsStep() {
			steps++
			other.Ops[i].Arg ^= 1 // of the whole text
		}
	}
	require.Positive(t, steps)
	assert.Equal(t, "NoGap", run(t, w, other, sim.RunOptions{}).Property)
	for i := range other.Ops {
		if other.Ops[i].IsStep() {
			other.Ops[i].Arg ^= 1 << 40 // of its sort
		}
	}
	assert.Empty(t, run(t, w, other, sim.RunOptions{}).Property)
}
