package reptask

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/sim"
)

// A node that grants an attempt loses its representative, and a node that represents one its owner,
// on the awaited event.
func TestFailCounterpart(t *testing.T) {
	w := Scenarios()[0]
	for _, test := range []struct {
		on      string
		crashes uint64
	}{{reptask.EventGrant, 1}, {reptask.EventRepresent, 1}, {reptask.EventMove, 0}} {
		p := &sim.Plan{
			Scenario: w.Name, Nodes: 4, Shape: 2, Latency: "constant 50000", UntilMicros: 20 * second,
			SettleMicros: 600 * second,
			Ops: []sim.Op{
				{Do: opBereave, Arg: uint64(slices.Index(triggers, test.on))},
				{AtMicros: second, Do: opSubmit, Arg: 1 | 1<<16 | 5<<24},
			},
		}
		r, err := w.Run(p, sim.RunOptions{})
		require.NoError(t, err)
		assert.Equal(t, sim.Holds, r.Verdict, r.Where)
		assert.Equal(t, test.crashes, r.Stats.Crashes, test.on)
	}
}
