package reptask_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// A list that is not strictly in order has another encoding already.
func TestListsOutOfOrderAreRefused(t *testing.T) {
	core := &reptask.Core{Config: *testConfig()}
	rapid.Check(t, func(t *rapid.T) {
		s, m := genState(t), reptask.Message{Kind: reptask.Beat}
		first, second := genJob(t), genJob(t)
		if first.Compare(second) < 0 {
			first, second = second, first
		}
		low, high := name('B'), name('B'+byte(rapid.IntRange(0, 1).Draw(t, "apart")))
		switch rapid.IntRange(0, 7).Draw(t, "list") {
		case 0:
			s.Owned = []reptask.Owned{{Job: reptask.Job{Owner: high}}, {Job: reptask.Job{Owner: low}}}
		case 1:
			s.Roles = []reptask.Role{{Job: first}, {Job: second}}
		case 2:
			s.Tasks = []reptask.Task{{Job: first}, {Job: second}}
		case 3:
			s.Floors = []reptask.Floor{{Job: first}, {Job: second}}
		case 4:
			s.Cluster = []reptask.Neighbour{{ID: high}, {ID: low}}
		case 5:
			s.Silent = []protocol.NodeID{high, low}
		case 6:
			s.Roles = []reptask.Role{{Members: []reptask.Member{{Host: high}, {Host: low}}}}
		case 7:
			m.Positions = []reptask.Position{{Attempt: reptask.Attempt{Job: first}}, {Attempt: reptask.Attempt{Job: second}}}
			_, err := core.DecodeMessage(core.AppendMessage(nil, m))
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		_, err := core.DecodeState(core.AppendState(nil, s))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	})
}

// A kind that does not exist is refused.
func TestNoKind(t *testing.T) {
	core := &reptask.Core{Config: *testConfig()}
	_, err := core.DecodeMessage([]byte{0})
	require.ErrorIs(t, err, protocol.ErrEncoding)
	_, err = core.DecodeCommand([]byte{0})
	require.ErrorIs(t, err, protocol.ErrEncoding)
}

// FuzzStep hands an arbitrary state an arbitrary message. The core must not panic, must not change
// its arguments, and must end in a state that has an encoding.
func FuzzStep(f *testing.F) {
	core := &reptask.Core{Config: *testConfig()}
	for seed := range 20 {
		s, m := rapid.Custom(genState).Example(seed), rapid.Custom(genMessage).Example(seed)
		if len(s.Tasks) > 0 {
			m.Attempt = s.Tasks[0].Attempt()
		}
		f.Add(core.AppendState(nil, s), core.AppendMessage(nil, m), uint32(seed))
	}
	f.Fuzz(func(t *testing.T, state, message []byte, from uint32) {
		s, err := core.DecodeState(state)
		if err != nil {
			return
		}
		m, err := core.DecodeMessage(message)
		if err != nil {
			return
		}
		in := reptask.Input{
			Kind:    protocol.Deliver,
			From:    protocol.NodeID{Address: protocol.Address(from), Incarnation: 1},
			Message: m,
		}
		after, out := core.Step(s, in)
		require.Equal(t, state, core.AppendState(nil, s), "the state that was given")
		require.Equal(t, message, core.AppendMessage(nil, m), "the message that was given")
		b := core.AppendState(nil, after)
		again, err := core.DecodeState(b)
		require.NoError(t, err)
		require.Equal(t, b, core.AppendState(nil, again))
		for _, e := range out.Send {
			_, err := core.DecodeMessage(core.AppendMessage(nil, e.Message))
			require.NoError(t, err)
		}
	})
}
