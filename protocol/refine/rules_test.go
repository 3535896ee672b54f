package refine_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

func nodes(addresses ...protocol.Address) []protocol.NodeID {
	var all []protocol.NodeID
	for _, a := range addresses {
		all = append(all, id(a))
	}
	return all
}

func readings(micros uint32, peers ...protocol.Address) []refine.Reading {
	var all []refine.Reading
	for _, p := range peers {
		all = append(all, refine.Reading{Peer: id(p), Micros: micros})
	}
	return all
}

func command(kind refine.CommandKind, addresses ...protocol.Address) refine.Input {
	return refine.Input{
		Kind: protocol.Command, Command: refine.Command{Kind: kind, Nodes: nodes(addresses...)},
	}
}

func timeout(kind protocol.TimerKind) refine.Input {
	return refine.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: kind}}
}

func result(peer protocol.Address, micros uint32) refine.Input {
	return refine.Input{Kind: protocol.Measured, From: id(peer), Measure: micros}
}

// sent is a message with its receiver.
type sent struct {
	to protocol.Address
	m  refine.Message
}

func sends(out refine.Output) []sent {
	var all []sent
	for _, e := range out.Send {
		all = append(all, sent{e.To.Address, e.Message})
	}
	return all
}

// requireIgnored demands that an input changes nothing but timers, and that the node says so once.
func requireIgnored(t *testing.T, cfg *refine.Config, s refine.State, in refine.Input, why string) {
	t.Helper()
	after, out := refine.Step(cfg, s, in)
	require.Equal(t, s, after, why)
	require.Empty(t, out.Send, why)
	require.Empty(t, out.Measure, why)
	require.Len(t, out.Events, 1, why)
	require.Equal(t, refine.EventIgnore, out.Events[0].Name, why)
}

// head is a head in round 5 with candidates of every status, in one of its states. Its cluster is
// of round 3.
func head(state refine.HeadState) refine.State {
	s := refine.State{ID: id(0), Head: state, Round: 5, ClusterRound: 3}
	for i, status := range []refine.Status{
		refine.Fresh, refine.Asked, refine.Accepted, refine.Denied, refine.Deferred, refine.Filtered, refine.Member,
		refine.Dropped,
	} {
		s.Candidates = append(s.Candidates, refine.Candidate{ID: id(protocol.Address(i + 1)), Status: status})
	}
	if state == refine.Filter {
		s.Survey = readings(0, 3, 7)
	}
	return s
}

// only keeps some candidates of a head.
func only(s refine.State, addresses ...protocol.Address) refine.State {
	var kept []refine.Candidate
	for _, a := range addresses {
		kept = append(kept, s.Candidates[a-1])
	}
	s.Candidates = kept
	return s
}

func statuses(s refine.State) map[protocol.Address]refine.Status {
	all := map[protocol.Address]refine.Status{}
	for _, c := range s.Candidates {
		all[c.ID.Address] = c.Status
	}
	return all
}

func rules() refine.Config {
	cfg := refine.DefaultConfig(3, 4, diameter)
	return cfg
}

// The messages that a node resends as its signs of life, as listed in docs/protocols/refine.md.
func TestKeepResends(t *testing.T) {
	cfg := rules()
	s := head(refine.Solicit)
	s.Slots = []refine.Slot{
		{Head: id(11), Stage: refine.Suitor, Round: 2},
		{Head: id(12), Stage: refine.Promised, Round: 2},
		{Head: id(13), Stage: refine.Promised, Round: 2, Survey: readings(0, 13)},
		{Head: id(14), Stage: refine.Promised, Round: 2, Survey: readings(9, 14)},
		{Head: id(15), Stage: refine.Committed, Round: 2, ClusterRound: 2, Members: nodes(0, 15)},
	}
	clients := []sent{
		{11, refine.Alive{}},
		{12, refine.Accept{Round: 2}},
		{13, refine.Accept{Round: 2}},
		{14, refine.Report{Round: 2, Readings: readings(9, 14)}},
		{15, refine.Accept{Round: 2}},
	}
	cluster := refine.Confirm{Round: 3, Members: nodes(0, 7, 8)}
	_, out := refine.Step(&cfg, s, timeout(refine.KeepTimer))
	require.Equal(t, append([]sent{
		{2, refine.Solicitation{Round: 5, Ceiling: 4, Sure: 3}},
		{3, refine.Alive{}},
		{7, cluster},
		{8, cluster},
	}, clients...), sends(out))

	s.Head, s.Survey = refine.Filter, readings(0, 3, 7)
	s.Candidates[1].Status = refine.Deferred
	_, out = refine.Step(&cfg, s, timeout(refine.KeepTimer))
	list := refine.List{Round: 5, Members: nodes(0, 3, 7)}
	require.Equal(t, append([]sent{{3, list}, {7, list}, {8, cluster}}, clients...), sends(out))

	s.Candidates[2].Report, s.Candidates[6].Report = readings(9, 0, 7), readings(9, 0, 3)
	_, out = refine.Step(&cfg, s, timeout(refine.KeepTimer))
	require.Equal(t, append([]sent{{3, refine.Alive{}}, {7, refine.Alive{}}, {8, cluster}}, clients...), sends(out))
}

