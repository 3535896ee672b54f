package store_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/store"
)

// awaits reports whether a node waits for another one: for its items, for its acknowledgement of a
// handover, or for its answer.
func awaits(s store.State, id protocol.NodeID) bool {
	return slices.ContainsFunc(s.Awaits, func(a store.Await) bool { return a.From == id }) ||
		slices.ContainsFunc(s.Gifts, func(g store.Gift) bool { return g.To == id }) ||
		!id.IsNobody() && slices.ContainsFunc(s.Pending, func(p store.Pending) bool { return p.Target == id })
}

// Each timer of the store is set once in a step, for the time that the configuration states.
func TestTimersHaveTheirTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGenerator(t)
		*g.cfg = store.DefaultConfig(g.cfg.CAN)
		times := map[protocol.TimerKind][2]uint32{
			store.RetryTimer:  {g.cfg.RetryMinTicks, g.cfg.RetryMaxTicks},
			store.ResendTimer: {g.cfg.ResendTicks, g.cfg.ResendTicks},
			store.GoneTimer:   {g.cfg.GoneTicks, g.cfg.GoneTicks},
		}
		_, out := store.Step(g.cfg, g.state(), g.input())
		met := map[protocol.Timer]bool{}
		for _, set := range out.Set {
			if want, own := times[set.Timer.Kind]; own {
				require.Equal(t, want, [2]uint32{set.MinTicks, set.MaxTicks}, "%v", set.Timer)
			}
			require.False(t, met[set.Timer], "%v is set twice", set.Timer)
			met[set.Timer] = true
		}
	})
}

// Any message of an awaited node restarts its GoneTimer. The messages of others do not. A GoneTimer
// that has fired is set again if the node is still awaited. The GoneTimer of a node that is no
// longer awaited is cancelled, also when it has just fired.
func TestGoneTimerRestarts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGenerator(t)
		s, in := g.state(), g.input()
		next, out := store.Step(g.cfg, s, in)
		for id := range protocol.Address(7) {
			for life := range uint16(3) {
				peer := protocol.NodeID{Address: id, Incarnation: life}
				gone := protocol.Timer{Kind: store.GoneTimer, Peer: peer}
				heard := in.Kind == protocol.Deliver && in.From == peer || in.Kind == protocol.Timeout && in.Timer == gone
				set := slices.ContainsFunc(out.Set, func(x protocol.SetTimer) bool { return x.Timer == gone })
				require.Equal(t, awaits(next, peer) && (heard || !awaits(s, peer)), set, "%v", peer)
				cancelled := slices.Contains(out.Cancel, gone)
				require.Equal(t, awaits(s, peer) && !awaits(next, peer), cancelled, "%v", peer)
			}
		}
	})
}

// The timers of a node that waits for all there is are set once each, for the configured times.
func TestTimersOfABusyNode(t *testing.T) {
	cfg, s := middle(t)
	*cfg = store.DefaultConfig(cfg.CAN)
	waits := s
	waits.Awaits = []store.Await{awaited(nodeC, 1, 4, 6), awaited(nodeA, 2, 6, 7)}
	waits.Gifts = []store.Gift{{To: nodeC, Round: 3}}
	waits.Pending = []store.Pending{
		{Operation: put(1, 12, 1), Attempt: 1, Target: nodeC}, {Operation: put(2, 2, 1), Attempt: 1, Target: nodeA},
	}
	set := func(kind protocol.TimerKind, peer protocol.NodeID, least, most uint32) protocol.SetTimer {
		return protocol.SetTimer{Timer: protocol.Timer{Kind: kind, Peer: peer}, MinTicks: least, MaxTicks: most}
	}
	retry := set(store.RetryTimer, protocol.NodeID{}, cfg.RetryMinTicks, cfg.RetryMaxTicks)
	resend := set(store.ResendTimer, protocol.NodeID{}, cfg.ResendTicks, cfg.ResendTicks)
	goneA := set(store.GoneTimer, nodeA, cfg.GoneTicks, cfg.GoneTicks)
	goneC := set(store.GoneTimer, nodeC, cfg.GoneTicks, cfg.GoneTicks)
	_, out := store.Step(cfg, waits, fired(store.ResendTimer, protocol.NodeID{}))
	require.Equal(t, []protocol.SetTimer{resend}, out.Set)
	_, out = store.Step(cfg, waits, fired(store.RetryTimer, protocol.NodeID{}))
	require.Equal(t, []protocol.SetTimer{retry}, out.Set)
	_, out = store.Step(cfg, waits, from(nodeC, store.GiveOK{Round: 99}))
	require.Equal(t, []protocol.SetTimer{goneC}, out.Set)
	_, out = store.Step(cfg, s, called(put(1, 12, 1)))
	require.Equal(t, []protocol.SetTimer{retry, goneC}, out.Set)
	require.Empty(t, out.Cancel)
	waits.Awaits, waits.Gifts = nil, nil
	_, out = store.Step(cfg, waits, from(nodeC, store.Reply{ID: 1, Attempt: 1, Verdict: store.Served}))
	require.Empty(t, out.Set)
	require.Equal(t, []protocol.Timer{goneC.Timer}, out.Cancel)
	_, out = store.Step(cfg, waits, fired(store.GoneTimer, nodeA))
	require.Equal(t, []protocol.Timer{goneA.Timer}, out.Cancel)
}
