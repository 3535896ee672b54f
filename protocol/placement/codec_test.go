package placement_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/placement"
)

// generator draws values that the decoders accept. They need not make sense together.
type generator struct{ *rapid.T }

func (g generator) id() protocol.NodeID {
	return protocol.NodeID{
		Address:     protocol.Address(rapid.Uint32Max(3).Draw(g.T, "address")),
		Incarnation: rapid.Uint16Max(2).Draw(g.T, "life"),
	}
}

func (g generator) number() uint32 {
	return rapid.OneOf(rapid.Uint32Max(3), rapid.Uint32()).Draw(g.T, "number")
}

func (g generator) state() placement.State {
	s := placement.State{Self: g.id(), Turns: g.number(), Ticket: g.number(), Round: g.number()}
	var jobs []placement.Job
	for number := range uint32(rapid.IntRange(0, 4).Draw(g.T, "jobs")) {
		jobs = append(jobs, placement.Job{
			Number: number, Try: g.number(), Stamp: rapid.Uint64().Draw(g.T, "stamp"),
			Phase:  placement.Phase(rapid.IntRange(1, int(placement.Stopped)).Draw(g.T, "phase")),
			Ticket: g.number(), Owner: g.id(), Searches: rapid.Uint8().Draw(g.T, "searches"), Rest: g.number(),
			Round: g.number(),
		})
	}
	s.Jobs = placement.ListOf(jobs...)
	return s
}

func (g generator) command() placement.Command {
	c := placement.Command{Kind: placement.CommandKind(rapid.IntRange(1, int(placement.CommandTurns)).Draw(g.T, "kind"))}
	switch c.Kind {
	case placement.CommandWants:
		c.Job, c.Try, c.Stamp, c.Rest = g.number(), g.number(), uint64(g.number()), g.number()
	case placement.CommandPermitted:
		c.Job, c.Ticket = g.number(), g.number()
	case placement.CommandStop, placement.CommandDrop:
		c.Job = g.number()
	case placement.CommandOwned:
		c.Ticket, c.Node = g.number(), g.id()
	case placement.CommandLost, placement.CommandEnded:
		c.Ticket = g.number()
	case placement.CommandDead:
		c.Node = g.id()
	default:
		c.Turns = g.number()
	}
	return c
}

func (g generator) input() placement.Input {
	switch rapid.IntRange(0, 9).Draw(g.T, "input") {
	case 0:
		return placement.Input{Kind: protocol.Start}
	case 1:
		return placement.Input{Kind: protocol.Restart}
	case 2:
		return placement.Input{Kind: protocol.Deliver, From: g.id()}
	case 3, 4, 5:
		kind := protocol.TimerKind(rapid.IntRange(0, 4).Draw(g.T, "timer"))
		return placement.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: kind, Peer: protocol.NodeID{
			Address: protocol.Address(rapid.Uint32Max(4).Draw(g.T, "job")),
		}}}
	}
	return placement.Input{Kind: protocol.Command, Command: g.command()}
}

type (
	bound = drivetest.Core[placement.State, placement.Message, placement.Command]
	draw  = drivetest.Draw[placement.State, placement.Message, placement.Command]
	suite = drivetest.Suite[placement.State, placement.Message, placement.Command]
)

func newSuite() suite {
	core := &placement.Core{Config: placement.DefaultConfig()}
	return suite{
		Draw: func(t *rapid.T) draw {
			g := generator{t}
			return draw{
				Core: core, State: g.state, Command: g.command,
				Message: func() placement.Message { return placement.Message{} },
				Input:   func(placement.State) placement.Input { return g.input() },
			}
		},
		Wipe:     func(s placement.State) { drivetest.Wipe(s.Jobs) }, // states share its parts
		Commands: int(placement.CommandTurns),
		Cores:    []bound{core},
		Seeds: func(_ bound, state, message func([]byte)) {
			state(placement.AppendState(nil, placement.State{
				Jobs: placement.ListOf(placement.Job{Number: 1, Phase: placement.Placed}),
			}))
			message(placement.AppendMessage(nil, placement.Message{}))
		},
	}
}

func TestSuite(t *testing.T)         { newSuite().Test(t) }
func FuzzDecodeState(f *testing.F)   { newSuite().FuzzState(f) }
func FuzzDecodeCommand(f *testing.F) { newSuite().FuzzCommand(f) }

// The decoders refuse unsorted jobs, a job without a phase, a command without a kind, and a message
// with bytes.
func TestDecodersRefuse(t *testing.T) {
	job := func(number uint32, phase placement.Phase) placement.Job {
		return placement.Job{Number: number, Phase: phase}
	}
	for _, jobs := range [][]placement.Job{
		{job(2, 1), job(1, 1)}, {job(1, 1), job(1, 1)}, {job(1, 0)}, {job(1, placement.Stopped+1)},
	} {
		_, err := placement.DecodeState(placement.AppendState(nil, placement.State{Jobs: placement.ListOf(jobs...)}))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	for _, kind := range []byte{0, byte(placement.CommandTurns) + 1} {
		_, err := placement.DecodeCommand([]byte{kind})
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	_, err := placement.DecodeMessage([]byte{1})
	require.ErrorIs(t, err, protocol.ErrEncoding)
	m, err := placement.DecodeMessage(placement.AppendMessage(nil, placement.Message{}))
	require.NoError(t, err)
	require.Equal(t, "no message", placement.MessageText(m))
}

// A number of searches fits a byte, and no larger one is accepted.
func TestDecodeSearches(t *testing.T) {
	s := placement.State{Jobs: placement.ListOf(placement.Job{Number: 1, Phase: placement.Waiting, Searches: 255})}
	b := placement.AppendState(nil, s)
	decoded, err := placement.DecodeState(b)
	require.NoError(t, err)
	require.Equal(t, s, decoded)
	end := []byte{0, 0} // no pause, no round
	require.Equal(t, append(protocol.AppendUint(nil, 255), end...), b[len(b)-4:])
	_, err = placement.DecodeState(append(protocol.AppendUint(b[:len(b)-4], 256), end...))
	require.ErrorIs(t, err, protocol.ErrEncoding)
}