// A node that has left answers all messages of a peer that counts on it; any other message, and any
// message to a node that was never started, is ignored.
func TestAfterwards(t *testing.T) {
	cfg := rules()
	gone := refine.State{ID: id(0), Departed: true}
	tests := []struct{ in, want refine.Message }{
		{refine.Solicitation{Round: 4, Ceiling: 3, Sure: 2}, refine.Leave{Round: 4}},
		{refine.List{Round: 4, Members: nodes(0, 1)}, refine.Leave{Round: 4}},
		{refine.Confirm{Round: 4, Members: nodes(0, 1)}, refine.Leave{Round: 4}},
		{refine.Accept{Round: 4}, refine.Dismiss{Round: 4}},
		{refine.Report{Round: 4, Readings: readings(9, 0)}, refine.Dismiss{Round: 4}},
		{refine.Update{Round: 4}, nil},
		{refine.Dismiss{Round: 4}, nil},
		{refine.Deny{Round: 4}, nil},
		{refine.Alive{}, nil},
	}
	for _, test := range tests {
		requireIgnored(t, &cfg, refine.New(0), deliver(1, test.in), "never started")
		if test.want == nil {
			requireIgnored(t, &cfg, gone, deliver(1, test.in), "departed")
			continue
		}
		after, out := refine.Step(&cfg, gone, deliver(1, test.in))
		require.Equal(t, gone, after)
		require.Equal(t, []sent{{1, test.want}}, sends(out))
		require.Empty(t, out.Events)
	}
	for _, s := range []refine.State{gone, refine.New(0)} {
		for kind := refine.CommandAdd; kind <= refine.CommandLeave; kind++ {
			requireIgnored(t, &cfg, s, command(kind, 1), "a command")
		}
		requireIgnored(t, &cfg, s, result(1, 9), "a measurement")
		require.Equal(t, refine.ClientIdle, s.Client())
		require.Empty(t, s.Timers(&cfg))
	}
}

// A node that leaves notifies the peers that have a slot or a candidate of it, and no others.
func TestLeaveNotifies(t *testing.T) {
	cfg := rules()
	s := head(refine.Solicit)
	s.Slots = []refine.Slot{{Head: id(12), Stage: refine.Promised, Round: 2}}
	after, out := refine.Step(&cfg, s, command(refine.CommandLeave))
	bye := refine.Dismiss{Round: 5}
	require.Equal(t, []sent{{2, bye}, {3, bye}, {7, bye}, {8, bye}, {12, refine.Leave{Round: 2}}}, sends(out))
	require.Equal(t, refine.State{ID: id(0), Departed: true}, after)
}

// Dropped candidates that may wait are dismissed. Members stay, and make room for candidates that
// were turned down.
func TestDrop(t *testing.T) {
	cfg := rules()
	after, out := refine.Step(&cfg, head(refine.Solicit), command(refine.CommandDrop, 1, 2, 3, 5, 9))
	require.Equal(t, []sent{{2, refine.Dismiss{Round: 5}}, {3, refine.Dismiss{Round: 5}}}, sends(out)[:2])
	require.NotContains(t, statuses(after), protocol.Address(1))
	require.NotContains(t, statuses(after), protocol.Address(5))

	after, out = refine.Step(&cfg, head(refine.Solicit), command(refine.CommandDrop, 7))
	require.Empty(t, out.Send)
	require.Equal(t, map[protocol.Address]refine.Status{
		1: refine.Fresh, 2: refine.Asked, 3: refine.Accepted, 4: refine.Fresh, 5: refine.Deferred, 6: refine.Fresh,
		7: refine.Dropped, 8: refine.Dropped,
	}, statuses(after))
}

