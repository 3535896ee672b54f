package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/traces"
)

type toySystem = model.System[courier, note, order]

func machineOf(t *testing.T, sys *toySystem) traces.Machine {
	t.Helper()
	m, err := sys.Compile()
	require.NoError(t, err)
	return m.Machine()
}

// gifts is a prelude: A gives to B, then to C, and B to A.
func gifts() []model.Order[order] {
	return []model.Order[order]{{Node: 0, Order: give(1)}, {Node: 0, Order: give(2)}, {Node: 1, Order: give(0)}}
}

// The second order of a courier is not refused, as it would be with the first parcel still under way: each
// order is carried out before the next is given. Nothing of it is charged to the run that follows.
func TestPreludeComesToRest(t *testing.T) {
	budget := model.Budget{Drop: 1, Duplicate: 1, Spurious: 1, Crash: 1, Restart: 1, Suspect: 1}
	sys := threeCouriers().system(budget)
	without := machineOf(t, sys)
	sys.Prelude = gifts()
	m := machineOf(t, sys)
	state := m.State()
	assert.Equal(t, []traces.Variable{
		{Name: "A", Value: "A got 1, knows [1 1 1]"},
		{Name: "B", Value: "B got 1, knows [1 1 1]"},
		{Name: "C", Value: "C got 1, knows [1 1 1]"},
		{Name: "network", Value: ""},
	}, state[:4])
	assert.Equal(t, without.State()[4:], state[4:], "the monitor starts afresh and no fault is spent")
	assert.Equal(t, without.Enabled(), m.Enabled(), "every order of the run is still to come")
	for _, property := range []string{"NeverThanked", "Delivered", "Acquainted"} {
		holds, err := m.Check(property)
		require.NoError(t, err)
		assert.True(t, holds, property)
	}
	pick(t, m, "crash >A")
	m.Reset()
	assert.Equal(t, state, m.State(), "the prelude is what a machine goes back to")
}

// What the prelude did stays on disk.
func TestPreludePersists(t *testing.T) {
	sys := twoCouriers().system(model.Budget{Crash: 1, Restart: 1})
	sys.Prelude = gifts()[:1]
	m := machineOf(t, sys)
	pick(t, m, "crash >B")
	pick(t, m, "restart >B")
	assert.Equal(t, "B.2 got 1, knows [1 2]", m.State()[1].Value)
}

// A lone courier beats for ever and tells nobody.
func TestPreludeThatNeverRests(t *testing.T) {
	sys := couriers([][]order{{give(0)}}).system(model.Budget{})
	sys.Due = func(_ *model.World[courier, note], _ int, t protocol.Timer) model.Due {
		if t.Kind == timerBeat {
			return model.Now
		}
		return model.Never
	}
	_ = machineOf(t, sys) // without a prelude it need not rest
	sys.Prelude = []model.Order[order]{{Node: 0, Order: give(0)}}
	m, err := sys.Compile()
	require.NoError(t, err)
	const says = "model toy/couriers: the prelude does not come to rest"
	assert.PanicsWithValue(t, says, func() { m.Model() })
	assert.PanicsWithValue(t, says, func() { m.Machine() })
}

// A node that is given in the middle of its life is not started again, and its timers are pending.
func TestGivenStates(t *testing.T) {
	sys := twoCouriers().system(model.Budget{Suspect: 1})
	a := newCourier(0)
	a.Self.Incarnation, a.Known, a.Got = 7, [toyNodes]uint16{7, 1}, 1
	a.To, a.Paint = protocol.NodeID{Address: 1, Incarnation: 1}, 2
	sys.Nodes[0].State, sys.Nodes[0].Timers = a, []protocol.Timer{a.timer(timerResend), a.timer(timerWatch)}
	m := machineOf(t, sys)
	assert.Equal(t, "A.7 got 1, knows [7 1], has 2 for B", m.State()[0].Value)
	assert.Equal(t, "B got 0, knows [1 1]", m.State()[1].Value)
	assert.Equal(t, []string{"event gave up B 2"}, pick(t, m, "suspect >A watch B"))

	m.Reset()
	assert.Equal(t, []string{"send A->B give2"}, pick(t, m, "timeout >A resend B"))
}
