package refine_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// appendOutput encodes all of an output.
func appendOutput(dst []byte, o refine.Output) []byte {
	dst = append(protocol.AppendBool(dst, o.Persist == nil), o.Persist...)
	for _, e := range o.Send {
		dst = protocol.AppendNodeID(protocol.AppendNodeID(append(dst, 's'), e.From), e.To)
		dst = refine.AppendMessage(dst, e.Message)
	}
	return fmt.Appendf(dst, "%+v %+v %+v %d %+v", o.Cancel, o.Set, o.Measure, o.Choose, o.Events)
}

// museum keeps values that were handed out, with what they were then.
type museum struct {
	show  []func() []byte
	label [][]byte
}

func (m *museum) keep(encode func() []byte) {
	m.show, m.label = append(m.show, encode), append(m.label, encode())
}

func (m *museum) requireUnchanged(t require.TestingT) {
	for i, encode := range m.show {
		require.True(t, bytes.Equal(m.label[i], encode()), "a value changed after it was handed out")
	}
}

// vandalise overwrites the lists of a state that Step changes in place, and what lies behind their
// ends, and all lists of an output. The other lists are shared on purpose and never changed by
// anybody; the museum shows that.
func vandalise(s refine.State, o refine.Output) {
	wipe(s.Candidates)
	wipe(s.Slots)
	wipe(o.Persist)
	wipe(o.Send)
	wipe(o.Cancel)
	wipe(o.Set)
	wipe(o.Measure)
	wipe(o.Events)
}

func wipe[T any](list []T) { clear(list[:cap(list)]) }

// pure is Step, watched. It reports what a pure function does not do.
func pure(
	t require.TestingT,
	kept *museum,
) func(*refine.Config, refine.State, refine.Input) (refine.State, refine.Output) {
	return func(cfg *refine.Config, s refine.State, in refine.Input) (refine.State, refine.Output) {
		before, config := refine.AppendState(nil, s), *cfg
		s1, o1 := refine.Step(cfg, s, in)
		state, out := refine.AppendState(nil, s1), appendOutput(nil, o1)
		kept.keep(func() []byte { return refine.AppendState(nil, s1) })
		kept.keep(func() []byte { return appendOutput(nil, o1) })

		s2, o2 := refine.Step(cfg, s, in)
		require.Equal(t, state, refine.AppendState(nil, s2), "equal inputs, different states")
		require.Equal(t, out, appendOutput(nil, o2), "equal inputs, different outputs")
		vandalise(s2, o2)
		require.Equal(t, before, refine.AppendState(nil, s), "the new state shares a list with the old one")
		require.Equal(t, state, refine.AppendState(nil, s1), "two new states share a list")
		require.Equal(t, out, appendOutput(nil, o1), "two outputs share a list")

		copied, err := refine.DecodeState(before)
		require.NoError(t, err, "%s", refine.StateText(s))
		s3, o3 := refine.Step(cfg, copied, in)
		require.Equal(t, state, refine.AppendState(nil, s3), "a state that was decoded behaves differently")
		require.Equal(t, out, appendOutput(nil, o3), "a state that was decoded behaves differently")
		require.Equal(t, config, *cfg)
		_, err = refine.DecodeState(state)
		require.NoError(t, err, "%s", refine.StateText(s1))
		for _, e := range o1.Send {
			b := refine.AppendMessage(nil, e.Message)
			m, err := refine.DecodeMessage(b)
			require.NoError(t, err, "%s", refine.MessageText(e.Message))
			require.Equal(t, b, refine.AppendMessage(nil, m))
		}
		return s1, o1
	}
}

// Step is a function, and it keeps and changes nothing that it is given. Its states and messages
// survive encoding and decoding. All this on random walks, crashes and restarts included.
func TestStepIsPure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawWalk(t, 6)
		kept := &museum{}
		k.run(func(w *world) { w.core = pure(t, kept) })
		kept.requireUnchanged(t)
	})
}

// Whatever comes in, wherever a node stands: it does not panic, its bounds hold, and what it makes
// of it can be encoded.
func TestNoInputPanics(t *testing.T) {
	heads, clients, types := map[refine.HeadState]int{}, map[refine.ClientState]int{}, map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		k := drawWalk(t, 6)
		var states []refine.State // of anybody at any time
		w := k.run(func(w *world) {
			w.core = func(cfg *refine.Config, s refine.State, in refine.Input) (refine.State, refine.Output) {
				s, out := refine.Step(cfg, s, in)
				states = append(states, s)
				return s, out
			}
		})
		known := rapid.Custom(func(t *rapid.T) protocol.NodeID {
			p := w.nodes[evenly(t, len(w.nodes), "node")]
			return protocol.NodeID{Address: p.address, Incarnation: uint16(rapid.IntRange(0, 2).Draw(t, "life"))}
		})
		g := generator{t, rapid.OneOf(known, known, known, strangers)}
		s := states[evenly(t, len(states), "victim")]
		for range rapid.IntRange(1, 40).Draw(t, "inputs") {
			in := g.input()
			heads[s.Head]++
			clients[s.Client()]++
			types[fmt.Sprintf("%T", in.Message)]++
			s, _ = pure(t, &museum{})(w.cfg, s, in)
			require.LessOrEqual(t, len(s.Slots), max(0, w.cfg.MembershipBound-1))
			require.LessOrEqual(t, len(s.Candidates), w.cfg.CandidateLimit)
			for _, c := range clusters(&s) {
				require.LessOrEqual(t, len(c.Members), w.cfg.SizeBound)
			}
		}
	})
	if testing.Short() {
		return // with few cases not everything is drawn
	}
	require.Len(t, heads, 5, "a head has five states")
	require.Len(t, clients, 4, "a client has four states")
	require.Len(t, types, 12, "eleven types of message, and none")
}
