package refine_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// A client keeps the suitors that its criterion ranks first, for any order of arrival.
func TestCriteria(t *testing.T) {
	byHash := func(a, b refine.Slot) int { return cmp.Compare(a.Head.Hash(), b.Head.Hash()) }
	rapid.Check(t, func(t *rapid.T) {
		cfg := refine.DefaultConfig(rapid.IntRange(1, 4).Draw(t, "M"), 4, diameter)
		cfg.Criterion = refine.Criterion(evenly(t, 3, "criterion"))
		s, _ := refine.Step(&cfg, refine.New(0), refine.Input{Kind: protocol.Start})
		heads := rapid.Permutation([]protocol.Address{1, 2, 3, 4, 5, 6}).Draw(t, "heads")
		var suitors []refine.Slot
		for _, h := range heads {
			slot := refine.Slot{Head: id(h), Stage: refine.Suitor, Round: 1}
			slot.Ceiling, slot.Sure = uint32(evenly(t, 2, "ceiling"))+3, uint32(evenly(t, 2, "sure"))+1
			suitors = append(suitors, slot)
			s, _ = refine.Step(&cfg, s, deliver(h, refine.Solicitation{Round: 1, Ceiling: slot.Ceiling, Sure: slot.Sure}))
		}
		switch cfg.Criterion {
		case refine.GlobalOrder:
			slices.SortFunc(suitors, byHash)
		case refine.Greedy:
			slices.SortFunc(suitors, func(a, b refine.Slot) int {
				return cmp.Or(cmp.Compare(b.Ceiling, a.Ceiling), cmp.Compare(b.Sure, a.Sure), byHash(a, b))
			})
		}
		want := suitors[:cfg.MembershipBound-1]
		slices.SortFunc(want, func(a, b refine.Slot) int { return a.Head.Compare(b.Head) })
		require.True(t, slices.EqualFunc(want, s.Slots, func(a, b refine.Slot) bool {
			return a.Head == b.Head && a.Ceiling == b.Ceiling && a.Sure == b.Sure
		}), "%v, not %v", s.Slots, want)
	})
}

// A node advertises the largest cluster that it is in: its own of several, or else the one whose
// head has the smallest hash.
func TestAdvertisedIsTheLargest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := refine.State{ID: id(0), Head: refine.HeadSteady, Round: 1, ClusterRound: uint32(evenly(t, 2, "own"))}
		var all []refine.Cluster
		for a := range protocol.Address(evenly(t, 4, "members")) {
			if s.ClusterRound > 0 {
				s.Candidates = append(s.Candidates, refine.Candidate{ID: id(a + 20), Status: refine.Member})
			}
		}
		if own, ok := s.Own(); ok {
			all = append(all, own)
		}
		heads := rapid.Permutation([]protocol.Address{1, 2, 3, 4, 5, 6, 7, 8, 9}).Draw(t, "order")[:evenly(t, 5, "heads")]
		slices.Sort(heads)
		for _, h := range heads {
			members := nodes(0, h)
			for a := range protocol.Address(evenly(t, 3, "others")) {
				members = append(members, id(a+20))
			}
			s.Slots = append(s.Slots, refine.Slot{
				Head: id(h), Stage: refine.Committed, Round: 1, ClusterRound: 1, Members: members,
			})
			all = append(all, refine.Cluster{Head: id(h), Round: 1, Members: members})
		}
		slices.SortFunc(all, func(a, b refine.Cluster) int {
			own := func(c refine.Cluster) int {
				if c.Head == s.ID {
					return 0
				}
				return 1
			}
			return cmp.Or(
				cmp.Compare(len(b.Members), len(a.Members)), cmp.Compare(own(a), own(b)),
				cmp.Compare(a.Head.Hash(), b.Head.Hash()))
		})
		got, ok := s.Advertised()
		require.Equal(t, len(all) > 0, ok)
		if ok {
			require.Equal(t, all[0], got)
		}
	})
}

