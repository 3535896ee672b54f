package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// The nodes of a row: A has [0,4), B [4,9) and C the rest.
var (
	nodeA, nodeB, nodeC = named('A'), named('B'), named('C')
	stranger            = named('X')
)

func named(name byte) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(name - 'A'), Incarnation: 1}
}

// middle returns the state of B.
func middle(t require.TestingT) (*store.Config, store.State) {
	w := newNetwork(newConfig(16))
	w.found(space.Point{2}, space.Point{6}, space.Point{12})
	s := w.Nodes[1].State()
	require.Equal(t, interval(4, 9), s.CAN.Self.Zone)
	return w.cfg, s
}

func interval(low, high int32) space.Zone {
	z := newConfig(16).CAN.Space.Whole()
	z.Low[0], z.High[0] = low, high
	return z
}

// left returns the state without its zone, as a node has it that gave everything away.
func left(s store.State, phase can.Phase) store.State {
	s.CAN.Phase, s.CAN.Self.Zone, s.CAN.Self.Splits = phase, space.Zone{}, nil
	return s
}

func called(o store.Operation) store.Input {
	return store.Input{Kind: protocol.Command, Command: store.CommandOperation(o)}
}

func from(id protocol.NodeID, m store.Message) store.Input {
	return store.Input{Kind: protocol.Deliver, From: id, Message: m}
}

func fired(kind protocol.TimerKind, peer protocol.NodeID) store.Input {
	return store.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: kind, Peer: peer}}
}

func put(id uint32, key int32, value uint32) store.Operation {
	return store.Operation{ID: id, Kind: store.Put, Key: space.Point{key}, Value: value}
}

func get(id uint32, key int32) store.Operation {
	return store.Operation{ID: id, Kind: store.Get, Key: space.Point{key}}
}

// events lists the names and details of the events of an output.
func events(out store.Output) (all []string) {
	for _, e := range out.Events {
		text := e.Name
		if e.Detail != "" {
			text += " " + e.Detail
		}
		all = append(all, text)
	}
	return all
}

// messages lists the messages of one type in an output, by their receivers.
func messages[M store.Message](out store.Output) map[protocol.NodeID][]M {
	all := map[protocol.NodeID][]M{}
	for _, e := range out.Send {
		if m, ok := e.Message.(M); ok {
			all[e.To] = append(all[e.To], m)
		}
	}
	return all
}

// An operation that cannot begin is rejected at once, and changes nothing.
func TestOperationsThatCannotBegin(t *testing.T) {
	cfg, s := middle(t)
	cfg.OpLimit = 1
	leaving, busy := left(s, can.Leaving), s
	leaving.Gifts = []store.Gift{{To: nodeC, Round: 1, Zone: interval(4, 9)}}
	busy.Pending = []store.Pending{{Operation: put(7, 12, 1), Attempt: 1, Target: nodeC}}
	lookup := store.Operation{ID: 7, Kind: store.Lookup, Key: space.Point{6}}
	beyond := lookup
	beyond.Kind++
	for _, test := range []struct {
		state  store.State
		op     store.Operation
		reason string
	}{
		{leaving, put(7, 6, 1), store.DetailNoMember},
		{s, beyond, store.DetailOutside},
		{s, put(7, 16, 1), store.DetailOutside},
		{busy, put(7, 6, 1), store.DetailTwice},
		{busy, put(8, 6, 1), store.DetailMany},
	} {
		next, out := store.Step(cfg, test.state, called(test.op))
		kind := test.op.Kind.String()
		require.Equal(t, []string{"called " + kind, "rejected " + test.reason}, events(out))
		require.Empty(t, out.Send)
		require.Equal(t, test.state, next)
	}
	_, out := store.Step(cfg, s, called(lookup))
	require.Equal(t, []string{"called lookup", "served lookup", "answered ok"}, events(out))
}

// An operation on an own key whose items have arrived is executed, but not while an attempt at it
// is under way elsewhere.
func TestArrivalOfItemsIsNoSecondAttempt(t *testing.T) {
	cfg, s := middle(t)
	s.Awaits = []store.Await{{Source: store.Source{From: nodeA, Round: 9}, Zone: s.CAN.Self.Zone}}
	s.Pending = []store.Pending{
		{Operation: put(1, 6, 1), Attempt: 3, Target: nodeC},
		{Operation: put(2, 7, 5), Attempt: 3},
		{Operation: put(3, 12, 3), Attempt: 3},
	}
	next, out := store.Step(cfg, s, from(nodeA, store.Give{Round: 9}))
	require.Equal(t, []store.Pending{s.Pending[0], s.Pending[2]}, next.Pending)
	require.Equal(t, []store.Item{{Key: space.Point{7}, Value: 5}}, next.Items)
	require.Equal(t, []string{"received", "served put", "answered ok"}, events(out))
}

