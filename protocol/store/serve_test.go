package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// A request for no operation, or for no point of the space, is not decided.
func TestSenselessRequests(t *testing.T) {
	cfg, s := middle(t)
	unknown := get(1, 6)
	unknown.Kind = store.Lookup + 1
	for _, op := range []store.Operation{unknown, put(1, 16, 1), put(1, -1, 1)} {
		next, out := store.Step(cfg, s, from(nodeC, store.Request{Operation: op, Attempt: 1}))
		require.Equal(t, s, next)
		require.Equal(t, []string{"ignore senseless request"}, events(out))
		require.Empty(t, out.Send)
	}
}

// decidedBy returns B's answer to C, the items that B has then, and its decisions.
func decidedBy(t *testing.T, cfg *store.Config, s store.State, m store.Request) (store.Reply, store.State, []string) {
	t.Helper()
	next, out := store.Step(cfg, s, from(nodeC, m))
	replies := messages[store.Reply](out)[nodeC]
	require.Len(t, replies, 1)
	return replies[0], next, events(out)
}

// A copy of a request gets the decision on that request of that client, and is not executed.
func TestDecisionsAreOnRequests(t *testing.T) {
	cfg, s := middle(t)
	s.Decided = []store.Decision{
		{Client: nodeA, ID: 5, Attempt: 9, Verdict: store.Unknown, Value: 1},
		{Client: nodeC, ID: 5, Attempt: 2, Verdict: store.Mismatch, Value: 4},
	}
	op := put(5, 6, 9)
	reply, next, _ := decidedBy(t, cfg, s, store.Request{Operation: op, Attempt: 2})
	require.Equal(t, store.Reply{ID: 5, Attempt: 2, Verdict: store.Mismatch, Value: 4}, reply)
	require.Equal(t, s, next)

	s.Decided[1].Verdict = store.Refused // then a later attempt is decided again
	reply, next, _ = decidedBy(t, cfg, s, store.Request{Operation: op, Attempt: 3})
	require.Equal(t, store.Reply{ID: 5, Attempt: 3, Verdict: store.Served}, reply)
	require.Equal(t, []store.Decision{
		s.Decided[0], {Client: nodeC, ID: 5, Attempt: 3, Verdict: store.Served},
	}, next.Decided)
}

// Each execution is reported by an event, even if it sets nothing.
func TestExecutionsAreReported(t *testing.T) {
	cfg, s := middle(t)
	cas := store.Operation{ID: 5, Kind: store.CompareAndSet, Key: space.Point{6}, Value: 2, Expect: 1}
	reply, next, names := decidedBy(t, cfg, s, store.Request{Operation: cas, Attempt: 1})
	require.Equal(t, store.Reply{ID: 5, Attempt: 1, Verdict: store.Mismatch}, reply)
	require.Equal(t, []string{"served cas"}, names)
	require.Empty(t, next.Items)
	reply, _, names = decidedBy(t, cfg, s, store.Request{Operation: cas, Attempt: 1, Tried: []protocol.NodeID{nodeA}})
	require.Equal(t, store.Reply{ID: 5, Attempt: 1, Verdict: store.Unknown}, reply)
	require.Empty(t, names)
}

// A node can vouch for its own executions, and for those of nodes whose decisions it has.
func TestVouching(t *testing.T) {
	cfg, s := middle(t)
	s.Left = []protocol.NodeID{nodeA}
	for _, test := range []struct {
		tried []protocol.NodeID
		want  store.Verdict
	}{
		{nil, store.Served},
		{[]protocol.NodeID{nodeA, nodeB}, store.Served},
		{[]protocol.NodeID{nodeA, nodeB, stranger}, store.Unknown},
	} {
		reply, _, _ := decidedBy(t, cfg, s, store.Request{Operation: put(5, 6, 1), Attempt: 3, Tried: test.tried})
		require.Equal(t, test.want, reply.Verdict)
	}
}

// A full node takes no new item. It still changes and removes present ones.
func TestFullNode(t *testing.T) {
	cfg, s := middle(t)
	cfg.ItemLimit = 1
	s.Items = []store.Item{{Key: space.Point{5}, Value: 1}}
	for _, test := range []struct {
		op    store.Operation
		want  store.Verdict
		items []store.Item
	}{
		{put(1, 6, 2), store.Full, s.Items},
		{put(1, 6, 0), store.Served, s.Items},
		{put(1, 5, 2), store.Served, []store.Item{{Key: space.Point{5}, Value: 2}}},
		{put(1, 5, 0), store.Served, []store.Item{}},
	} {
		reply, next, _ := decidedBy(t, cfg, s, store.Request{Operation: test.op, Attempt: 1})
		require.Equal(t, store.Reply{ID: 1, Attempt: 1, Verdict: test.want}, reply)
		require.Equal(t, test.items, next.Items)
	}
}

