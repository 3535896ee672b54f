package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/linear"
	storemodel "github.com/canvass-grid/canvass/model/store"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// Random walks go where the checker does not reach: up to eight nodes in one or two dimensions, a
// dozen operations at a time, messages lost, repeated and overtaken, timers at any moment. Whole
// histories are judged. To walk longer: go test ./model/store -run TestWalk -rapid.checks=10000
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
		s, err := space.New(0, sizes...)
		require.NoError(t, err)
		keys := []space.Point{store.Key(s, "a"), store.Key(s, "b"), store.Key(s, "c")}
		w := newNetwork(t, store.DefaultConfig(can.DefaultConfig(s)), seen, keys...)
		coord := func() space.Point { return store.Key(s, string(rune('A'+len(w.nodes)*7))) }
		for range 2 + w.number(4) {
			w.join(coord())
			w.settle() // a node whose place is taken stays outside
		}
		for range 1 + w.number(3) {
			epoch(w, keys, coord, crash)
			check(t, w)
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
func epoch(w *network, keys []space.Point, coord func() space.Point, crash bool) {
	for range w.number(60) {
		p := w.nodes[w.number(len(w.nodes))]
		switch move := w.number(16); {
		case move < 3 && p.up:
			kind := store.Kind(w.number(4))
			w.call(
				p,
				store.Operation{
					Kind:   kind,
					Key:    keys[w.number(len(keys))],
					Value:  uint32(w.number(4)),
					Expect: uint32(w.number(4)),
				},
			)
		case move == 3 && len(w.nodes) < 8:
			w.join(coord())
		case move == 4 && p.up:
			w.command(p, store.CommandMap(can.Command{Kind: can.CommandLeave}))
		case move == 5 && crash && p.up && p.state.CAN.Phase != can.Departed:
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

func check(t *rapid.T, w *network) {
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

// The recorder returns the history that was reported to it.
func TestRecorder(t *testing.T) {
	key := space.Point{5}
	a, b := protocol.NodeID{Address: 0, Incarnation: 1}, protocol.NodeID{Address: 1, Incarnation: 1}
	zone := space.Zone{High: space.Point{16, 1, 1, 1, 1, 1, 1, 1}}
	owner := store.State{CAN: can.State{Phase: can.Member, Self: can.Record{ID: b, Zone: zone}}}
	answered := func(id uint32, detail string) protocol.Event {
		return protocol.Event{Name: store.EventAnswered, Peer: b, Number: id, Detail: detail}
	}
	r := storemodel.NewRecorder(key)
	r.Step(1, b, owner, nil)
	r.Call(2, a, store.Operation{ID: 1, Kind: store.CompareAndSet, Key: key, Expect: 3, Value: 4})
	r.Call(3, a, store.Operation{ID: 2, Kind: store.Lookup, Key: key})
	r.Step(4, a, store.State{}, []protocol.Event{
		answered(
			1,
			store.DetailMismatch,
		), {Name: store.EventValue, Number: 9}, answered(2, store.DetailOK), answered(7, store.DetailOK),
	})
	r.Call(5, a, store.Operation{ID: 3, Kind: store.Put, Key: key, Value: 1})
	r.Call(6, a, store.Operation{ID: 4, Kind: store.Get, Key: key})
	r.Step(
		7,
		a,
		store.State{},
		[]protocol.Event{{Name: store.EventUnknown, Number: 3}, {Name: store.EventRejected, Number: 4}},
	)
	require.False(t, r.Crashed())
	r.Crash(8, b)
	require.True(t, r.Crashed())
	r.Call(9, a, store.Operation{ID: 5, Kind: store.Get, Key: key})

	input := func(kind linear.RegisterKind, value, expect uint32) linear.RegisterInput {
		return linear.RegisterInput{Kind: kind, Key: "5", Value: value, Expect: expect}
	}
	require.Equal(t, []linear.Operation{
		{Client: 0, Call: 2, Return: 4, Input: input(linear.CompareAndSet, 4, 3), Output: linear.RegisterOutput{Value: 9}},
		{Client: 0, Call: 5, Open: true, Input: input(linear.Put, 1, 0)},
		{Client: 1, Call: 6, Return: 7, Rejected: true, Input: input(linear.Get, 0, 0)},
		{Client: 1, Call: 9, Open: true, Input: input(linear.Get, 0, 0)},
		{Client: 2, Call: 8, Open: true, Input: input(linear.Lose, 0, 0)},
	}, r.Registers(), "client 0 ends with an open operation; client 1 goes on after the rejected one")
	require.Equal(t, []linear.Operation{
		{Client: 2, Call: 1, Return: 1, Input: linear.OwnershipInput{Kind: linear.Acquire, Point: "5", Node: "B"}},
		{Client: 2, Call: 8, Return: 8, Input: linear.OwnershipInput{Kind: linear.Release, Point: "5", Node: "B"}},
		{Client: 1, Call: 3, Return: 4, Input: linear.OwnershipInput{Point: "5"}, Output: linear.OwnershipOutput{Node: "B"}},
	}, r.Ownership())
}

// When a node fails, items on their way to it are lost, and items sent to it before its failure is
// detected, each once.
func TestRecorderOfGifts(t *testing.T) {
	key := space.Point{5}
	a, b := protocol.NodeID{Address: 0, Incarnation: 1}, protocol.NodeID{Address: 1, Incarnation: 1}
	gift := store.Gift{To: b, Round: 1, Zone: space.Zone{High: space.Point{16, 1, 1, 1, 1, 1, 1, 1}}}
	r := storemodel.NewRecorder()
	r.Call(1, a, store.Operation{ID: 1, Kind: store.Put, Key: key, Value: 1})
	r.Step(2, a, store.State{Gifts: []store.Gift{gift}}, nil)
	r.Crash(3, b)
	r.Step(4, a, store.State{Gifts: []store.Gift{gift}}, nil)
	require.Len(t, r.Registers(), 2, "the put and one loss")
	gift.Round = 2
	r.Step(5, a, store.State{Gifts: []store.Gift{gift}}, nil)
	r.Step(6, a, store.State{Gifts: []store.Gift{gift}}, nil)
	require.Len(t, r.Registers(), 3)
}
