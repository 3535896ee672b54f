package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// awaited is a part that a node of the row awaits.
func awaited(id protocol.NodeID, round uint32, low, high int32) store.Await {
	return store.Await{Source: store.Source{From: id, Round: round}, Zone: interval(low, high)}
}

// A node awaits items for its own zone and for those of its gifts that need them, and no others.
func TestAwaitsThatConcernNobodyEnd(t *testing.T) {
	cfg, s := middle(t)
	own, needed, other := awaited(nodeA, 1, 4, 6), awaited(nodeC, 2, 9, 12), awaited(nodeC, 3, 12, 16)
	s.Awaits = []store.Await{own, needed, other}
	s.Gifts = []store.Gift{{To: stranger, Round: 1, Zone: interval(9, 12), Needs: []store.Source{needed.Source}}}
	next, _ := store.Step(cfg, s, from(stranger, store.GiveOK{Round: 99}))
	require.Equal(t, []store.Await{own, needed}, next.Awaits)
	next, _ = store.Step(cfg, s, from(stranger, store.GiveOK{Round: 1}))
	require.Equal(t, []store.Await{own}, next.Awaits, "nothing needs the other one any more")
	next, _ = store.Step(cfg, left(next, can.Leaving), from(stranger, store.GiveOK{Round: 99}))
	require.Empty(t, next.Awaits, "the zone of a leaver is no longer its own")
}

// A gift is sent when its receiver has acknowledged its round, and the items that it needs have
// arrived. Other rounds and other awaited items do not hold it up.
func TestWhenGiftsAreDue(t *testing.T) {
	cfg, s := middle(t)
	await := awaited(nodeA, 7, 4, 6)
	gift := store.Gift{To: nodeC, Round: 1, Zone: interval(9, 12)}
	needing := gift
	needing.Needs = []store.Source{await.Source}
	round := func(number uint32, stage can.Stage, waiting ...protocol.NodeID) func(*store.State) {
		return func(s *store.State) {
			s.CAN.Round, s.CAN.Change = number, can.Change{Stage: stage, Subject: nodeC, Waiting: waiting}
		}
	}
	for name, test := range map[string]struct {
		gift   store.Gift
		change func(*store.State)
		sent   bool
	}{
		"acknowledged":      {gift, round(1, can.Granting, nodeA), true},
		"not acknowledged":  {gift, round(1, can.Granting, nodeC), false},
		"a later round":     {gift, round(2, can.Granting, nodeC), true},
		"its items missing": {needing, round(1, can.Stable), false},
		"others missing":    {gift, round(1, can.Stable), true},
	} {
		at := s
		at.Awaits, at.Gifts = []store.Await{await}, []store.Gift{test.gift}
		test.change(&at)
		_, out := store.Step(cfg, at, fired(store.ResendTimer, protocol.NodeID{}))
		require.Equal(t, test.sent, len(messages[store.Give](out)[nodeC]) == 1, name)
	}
}

// A gift that becomes due is sent at once, also while an older one to the same node is not
// acknowledged.
func TestEachGiftIsSentWhenItBecomesDue(t *testing.T) {
	cfg, s := middle(t)
	await := awaited(nodeA, 7, 4, 6)
	s.Awaits = []store.Await{await}
	s.Gifts = []store.Gift{
		{To: nodeC, Round: 1, Zone: interval(9, 12)},
		{To: nodeC, Round: 2, Zone: interval(12, 16), Needs: []store.Source{await.Source}},
	}
	_, out := store.Step(cfg, s, from(nodeA, store.Give{Round: 7}))
	require.Equal(t, []store.Give{{Round: 2}}, messages[store.Give](out)[nodeC])
}

// A leaver lists the operations executed by it and by the leavers before it. A node that stays does
// not.
func TestGiftsOfLeavers(t *testing.T) {
	cfg, s := middle(t)
	executed := []store.Decision{
		{Client: nodeA, ID: 1, Attempt: 1, Verdict: store.Served},
		{Client: nodeA, ID: 2, Attempt: 1, Verdict: store.Mismatch, Value: 3},
	}
	refused := store.Decision{Client: nodeA, ID: 3, Attempt: 1, Verdict: store.Refused}
	s.Decided, s.Left = []store.Decision{executed[0], refused, executed[1]}, []protocol.NodeID{stranger}
	s.Gifts = []store.Gift{{To: nodeA, Round: 1}, {To: nodeC, Round: 2, Leaving: true}}
	_, out := store.Step(cfg, s, fired(store.ResendTimer, protocol.NodeID{}))
	require.Equal(t, map[protocol.NodeID][]store.Give{
		nodeA: {{Round: 1}},
		nodeC: {{Round: 2, Leaving: true, Decided: executed, Left: s.Left}},
	}, messages[store.Give](out))
}

