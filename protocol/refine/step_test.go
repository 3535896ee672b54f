package refine_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

func started(t *testing.T, cfg *refine.Config, address protocol.Address) refine.State {
	t.Helper()
	require.NoError(t, cfg.Validate())
	s, out := refine.Step(cfg, refine.New(address), refine.Input{Kind: protocol.Start})
	require.Equal(t, protocol.AppendNodeID(nil, id(address)), out.Persist)
	return s
}

func deliver(from protocol.Address, m refine.Message) refine.Input {
	return refine.Input{Kind: protocol.Deliver, From: id(from), Message: m}
}

func sets(out refine.Output, kind protocol.TimerKind) bool {
	return slices.ContainsFunc(out.Set, func(s protocol.SetTimer) bool { return s.Timer.Kind == kind })
}

// A new suitor starts the quiet time of WAIT afresh. A suitor that comes when no place is left does
// not: otherwise heads that keep asking would keep a client waiting.
func TestWaitIsBounded(t *testing.T) {
	cfg := refine.DefaultConfig(3, 4, diameter)
	cfg.Criterion = refine.GlobalOrder
	s := started(t, &cfg, 0)
	for head := range protocol.Address(8) {
		var out refine.Output
		s, out = refine.Step(&cfg, s, deliver(head+1, refine.Solicitation{Round: 1, Ceiling: 2, Sure: 1}))
		require.Equal(t, head < 2, sets(out, refine.WaitTimer), "suitor %d", head+1)
		require.Len(t, s.Slots, min(int(head)+1, 2))
	}
	s, out := refine.Step(&cfg, s, deliver(s.Slots[0].Head.Address, refine.Solicitation{Round: 1, Ceiling: 2, Sure: 1}))
	require.False(t, sets(out, refine.WaitTimer), "a duplicate is no new solicitation")
	s, out = refine.Step(&cfg, s, deliver(s.Slots[0].Head.Address, refine.Solicitation{Round: 2, Ceiling: 2, Sure: 1}))
	require.Equal(t, uint32(2), s.Slots[0].Round)
	require.False(t, sets(out, refine.WaitTimer), "a suitor that asks again is no new suitor")
	require.Equal(t, refine.Wait, s.Client())
}

// The global order keeps the suitors whose hashes are smallest, for any order of arrival.
func TestGlobalOrder(t *testing.T) {
	cfg := refine.DefaultConfig(4, 4, diameter)
	cfg.Criterion = refine.GlobalOrder
	heads := []protocol.Address{1, 2, 3, 4, 5, 6, 7, 8, 9}
	best := slices.SortedFunc(slices.Values(heads), func(a, b protocol.Address) int {
		if id(a).Hash() < id(b).Hash() {
			return -1
		}
		return 1
	})[:3]
	slices.Sort(best)
	for range heads {
		heads = append(heads[1:], heads[0])
		s := started(t, &cfg, 0)
		for _, h := range heads {
			s, _ = refine.Step(&cfg, s, deliver(h, refine.Solicitation{Round: 1, Ceiling: uint32(h), Sure: 1}))
		}
		var kept []protocol.Address
		for _, slot := range s.Slots {
			kept = append(kept, slot.Head.Address)
		}
		require.Equal(t, best, kept)
	}
}

// A head's updates count in any order: ceilings only fall, and the number of sure members only
// grows.
func TestUpdatesInAnyOrder(t *testing.T) {
	cfg := refine.DefaultConfig(2, 4, diameter)
	s := started(t, &cfg, 0)
	s, _ = refine.Step(&cfg, s, deliver(1, refine.Solicitation{Round: 3, Ceiling: 4, Sure: 1}))
	for _, m := range []refine.Update{{3, 2, 2}, {3, 3, 1}, {2, 1, 9}} {
		s, _ = refine.Step(&cfg, s, deliver(1, m))
	}
	require.Equal(t, uint32(2), s.Slots[0].Ceiling)
	require.Equal(t, uint32(2), s.Slots[0].Sure)
}