// All nodes take the same of two equally large clusters, no matter which is found first.
func TestEqualClustersAreChosenAlike(t *testing.T) {
	for a := protocol.Address(1); a < 9; a++ {
		s := refine.State{ID: id(0)}
		for _, h := range []protocol.Address{a, a + 1} {
			s.Slots = append(s.Slots, refine.Slot{
				Head: id(h), Stage: refine.Committed, Round: 1, ClusterRound: 1, Members: nodes(0, h),
			})
		}
		want := id(a)
		if id(a+1).Hash() < id(a).Hash() {
			want = id(a + 1)
		}
		got, ok := s.Advertised()
		require.True(t, ok)
		require.Equal(t, want, got.Head)
	}
}

// client is a client of head 1 in one stage, in round 4 of that head.
func client(stage refine.Stage, survey []refine.Reading) refine.State {
	slot := refine.Slot{Head: id(1), Stage: stage, Round: 4, Survey: survey}
	if stage == refine.Committed {
		slot.ClusterRound, slot.Members = 3, nodes(0, 1, 2)
	}
	return refine.State{ID: id(0), Slots: []refine.Slot{slot}}
}

// A List names this node and its head, and no more nodes than a head has. A Confirm names no more
// than N. Others are ignored, and so are those for a node that has not accepted, and those of a
// round that is over.
func TestWhichListsAndConfirmationsCount(t *testing.T) {
	cfg := rules()
	many := func(n int) []protocol.NodeID {
		var all []protocol.NodeID
		for a := range protocol.Address(n) {
			all = append(all, id(a))
		}
		return all
	}
	promised, measured := client(refine.Promised, nil), client(refine.Promised, readings(9, 1, 2))
	after, out := refine.Step(&cfg, promised, deliver(1, refine.List{Round: 4, Members: many(cfg.CandidateLimit + 1)}))
	require.Len(t, out.Measure, cfg.CandidateLimit)
	require.Len(t, after.Slots[0].Survey, cfg.CandidateLimit)
	for _, members := range [][]protocol.NodeID{nodes(0, 2), nodes(1, 2), many(cfg.CandidateLimit + 2)} {
		requireIgnored(t, &cfg, promised, deliver(1, refine.List{Round: 4, Members: members}), "no list of this node")
	}

	after, _ = refine.Step(&cfg, measured, deliver(1, refine.Confirm{Round: 4, Members: many(cfg.SizeBound)}))
	require.Equal(t, refine.ClientSteady, after.Client())
	requireIgnored(t, &cfg, after, deliver(1, refine.List{Round: 4, Members: nodes(0, 1)}), "this round is over")
	for _, members := range [][]protocol.NodeID{nodes(0, 2), nodes(1, 2), many(cfg.SizeBound + 1)} {
		requireIgnored(t, &cfg, measured, deliver(1, refine.Confirm{Round: 4, Members: members}), "no cluster of this node")
	}
	for name, survey := range map[string][]refine.Reading{"no list": nil, "not all is measured": readings(0, 1)} {
		s := client(refine.Promised, survey)
		requireIgnored(t, &cfg, s, deliver(1, refine.Confirm{Round: 4, Members: nodes(0, 1)}), name)
	}
	suitor := client(refine.Suitor, nil)
	for _, m := range []refine.Message{
		refine.List{Round: 4, Members: nodes(0, 1)}, refine.Confirm{Round: 4, Members: nodes(0, 1)},
	} {
		requireIgnored(t, &cfg, suitor, deliver(1, m), "not accepted")
	}
	requireIgnored(t, &cfg, promised, deliver(1, refine.Update{Round: 4, Ceiling: 3, Sure: 2}), "no suitor")
	requireIgnored(t, &cfg, promised, deliver(1, refine.List{Round: 3, Members: nodes(0, 1)}), "an older round")
}

// A repeated List is answered with the report, once that is complete.
func TestAListThatComesAgain(t *testing.T) {
	cfg := rules()
	for _, stage := range []refine.Stage{refine.Promised, refine.Committed} {
		list := deliver(1, refine.List{Round: 4, Members: nodes(0, 1, 2)})
		s := client(stage, readings(9, 1, 2))
		after, out := refine.Step(&cfg, s, list)
		require.Equal(t, s, after)
		require.Equal(t, []sent{{1, refine.Report{Round: 4, Readings: readings(9, 1, 2)}}}, sends(out))
		requireIgnored(t, &cfg, client(stage, readings(0, 1, 2)), list, "not all is measured")
	}
}