// A decision of a leaver replaces a refusal by the node that takes over, and nothing else. A leaver
// is remembered once.
func TestInheritance(t *testing.T) {
	cfg, s := middle(t)
	decision := func(client protocol.NodeID, id, attempt uint32, verdict store.Verdict) store.Decision {
		return store.Decision{Client: client, ID: id, Attempt: attempt, Verdict: verdict}
	}
	s.Awaits, s.Left = []store.Await{awaited(nodeA, 7, 4, 6)}, []protocol.NodeID{stranger}
	s.Decided = []store.Decision{decision(nodeA, 1, 1, store.Refused), decision(nodeA, 2, 5, store.Unknown)}
	gift := store.Give{
		Round: 7, Leaving: true, Left: []protocol.NodeID{named('Y'), stranger},
		Decided: []store.Decision{
			decision(nodeA, 2, 4, store.Served), decision(nodeA, 1, 2, store.Served), decision(nodeC, 2, 1, store.Served),
		},
	}
	next, _ := store.Step(cfg, s, from(nodeA, gift))
	require.Equal(t, []store.Decision{s.Decided[1], gift.Decided[1], gift.Decided[2]}, next.Decided)
	require.Equal(t, []protocol.NodeID{stranger, named('Y'), nodeA}, next.Left)
	gift.Leaving = false
	next, _ = store.Step(cfg, s, from(nodeA, gift))
	require.Equal(t, s.Decided, next.Decided)
	require.Equal(t, s.Left, next.Left)
}

// Receiver and round name the handover that an acknowledgement ends.
func TestAcknowledgements(t *testing.T) {
	cfg, s := middle(t)
	first, second := store.Gift{To: nodeC, Round: 1}, store.Gift{To: nodeC, Round: 2}
	third := store.Gift{To: nodeA, Round: 1}
	s.Gifts = []store.Gift{first, second, third}
	for _, test := range []struct {
		id    protocol.NodeID
		round uint32
		want  []store.Gift
	}{
		{nodeC, 1, []store.Gift{second, third}},
		{nodeC, 2, []store.Gift{first, third}},
		{nodeA, 1, []store.Gift{first, second}},
		{nodeA, 2, s.Gifts},
	} {
		next, _ := store.Step(cfg, s, from(test.id, store.GiveOK{Round: test.round}))
		require.Equal(t, test.want, next.Gifts)
	}
}

// The failure of a node ends the handovers with it, and no others.
func TestHandoversWithAFailedNode(t *testing.T) {
	cfg, s := middle(t)
	s.Awaits = []store.Await{awaited(nodeA, 1, 4, 6), awaited(nodeC, 1, 6, 8), awaited(nodeA, 2, 8, 9)}
	s.Gifts = []store.Gift{{To: nodeC, Round: 1}, {To: nodeA, Round: 2}}
	next, out := store.Step(cfg, s, fired(store.GoneTimer, nodeA))
	require.Equal(t, s.Awaits[1:2], next.Awaits)
	require.Equal(t, s.Gifts[:1], next.Gifts)
	require.Equal(t, []string{"lost", "lost"}, events(out))
}

// A node keeps the arriving items of its zone. The others belong to the gifts that
// need them; those of a gift that is void are lost.
func TestItemsThatArrive(t *testing.T) {
	cfg, s := middle(t)
	s.CAN.Self.Zone = interval(4, 7)
	source := store.Source{From: nodeA, Round: 7}
	s.Awaits = []store.Await{{Source: source, Zone: interval(4, 10)}}
	needing := store.Gift{To: nodeC, Round: 1, Zone: interval(9, 10), Needs: []store.Source{source}}
	older := store.Gift{To: stranger, Round: 2, Zone: interval(4, 6), Needs: []store.Source{{From: nodeC, Round: 7}}}
	s.Gifts = []store.Gift{older, needing}
	item := func(key int32) store.Item { return store.Item{Key: space.Point{key}, Value: 1} }
	next, _ := store.Step(cfg, s, from(nodeA, store.Give{
		Round: 7, Items: []store.Item{item(3), item(4), item(6), item(8), item(9), item(12)},
	}))
	require.Equal(t, []store.Item{item(4), item(6)}, next.Items)
	needing.Items = []store.Item{item(9)}
	require.Equal(t, []store.Gift{older, needing}, next.Gifts)
}