// A sign of life starts the sender's timer afresh, and no other.
func TestSignsOfLife(t *testing.T) {
	cfg := refine.DefaultConfig(3, 4, diameter)
	s := started(t, &cfg, 0)
	s, _ = refine.Step(&cfg, s, deliver(1, refine.Solicitation{Round: 1, Ceiling: 2, Sure: 1}))
	s, _ = refine.Step(&cfg, s, deliver(2, refine.Solicitation{Round: 1, Ceiling: 2, Sure: 1}))
	_, out := refine.Step(&cfg, s, deliver(2, refine.Alive{}))
	ticks := cfg.KeepTicks * cfg.MissedKeeps
	require.Equal(t, []protocol.SetTimer{{
		Timer:    protocol.Timer{Kind: refine.MissedTimer, Peer: id(2)},
		MinTicks: ticks, MaxTicks: ticks,
	}}, out.Set)
	require.Empty(t, out.Send)
}

// A cluster of the same size is no reason to advertise another's; of several larger ones, all take
// the same.
func TestAdvertised(t *testing.T) {
	joined := func(head protocol.Address, members ...protocol.Address) refine.Slot {
		var all []protocol.NodeID
		for _, m := range members {
			all = append(all, id(m))
		}
		return refine.Slot{Head: id(head), Stage: refine.Committed, Round: 2, ClusterRound: 2, Members: all}
	}
	own := refine.State{
		ID: id(0), Head: refine.HeadSteady, Round: 1, ClusterRound: 1,
		Candidates: []refine.Candidate{{ID: id(3), Status: refine.Member}},
	}
	advertised := func(s refine.State) protocol.Address {
		c, ok := s.Advertised()
		require.True(t, ok)
		return c.Head.Address
	}
	s := own
	s.Slots = []refine.Slot{joined(1, 0, 1)}
	require.Equal(t, protocol.Address(0), advertised(s))
	s.Slots = []refine.Slot{joined(1, 0, 1, 3), joined(2, 0, 2, 3)}
	first := protocol.Address(1)
	if id(2).Hash() < id(1).Hash() {
		first = 2
	}
	require.Equal(t, first, advertised(s))
	s.Slots[0].Stage = refine.Promised
	require.Equal(t, protocol.Address(2), advertised(s), "a cluster that is not confirmed does not count")
	fresh := refine.New(7)
	_, ok := fresh.Advertised()
	require.False(t, ok)
}

func TestConfigIsValidated(t *testing.T) {
	good := refine.DefaultConfig(2, 3, diameter)
	require.NoError(t, good.Validate())
	for name, spoil := range map[string]func(*refine.Config){
		"no own cluster":    func(c *refine.Config) { c.MembershipBound = 0 },
		"no head":           func(c *refine.Config) { c.SizeBound = 0 },
		"no diameter":       func(c *refine.Config) { c.DiameterMicros = 0 },
		"everything near":   func(c *refine.Config) { c.DiameterMicros = refine.Far },
		"unknown criterion": func(c *refine.Config) { c.Criterion = 3 },
		"no quiet time":     func(c *refine.Config) { c.CollectTicks = 0 },
		"no time to wait":   func(c *refine.Config) { c.WaitTicks = 0 },
		"no measuring":      func(c *refine.Config) { c.MeasureTicks = 0 },
		"no period":         func(c *refine.Config) { c.KeepTicks = 0 },
		"no pause":          func(c *refine.Config) { c.RetryTicks = 0 },
		"no signs of life":  func(c *refine.Config) { c.MissedKeeps = 0 },
		"no candidates":     func(c *refine.Config) { c.CandidateLimit = 0 },
		"too many":          func(c *refine.Config) { c.CandidateLimit = protocol.MaxItems },
		"too many clusters": func(c *refine.Config) { c.MembershipBound = protocol.MaxItems + 1 },
	} {
		bad := good
		spoil(&bad)
		require.ErrorIs(t, bad.Validate(), refine.ErrConfig, name)
	}
	for name, stretch := range map[string]func(*refine.Config){
		"one cluster":     func(c *refine.Config) { c.MembershipBound = 1 },
		"many clusters":   func(c *refine.Config) { c.MembershipBound = protocol.MaxItems },
		"one member":      func(c *refine.Config) { c.SizeBound = 1 },
		"one candidate":   func(c *refine.Config) { c.CandidateLimit = 1 },
		"many candidates": func(c *refine.Config) { c.CandidateLimit = protocol.MaxItems - 1 },
	} {
		extreme := good
		stretch(&extreme)
		require.NoError(t, extreme.Validate(), name)
	}
	require.Equal(t, refine.Greedy, good.Criterion)
	require.Equal(t, 4*good.SizeBound, good.CandidateLimit)
}
