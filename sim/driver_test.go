package sim_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/traces"
)

// If the driver decides how long a timer lasts, the core's duration does not count.
func TestSpan(t *testing.T) {
	c := echoes(func(c *echoConfig) {
		c.Span = func(node int, _ protocol.Timer) int64 { return 3000 * int64(1-node) }
	})
	c.Command(0, "set")
	c.Command(1, "set")
	c.RunUntil(2999, nil)
	assert.Empty(t, c.State(0).Got)
	c.RunUntil(9999, nil)
	assert.Equal(t, "timeout ", c.State(0).Got)
	assert.Empty(t, c.State(1).Got, "0 leaves the core's duration")
	c.RunUntil(10_000, nil)
	assert.Equal(t, "timeout ", c.State(1).Got)
}

func TestPlane(t *testing.T) {
	l, err := sim.ParseLatency("plane 200000 1 7")
	require.NoError(t, err)
	plane, chance := l.(sim.Plane), sim.NewChance(1, 1)
	ways := map[int64]bool{}
	for a := range protocol.Address(20) {
		for b := range a {
			way := plane.Way(a, b)
			assert.Equal(t, way, plane.Way(b, a))
			assert.LessOrEqual(t, way, int64(282_844))
			assert.GreaterOrEqual(t, l.Micros(a, b, chance), way)
			for c := range b {
				assert.LessOrEqual(t, way, plane.Way(a, c)+plane.Way(c, b)+2, "no way is longer than one around")
			}
			ways[way] = true
		}
		assert.Equal(t, int64(1), plane.Way(a, a))
	}
	assert.Greater(t, len(ways), 150)
	assert.NotEqual(t, plane.Way(0, 1), sim.Plane{Side: 200_000, Queueing: 1, Salt: 8}.Way(0, 1))
	for _, wrong := range []string{"plane 1 2", "plane 2000000000 1 1", "plane"} {
		_, err := sim.ParseLatency(wrong)
		require.ErrorIs(t, err, sim.ErrLatency, wrong)
	}
}

// wavering is a scenario in which every third seed is undecided at first.
func wavering() *sim.Scenario {
	runs := map[uint64]int{}
	return &sim.Scenario{
		Name: "toy/wavering",
		Draw: func(seed uint64) *sim.Plan {
			return &sim.Plan{Scenario: "toy/wavering", Seed: seed, Nodes: 1, Latency: "constant 1"}
		},
		Run: func(p *sim.Plan, _ sim.RunOptions) (*sim.Result, error) {
			runs[p.Seed]++
			if p.Seed%3 == 0 && runs[p.Seed] == 1 {
				return &sim.Result{Verdict: sim.Inconclusive}, nil
			}
			return &sim.Result{Verdict: sim.Holds}, nil
		},
		Properties: func() []checker.Property { return nil },
		Words:      func() []traces.Term { return nil },
	}
}

// counting is a core that is not a function of its inputs: it counts its steps.
type counting struct {
	echo
	steps *int
}

func (c counting) Step(s echoState, in echoInput) (echoState, echoOutput) {
	*c.steps++
	s, out := c.echo.Step(s, in)
	s.Got += fmt.Sprint(*c.steps, " ")
	return s, out
}

// Executing every step twice changes nothing, unless a step is not a function.
func TestStepsExecutedTwice(t *testing.T) {
	digest := func(core protocol.Core[echoState, string, string], twice bool) sim.Digest {
		c := echoes(func(c *echoConfig) { c.Core, c.Twice, c.Effects = core, twice, true })
		c.Command(0, "say so")
		c.RunUntil(100, nil)
		return c.Digest()
	}
	assert.Equal(t, digest(echo{}, false), digest(echo{}, true))
	assert.Equal(t, digest(counting{steps: new(int)}, false), digest(counting{steps: new(int)}, false))
	assert.NotEqual(t, digest(counting{steps: new(int)}, false), digest(counting{steps: new(int)}, true))
}

// deaf is a core whose encoding of states leaves out received messages.
type deaf struct{ echo }

func (deaf) AppendState(dst []byte, s echoState) []byte { return protocol.AppendNodeID(dst, s.Self) }

// A run ends with a panic that names the field that an encoding forgets.
func TestEncodingsMustKeepEveryField(t *testing.T) {
	c := echoes(func(c *echoConfig) { c.Core = deaf{} })
	c.Command(0, "say so")
	const says = "sim: the scenario breaks its contract: AppendState or DecodeState forgets a field: " +
		"sim_test.echoState.Got: A:so  was encoded,  was decoded"
	assert.PanicsWithError(t, says, func() { c.RunUntil(100, nil) })
}

// An undecided run is counted. It is neither a violation nor an unrepeatable run.
func TestUndecidedRunsAreCounted(t *testing.T) {
	c := sim.Campaign{Scenarios: []*sim.Scenario{wavering()}, First: 1, Seeds: 9, Workers: 1, AgainEvery: 1}
	c.Found = func(f sim.Finding) { t.Errorf("seed %d was found", f.Seed) }
	totals, err := c.Run(context.Background())
	require.NoError(t, err)
	assert.Equal(t, uint64(3), totals[0].Inconclusive)
	assert.Zero(t, totals[0].Unrepeatable)
	assert.Empty(t, totals[0].Violated)
}
