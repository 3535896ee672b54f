package sim_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/traces"
)

// script is a scenario whose verdict is computed from its plan alone: a run is violated if a needed
// operation, a needed fault and a needed node are in the plan.
type script struct {
	runs  *atomic.Uint64
	moody bool
	slow  bool // a short time for convergence violates the property more easily
}

// scenario returns it as a scenario, and the counter of its runs.
func (w script) scenario() (*sim.Scenario, *atomic.Uint64) {
	w.runs = new(atomic.Uint64)
	return &sim.Scenario{
		Name: "toy/script",
		Draw: w.draw,
		Run:  w.run,
		Properties: func() []checker.Property {
			return []checker.Property{{Name: "Good", Doc: "all is well", Shape: checker.Always}}
		},
		Words: func() []traces.Term { return nil },
	}, w.runs
}

// scripted is the scenario of a script.
func scripted(w script) *sim.Scenario {
	s, _ := w.scenario()
	return s
}

func (script) draw(seed uint64) *sim.Plan {
	p := &sim.Plan{
		Scenario:     "toy/script",
		Seed:         seed,
		Nodes:        20,
		Founders:     5,
		Latency:      "exponential 50000",
		Drop:         1000,
		DriftPPM:     5,
		UntilMicros:  90_000_000,
		SettleMicros: 300_000_000,
	}
	for i := range 40 {
		p.Ops = append(p.Ops, sim.Op{AtMicros: int64(i+10) * 1_000_000, Do: "op", Node: i % 20, Arg: seed % 3 * uint64(i)})
	}
	return p
}

func (w script) run(p *sim.Plan, o sim.RunOptions) (*sim.Result, error) {
	runs := w.runs.Add(1)
	r := &sim.Result{
		Verdict:  sim.Holds,
		Digest:   sim.Digest{Actions: p.Seed},
		AtMicros: p.UntilMicros,
		Length:   p.Seed % 2,
		Counts:   map[string]int{"run": 1},
	}
	if w.moody {
		r.Digest.State = runs
	}
	faults := p.Faults
	if p.Drop > 0 {
		for i := range uint32(30) {
			faults = append(faults, sim.Fault{Node: i % 20, Number: i, Kind: sim.FaultDrop})
		}
	}
	if o.Faults {
		r.Faults = faults
	}
	also := slices.ContainsFunc(p.Ops, func(op sim.Op) bool { return op.Arg == 2*23 }) || p.SettleMicros <= 20_000_000
	needed := (also || !w.slow) && slices.ContainsFunc(p.Ops, func(op sim.Op) bool { return op.Arg == 2*17 }) &&
		slices.ContainsFunc(p.Ops, func(op sim.Op) bool { return op.Arg == 2*31 })
	if needed && slices.ContainsFunc(faults, func(f sim.Fault) bool { return f.Number == 13 }) && p.Founders >= 3 {
		r.Verdict, r.Property, r.Where = sim.Violated, "Good", "here"
	}
	return r, nil
}

func TestShrinking(t *testing.T) {
	w, runs := script{}.scenario()
	p, r := sim.Shrink(w, w.Draw(2), "Good", nil)
	require.Equal(t, sim.Violated, r.Verdict)
	require.Len(t, p.Ops, 2)
	assert.Equal(t, []uint64{34, 62}, []uint64{p.Ops[0].Arg, p.Ops[1].Arg})
	assert.Equal(t, []sim.Fault{{Node: 13, Number: 13, Kind: sim.FaultDrop}}, p.Faults)
	assert.Equal(t, 3, p.Founders)
	assert.Equal(t, 18, p.Nodes, "operations for node 17 are left")
	assert.Equal(t, "constant 50000", p.Latency)
	assert.Zero(t, p.DriftPPM)
	assert.Zero(t, p.Drop)
	assert.Zero(t, p.Ops[0].AtMicros, "the operations before it are gone")
	assert.Zero(t, p.Ops[1].AtMicros, "those between, too")
	assert.Equal(t, p.Ops[1].AtMicros+100_000, p.UntilMicros, "and those after it")
	assert.Equal(t, int64(20_000_000), p.SettleMicros)
	assert.Less(t, runs.Load(), uint64(300))
}

// A plan that would converge a little after the shortened bound shows nothing.
func TestShrinkingChecksTheFullBound(t *testing.T) {
	w := scripted(script{slow: true})
	p, r := sim.Shrink(w, w.Draw(2), "Good", nil)
	require.Equal(t, sim.Violated, r.Verdict)
	assert.Equal(t, int64(20_000_000), p.SettleMicros)
	require.Len(t, p.Ops, 3)
	assert.Equal(t, []uint64{34, 46, 62}, []uint64{p.Ops[0].Arg, p.Ops[1].Arg, p.Ops[2].Arg})
}

