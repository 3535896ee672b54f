package nemesis_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/internal/nemesis"
)

func TestAPrintedPlanIsReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(3, nemesis.MaxNodes).Draw(t, "nodes")
		seconds := rapid.IntRange(1, 600).Draw(t, "seconds")
		bounds := nemesis.Today(nodes)
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
		bounds := nemesis.Today(nodes)
		plan := nemesis.Draw(rapid.Uint64().Draw(t, "seed"), nodes, 5*time.Minute, bounds)
		crashes := 0
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
			case nemesis.CrashAll:
				crashes += nodes
				assert.LessOrEqual(t, f.For, bounds.Restart)
				assert.Len(t, f.Nodes, nodes)
			case nemesis.CrashShim, nemesis.CrashTask, nemesis.Reset, nemesis.Burst:
				assert.Zero(t, f.For)
			default:
				assert.LessOrEqual(t, f.For, bounds.Silence)
			}
		}
		assert.LessOrEqual(t, crashes, bounds.DaemonCrashes)
	})
}

func TestALongPlanHasAllFaults(t *testing.T) {
	seen := map[nemesis.Kind]bool{}
	bounds := nemesis.Today(6)
	bounds.DaemonCrashes, bounds.Apart = 60, 0
	for _, f := range nemesis.Draw(1, 6, 10*time.Minute, bounds).Faults {
		seen[f.Kind] = true
	}
	for _, k := range nemesis.Kinds() {
		assert.True(t, seen[k], k)
	}
}

func TestWhatIsNoPlan(t *testing.T) {
	head := "plan seed 1 nodes 4 duration 1m0s crashes 3 restart 3s down 1 apart 12s silence 3s replaced false\n"
	for _, text := range []string{
		"", "plan", strings.Replace(head, "4", "99", 1), head + "1s cut 1", head + "1s cut 1,9", head + "1s burn 1",
		head + "soon cut 1,2", head + "1s cut 1,2 for", head + "1s cut 1,2 until 3s", head + "1s cut 1,2 always",
	} {
		_, err := nemesis.Parse(strings.NewReader(text))
		assert.ErrorIs(t, err, nemesis.ErrPlan, text)
	}
}
