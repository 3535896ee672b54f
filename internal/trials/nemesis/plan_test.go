package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	nemesis "github.com/canvass-grid/canvass/internal/trials/nemesis"
)

func TestAPrintedPlanIsReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(3, nemesis.MaxNodes).Draw(t, "nodes")
		seconds := rapid.IntRange(1, 600).Draw(t, "seconds")
		bounds := nemesis.Today(nodes, time.Duration(seconds)*time.Second)
		bounds.Silence = time.Duration(rapid.IntRange(1, 10).Draw(t, "silence")) * time.Second
		seed := rapid.Uint64().Draw(t, "seed")
		plan := nemesis.Draw(seed, nodes, time.Duration(seconds)*time.Second, bounds)
		again, err := nemesis.Parse(strings.NewReader(plan.String()))
		require.NoError(t, err)
		assert.Equal(t, plan, again)
		assert.Equal(t, plan, nemesis.Draw(seed, nodes, plan.Duration, bounds))
	})
}

func TestAPlanKeepsItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(3, nemesis.MaxNodes).Draw(t, "nodes")
		bounds := nemesis.Today(nodes, 5*time.Minute)
		plan := nemesis.Draw(rapid.Uint64().Draw(t, "seed"), nodes, 5*time.Minute, bounds)
		crashes, leaves, regrids, losses, place := 0, 0, 0, 0, 0
		for i, f := range plan.Faults {
			assert.Less(t, f.At, plan.Duration)
			if i > 0 {
				assert.Greater(t, f.At, plan.Faults[i-1].At)
			}
			switch f.Kind {
			case nemesis.CrashDaemon, nemesis.CrashBoth:
				crashes += len(f.Nodes)
				assert.LessOrEqual(t, f.For, bounds.Restart)
				assert.LessOrEqual(t, len(f.Nodes), bounds.Down)
			case nemesis.Drain, nemesis.Leave:
				crashes++
				leaves++
				assert.LessOrEqual(t, f.For, bounds.Restart)
			case nemesis.Regrid:
				regrids++
				assert.Zero(t, f.For)
			case nemesis.Replace:
				losses++
				assert.Greater(t, f.Nodes[0], 3, "a witness cannot be replaced")
				assert.True(t, place == 0 || place == f.Nodes[0], "two of the custodians of a job can be lost")
				place = f.Nodes[0]
			case nemesis.CrashAll:
				crashes += nodes
				assert.LessOrEqual(t, f.For, bounds.Restart)
				assert.Len(t, f.Nodes, nodes)
			case nemesis.CrashShim, nemesis.CrashTask, nemesis.Reset, nemesis.Burst, nemesis.Litter, nemesis.Lock:
				assert.Zero(t, f.For)
			default:
				assert.LessOrEqual(t, f.For, bounds.Silence)
			}
		}
		assert.LessOrEqual(t, crashes, bounds.DaemonCrashes)
		assert.LessOrEqual(t, leaves, bounds.Leaves)
		assert.LessOrEqual(t, regrids, bounds.Regrids)
		assert.LessOrEqual(t, losses, bounds.Losses)
	})
}

func TestALongPlanHasAllFaults(t *testing.T) {
	seen := map[nemesis.Kind]bool{}
	bounds := nemesis.Today(6, 10*time.Minute)
	for _, f := range nemesis.Draw(1, 6, 10*time.Minute, bounds).Faults {
		seen[f.Kind] = true
	}
	for _, k := range nemesis.Kinds() {
		assert.True(t, seen[k], k)
	}
}

// A plan without operators has the same faults otherwise.
func TestWhatOperatorsDoTakesThePlaceOfCrashes(t *testing.T) {
	bounds := nemesis.Today(5, 10*time.Minute)
	with := nemesis.Draw(7, 5, 10*time.Minute, bounds)
	bounds.Leaves, bounds.Regrids, bounds.Losses = 0, 0, 0
	without := nemesis.Draw(7, 5, 10*time.Minute, bounds)
	require.Len(t, with.Faults, len(without.Faults))
	var free time.Duration
	for i, f := range with.Faults {
		was := without.Faults[i]
		single := was.Kind == nemesis.CrashDaemon || was.Kind == nemesis.CrashBoth
		switch f.Kind {
		case nemesis.Drain, nemesis.Leave, nemesis.Replace:
			assert.True(t, single)
		case nemesis.Regrid:
			assert.Equal(t, nemesis.CrashAll, was.Kind)
		default:
			if single || was.Kind == nemesis.CrashAll {
				assert.True(t, f.Kind == nemesis.CrashTask && f.At < free+15*time.Second || f.At >= free)
			} else {
				assert.Equal(t, was, f)
			}
			continue
		}
		assert.GreaterOrEqual(t, f.At, free)
		free = f.At + f.Within + f.For + bounds.Apart
	}
	assert.NotZero(t, free)
}

func TestWhatIsNoPlan(t *testing.T) {
	head := "plan seed 1 nodes 4 duration 1m0s crashes 3 leaves 1 regrids 0 losses 1 attacks 2 " +
		"restart 3s down 1 apart 12s silence 3s replaced false\n"
	_, err := nemesis.Parse(strings.NewReader(head))
	require.NoError(t, err)
	for _, text := range []string{
		"", "plan", strings.Replace(head, "4", "99", 1), strings.Replace(head, "crashes", "crashed", 1),
		strings.Replace(head, "3s", "soon", 1), head + "1s cut 1", head + "1s cut 1,9", head + "1s burn 1",
		head + "soon cut 1,2", head + "1s cut 1,2 for", head + "1s cut 1,2 until 3s", head + "1s cut 1,2 always",
		head + "1s drain 1", head + "1s leave 1 within 3s", head + "1s leave 1,2", head + "1s drain 1,2,3 within 3s",
		head + "1s hostile 1", head + "1s hostile 1,2 for 3s", head + "1s replace 3", head + "1s replace 4,4",
	} {
		_, err := nemesis.Parse(strings.NewReader(text))
		assert.ErrorIs(t, err, nemesis.ErrPlan, text)
	}
}

// The plan that accept carries out is a plan of today.
func TestThePlanOfAcceptIsRead(t *testing.T) {
	file, err := os.Open(filepath.Join("testdata", "cut-off.txt"))
	require.NoError(t, err)
	defer file.Close()
	plan, err := nemesis.Parse(file)
	require.NoError(t, err)
	assert.Len(t, plan.Faults, 4)
}
