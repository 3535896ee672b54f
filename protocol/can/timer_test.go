package can_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// situation is a node in some phase, and the timers that are pending then.
type situation struct {
	name   string
	state  can.State
	timers []string
}

// situations lists nodes in a row: A [0,4), B [4,8), C [8,12), D [12,16); A and C are direct
// neighbours of B, which the states are of. E is a joiner.
func situations() []situation {
	leaving := middle()
	leaving.Leave = true
	inRound := func(stage can.Stage) can.State {
		s := leaving
		s.Round = 3
		s.Change = can.Change{
			Stage: stage, Subject: letter('E'), Waiting: letters("E"), Later: letters("CD"),
			Commit: can.Commit{Round: 3, Kind: can.Split},
		}
		return s
	}
	handed := can.State{
		Phase: can.Leaving, Self: can.Record{ID: letter('B')}, Round: 3, Leave: true,
		Change: can.Change{
			Stage: can.Committing, Subject: letter('B'), Waiting: letters("D"),
			Commit: can.Commit{Round: 3, Kind: can.Merge},
		},
	}
	departed := handed
	departed.Phase, departed.Change = can.Departed, can.Change{}
	joining := can.State{Phase: can.Joining, Self: can.Record{ID: letter('B')}, Contact: letter('A')}
	joiner := joining
	joiner.Promise = can.Promise{Proposer: letter('A'), Round: 7, Kind: can.Split, Subject: letter('B')}
	orphan := promised()
	orphan.Promise.Proposer, orphan.Promise.Orphan = letter('D'), true
	orphan.Dead = letters("D")
	taker := middle()
	taker.Self.Splits = []space.HalfSpace{{Dim: 0, At: 8}}
	taker.Known[1].Splits = []space.HalfSpace{{Dim: 0, AtLeast: true, At: 8}}
	taker.Dead = letters("C")
	return []situation{
		{"outside", can.New(1, space.Point{4}), nil},
		{"joining", joining, []string{"retry"}},
		{"joining, with a promise", joiner, []string{"retry", "resend", "missed A"}},
		{"a member", middle(), []string{"update", "missed A", "missed C"}},
		{"about to leave", leaving, []string{"retry", "update", "missed A", "missed C"}},
		{"beside a hole that it must fill", taker, []string{"retry", "update", "missed A"}},
		{"with a promise", promised(), []string{"resend", "update", "missed A", "missed C"}},
		{"with a promise to a failed node", orphan, []string{"resend", "update", "missed A", "missed C", "missed E"}},
		{"proposing", inRound(can.Proposing), []string{"propose", "update", "missed A", "missed C", "missed D", "missed E"}},
		{"granting", inRound(can.Granting), []string{"resend", "update", "missed A", "missed C", "missed D", "missed E"}},
		{"leaving", handed, []string{"resend", "update", "missed D"}},
		{"departed", departed, nil},
	}
}

// Which timers are pending is a function of the state. A node that waits for others watches them
// all: without their failures it would wait forever.
func TestTimers(t *testing.T) {
	for _, test := range situations() {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, timer := range test.state.Timers() {
				got = append(got, can.TimerText(timer))
			}
			assert.Equal(t, test.timers, got)
		})
	}
}

// A timer that is not pending does no harm if it fires: a driver may be late to cancel it.
func TestTimersThatAreNotPending(t *testing.T) {
	cfg := plain(t, 16)
	for _, test := range situations() {
		for kind := can.RetryTimer; kind < can.MissedTimer; kind++ {
			if slices.Contains(test.state.Timers(), protocol.Timer{Kind: kind}) {
				continue
			}
			after, out := fired(cfg, test.state, kind, protocol.NodeID{})
			requireSame(t, cfg, test.state, after)
			assert.Empty(t, out.Send, test.name)
		}
	}
}