// Candidates that were turned down are worth another try if they are named again, and dropped
// members stay. Nothing else changes for known candidates, the zero identity and the node itself
// are no candidates, and there is a limit.
func TestAdd(t *testing.T) {
	cfg := rules()
	in := command(refine.CommandAdd, 0, 1, 2, 3, 4, 5, 6, 7, 8)
	in.Command.Nodes = append([]protocol.NodeID{{}}, in.Command.Nodes...)
	after, out := refine.Step(&cfg, head(refine.Solicit), in)
	require.Equal(t, map[protocol.Address]refine.Status{
		1: refine.Fresh, 2: refine.Asked, 3: refine.Accepted, 4: refine.Fresh, 5: refine.Deferred, 6: refine.Fresh,
		7: refine.Member, 8: refine.Member,
	}, statuses(after))
	require.Empty(t, out.Send)

	s := started(t, &cfg, 0)
	var many []protocol.Address
	for a := range protocol.Address(cfg.CandidateLimit + 2) {
		many = append(many, a+1)
	}
	s, out = refine.Step(&cfg, s, command(refine.CommandAdd, many...))
	require.Len(t, s.Candidates, cfg.CandidateLimit)
	require.Len(t, out.Events, 2)
	_, out = refine.Step(&cfg, s, command(refine.CommandAdd))
	require.True(t, sets(out, refine.CollectTimer), "news restarts the quiet time")
}

// A round asks candidates that are new or deferred. It asks all non-members if everything must be
// measured again. A head that is busy begins no round.
func TestWhichCandidatesAreAsked(t *testing.T) {
	cfg := rules()
	asked := func(s refine.State, timer protocol.TimerKind) []protocol.Address {
		_, out := refine.Step(&cfg, s, timeout(timer))
		var all []protocol.Address
		for _, e := range sends(out) {
			require.Equal(t, refine.Solicitation{Round: 6, Ceiling: e.m.(refine.Solicitation).Ceiling, Sure: 2}, e.m)
			all = append(all, e.to)
		}
		return all
	}
	s := only(head(refine.Collect), 1, 4, 5, 6, 7, 8)
	require.Equal(t, []protocol.Address{1, 5}, asked(s, refine.CollectTimer))
	s.Again = true
	require.Equal(t, []protocol.Address{1, 4, 5, 6}, asked(s, refine.CollectTimer))
	for _, state := range []refine.HeadState{refine.Solicit, refine.Filter} {
		requireIgnored(t, &cfg, head(state), timeout(refine.CollectTimer), "busy")
		requireIgnored(t, &cfg, head(state), timeout(refine.RetryTimer), "busy")
	}
}

// A head with a full cluster neither collects nor retries.
func TestFullHeadRests(t *testing.T) {
	cfg := rules()
	retries := func(s refine.State) bool {
		for _, timer := range s.Timers(&cfg) {
			if timer.Kind == refine.RetryTimer {
				return true
			}
		}
		return false
	}
	for members := range cfg.SizeBound {
		s := only(head(refine.HeadSteady), 5)
		for a := range protocol.Address(members) {
			s.Candidates = append(s.Candidates, refine.Candidate{ID: id(a + 20), Status: refine.Member})
		}
		full := members == cfg.SizeBound-1
		require.Equal(t, !full, retries(s), "%d members", members)
		after, _ := refine.Step(&cfg, s, command(refine.CommandAdd, 6))
		require.Equal(t, full, after.Head == refine.HeadSteady, "%d members", members)
		s.Head = refine.Collect
		require.False(t, retries(s), "only a head in STEADY retries")
	}
}

