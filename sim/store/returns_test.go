package store

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/store"
	"github.com/canvass-grid/canvass/sim"
)

// The owner of a key fails on the awaited event, and not before.
func TestFailOwner(t *testing.T) {
	w := Scenarios()[0]
	for _, test := range []struct {
		on      uint64
		crashes uint64
	}{{3, 1}, {2, 0}} {
		require.Equal(t, [2]string{store.EventDelivered, store.EventServed}, [2]string(triggers[2:]))
		p := &sim.Plan{
			Scenario: w.Name, Nodes: 4, Founders: 4, Latency: "constant 50000", UntilMicros: 10 * second,
			SettleMicros: 60 * second,
			Ops: []sim.Op{
				{Do: opBereave, Arg: test.on | uint64(second)<<16},
				{AtMicros: second, Do: opPut, Arg: argument(0, 1, 0)},
			},
		}
		r, err := w.Run(p, sim.RunOptions{})
		require.NoError(t, err)
		assert.Equal(t, sim.Holds, r.Verdict, r.Where)
		assert.Equal(t, test.crashes, r.Stats.Crashes)
	}
}
