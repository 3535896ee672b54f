package checker_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
)

// Snapshot implements checker.Snapshotter. Words that are not ids mean the same in every run.
func (m *twoPhase) Snapshot() ([]byte, error) {
	if m.ids == nil {
		return nil, nil
	}
	return m.ids.Snapshot(nil), nil
}

func (m *twoPhase) Restore(snapshot []byte) error {
	if m.ids == nil {
		return nil
	}
	_, err := m.ids.Restore(snapshot, func(key []byte) (uint32, error) {
		return binary.LittleEndian.Uint32(key), nil
	})
	return err
}

func checkpointFile(t *testing.T) string { return filepath.Join(t.TempDir(), "search.checkpoint") }

// essence renders what must not depend on whether a check was interrupted.
func essence(t *testing.T, m *twoPhase, r *checker.Report) string {
	text := fmt.Sprintln(r.States, r.Transitions, r.Depth, r.Complete, r.Stopped, r.ClassCounts, r.CollisionBound)
	for _, o := range r.Outcomes {
		text += fmt.Sprintln(o.Property.Name, o.Verdict, o.Cases)
		if o.Path != nil {
			requireReplays(t, m, o.Path)
			for _, s := range o.Path.Steps {
				text += fmt.Sprintln("  ", s.Action, s.Class, m.show(s.State))
			}
		}
	}
	return text
}

// A search that is interrupted and resumed, at any point and with any number of workers, ends like
// one without interruption.
func TestAResumedSearchEndsAsIfNeverInterrupted(t *testing.T) {
	makers := map[string]func() *twoPhase{
		"plain":    func() *twoPhase { return newTwoPhase(6) },
		"interned": func() *twoPhase { return newInternedTwoPhase(6) },
	}
	for name, model := range makers {
		for s := checker.Exact; s <= checker.Bitstate; s++ {
			o := checker.Options{Storage: s, ContinueAfterViolation: true, BitstateBytes: 1 << 24}
			whole := model()
			want := essence(t, whole, check(t, whole, o))
			o.Checkpoint = checkpointFile(t)
			stops := []uint64{1, 50, 4_000, 20_000, 40_000, 0}
			var m *twoPhase
			var r *checker.Report
			for i, stop := range stops {
				m = model()
				o.MaxStates, o.Resume, o.Workers = stop, i > 0, 1+i%3
				r = check(t, m, o)
				require.NoError(t, r.CheckpointError)
				if stop > 0 {
					require.Equal(t, checker.StoppedByStates, r.Stopped)
				}
			}
			assert.Equal(t, want, essence(t, m, r), "%s, %s", name, s)
		}
	}
}

// numbered is a counter that can be checkpointed.
func numbered(hook func(uint32)) *checker.ValueModel[uint32] {
	return counterOf(bound, hook, func(p []byte) (uint32, error) {
		if len(p) != 4 {
			return 0, errors.New("not a number")
		}
		return binary.LittleEndian.Uint32(p), nil
	})
}

// With a changed predicate, a resumed check would mix the verdicts of two predicates.
func TestACheckpointRefusesOtherPredicates(t *testing.T) {
	count := func(wrong int, shape checker.Shape) checker.Model {
		return checker.Of(checker.Spec[int]{
			Init: []int{0}, Next: func(n int, yield func(int, int)) { yield(0, min(n+1, 20)) },
			Encode: func(dst []byte, n int) []byte { return append(dst, byte(n)) },
			Decode: func(src []byte) (int, error) { return int(src[0]), nil },
			Properties: []checker.Predicate[int]{{
				Property: checker.Property{Name: "N", Shape: shape},
				Holds:    func(n int) bool { return (n == wrong) == (shape == checker.Sometimes) },
			}},
		})
	}
	for _, shape := range []checker.Shape{checker.Always, checker.Sometimes} {
		for _, test := range []struct {
			first, then int
			refused     bool
		}{{99, 2, true}, {2, 99, true}, {2, 3, true}, {99, 98, false}, {2, 2, false}, {99, 15, false}} {
			file := checkpointFile(t)
			o := checker.Options{Checkpoint: file, MaxStates: 8, ContinueAfterViolation: true, Workers: 1}
			_, err := checker.Check(context.Background(), count(test.first, shape), o)
			require.NoError(t, err)
			o.Resume, o.MaxStates = true, 0
			r, err := checker.Check(context.Background(), count(test.then, shape), o)
			if test.refused {
				require.ErrorContains(t, err, "N now has other verdicts in states of the checkpoint", test)
				continue
			}
			require.NoError(t, err, test)
			fresh := check(t, count(test.then, shape), checker.Options{ContinueAfterViolation: true})
			assert.Equal(t, fresh.Outcomes[0].Verdict, r.Outcomes[0].Verdict, test)
		}
	}
}