// A node whose own operation a leaver has executed finds that in the leaver's decisions.
func TestOwnOperationExecutedByALeaver(t *testing.T) {
	cfg, s := middle(t)
	s.Decided = []store.Decision{{Client: nodeB, ID: 1, Attempt: 3, Verdict: store.Served}}
	s.Pending = []store.Pending{{Operation: put(1, 6, 1), Attempt: 3, Redirects: 1}}
	next, out := store.Step(cfg, s, fired(store.RetryTimer, protocol.NodeID{}))
	require.Equal(t, []string{"answered ok"}, events(out))
	require.Empty(t, next.Items, "it is not executed again")
}

// The answer to the present attempt counts, and no other. After a refusal the operation goes on at
// this node, at the node of the hint, or when its retry is due.
func TestReplies(t *testing.T) {
	cfg, s := middle(t)
	pending := func(key int32, attempt, redirects uint32, target protocol.NodeID) store.Pending {
		return store.Pending{Operation: put(7, key, 1), Attempt: attempt, Target: target, Redirects: redirects}
	}
	refused := func(attempt uint32, hint protocol.NodeID) store.Reply {
		return store.Reply{ID: 7, Attempt: attempt, Verdict: store.Refused, Hint: hint}
	}
	const many = 1000 // more than RedirectLimit
	last := cfg.RedirectLimit
	require.Less(t, last, uint32(many))
	none := protocol.NodeID{}
	for name, test := range map[string]struct {
		before store.Pending
		from   protocol.NodeID
		reply  store.Reply
		after  store.Pending
		asked  bool
	}{
		"a hint":         {pending(12, many, 0, nodeC), nodeC, refused(many, nodeA), pending(12, many+1, 1, nodeA), true},
		"no hint":        {pending(12, 2, 0, nodeC), nodeC, refused(2, none), pending(12, 2, 1, none), false},
		"itself":         {pending(12, 2, 0, nodeC), nodeC, refused(2, nodeB), pending(12, 2, 0, none), false},
		"too many hints": {pending(12, 2, last, nodeC), nodeC, refused(2, nodeA), pending(12, 2, last, none), false},
		"another node":   {pending(12, 2, 0, nodeC), nodeA, refused(2, nodeA), pending(12, 2, 0, nodeC), false},
		"older":          {pending(12, 2, 0, nodeC), nodeC, refused(1, nodeA), pending(12, 2, 0, nodeC), false},
		"given up":       {pending(12, 2, 0, none), nodeC, refused(2, nodeA), pending(12, 2, 0, none), false},
	} {
		s.Pending = []store.Pending{test.before}
		next, out := store.Step(cfg, s, from(test.from, test.reply))
		require.Equal(t, []store.Pending{test.after}, next.Pending, name)
		requests := messages[store.Request](out)
		if !test.asked {
			require.Empty(t, requests, name)
			continue
		}
		want := store.Request{Operation: test.after.Operation, Attempt: test.after.Attempt}
		require.Equal(t, []store.Request{want}, requests[test.after.Target])
	}
	s.Pending = []store.Pending{pending(6, 2, 0, nodeC)}
	next, out := store.Step(cfg, s, from(nodeC, refused(2, nodeA)))
	require.Empty(t, next.Pending, "the key has come to this node")
	require.Equal(t, []string{"served put", "answered ok"}, events(out))
}

// A retry begins to count hints again. It repeats the attempt at an operation that changes
// something, and makes another one for a get.
func TestRetries(t *testing.T) {
	cfg, s := middle(t)
	s.Pending = []store.Pending{
		{Operation: put(1, 12, 1), Attempt: 2, Target: nodeC, Redirects: 5},
		{Operation: get(2, 12), Attempt: 2, Target: nodeA, Redirects: 5},
	}
	next, out := store.Step(cfg, s, fired(store.RetryTimer, protocol.NodeID{}))
	require.Equal(t, []store.Pending{
		{Operation: put(1, 12, 1), Attempt: 2, Target: nodeC},
		{Operation: get(2, 12), Attempt: 3, Target: nodeC},
	}, next.Pending)
	require.Equal(t, []store.Request{
		{Operation: put(1, 12, 1), Attempt: 2}, {Operation: get(2, 12), Attempt: 3},
	}, messages[store.Request](out)[nodeC])
}