// Acceptances and denials of the present round count. Greedy clients that have not answered receive
// the new prospects. An acceptance that does not count is answered with a dismissal.
func TestAnswers(t *testing.T) {
	cfg := rules()
	s := only(head(refine.Solicit), 2, 3, 4, 7)
	s.Candidates = append(s.Candidates, refine.Candidate{ID: id(20), Status: refine.Asked})
	after, out := refine.Step(&cfg, s, deliver(2, refine.Accept{Round: 5}))
	require.Equal(t, refine.Accepted, statuses(after)[2])
	require.Equal(t, []sent{{20, refine.Update{Round: 5, Ceiling: 5, Sure: 4}}}, sends(out))
	after, out = refine.Step(&cfg, s, deliver(2, refine.Deny{Round: 5}))
	require.Equal(t, refine.Denied, statuses(after)[2])
	require.Equal(t, []sent{{20, refine.Update{Round: 5, Ceiling: 4, Sure: 3}}}, sends(out))

	requireIgnored(t, &cfg, s, deliver(3, refine.Accept{Round: 5}), "it counts")
	requireIgnored(t, &cfg, s, deliver(7, refine.Accept{Round: 3}), "a member counts")
	requireIgnored(t, &cfg, s, deliver(4, refine.Accept{Round: 6}), "a round to come")
	for _, round := range []uint32{3, 4, 5} {
		for _, from := range []protocol.Address{3, 4, 9} {
			if from == 3 && round == 5 {
				continue
			}
			_, out := refine.Step(&cfg, s, deliver(from, refine.Accept{Round: round}))
			require.Equal(t, []sent{{from, refine.Dismiss{Round: round}}}, sends(out))
		}
	}
}

// A Leave removes a member, unless it is older than the cluster, and a client that waits, in its
// round only. Other candidates stay, for a later round.
func TestLeaveOfAClient(t *testing.T) {
	cfg := rules()
	for _, state := range []refine.HeadState{refine.Solicit, refine.Filter} {
		s := head(state)
		for a := protocol.Address(1); a <= 8; a++ {
			for round := uint32(2); round <= 5; round++ {
				removed := a >= 7 && round >= 3 || (a == 2 || a == 3) && round == 5
				before := only(s, a)
				before.Candidates = append(before.Candidates,
					refine.Candidate{ID: id(20), Status: refine.Asked}, refine.Candidate{ID: id(21), Status: refine.Denied})
				if !removed {
					requireIgnored(t, &cfg, before, deliver(a, refine.Leave{Round: round}), "it stays")
					continue
				}
				after, out := refine.Step(&cfg, before, deliver(a, refine.Leave{Round: round}))
				require.NotContains(t, statuses(after), a)
				again := refine.Denied
				if a >= 7 {
					again = refine.Fresh
				}
				require.Equal(t, again, statuses(after)[21], "only a member makes room")
				require.Equal(t, a >= 7, len(out.Events) > 0 && out.Events[0].Name == refine.EventRemoved)
			}
		}
	}
}

// A peer that is a member and a head loses both places when it is silent once.
func TestSilentMemberAndHead(t *testing.T) {
	cfg := rules()
	s := only(head(refine.HeadSteady), 7)
	s.Slots = []refine.Slot{{Head: id(7), Stage: refine.Promised, Round: 2}}
	silent := protocol.Timer{Kind: refine.MissedTimer, Peer: id(7)}
	s, _ = refine.Step(&cfg, s, refine.Input{Kind: protocol.Timeout, Timer: silent})
	require.Empty(t, s.Candidates)
	require.Empty(t, s.Slots)
}

// A report counts if it is complete, of the present round, and the first.
func TestWhichReportCounts(t *testing.T) {
	cfg := rules()
	s := only(head(refine.Filter), 3, 7)
	for name, m := range map[string]refine.Report{
		"empty":      {Round: 5},
		"incomplete": {Round: 5, Readings: readings(0, 0, 7)},
	} {
		requireIgnored(t, &cfg, s, deliver(3, m), name)
	}
	first := readings(9, 0, 7)
	s, _ = refine.Step(&cfg, s, deliver(3, refine.Report{Round: 5, Readings: first}))
	require.Equal(t, first, s.Candidates[0].Report)
	again, _ := refine.Step(&cfg, s, deliver(3, refine.Report{Round: 5, Readings: readings(8, 0, 7)}))
	require.Equal(t, s, again)
	_, out := refine.Step(&cfg, s, deliver(3, refine.Report{Round: 4, Readings: first}))
	require.Equal(t, []sent{{3, refine.Dismiss{Round: 4}}}, sends(out))
}

// A member that is lost at the end of a round makes room for candidates that were turned down
// before it.
func TestLostMemberMakesRoom(t *testing.T) {
	cfg := rules()
	s := only(head(refine.Filter), 6, 7)
	s.Survey = readings(0, 7)
	s, _ = refine.Step(&cfg, s, deliver(7, refine.Report{Round: 5, Readings: readings(9, 0)}))
	s, _ = refine.Step(&cfg, s, timeout(refine.MeasureTimer))
	require.Equal(t, map[protocol.Address]refine.Status{6: refine.Fresh, 7: refine.Filtered}, statuses(s))
	require.Equal(t, refine.Collect, s.Head)
}

