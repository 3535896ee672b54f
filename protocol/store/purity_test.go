package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// pure is Step, watched: it answers equal inputs alike, changes nothing that it is given, and what
// it makes can be encoded.
func pure(t require.TestingT) func(*store.Config, store.State, store.Input) (store.State, store.Output) {
	return func(cfg *store.Config, s store.State, in store.Input) (store.State, store.Output) {
		before := store.AppendState(cfg, nil, s)
		s1, o1 := store.Step(cfg, s, in)
		state := store.AppendState(cfg, nil, s1)
		copied, err := store.DecodeState(cfg, before)
		require.NoError(t, err, "%s", store.StateText(cfg, s))
		s2, o2 := store.Step(cfg, copied, in)
		require.Equal(t, state, store.AppendState(cfg, nil, s2), "equal inputs, different states")
		require.Equal(t, len(o1.Send), len(o2.Send))
		for i, e := range o1.Send {
			b := store.AppendMessage(cfg, nil, e.Message)
			require.Equal(t, b, store.AppendMessage(cfg, nil, o2.Send[i].Message), "equal inputs, different messages")
			_, err := store.DecodeMessage(cfg, b)
			require.NoError(t, err, "%s", store.MessageText(cfg, e.Message))
		}
		require.Equal(t, o1.Events, o2.Events)
		vandalise(s2, o2)
		require.Equal(t, before, store.AppendState(cfg, nil, s), "the new state shares a list with the old one")
		require.Equal(t, state, store.AppendState(cfg, nil, s1), "two new states share a list")
		_, err = store.DecodeState(cfg, state)
		require.NoError(t, err, "%s", store.StateText(cfg, s1))
		return s1, o1
	}
}

// vandalise overwrites the lists of a state that Step changes in place, and those of an output.
func vandalise(s store.State, o store.Output) {
	clear(s.Items[:cap(s.Items)])
	clear(s.Awaits[:cap(s.Awaits)])
	clear(s.Gifts[:cap(s.Gifts)])
	clear(s.Pending[:cap(s.Pending)])
	clear(s.Decided[:cap(s.Decided)])
	clear(s.Left[:cap(s.Left)])
	clear(o.Send[:cap(o.Send)])
	clear(o.Events[:cap(o.Events)])
	clear(o.Set[:cap(o.Set)])
}

// Whatever comes in, in whatever state of a run: a node does not panic, and is pure.
func TestNoInputPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGenerator(t)
		w := newWorld(g.cfg)
		w.core = pure(t)
		w.found(space.Point{2, 1}, space.Point{10, 1}, space.Point{5, 6})
		s := w.nodes[rapid.IntRange(0, 2).Draw(t, "node")].state
		for range rapid.IntRange(1, 20).Draw(t, "inputs") {
			s, _ = pure(t)(g.cfg, s, g.input())
		}
	})
}

// A run in which things happen in any order, watched; at its end all that was called has ended.
func TestStepIsPure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(newConfig(32))
		w.core = pure(t)
		w.found(space.Point{2}, space.Point{10}, space.Point{20})
		number := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "pick") }
		for id := range uint32(rapid.IntRange(1, 40).Draw(t, "moves")) {
			p := w.nodes[number(len(w.nodes))]
			switch number(6) {
			case 0:
				op := store.Operation{
					ID:     id,
					Kind:   store.Kind(number(4)),
					Key:    space.Point{int32(number(32))},
					Value:  uint32(number(3)),
					Expect: uint32(number(3)),
				}
				w.order(p, store.CommandOperation(op))
			case 1:
				if len(p.timers) > 0 {
					if timer := p.timers[number(len(p.timers))]; timer.Kind != can.MissedTimer && timer.Kind != store.GoneTimer {
						w.fire(p, timer)
					}
				}
			case 2:
				if len(w.nodes) < 5 {
					q := w.add(space.Point{int32(number(32))})
					w.order(q, store.CommandMap(can.Command{Kind: can.CommandJoin, Contact: w.nodes[0].state.ID()}))
				} else if p != w.nodes[0] {
					w.order(p, store.CommandMap(can.Command{Kind: can.CommandLeave}))
				}
			default:
				if len(w.net) > 0 {
					w.deliver(number(len(w.net)))
				}
			}
		}
		w.settle()
		require.NoError(t, w.broken)
		for _, p := range w.nodes {
			require.Empty(t, p.state.Pending, "%s", store.StateText(w.cfg, p.state))
			require.Empty(t, p.state.Gifts)
			require.Empty(t, p.state.Awaits)
		}
	})
}

// A new life has nothing of the former but its address.
func TestRestartForgets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGenerator(t)
		s := g.state()
		_, out := store.Step(g.cfg, store.New(s.ID().Address, s.CAN.Self.Coord), store.Input{Kind: protocol.Start})
		next, _ := store.Step(g.cfg, s, store.Input{Kind: protocol.Restart, Persisted: out.Persist})
		require.Equal(t, store.State{CAN: next.CAN}, next)
		require.Equal(t, uint16(2), next.ID().Incarnation)
	})
}