// Only the keys of the part that is awaited are not served. Lookups of them are answered.
func TestOnlyAwaitedKeysWait(t *testing.T) {
	cfg, s := middle(t)
	s.Awaits = []store.Await{{Source: store.Source{From: nodeA, Round: 9}, Zone: interval(4, 6)}}
	s.Items = []store.Item{{Key: space.Point{8}, Value: 3}}
	require.True(t, s.Serves(space.Point{8}))
	require.False(t, s.Serves(space.Point{5}))
	next, out := store.Step(cfg, s, from(nodeC, store.Request{Operation: put(1, 5, 1), Attempt: 1}))
	require.Equal(t, s, next)
	require.Empty(t, out.Send)
	reply, _, _ := decidedBy(t, cfg, s, store.Request{Operation: get(1, 8), Attempt: 1})
	require.Equal(t, store.Reply{ID: 1, Attempt: 1, Verdict: store.Served, Value: 3}, reply)
	for _, key := range []int32{5, 8} {
		lookup := store.Operation{ID: 1, Kind: store.Lookup, Key: space.Point{key}}
		reply, next, _ := decidedBy(t, cfg, s, store.Request{Operation: lookup, Attempt: 1})
		require.Equal(t, store.Reply{ID: 1, Attempt: 1, Verdict: store.Served}, reply)
		require.Equal(t, s, next)
	}
}

// The losses of a node's crash: the items of its zone, and items that it must hand over.
func TestWhatANodeKeeps(t *testing.T) {
	_, s := middle(t)
	s.Gifts = []store.Gift{{To: nodeC, Zone: interval(9, 12)}, {To: nodeA, Zone: interval(2, 4)}}
	for key := range int32(16) {
		p := space.Point{key}
		toA, toC := key >= 2 && key < 4, key >= 9 && key < 12
		require.Equal(t, key >= 4 && key < 9, s.Owns(p), key)
		require.Equal(t, key >= 2 && key < 12, s.Keeps(p), key)
		require.Equal(t, toA, s.GivesTo(p, nodeA), key)
		require.Equal(t, toC, s.GivesTo(p, nodeC), key)
		require.False(t, s.GivesTo(p, nodeB))
	}
}

// A node that has left is finished when everything is handed over and every operation has ended.
// It reports that once.
func TestFinished(t *testing.T) {
	cfg, s := middle(t)
	gone := left(s, can.Departed)
	require.True(t, gone.Finished())
	for _, damage := range []func(*store.State){
		func(s *store.State) { s.CAN.Phase = can.Leaving },
		func(s *store.State) { s.Gifts = []store.Gift{{To: nodeC, Round: 1, Zone: interval(4, 9)}} },
		func(s *store.State) {
			s.Pending = []store.Pending{{Operation: put(1, 12, 1), Attempt: 1, Target: nodeC}}
		},
	} {
		waits := gone
		damage(&waits)
		require.False(t, waits.Finished())
	}
	waits := gone
	waits.Gifts = []store.Gift{{To: nodeC, Round: 1, Zone: interval(4, 9)}}
	next, out := store.Step(cfg, waits, from(nodeC, store.GiveOK{Round: 1}))
	require.Equal(t, []string{"delivered", "finished"}, events(out))
	_, out = store.Step(cfg, next, from(nodeC, store.GiveOK{Round: 1}))
	require.Equal(t, []string{"ignore no such handover"}, events(out))
}

// A refusal names the node that was given the key, else the owner that is known, else the next hop.
func TestHints(t *testing.T) {
	cfg, s := middle(t)
	far := named('D')
	s.CAN.Known = []can.Record{
		{ID: nodeA, Zone: interval(0, 4)}, {ID: nodeC, Zone: interval(9, 14)}, {ID: far, Zone: interval(14, 16)},
	}
	s.Gifts = []store.Gift{{To: stranger, Round: 1, Zone: interval(9, 12)}}
	for key, want := range map[int32]protocol.NodeID{0: nodeA, 10: stranger, 13: nodeC, 15: far} {
		reply, _, _ := decidedBy(t, cfg, s, store.Request{Operation: get(1, key), Attempt: 1})
		require.Equal(t, store.Reply{ID: 1, Attempt: 1, Verdict: store.Refused, Hint: want}, reply, "key %d", key)
	}
}