// A member that was restored while the others are measured is dismissed when the round ends, and
// asked again in the next.
func TestRestoredMemberIsAskedAnew(t *testing.T) {
	cfg := rules()
	s := only(head(refine.Filter), 7, 8)
	s.Survey = readings(0, 7)
	s, _ = refine.Step(&cfg, s, command(refine.CommandAdd, 8))
	s, out := refine.Step(&cfg, s, timeout(refine.KeepTimer))
	require.Equal(t, []sent{{7, refine.List{Round: 5, Members: nodes(0, 7)}}, {8, refine.Alive{}}}, sends(out))
	s, _ = refine.Step(&cfg, s, deliver(7, refine.Report{Round: 5, Readings: readings(9, 0)}))
	s, out = refine.Step(&cfg, s, result(7, 9))
	require.Equal(t, []sent{
		{8, refine.Dismiss{Round: 5}}, {7, refine.Confirm{Round: 5, Members: nodes(0, 7)}},
	}, sends(out))
	require.Equal(t, map[protocol.Address]refine.Status{7: refine.Member, 8: refine.Fresh}, statuses(s))
}

// A member that was restored too late is lost at the end of the round, too: it makes room for a
// candidate that was turned down after the member was dropped.
func TestRestoredMemberMakesRoom(t *testing.T) {
	cfg := rules()
	s := only(head(refine.Solicit), 2, 3, 7)
	s, _ = refine.Step(&cfg, s, command(refine.CommandDrop, 7))
	s, _ = refine.Step(&cfg, s, deliver(2, refine.Deny{Round: 5}))
	require.Equal(t, refine.Filter, s.Head)
	s, _ = refine.Step(&cfg, s, command(refine.CommandAdd, 7))
	s, _ = refine.Step(&cfg, s, deliver(3, refine.Report{Round: 5, Readings: readings(9, 0)}))
	s, _ = refine.Step(&cfg, s, result(3, 9))
	require.Equal(t, map[protocol.Address]refine.Status{
		2: refine.Fresh, 3: refine.Member, 7: refine.Fresh,
	}, statuses(s))
}

// If two clusters have the same size, the one with the former member wins.
func TestFormerMembersWin(t *testing.T) {
	cfg := rules()
	s := only(head(refine.Filter), 3, 7)
	for _, r := range []struct{ from, far protocol.Address }{{3, 7}, {7, 3}} {
		report := append(readings(9, 0), readings(distant, r.far)...)
		s, _ = refine.Step(&cfg, s, deliver(r.from, refine.Report{Round: 5, Readings: report}))
		s, _ = refine.Step(&cfg, s, result(r.from, 9))
	}
	require.Equal(t, map[protocol.Address]refine.Status{3: refine.Filtered, 7: refine.Member}, statuses(s))
}

// The durations of the timers.
func TestDurations(t *testing.T) {
	cfg := rules()
	cfg.CollectTicks, cfg.WaitTicks, cfg.MeasureTicks = 11, 12, 13
	cfg.KeepTicks, cfg.MissedKeeps, cfg.RetryTicks = 14, 3, 15
	got := map[protocol.TimerKind][2]uint32{}
	note := func(_ refine.State, out refine.Output) {
		for _, set := range out.Set {
			got[set.Timer.Kind] = [2]uint32{set.MinTicks, set.MaxTicks}
		}
	}
	s := started(t, &cfg, 0)
	s, out := refine.Step(&cfg, s, command(refine.CommandAdd, 1))
	note(s, out)
	note(refine.Step(&cfg, s, deliver(1, refine.Solicitation{Round: 1, Ceiling: 2, Sure: 1})))
	s, _ = refine.Step(&cfg, s, timeout(refine.CollectTimer))
	note(refine.Step(&cfg, s, deliver(1, refine.Accept{Round: 1})))
	note(refine.Step(&cfg, s, deliver(1, refine.Defer{Round: 1})))
	assert.Equal(t, map[protocol.TimerKind][2]uint32{
		refine.CollectTimer: {11, 11}, refine.WaitTimer: {12, 12}, refine.MeasureTimer: {13, 13},
		refine.KeepTimer: {14, 14}, refine.RetryTimer: {15, 30}, refine.MissedTimer: {42, 42},
	}, got)
}
