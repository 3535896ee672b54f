package model_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
)

// A check that is stopped and resumed, on a model compiled again each time, ends like an
// uninterrupted one.
func TestResumedChecksAreAsUninterruptedOnes(t *testing.T) {
	alike, err := symmetricToys()[1].system(model.Budget{Drop: 1, Crash: 1, Restart: 1}).Compile()
	require.NoError(t, err)
	systems := map[string]model.Checkable{
		"toy":       compiled(t, twoCouriers(), model.Budget{Drop: 1, Duplicate: 1, Crash: 1, Restart: 1}),
		"two alike": alike,
		"in order":  compiled(t, twoCouriers().inOrder(), model.Budget{Drop: 1, Duplicate: 1, Crash: 1, Restart: 1}),
	}
	for _, name := range []string{"can/row2/join-join", "can/row3/leave-crash-rejoin", "can/clones/join-join"} {
		systems[name] = canModel(name)
	}
	for name, m := range systems {
		for _, reduce := range []bool{false, true} {
			options := everything(2)
			options.Reduce = reduce
			want := comparableOf(check(t, m.Model(), options))
			options.Checkpoint = filepath.Join(t.TempDir(), "checkpoint")
			stops := 0
			for options.MaxStates = want.States / 3; ; options.MaxStates += want.States / 3 {
				r, err := checker.Check(context.Background(), m.Model(), options)
				require.NoError(t, err)
				require.NoError(t, r.CheckpointError)
				if r.Stopped != checker.StoppedByStates {
					assert.Equal(t, want, comparableOf(r), name)
					break
				}
				stops++
				options.Resume = true
			}
			assert.Positive(t, stops, "%s was never stopped", name)
		}
	}
}

func TestDamagedSnapshotsAreRefused(t *testing.T) {
	m := canModel("can/row2/join-join").Model()
	check(t, m, everything(1))
	snapshot, err := m.(checker.Snapshotter).Snapshot()
	require.NoError(t, err)
	for _, at := range []int{0, 1, len(snapshot) / 4, len(snapshot) / 2, len(snapshot) - 1} {
		fresh := canModel("can/row2/join-join").Model().(checker.Snapshotter)
		assert.Error(t, fresh.Restore(snapshot[:at]), "cut at %d of %d", at, len(snapshot))
	}
	assert.Error(t, canModel("can/row2/join-join").Model().(checker.Snapshotter).Restore(append(snapshot, 0)))
	assert.Error(t, canModel("can/row2/leave").Model().(checker.Snapshotter).Restore(snapshot), "of another model")
	assert.NoError(t, canModel("can/row2/join-join").Model().(checker.Snapshotter).Restore(snapshot))
}
