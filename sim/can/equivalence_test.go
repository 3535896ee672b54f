package can

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/can/founders"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/traces"
)

// silent records nothing, but makes the simulation execute every step.
type silent struct{}

func (silent) Begin(sim.View)           {}
func (silent) Before(traces.Action)     {}
func (silent) After([]string, sim.View) {}

// A cached step is the step that the core would have made: a recorded run, in which every step is
// executed, is the same run.
func TestCacheChangesNoRun(t *testing.T) {
	remembered := uint64(0)
	for _, w := range Scenarios() {
		for seed := range uint64(6) {
			p := w.Draw(seed)
			quick, err := w.Run(p, sim.RunOptions{})
			require.NoError(t, err)
			slow, err := w.Run(p, sim.RunOptions{Record: silent{}})
			require.NoError(t, err)
			assert.Equal(t, slow.Digest, quick.Digest, "%s, seed %d", w.Name, seed)
			assert.Equal(t, slow.Stats.Delivered, quick.Stats.Delivered)
			assert.Zero(t, slow.Stats.Remembered)
			remembered += quick.Stats.Remembered
		}
	}
	assert.NotZero(t, remembered)
}

// The same in a large network, which prefetches.
func TestCacheChangesNoLargeRun(t *testing.T) {
	if testing.Short() {
		t.Skip("steps a large network")
	}
	run := func(remember bool) (sim.Digest, sim.Stats) {
		c := steady(2100, 5, sim.Exponential(50_000), remember)
		c.RunUntil(2_100_000, nil)
		return c.Digest(), c.Stats()
	}
	quick, stats := run(true)
	slow, all := run(false)
	assert.Equal(t, slow, quick)
	assert.Equal(t, all.Delivered, stats.Delivered)
	assert.Greater(t, stats.Remembered, stats.Delivered/20)
}

// Founders are in the states that the core reaches when they join one after the other, except for
// epochs, contacts and round numbers.
func TestFoundersMatchTheCore(t *testing.T) {
	for seed := range uint64(8) {
		r, nodes := &run{}, 3+int(seed)
		require.NoError(t, r.shape(&sim.Plan{Nodes: nodes, Shape: seed}, drawnSpace(4)))
		config := simulationConfig(&r.cfg, seed)
		config.Network.Latency = sim.Constant(1000)
		for i, coord := range r.coords {
			config.Nodes = append(config.Nodes, can.New(protocol.Address(i), coord))
		}
		c := sim.New(config)
		for i := range r.coords {
			c.Start(i)
			order := can.Command{Kind: can.CommandJoin, Contact: protocol.NodeID{Incarnation: 1}}
			if i == 0 {
				order = can.Command{Kind: can.CommandCreate}
			}
			c.Command(i, order)
			c.RunUntil(c.Now()+60*second, nil)
		}
		coords := make([]space.Point, c.Len()) // as they were drawn in the end
		for i := range coords {
			coords[i] = c.State(i).Self.Coord
		}
		for i, f := range founders.New(&r.cfg, c.Len(), func(i int) space.Point { return coords[i] }) {
			want := *c.State(i)
			assert.Equal(t, undated(want.Self), undated(f.State.Self))
			require.Len(t, f.State.Known, len(want.Known), "seed %d, node %d", seed, i)
			for k := range want.Known {
				assert.Equal(t, undated(want.Known[k]), undated(f.State.Known[k]))
			}
			if r.cfg.Space.Virtual == 0 { // a virtual coordinate is drawn after the first write to disk
				assert.Equal(t, c.Persisted(i), f.Persisted)
			}
			var names []protocol.Timer
			for _, set := range f.Timers {
				names = append(names, set.Timer)
			}
			assert.ElementsMatch(t, c.Pending(i), names)
		}
	}
}

func undated(r can.Record) can.Record {
	r.Epoch = 0
	if len(r.Splits) == 0 {
		r.Splits = nil
	}
	return r
}