func TestAnInterruptLeavesACheckpoint(t *testing.T) {
	want := check(t, numbered(nil), checker.Options{})
	file := checkpointFile(t)
	ctx, cancel := context.WithCancel(context.Background())
	m := numbered(func(s uint32) {
		if s == bound/2 {
			time.Sleep(100 * time.Millisecond) // more than the rest of the search takes
			cancel()
		}
	})
	r, err := checker.Check(ctx, m, checker.Options{Checkpoint: file})
	require.NoError(t, err)
	require.NoError(t, r.CheckpointError)
	requireUndecided(t, r, checker.StoppedByInterrupt)
	r = check(t, numbered(nil), checker.Options{Checkpoint: file, Resume: true, Workers: 1})
	require.GreaterOrEqual(t, r.Elapsed, 100*time.Millisecond)
	require.Equal(t, checker.Holds, r.Verdict(), "liveness included")
	require.Equal(t, []uint64{want.States, want.Transitions}, []uint64{r.States, r.Transitions})
	require.Equal(t, want.Depth, r.Depth)
}

func TestCheckpointsAreWrittenNowAndThen(t *testing.T) {
	file, copied := checkpointFile(t), checkpointFile(t)
	m := newTwoPhase(6)
	want := essence(t, m, check(t, m, everything))
	taken := 0
	o := checker.Options{
		ContinueAfterViolation: true, Checkpoint: file, CheckpointEvery: 1, ProgressEvery: 1,
		Progress: func(checker.Progress) {
			if data, err := os.ReadFile(file); err == nil { // the file after a crash
				taken++
				_ = os.WriteFile(copied, data, 0o600)
			}
		},
	}
	check(t, m, o)
	require.Positive(t, taken)
	r := check(t, m, checker.Options{ContinueAfterViolation: true, Checkpoint: copied, Resume: true})
	assert.Equal(t, want, essence(t, m, r))
}

func TestACheckpointRefusesWhatIsNotItsOwn(t *testing.T) {
	file := checkpointFile(t)
	write := checker.Options{Checkpoint: file, MaxStates: 1000, ModelName: "2pc", ContinueAfterViolation: true}
	check(t, newTwoPhase(6), write)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	resume := func(m checker.Model, change func(*checker.Options)) error {
		o := write
		o.Resume, o.MaxStates = true, 0
		if change != nil {
			change(&o)
		}
		_, err := checker.Check(context.Background(), m, o)
		return err
	}
	require.NoError(t, resume(newTwoPhase(6), nil))
	require.NoError(t, os.WriteFile(file, whole, 0o600))
	for problem, err := range map[string]error{
		"or with another storage, seed": resume(newTwoPhase(6), func(o *checker.Options) { o.ModelName = "3pc" }),
		"storage, seed": resume(newTwoPhase(6),
			func(o *checker.Options) { o.Storage = checker.Fingerprint64 }),
		"some states have other successors": resume(newTwoPhase(7), nil),
		"does not implement Snapshotter":    resume(carousel{phases: 3}, nil),
		"Spec.Decode is missing":            resume(counter(9, nil), nil),
		"cannot be opened": resume(newTwoPhase(6),
			func(o *checker.Options) { o.Checkpoint = file + ".none" }),
	} {
		assert.ErrorContains(t, err, problem)
	}
	for at := 0; at < len(whole); at += 1 + len(whole)/60 {
		damaged := append([]byte(nil), whole...)
		damaged[at] ^= 0x40
		require.NoError(t, os.WriteFile(file, damaged, 0o600))
		var broken *checker.CheckpointError
		require.ErrorAs(t, resume(newTwoPhase(6), nil), &broken, "byte %d", at)
		require.Equal(t, file, broken.File)
		require.NoError(t, os.WriteFile(file, whole[:at], 0o600))
		require.ErrorAs(t, resume(newTwoPhase(6), nil), &broken, "%d bytes", at)
	}
}

