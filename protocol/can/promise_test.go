package can_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// B is in the middle of a row: A [0,4), B [4,8), C [8,12), D [12,16).
func middle() can.State {
	s := member(owner('B', 4, 8), "", owner('A', 0, 4), owner('C', 8, 12), owner('D', 12, 16))
	s.Self.Splits = []space.HalfSpace{{Dim: 0, AtLeast: true, At: 4}}
	return s
}

// promised returns B bound to the SPLIT that A proposes for the joiner E.
func promised() can.State {
	s := middle()
	s.Promise = can.Promise{Proposer: letter('A'), Round: 7, Kind: can.Split, Subject: letter('E')}
	return s
}

// Answers of a node to a Propose while it keeps a promise to A's round 7.
func TestProposeWhilePromised(t *testing.T) {
	cfg := plain(t, 16)
	propose := func(round uint32) can.Propose {
		return can.Propose{Round: round, Kind: can.Split, Subject: letter('E'), Version: 1}
	}
	tests := []struct {
		name   string
		from   rune
		round  uint32
		sent   []string
		events []string
		keeps  uint32 // the round of the promise afterwards
	}{
		{"a copy gets the same answer", 'A', 7, []string{"A ProposeOK 7 YES"}, nil, 7},
		{"an older one is over already", 'A', 6, nil, nil, 7},
		{"a newer one shows that the promise is void", 'A', 8,
			[]string{"A ProposeOK 8 YES"}, []string{"release A SPLIT", "promise A SPLIT"}, 8},
		{"another proposer is refused", 'C', 7,
			[]string{"C ProposeOK 7 NO self{B v1 [4,8) @(4) /0>=4}"}, []string{"refuse C busy"}, 7},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, out := given(cfg, promised(), test.from, propose(test.round))
			assert.Equal(t, test.sent, sent(cfg, out))
			assert.Equal(t, test.events, events(out))
			assert.Equal(t, letter('A'), s.Promise.Proposer)
			assert.Equal(t, test.keeps, s.Promise.Round)
		})
	}
}

// A copy of the Commit of an earlier round is acknowledged, but the promise is to a later one.
func TestCommitOfAnotherRound(t *testing.T) {
	cfg := plain(t, 16)
	for _, m := range []can.Commit{{Round: 6}, {Round: 6, Kind: can.Split, Changed: []can.Record{owner('E', 2, 4)}}} {
		s, out := given(cfg, promised(), 'A', m)
		requireSame(t, cfg, promised(), s)
		assert.Equal(t, []string{"A CommitOK 6"}, sent(cfg, out))
	}
}

// A dead proposer is notified that it is dead.
func TestProposeOfTheDead(t *testing.T) {
	cfg := plain(t, 16)
	s := middle()
	s.Dead = letters("Z")
	after, out := given(cfg, s, 'Z', can.Propose{Round: 1, Kind: can.Split, Subject: letter('E'), Version: 1})
	requireSame(t, cfg, s, after)
	require.Len(t, out.Send, 1)
	assert.Equal(t, letter('Z'), out.Send[0].To)
	assert.Equal(t, can.Update{Self: can.Record{ID: letter('B')}, Dead: letters("Z")}, out.Send[0].Message)
}

// A NO shows the node's record, so that the proposer can correct its view. Once the node has
// decided a change itself, its NO shows nothing: the joiner may never get its part. A node without
// a zone has nothing to show either.
func TestRefusalShowsTheRecord(t *testing.T) {
	cfg := plain(t, 16)
	deciding := func(stage can.Stage, kind can.ChangeKind) can.State {
		s := middle()
		s.Change = can.Change{
			Stage: stage, Subject: letter('E'), Waiting: letters("E"), Commit: can.Commit{Round: 3, Kind: kind},
		}
		return s
	}
	joiner := can.New(1, owner('B', 4, 8).Coord)
	joiner.Self.ID, joiner.Phase = letter('B'), can.Joining
	joiner.Promise = can.Promise{Proposer: letter('A'), Round: 7, Kind: can.Split, Subject: letter('B')}
	tests := []struct {
		name  string
		state can.State
		shows bool
	}{
		{"a member that promised to another", promised(), true},
		{"a proposer", deciding(can.Proposing, can.Split), true},
		{"a proposer that decided a change", deciding(can.Granting, can.Split), false},
		{"a proposer that waits for the last acknowledgements", deciding(can.Committing, can.Split), false},
		{"a proposer that decided NO-OP", deciding(can.Granting, can.NoOp), true},
		{"a joiner", joiner, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := can.ProposeOK{Round: 9}
			if test.shows {
				want.Self = test.state.Self
			}
			_, out := given(cfg, test.state, 'C', can.Propose{Round: 9, Kind: can.Merge, Subject: letter('C'), Version: 1})
			require.Len(t, out.Send, 1)
			assert.Equal(t, want, out.Send[0].Message)
		})
	}

	// The same holds for the acknowledgement of a takeover, of which a copy may come at any time.
	for _, kind := range []can.ChangeKind{can.Split, can.NoOp} {
		_, out := given(cfg, deciding(can.Granting, kind), 'C', can.Commit{Round: 2, Kind: can.Takeover, Gone: letter('Z')})
		require.Len(t, out.Send, 1)
		assert.Equal(t, kind == can.NoOp, out.Send[0].Message.(can.CommitOK).Neighbours != nil, kind)
	}
}

// Answers that come late or twice decide nothing. B wants to leave; this is its round 5.
func TestLateAnswers(t *testing.T) {
	cfg := plain(t, 16)
	start := middle()
	start.Round = 4
	proposing, out := told(cfg, start, can.CommandLeave)
	require.Len(t, out.Send, 3)
	yes, no := can.ProposeOK{Round: 5, Yes: true}, can.ProposeOK{Round: 5}
	older := func(m can.ProposeOK) can.ProposeOK { m.Round--; return m }

	one, _ := given(cfg, proposing, 'A', yes)
	two, _ := given(cfg, one, 'D', yes)
	granting, out := given(cfg, two, 'C', yes)
	require.Equal(t, can.Granting, granting.Change.Stage)
	require.Len(t, out.Send, 1, "the taker is first")
	taker := 'A' + rune(out.Send[0].To.Address)
	committing, out := given(cfg, granting, taker, can.CommitOK{Round: 5})
	require.Equal(t, can.Committing, committing.Change.Stage)
	require.Len(t, out.Send, 2)
	failed, _ := fired(cfg, granting, can.MissedTimer, letter('D'))
	assert.Len(t, failed.Change.Later, 1, "no Commit goes to a failed node")

	tests := []struct {
		name  string
		state can.State
		from  rune
		m     can.Message
		sent  []string
	}{
		{"a NO to an earlier round", proposing, 'A', older(no), nil},
		{"a YES to an earlier round", proposing, 'A', older(yes), []string{"A Release 4"}},
		{"another YES", one, 'A', yes, nil},
		{"another NO", granting, 'A', no, nil},
		{"a YES when all is decided", granting, 'D', yes, nil},
		{"a YES of a node that has acknowledged", committing, taker, yes, []string{string(taker) + " Release 5"}},
		{"a YES of a stranger", proposing, 'Z', yes, []string{"Z Release 5"}},
		{"an acknowledgement of an earlier round", granting, taker, can.CommitOK{Round: 4}, nil},
		{"an acknowledgement before the decision", proposing, 'A', can.CommitOK{Round: 4}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, out := given(cfg, test.state, test.from, test.m)
			requireSame(t, cfg, test.state, s)
			assert.Equal(t, test.sent, sent(cfg, out))
		})
	}
}