// A joiner that has made a promise waits for the outcome: it asks for no other place.
func TestJoinerWaits(t *testing.T) {
	cfg := plain(t, 16)
	for _, test := range situations() {
		if test.state.Phase != can.Joining || !test.state.Busy() {
			continue
		}
		after, out := fired(cfg, test.state, can.RetryTimer, protocol.NodeID{})
		requireSame(t, cfg, test.state, after)
		assert.Empty(t, out.Send)
		assert.Empty(t, out.Events)

		after, out = given(cfg, test.state, 'A', can.Refuse{})
		requireSame(t, cfg, test.state, after)
		assert.Equal(t, []string{"ignore A no request is open"}, events(out))

		after, out = given(cfg, test.state, 'A', can.Commit{Round: 7})
		assert.False(t, after.Busy())
		assert.Equal(t, []string{"A CommitOK 7"}, sent(cfg, out))
		assert.Equal(t, []string{"execute A NO-OP", "retry A SPLIT"}, events(out))
	}
}

// A timer that fires is set again if it is still wanted, and no other.
func TestTimerIsSetAgain(t *testing.T) {
	cfg := plain(t, 16)
	_, out := fired(cfg, middle(), can.UpdateTimer, protocol.NodeID{})
	want := protocol.SetTimer{
		Timer: protocol.Timer{Kind: can.UpdateTimer}, MinTicks: cfg.UpdateTicks, MaxTicks: cfg.UpdateTicks,
	}
	assert.Equal(t, []protocol.SetTimer{want}, out.Set)
	assert.Empty(t, out.Cancel)
}

// Each timer has the duration that the configuration says.
func TestDurations(t *testing.T) {
	cfg := plain(t, 16)
	cfg.UpdateTicks, cfg.MissedUpdates, cfg.ProposeTicks, cfg.ResendTicks = 3, 7, 5, 11
	cfg.RetryMinTicks, cfg.RetryMaxTicks = 13, 17
	want := map[protocol.TimerKind][2]uint32{
		can.RetryTimer: {13, 17}, can.ProposeTimer: {5, 5}, can.ResendTimer: {11, 11},
		can.UpdateTimer: {3, 3}, can.MissedTimer: {21, 21},
	}
	seen := map[protocol.TimerKind]bool{}
	for _, test := range situations() {
		// No timer is pending when an incarnation starts: all wanted timers are set.
		_, out := can.Step(cfg, test.state, can.Input{Kind: protocol.Start})
		require.Len(t, out.Set, len(test.timers))
		for _, set := range out.Set {
			seen[set.Timer.Kind] = true
			assert.Equal(t, want[set.Timer.Kind], [2]uint32{set.MinTicks, set.MaxTicks}, can.TimerText(set.Timer))
		}
	}
	assert.Len(t, seen, len(want))
}

// Updates go to direct neighbours, to nodes across a hole beside this node, and during a round to
// all participants, but then they say no more than that the node is alive.
func TestUpdatesGoTo(t *testing.T) {
	cfg := plain(t, 16, 8)
	a, b := owner('A', 0, 4, 0, 8), owner('B', 4, 8, 0, 8)
	c, d := owner('C', 8, 16, 0, 4), owner('D', 8, 16, 4, 8)
	inRound := func(s can.State) can.State {
		s.Change = can.Change{Stage: can.Proposing, Subject: letter('E'), Waiting: letters("BE"), Later: letters("CD")}
		return s
	}
	tests := []struct {
		name  string
		state can.State
		want  string
		bare  bool
	}{
		{"direct neighbours", member(a, "", b, c, d), "B", false},
		{"a hole that is not beside it", member(a, "D", b, c, d), "B", false},
		{"across a hole", member(a, "B", b, c, d), "CD", false},
		{"in a round", inRound(member(a, "", b, c, d)), "BCDE", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, out := fired(cfg, test.state, can.UpdateTimer, protocol.NodeID{})
			to := ""
			for _, e := range out.Send {
				to += e.To.String()
				assert.Equal(t, test.bare, e.Message.(can.Update).Self.Version == 0)
			}
			assert.Equal(t, test.want, to)
		})
	}
}