// Two steps from one state do not share the items that they pass on.
func TestPassedOnItemsAreNotShared(t *testing.T) {
	cfg, s := middle(t)
	await := awaited(nodeA, 7, 9, 16)
	items := append(make([]store.Item, 0, 8), store.Item{Key: space.Point{10}, Value: 1})
	s.Awaits = []store.Await{await}
	s.Gifts = []store.Gift{
		{To: nodeC, Round: 1, Zone: interval(9, 16), Needs: []store.Source{await.Source}, Items: items},
	}
	passed := func(key int32) store.State {
		more := []store.Item{{Key: space.Point{key}, Value: 1}}
		next, _ := store.Step(cfg, s, from(nodeA, store.Give{Round: 7, Items: more}))
		return next
	}
	first := passed(12)
	before := store.AppendState(cfg, nil, first)
	passed(14)
	passed(9)
	require.Equal(t, before, store.AppendState(cfg, nil, first))
	require.Equal(t, int32(10), s.Gifts[0].Items[0].Key[0])
}

// A node that gives away a complete part does not wait for items of another part.
func TestGiftsNeedNothingOfOtherParts(t *testing.T) {
	w := newNetwork(newConfig(16))
	w.found(space.Point{2}, space.Point{6}, space.Point{12})
	b := w.Nodes[1]
	s := b.State()
	s.Awaits = []store.Await{awaited(nodeA, 77, 4, 5)}
	b.Resume(s, b.Pending())
	joiner := w.add(space.Point{8})
	w.Command(joiner, store.CommandMap(can.Command{Kind: can.CommandJoin, Contact: b.ID()}))
	w.Drain()
	joined := joiner.State()
	require.True(t, joined.Serves(space.Point{8}))
	require.Empty(t, b.State().Gifts)
	require.Len(t, b.State().Awaits, 1)
}

// A node whose zone grows by a merge awaits the new part, and serves the old one.
func TestMergeAwaitsTheNewPart(t *testing.T) {
	for leaver, want := range map[int]space.Zone{0: interval(0, 4), 2: interval(9, 16)} {
		w := newNetwork(newConfig(16))
		w.found(space.Point{2}, space.Point{6}, space.Point{12})
		met := false
		w.OnStep = func(p *process) {
			for _, a := range p.State().Awaits {
				met = true
				require.Equal(t, want, a.Zone)
			}
		}
		w.Command(w.Nodes[leaver], store.CommandMap(can.Command{Kind: can.CommandLeave}))
		w.settle()
		require.True(t, met)
	}
}

// When the zone of a failed node falls to two others, neither awaits its items or gives any.
func TestTakeoversHandNothingOver(t *testing.T) {
	w := newNetwork(newConfig(8, 8))
	w.found(space.Point{1, 1}, space.Point{1, 6}, space.Point{6, 6})
	given := w.Events[store.EventGiven]
	w.OnStep = func(p *process) {
		require.Empty(t, p.State().Awaits)
		require.Empty(t, p.State().Gifts)
	}
	w.Crash(w.Nodes[0])
	w.settle()
	require.Equal(t, given, w.Events[store.EventGiven])
	b, c := w.Nodes[1].State(), w.Nodes[2].State()
	require.True(t, b.Serves(space.Point{1, 1}))
	require.True(t, c.Serves(space.Point{6, 1}))
}

// The virtual coordinate of a joiner is the drawn one.
func TestDrawnCoordinate(t *testing.T) {
	sp, err := space.New(1, 16, 4)
	require.NoError(t, err)
	cfg := store.DefaultConfig(can.DefaultConfig(sp))
	w := newNetwork(&cfg)
	w.Choose = func(n uint32) uint32 { return n - 1 }
	w.found(space.Point{2}, space.Point{10})
	for _, p := range w.Nodes {
		require.Equal(t, int32(3), p.State().CAN.Self.Coord[1])
	}
}

// A restart that cannot use what was persisted changes nothing.
func TestRestartFromNothing(t *testing.T) {
	cfg, s := middle(t)
	s.Items = []store.Item{{Key: space.Point{6}, Value: 1}}
	next, out := store.Step(cfg, s, store.Input{Kind: protocol.Restart})
	require.Equal(t, s, next)
	require.Len(t, out.Events, 1)
	require.Equal(t, store.EventIgnore, out.Events[0].Name)
}