// A get whose key has come to this node waits for the items, and for no other node.
func TestRetryOfAnOwnGet(t *testing.T) {
	cfg, s := middle(t)
	s.Awaits = []store.Await{{Source: store.Source{From: nodeA, Round: 9}, Zone: s.CAN.Self.Zone}}
	s.Pending = []store.Pending{{Operation: get(7, 6), Attempt: 2, Target: nodeC}}
	next, out := store.Step(cfg, s, fired(store.RetryTimer, protocol.NodeID{}))
	require.Empty(t, out.Send)
	require.Equal(t, []store.Pending{{Operation: get(7, 6), Attempt: 2}}, next.Pending)
	_, out = store.Step(cfg, next, from(nodeA, store.Give{Round: 9}))
	require.Equal(t, []string{"received", "served get", "answered ok", "value"}, events(out))
}

// If a node fails, the attempts at it are over. Those at others are not. An operation that changes
// something lists the node, once and in order.
func TestAttemptsAtAFailedNode(t *testing.T) {
	cfg, s := middle(t)
	pending := func(op store.Operation, target protocol.NodeID, tried ...protocol.NodeID) store.Pending {
		return store.Pending{Operation: op, Attempt: 2, Target: target, Tried: tried}
	}
	s.Pending = []store.Pending{
		pending(put(1, 12, 1), nodeC), pending(get(2, 12), nodeC), pending(put(3, 12, 1), nodeC, nodeC),
		pending(put(4, 12, 1), nodeC, nodeA, stranger), pending(put(5, 12, 1), nodeA),
	}
	next, _ := store.Step(cfg, s, fired(store.GoneTimer, nodeC))
	none := protocol.NodeID{}
	require.Equal(t, []store.Pending{
		pending(put(1, 12, 1), none, nodeC), pending(get(2, 12), none), pending(put(3, 12, 1), none, nodeC),
		pending(put(4, 12, 1), none, nodeA, nodeC, stranger), pending(put(5, 12, 1), nodeA),
	}, next.Pending)
}

// Every verdict but a refusal ends an operation, with one event and the value where there is one.
func TestVerdictsEndOperations(t *testing.T) {
	cfg, s := middle(t)
	for _, op := range []store.Operation{put(7, 12, 1), get(7, 12)} {
		for verdict, want := range map[store.Verdict][]string{
			store.Served:   {"answered ok"},
			store.Mismatch: {"answered mismatch", "value"},
			store.Full:     {"rejected " + store.DetailFull},
			store.Unknown:  {"unknown"},
		} {
			if verdict == store.Served && op.Kind == store.Get {
				want = append(want, "value")
			}
			s.Pending = []store.Pending{{Operation: op, Attempt: 1, Target: nodeC}}
			next, out := store.Step(cfg, s, from(nodeC, store.Reply{ID: 7, Attempt: 1, Verdict: verdict, Value: 3}))
			require.Empty(t, next.Pending)
			require.Equal(t, want, events(out))
		}
	}
}

// An operation is given up after too many failed receivers. At a node that is no member, it is
// given up unless an answer may still come.
func TestGivingUp(t *testing.T) {
	cfg, s := middle(t)
	cfg.TriedLimit = 1
	leaving := left(s, can.Leaving)
	none := protocol.NodeID{}
	for _, test := range []struct {
		state  store.State
		target protocol.NodeID
		tried  []protocol.NodeID
		want   []string
	}{
		{s, none, nil, nil},
		{s, none, []protocol.NodeID{nodeA}, nil},
		{s, nodeC, []protocol.NodeID{nodeA, nodeC}, []string{"unknown"}},
		{leaving, nodeC, []protocol.NodeID{nodeA}, nil},
		{leaving, nodeC, nil, nil},
		{leaving, none, []protocol.NodeID{nodeA}, []string{"unknown"}},
		{leaving, none, nil, []string{"rejected " + store.DetailNoMember}},
	} {
		test.state.Pending = []store.Pending{{Operation: put(7, 12, 1), Attempt: 1, Target: test.target, Tried: test.tried}}
		next, out := store.Step(cfg, test.state, from(stranger, store.GiveOK{Round: 99}))
		require.Equal(t, append([]string{"ignore no such handover"}, test.want...), events(out), "%+v", test)
		require.Len(t, next.Pending, 1-len(test.want))
	}
}