// A solicitation of a later round takes the place of the slot; one of the same round is known.
func TestSolicitedAnew(t *testing.T) {
	cfg := rules()
	s := client(refine.Promised, nil)
	requireIgnored(t, &cfg, s, deliver(1, refine.Solicitation{Round: 4, Ceiling: 3, Sure: 1}), "the same round")
	after, _ := refine.Step(&cfg, s, deliver(1, refine.Solicitation{Round: 5, Ceiling: 3, Sure: 2}))
	require.Equal(t, []refine.Slot{{Head: id(1), Stage: refine.Suitor, Round: 5, Ceiling: 3, Sure: 2}}, after.Slots)
}

// The client's state is that of its least advanced slot.
func TestClientState(t *testing.T) {
	slot := func(stage refine.Stage) refine.Slot { return refine.Slot{Stage: stage} }
	for _, test := range []struct {
		slots []refine.Slot
		want  refine.ClientState
	}{
		{nil, refine.Wait},
		{[]refine.Slot{slot(refine.Committed), slot(refine.Promised), slot(refine.Suitor)}, refine.Wait},
		{[]refine.Slot{slot(refine.Committed), slot(refine.Promised)}, refine.Measure},
		{[]refine.Slot{slot(refine.Committed)}, refine.ClientSteady},
	} {
		s := refine.State{ID: id(0), Slots: test.slots}
		require.Equal(t, test.want, s.Client())
	}
}

// A measurement fills what is missing, once. A peer that is not reached in time counts as far, and
// nothing else changes then. A latency of zero is the shortest.
func TestReadings(t *testing.T) {
	cfg := rules()
	s := client(refine.Promised, readings(0, 1, 2))
	require.Contains(t, s.Timers(&cfg), protocol.Timer{Kind: refine.MeasureTimer})
	requireIgnored(t, &cfg, s, result(3, 9), "nobody asked")
	s, _ = refine.Step(&cfg, s, result(1, 0))
	require.Equal(t, uint32(1), s.Slots[0].Survey[0].Micros)
	requireIgnored(t, &cfg, s, result(1, 9), "it is measured already")
	s, out := refine.Step(&cfg, s, timeout(refine.MeasureTimer))
	want := []refine.Reading{{Peer: id(1), Micros: 1}, {Peer: id(2), Micros: refine.Far}}
	require.Equal(t, []sent{{1, refine.Report{Round: 4, Readings: want}}}, sends(out))
	require.NotContains(t, s.Timers(&cfg), protocol.Timer{Kind: refine.MeasureTimer})

	busy := client(refine.Promised, readings(0, 2))
	busy.Slots = append(busy.Slots, refine.Slot{Head: id(5), Stage: refine.Promised, Round: 1})
	_, out = refine.Step(&cfg, busy, deliver(5, refine.List{Round: 1, Members: nodes(0, 5)}))
	require.True(t, sets(out, refine.MeasureTimer), "a new survey restarts the timer")

	busy.Head = refine.Collect
	after, out := refine.Step(&cfg, busy, timeout(refine.CollectTimer))
	require.Equal(t, refine.HeadSteady, after.Head)
	require.False(t, sets(out, refine.MeasureTimer), "a head without candidates measures no node")
}

// A node watches the peers to which it sends signs of life, and no others.
func TestWatchesThePeersThatItReminds(t *testing.T) {
	for _, state := range []refine.HeadState{refine.Solicit, refine.Filter, refine.HeadSteady} {
		cfg := rules()
		s := head(state)
		s.Slots = client(refine.Suitor, nil).Slots
		s.Slots[0].Head = id(30)
		var watched, reminded []protocol.Address
		for _, timer := range s.Timers(&cfg) {
			if timer.Kind == refine.MissedTimer {
				watched = append(watched, timer.Peer.Address)
			}
		}
		_, out := refine.Step(&cfg, s, timeout(refine.KeepTimer))
		for _, e := range sends(out) {
			if !slices.Contains(reminded, e.to) {
				reminded = append(reminded, e.to)
			}
		}
		slices.Sort(reminded)
		require.Equal(t, []protocol.Address{2, 3, 7, 8, 30}, watched)
		require.Equal(t, watched, reminded)
	}
}
