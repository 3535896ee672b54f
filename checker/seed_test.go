package checker_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
)

// meadow has a number of initial states, each of which is followed by a number of others. In one of
// them Always does not hold.
type meadow struct {
	roots, bad uint32
	steps      int
	grown      func(root uint32) // called for each initial state
}

func (m *meadow) Width() int                { return 3 }
func (m *meadow) NewWorker() checker.Worker { return m }
func (m *meadow) Classes() []checker.Class  { return []checker.Class{{Name: "grow"}} }
func (m *meadow) Snapshot() ([]byte, error) { return nil, nil }
func (m *meadow) Restore([]byte) error      { return nil }
func (m *meadow) Properties() []checker.Property {
	return []checker.Property{{Name: "Good", Shape: checker.Always}}
}
func (m *meadow) Holds(_ int, s []uint32) bool { return s[0] != m.bad }
func (m *meadow) Triggers(int, []uint32) bool  { return false }
func (m *meadow) Quiescent([]uint32) bool      { return false }
func (m *meadow) QuiescentEnd([]uint32) bool   { return true }
func (m *meadow) Expand(s []uint32, o *checker.Successors) {
	for i := range uint32(m.steps) {
		if s[2] < 3 {
			copy(o.Add(0), []uint32{s[0], s[1], s[2] + 1 + i})
		}
	}
}

func (m *meadow) Initial(add func([]uint32)) {
	for i := range m.roots {
		if m.grown != nil {
			m.grown(i)
		}
		add([]uint32{i, i * 40_503, 0})
	}
}

// A check that is stopped among its initial states leaves no checkpoint, since it could not
// continue from it.
func TestNoCheckpointAmongTheInitialStates(t *testing.T) {
	m := &meadow{roots: 100_000, bad: 99_999, steps: 1}
	for _, limit := range []uint64{1, 300_000, 500_000, 1_000_000} {
		o := checker.Options{Checkpoint: checkpointFile(t), MemoryLimitBytes: limit}
		r := check(t, m, o)
		require.False(t, r.Complete)
		if r.States < uint64(m.roots) {
			require.NoFileExists(t, o.Checkpoint, "%d bytes, %d states", limit, r.States)
		}
	}
}

// The limits hold among the initial states, too.
func TestLimitsAmongTheInitialStates(t *testing.T) {
	m := &meadow{roots: 3_000_000, bad: 3_000_000}
	r := check(t, m, checker.Options{MaxStates: 1000})
	assert.Equal(t, checker.StoppedByStates, r.Stopped)
	assert.Less(t, r.States, uint64(m.roots))

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	m.grown = func(root uint32) {
		if root == 1_000_000 {
			cancel()
		}
	}
	r, err := checker.Check(ctx, m, checker.Options{})
	require.NoError(t, err)
	assert.Equal(t, checker.StoppedByInterrupt, r.Stopped)
	assert.Less(t, r.States, uint64(m.roots))
}

// A checkpoint is refused if the model has other initial states or other steps than it had.
func TestACheckpointKnowsItsModel(t *testing.T) {
	m := meadow{roots: 500, bad: 500, steps: 1}
	o := checker.Options{Checkpoint: checkpointFile(t), MaxStates: 800}
	require.False(t, check(t, &m, o).Complete)
	for name, change := range map[string]func(*meadow){
		"one initial state more": func(m *meadow) { m.roots++ },
		"one fewer":              func(m *meadow) { m.roots-- },
		"a step more":            func(m *meadow) { m.steps++ },
		"none":                   func(m *meadow) { m.steps = 0 },
	} {
		other := m
		change(&other)
		_, err := checker.Check(context.Background(), &other, checker.Options{Checkpoint: o.Checkpoint, Resume: true})
		var refused *checker.CheckpointError
		require.ErrorAs(t, err, &refused, name)
		assert.Regexp(t, "the model has other initial states|some states have other successors", refused.Problem, name)
	}
	r := check(t, &m, checker.Options{Checkpoint: o.Checkpoint, Resume: true})
	assert.True(t, r.Complete)
	assert.EqualValues(t, 2000, r.States)
}

// A checkpoint with any damaged bit is refused.
func TestADamagedCheckpointIsRefused(t *testing.T) {
	m := &meadow{roots: 100, bad: 500, steps: 2}
	o := checker.Options{Checkpoint: checkpointFile(t), MaxStates: 150}
	check(t, m, o)
	text, err := os.ReadFile(o.Checkpoint)
	require.NoError(t, err)
	o.Resume = true
	for i := range text {
		damaged := append([]byte(nil), text...)
		damaged[i] ^= 1 << (i % 8)
		require.NoError(t, os.WriteFile(o.Checkpoint, damaged, 0o600))
		_, err := checker.Check(context.Background(), m, o)
		var refused *checker.CheckpointError
		require.ErrorAs(t, err, &refused, "byte %d", i)
	}
}

// A model that panics while it makes its initial states is reported by an error.
func TestAPanicAmongTheInitialStates(t *testing.T) {
	m := &meadow{roots: 3, grown: func(root uint32) {
		if root == 2 {
			panic("no more")
		}
	}}
	_, err := checker.Check(context.Background(), m, checker.Options{})
	var panicked *checker.PanicError
	require.True(t, errors.As(err, &panicked), "%v", err)
	assert.Equal(t, "no more", panicked.Value)
}

// misnamed has a property with the name of the check for deadlocks.
type misnamed struct{ meadow }

func (*misnamed) Properties() []checker.Property {
	return []checker.Property{{Name: checker.Deadlock, Shape: checker.Always}}
}

// stray takes a step of a class that does not exist.
type stray struct{ meadow }

func (m *stray) NewWorker() checker.Worker              { return m }
func (*stray) Expand(_ []uint32, o *checker.Successors) { o.Add(5) }

func TestModelsThatBreakTheContractAreErrors(t *testing.T) {
	_, err := checker.Check(context.Background(), &misnamed{meadow{roots: 1}}, checker.Options{})
	assert.ErrorContains(t, err, "rename it")
	_, err = checker.Check(context.Background(), &stray{meadow{roots: 1, bad: 9}}, checker.Options{})
	var broken *checker.ContractError
	require.ErrorAs(t, err, &broken)
	assert.Contains(t, err.Error(), "breaks its contract in a state 0 steps deep: "+
		"Expand added an action of class 5; the classes have numbers from 0 to 0")
}
