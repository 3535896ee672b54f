package can_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// appendOutput encodes all of an output.
func appendOutput(cfg *can.Config, dst []byte, o can.Output) []byte {
	dst = protocol.AppendUint(dst, uint64(len(o.Persist)))
	dst = append(protocol.AppendBool(dst, o.Persist == nil), o.Persist...)
	for _, e := range o.Send {
		dst = protocol.AppendNodeID(protocol.AppendNodeID(append(dst, 's'), e.From), e.To)
		dst = can.AppendMessage(cfg, dst, e.Message)
	}
	for _, t := range o.Cancel {
		dst = protocol.AppendNodeID(append(dst, 'c', byte(t.Kind)), t.Peer)
	}
	for _, t := range o.Set {
		dst = protocol.AppendNodeID(append(dst, 't', byte(t.Timer.Kind)), t.Timer.Peer)
		dst = protocol.AppendUint(protocol.AppendUint(dst, uint64(t.MinTicks)), uint64(t.MaxTicks))
	}
	dst = protocol.AppendUint(dst, uint64(o.Choose))
	return fmt.Appendf(dst, "%+v", o.Events)
}

// museum keeps values that were handed out, with what they were then.
type museum struct {
	cfg   *can.Config
	show  []func() []byte
	label [][]byte
}

func (m *museum) keep(encode func() []byte) {
	m.show, m.label = append(m.show, encode), append(m.label, encode())
}

func (m *museum) state(s can.State) {
	m.keep(func() []byte { return can.AppendState(m.cfg, nil, s) })
}

func (m *museum) output(o can.Output) {
	m.keep(func() []byte { return appendOutput(m.cfg, nil, o) })
}

func (m *museum) requireUnchanged(t require.TestingT) {
	for i, encode := range m.show {
		require.True(t, bytes.Equal(m.label[i], encode()), "a value changed after it was handed out")
	}
}

// vandalise overwrites the lists of a state that Step changes in place, and what lies behind their
// ends, and all lists of an output. The other lists (split lists, and those within messages) are
// shared on purpose and never changed by anybody; the museum shows that.
func vandalise(s can.State, o can.Output) {
	wipe(s.Known)
	wipe(s.Dead)
	wipe(s.Change.Waiting)
	wipe(s.Change.Later)
	wipe(o.Persist)
	wipe(o.Send)
	wipe(o.Cancel)
	wipe(o.Set)
	wipe(o.Events)
}

func wipe[T any](list []T) { clear(list[:cap(list)]) }

// pure is Step, watched. It reports what a pure function does not do.
func pure(t require.TestingT, kept *museum) func(*can.Config, can.State, can.Input) (can.State, can.Output) {
	return func(cfg *can.Config, s can.State, in can.Input) (can.State, can.Output) {
		before := can.AppendState(cfg, nil, s)
		config := *cfg
		s1, o1 := can.Step(cfg, s, in)
		state, out := can.AppendState(cfg, nil, s1), appendOutput(cfg, nil, o1)
		kept.state(s1)
		kept.output(o1)

		s2, o2 := can.Step(cfg, s, in)
		require.Equal(t, state, can.AppendState(cfg, nil, s2), "equal inputs, different states")
		require.Equal(t, out, appendOutput(cfg, nil, o2), "equal inputs, different outputs")
		vandalise(s2, o2)
		require.Equal(t, before, can.AppendState(cfg, nil, s), "the new state shares a list with the old one")
		require.Equal(t, state, can.AppendState(cfg, nil, s1), "two new states share a list")
		require.Equal(t, out, appendOutput(cfg, nil, o1), "two outputs share a list")

		copied, err := can.DecodeState(cfg, before)
		require.NoError(t, err, "%s", can.StateText(cfg, s))
		s3, o3 := can.Step(cfg, copied, in)
		require.Equal(t, state, can.AppendState(cfg, nil, s3), "a state that was decoded behaves differently")
		require.Equal(t, out, appendOutput(cfg, nil, o3), "a state that was decoded behaves differently")
		require.Equal(t, config, *cfg)
		_, err = can.DecodeState(cfg, state)
		require.NoError(t, err, "%s", can.StateText(cfg, s1))
		for _, e := range o1.Send {
			b := can.AppendMessage(cfg, nil, e.Message)
			m, err := can.DecodeMessage(cfg, b)
			require.NoError(t, err, "%s", can.MessageText(cfg, e.Message))
			require.Equal(t, b, can.AppendMessage(cfg, nil, m))
		}
		return s1, o1
	}
}

// Step is a function, and it keeps and changes nothing that it is given. Its states and messages
// survive encoding and decoding. All this on random walks, crashes and restarts included.
func TestStepIsPure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawWalk(t, true, 6)
		kept := &museum{}
		_ = k.run(func(w *world) {
			kept.cfg = w.cfg
			w.core = pure(t, kept)
		})
		kept.requireUnchanged(t)
	})
}

// Whatever comes in, in whatever phase: a node does not panic, and what it makes of it can be
// encoded.
func TestNoInputPanics(t *testing.T) {
	phases, types := map[can.Phase]int{}, map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		k := drawWalk(t, true, 6)
		var net *world
		_ = k.run(func(w *world) { net = w })
		known := rapid.Custom(func(t *rapid.T) protocol.NodeID {
			p := net.nodes[rapid.IntRange(0, len(net.nodes)-1).Draw(t, "node")]
			return protocol.NodeID{Address: p.address, Incarnation: uint16(rapid.IntRange(0, 2).Draw(t, "life"))}
		})
		g := generator{t, net.cfg, rapid.OneOf(known, known, known, strangers)}
		p := net.nodes[rapid.IntRange(0, len(net.nodes)-1).Draw(t, "victim")]
		s := p.state
		// Walks end with few nodes outside or on their way in, so these phases have a share of their own.
		if fresh := rapid.IntRange(0, 3).Draw(t, "fresh"); fresh > 1 {
			s, _ = can.Step(net.cfg, can.New(p.address, p.state.Self.Coord), can.Input{Kind: protocol.Start})
			if fresh == 3 {
				join := can.Command{Kind: can.CommandJoin, Contact: known.Draw(t, "contact")}
				s, _ = can.Step(net.cfg, s, can.Input{Kind: protocol.Command, Command: join})
			}
		}
		for range rapid.IntRange(1, 20).Draw(t, "inputs") {
			in := g.input()
			if in.Kind == protocol.Restart {
				continue // persisted bytes come from the node itself: see FuzzRestart
			}
			phases[s.Phase]++
			types[fmt.Sprintf("%T", in.Message)]++
			s, _ = pure(t, &museum{cfg: net.cfg})(net.cfg, s, in)
		}
	})
	if testing.Short() {
		return // with few cases not everything is drawn
	}
	for phase := can.Outside; phase <= can.Departed; phase++ {
		if phase != can.Leaving { // a rare guest at the end of a walk
			require.NotZero(t, phases[phase], "no node was %v", phase)
		}
	}
	require.Len(t, types, 11, "ten types of message, and none")
}