func TestACheckpointThatCannotBeWrittenIsReported(t *testing.T) {
	o := checker.Options{Checkpoint: filepath.Join(t.TempDir(), "none", "file"), MaxStates: 100,
		ContinueAfterViolation: true}
	_, err := checker.Check(context.Background(), newTwoPhase(5), o)
	assert.ErrorContains(t, err, "write checkpoint ")

	folder := filepath.Join(t.TempDir(), "gone")
	require.NoError(t, os.Mkdir(folder, 0o777))
	o.Checkpoint = filepath.Join(folder, "file")
	r := check(t, numbered(func(n uint32) {
		if n == 50 {
			assert.NoError(t, os.RemoveAll(folder))
		}
	}), o)
	assert.ErrorContains(t, r.CheckpointError, "write checkpoint ")
	_, err = checker.Check(context.Background(), newTwoPhase(3), checker.Options{Resume: true})
	assert.ErrorContains(t, err, "set without Options.Checkpoint")
}

// The search is complete when liveness is decided, and an interrupt then does not lose it: a
// resumed check finds all states in the checkpoint, expands none, and decides liveness.
func TestAnInterruptWhileLivenessIsDecidedLeavesTheSearch(t *testing.T) {
	want := check(t, numbered(nil), checker.Options{})
	for _, phase := range []checker.Phase{checker.Linking, checker.Deciding} {
		ctx, cancel := context.WithCancel(context.Background())
		o := checker.Options{Checkpoint: checkpointFile(t), ProgressEvery: 1}
		o.Progress = func(p checker.Progress) {
			if p.Phase == phase {
				cancel()
			}
		}
		r, err := checker.Check(ctx, numbered(nil), o)
		cancel()
		require.NoError(t, err)
		require.NoError(t, r.CheckpointError)
		require.Equal(t, checker.StoppedByInterrupt, r.Stopped)
		require.True(t, r.Complete)
		require.Equal(t, want.States, r.CheckpointStates)
		assert.Contains(t, r.String(), "the checkpoint has 20,001 states")

		states, depth := uint64(0), 0
		o.Resume, o.Resumed = true, func(s uint64, d int) { states, depth = s, d }
		o.Progress = func(p checker.Progress) {
			if p.Phase == checker.Searching {
				assert.Zero(t, p.Queue, "nothing is expanded again")
			}
		}
		r = check(t, numbered(nil), o)
		assert.Equal(t, []any{want.States, want.Depth}, []any{states, depth})
		assert.Equal(t, []any{want.States, want.Transitions, want.Depth, want.Verdict(), true},
			[]any{r.States, r.Transitions, r.Depth, r.Verdict(), r.Complete})
		for i, o := range r.Outcomes {
			assert.Equal(t, want.Outcomes[i].Verdict, o.Verdict, o.Property.Name)
			assert.Equal(t, want.Outcomes[i].Cases, o.Cases, o.Property.Name)
		}
	}
}

// At any memory limit, the report says how much of the search the checkpoint has, and a resumed
// search ends like one without a limit. How many cases a property had until it was decided depends
// on the limit, since that decides how many states are expanded at a time.
func TestTheReportSaysWhatTheCheckpointHas(t *testing.T) {
	counts := func(r *checker.Report) string {
		text := fmt.Sprintln(r.States, r.Transitions, r.Depth, r.Complete, r.Stopped, r.ClassCounts)
		for _, o := range r.Outcomes {
			text += fmt.Sprintln(o.Property.Name, o.Verdict)
		}
		return text
	}
	want := counts(check(t, newTwoPhase(6), everything))
	none, some, end := 0, 0, false
	for limit := uint64(1 << 10); !end; limit += limit / 4 {
		o := everything
		o.Checkpoint, o.MemoryLimitBytes, o.Workers = checkpointFile(t), limit, 1
		r := check(t, newTwoPhase(6), o)
		require.NoError(t, r.CheckpointError)
		end = r.Stopped == checker.NotStopped
		if r.CheckpointStates == 0 {
			require.NoFileExists(t, o.Checkpoint)
			none++
			continue
		}
		some++
		o.Resume, o.MemoryLimitBytes = true, 0
		o.Resumed = func(states uint64, _ int) { assert.Equal(t, r.CheckpointStates, states) }
		assert.Equal(t, want, counts(check(t, newTwoPhase(6), o)), limit)
	}
	assert.Positive(t, none, "within the first round")
	assert.Positive(t, some, "later")
}

