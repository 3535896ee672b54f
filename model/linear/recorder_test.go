package linear_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/linear"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// Random walks go where the checker does not reach: up to eight nodes in one or two dimensions, a dozen operations at a
// time, messages lost, repeated and overtaken, timers at any moment. Whole histories are judged. To walk longer: go test
// ./model/linear -run TestWalk -rapid.checks=10000
func TestWalk(t *testing.T) {
	testWalk(t, false, store.EventReceived, store.EventRefused, store.EventFinished, store.EventAnswered)
}

// The same with crashes, at most one from rest to rest, against the weaker specification.
func TestWalkWithCrashes(t *testing.T) {
	testWalk(t, true, store.EventReceived, store.EventRefused, store.EventUnknown, store.EventLost)
}

func testWalk(t *testing.T, crash bool, witnesses ...string) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		sizes := [][]int32{{32}, {8, 8}}[rapid.IntRange(0, 1).Draw(t, "dims")]
		s, err := space.New(false, sizes...)
		require.NoError(t, err)
		keys := []space.Point{store.Key(s, "a"), store.Key(s, "b"), store.Key(s, "c")}
		w := newWorld(t, store.DefaultConfig(can.DefaultConfig(s)), seen, keys...)
		coord := func() space.Point { return store.Key(s, string(rune('A'+len(w.nodes)*7))) }
		for range 2 + w.number(4) {
			w.join(coord())
			w.settle() // a node whose place is taken stays outside
		}
		for range 1 + w.number(3) {
			epoch(w, keys, coord, crash)
			judge(t, w)
		}
	})
	if testing.Short() {
		return // a few walks need not come to everything
	}
	for _, name := range witnesses {
		require.NotZero(t, seen[name], "no walk came to %q: nothing was tested", name)
	}
}

// epoch is a number of moves, and the rest that follows.
func epoch(w *world, keys []space.Point, coord func() space.Point, crash bool) {
	for range w.number(60) {
		p := w.nodes[w.number(len(w.nodes))]
		switch move := w.number(16); {
		case move < 3 && p.up:
			kind := store.Kind(w.number(4))
			w.call(p, store.Operation{Kind: kind, Key: keys[w.number(len(keys))], Value: uint32(w.number(4)), Expect: uint32(w.number(4))})
		case move == 3 && len(w.nodes) < 8:
			w.join(coord())
		case move == 4 && p.up:
			w.order(p, store.OrderMap(can.Order{Kind: can.OrderLeave}))
		case move == 5 && crash && p.up && p.state.CAN.Phase == can.Member:
			w.crash(p)
			crash = false
		case move == 6 && p.up && len(p.timers) > 0:
			w.fire(p, p.timers[w.number(len(p.timers))])
		case move == 7 && len(w.net) > 0:
			w.hand(w.net[w.number(len(w.net))])
		case move == 8 && len(w.net) > 0:
			i := w.number(len(w.net))
			w.net = append(w.net[:i:i], w.net[i+1:]...)
		case len(w.net) > 0:
			w.deliver(w.number(len(w.net)))
		}
	}
	w.settle()
}

func judge(t *rapid.T, w *world) {
	spec := linear.Register()
	if w.rec.Crashed() {
		spec = linear.RegisterWithLoss()
	}
	for _, each := range []struct {
		spec    linear.Spec
		history []linear.Operation
	}{{spec, w.rec.Registers()}, {linear.Ownership(), w.rec.Ownership()}} {
		require.NoError(t, linear.Validate(each.history))
		require.Equal(t, checker.Holds, each.spec.Check(each.history, 0), "%s: %+v", each.spec.Name, each.history)
	}
}