func TestLess(t *testing.T) {
	two, three := &sim.Plan{Nodes: 2}, &sim.Plan{Nodes: 3}
	short, long := &sim.Result{Length: 5}, &sim.Result{Length: 6}
	assert.True(t, sim.Less(three, short, two, long), "steps count first")
	assert.True(t, sim.Less(two, short, three, short), "then what is in the plan")
	assert.False(t, sim.Less(two, short, two, short))
	assert.False(t, sim.Less(two, long, three, short))
}

func TestStoppedShrinking(t *testing.T) {
	w := scripted(script{})
	left := 5
	p, r := sim.Shrink(w, w.Draw(2), "Good", func() bool { left--; return left > 0 })
	assert.Equal(t, sim.Violated, r.Verdict)
	assert.Greater(t, len(p.Ops), 2)
	same, r := sim.Shrink(w, w.Draw(1), "Good", nil)
	assert.Equal(t, w.Draw(1), same, "a plan without a violation is left alone")
	assert.Equal(t, sim.Holds, r.Verdict)
}

func TestCampaigns(t *testing.T) {
	for _, workers := range []int{1, 4} {
		var found []uint64
		c := sim.Campaign{
			Scenarios:  []*sim.Scenario{scripted(script{})},
			First:      10,
			Seeds:      30,
			Workers:    workers,
			AgainEvery: 10,
			Found:      func(f sim.Finding) { found = append(found, f.Seed) },
		}
		totals, err := c.Run(context.Background())
		require.NoError(t, err)
		require.Len(t, totals, 1)
		sum := totals[0]
		assert.Equal(t, [4]uint64{30, 30, 3, 0}, [4]uint64{sum.Seeds, sum.Asked, sum.Again, sum.Unrepeatable})
		assert.Equal(t, map[string]uint64{"Good": 10}, sum.Violated)
		var shortest []uint64
		for _, f := range sum.Shortest["Good"] {
			shortest = append(shortest, f.Seed)
		}
		assert.Equal(t, []uint64{14, 20, 26, 32}, shortest, "of runs as long as each other the first")
		assert.Equal(t, map[string]int{"run": 30}, sum.Counts)
		slices.Sort(found)
		assert.Equal(t, []uint64{11, 14, 17, 20, 23, 26, 29, 32, 35, 38}, found)
	}
}

func TestProgressCountsUnexpectedViolations(t *testing.T) {
	failing := scripted(script{})
	failing.Expected = map[string]string{"Good": "the scenario exists to show it"}
	for _, w := range []*sim.Scenario{scripted(script{}), failing} {
		ctx, cancel := context.WithCancel(context.Background())
		var seen sim.Progress
		c := sim.Campaign{
			Scenarios:     []*sim.Scenario{w},
			First:         10,
			Workers:       1,
			ProgressEvery: time.Microsecond,
			Progress: func(p sim.Progress) {
				if seen = p; p.Runs > 10 { // one in three is violated
					cancel()
				}
			},
		}
		_, err := c.Run(ctx)
		cancel()
		require.NoError(t, err)
		assert.Equal(t, w.Expected["Good"] == "", seen.Violations > 0, "%d of %d", seen.Violations, seen.Runs)
	}
}

func TestShardsMakeUpTheWhole(t *testing.T) {
	var seeds []uint64
	for i := range uint64(3) {
		c := sim.Campaign{
			Scenarios:  []*sim.Scenario{scripted(script{})},
			First:      5,
			Seeds:      11,
			Workers:    2,
			ShardIndex: i,
			ShardCount: 3,
			Found:      func(f sim.Finding) { seeds = append(seeds, f.Seed) },
		}
		totals, err := c.Run(context.Background())
		require.NoError(t, err)
		assert.Equal(t, totals[0].Asked, totals[0].Seeds)
	}
	slices.Sort(seeds)
	assert.Equal(t, []uint64{5, 8, 11, 14}, seeds)
}

func TestUnrepeatableRunsAreFound(t *testing.T) {
	found := 0
	c := sim.Campaign{
		Scenarios:  []*sim.Scenario{scripted(script{moody: true})},
		Seeds:      20,
		Workers:    1,
		AgainEvery: 10,
		Found: func(f sim.Finding) {
			if f.Unrepeatable {
				found++
			}
		},
	}
	totals, err := c.Run(context.Background())
	require.NoError(t, err)
	assert.Equal(t, uint64(2), totals[0].Unrepeatable)
	assert.Equal(t, 2, found)
}

func TestEndlessCampaignEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := sim.Campaign{
		Scenarios: []*sim.Scenario{scripted(script{})},
		First:     2,
		Workers:   2,
		Found:     func(sim.Finding) { cancel() },
	}
	totals, err := c.Run(ctx)
	require.NoError(t, err)
	assert.NotZero(t, totals[0].Seeds)
	assert.Zero(t, totals[0].Asked)
}