// observed is a model that says when a checkpoint of it is written.
type observed struct {
	checker.Model
	snapshot func()
}

func (o observed) Snapshot() ([]byte, error) {
	o.snapshot()
	return o.Model.(checker.Snapshotter).Snapshot()
}

func (o observed) Restore(b []byte) error { return o.Model.(checker.Snapshotter).Restore(b) }

// A checkpoint that is being written when the context ends is abandoned: the old one stays as it
// is, no part is left, and the search ends with a checkpoint of all that it has found.
func TestAnAbandonedCheckpointLeavesTheOldOne(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := checker.Options{Checkpoint: checkpointFile(t), CheckpointEvery: 1, Workers: 1}
	content := func() string {
		b, err := os.ReadFile(o.Checkpoint)
		assert.NoError(t, err)
		return string(b)
	}
	written, old := 0, ""
	m := observed{numbered(nil), func() {
		switch written++; written { // once to see whether the model can be checkpointed
		case 3:
			old = content()
			cancel()
		case 4:
			assert.Equal(t, old, content())
			parts, err := filepath.Glob(filepath.Join(filepath.Dir(o.Checkpoint), ".*.partial"))
			assert.NoError(t, err)
			assert.LessOrEqual(t, len(parts), 1, "no more than the present one")
		}
	}}
	r, err := checker.Check(ctx, m, o)
	require.NoError(t, err)
	require.NoError(t, r.CheckpointError)
	assert.Equal(t, 4, written)
	assert.Equal(t, checker.StoppedByInterrupt, r.Stopped)
	assert.Equal(t, r.States, r.CheckpointStates)
	assert.NotEqual(t, old, content())
	o.Resume, o.CheckpointEvery = true, time.Hour
	assert.Equal(t, check(t, numbered(nil), checker.Options{}).States, check(t, numbered(nil), o).States)
}

// A process that died while it wrote a checkpoint leaves a part of it.
func TestPartsOfCheckpointsAreRemoved(t *testing.T) {
	file := checkpointFile(t)
	part := filepath.Join(filepath.Dir(file), ".search.checkpoint.0123456789abcdef.partial")
	other := filepath.Join(filepath.Dir(file), ".another.checkpoint.0123456789abcdef.partial")
	for _, name := range []string{part, other} {
		require.NoError(t, os.WriteFile(name, []byte("canvass checkp"), 0o600))
	}
	check(t, newTwoPhase(3), checker.Options{Checkpoint: file})
	assert.NoFileExists(t, part)
	assert.FileExists(t, other)
}

// A successful checkpoint clears the error of a failed one.
func TestALaterCheckpointClearsTheError(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "gone")
	require.NoError(t, os.Mkdir(folder, 0o777))
	o := checker.Options{Checkpoint: filepath.Join(folder, "file"), CheckpointEvery: 1, MaxDepth: 50, Workers: 1}
	var gone, back sync.Once
	r := check(t, numbered(func(n uint32) {
		if n == 50 {
			gone.Do(func() { assert.NoError(t, os.RemoveAll(folder)) })
		}
		if n == 150 {
			back.Do(func() { assert.NoError(t, os.Mkdir(folder, 0o777)) })
		}
	}), o)
	assert.NoError(t, r.CheckpointError)
	assert.Equal(t, r.States, r.CheckpointStates)
	assert.FileExists(t, o.Checkpoint)
}
