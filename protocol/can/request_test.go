package can_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

func without(s can.State, name rune) can.State {
	s.Known = slices.DeleteFunc(slices.Clone(s.Known), func(r can.Record) bool { return r.ID == letter(name) })
	return s
}

// A round begins only if the known zones cover the border of the proposer and those of its direct
// neighbours, and none overlaps another.
func TestRoundNeedsACompleteView(t *testing.T) {
	cfg := plain(t, 16)
	complete := middle()
	overlapping := complete
	overlapping.Known = slices.Clone(complete.Known)
	overlapping.Known[2].Zone = box(11, 16)
	hole := complete
	hole.Dead = letters("D")
	strange := complete // a zone that no neighbour can take: the view is of no map
	strange.Self.Splits = nil
	tests := []struct {
		name   string
		state  can.State
		begins bool
	}{
		{"all is known", complete, true},
		{"no neighbour on one side", without(complete, 'A'), false},
		{"an open border of a neighbour", without(complete, 'D'), false},
		{"an overlap", overlapping, false},
		{"a hole", hole, false},
		{"no taker", strange, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			after, out := told(cfg, test.state, can.CommandLeave)
			assert.True(t, after.Leave)
			assert.Equal(t, test.begins, after.Busy())
			if test.begins {
				assert.Equal(t, []string{"request B MERGE"}, events(out))
			} else {
				assert.Empty(t, out.Send)
				assert.Equal(t, []string{"retry B MERGE"}, events(out))
			}
		})
	}
}

// Where the part of a hole that faces a taker of another hole is taken, that taker need not have
// the records around it. S is to take W. T and U have taken the part of H that faces S, from above;
// Q beside U is out of sight.
//
//	below   +---+-------+     above   +---+-------+
//	        | W |       |             |   |   R   |
//	        +---+   H   |             |   +---+---+
//	        | S | T | U |             | V | T | U |
//	        +---+---+---+             |   +---+---+
//	        | O | P | Q |             |   |   X   |
//	        +---+---+---+             +---+-------+
func TestTakeoverPassesWhatIsTaken(t *testing.T) {
	cfg := plain(t, 12, 8, 2)
	w := owner('W', 0, 4, 4, 8, 0, 1)
	w.Splits = []space.HalfSpace{{Dim: 1, AtLeast: true, At: 4}}
	h := owner('H', 4, 12, 2, 8, 0, 1)
	h.Splits = []space.HalfSpace{{Dim: 2, At: 1}}
	s := member(owner('S', 0, 4, 2, 4, 0, 1), "HW",
		h, owner('O', 0, 4, 0, 2, 0, 1), owner('P', 4, 8, 0, 2, 0, 1), owner('R', 4, 12, 4, 8, 1, 2),
		owner('T', 4, 8, 2, 4, 0, 2), owner('U', 8, 12, 2, 4, 0, 2), owner('V', 0, 4, 0, 8, 1, 2), w,
		owner('X', 4, 12, 0, 2, 1, 2))
	_, out := fired(cfg, s, can.RetryTimer, protocol.NodeID{})
	assert.Equal(t, []string{"request W TAKEOVER"}, events(out))
	_, out = fired(cfg, without(s, 'O'), can.RetryTimer, protocol.NodeID{})
	assert.Equal(t, []string{"retry W TAKEOVER"}, events(out), "the border of S itself is open")
}

// The only member splits its zone for C. Meanwhile it may be commanded to leave, which it does when
// it is not the last any more, and others may ask.
func TestRequestsDuringASplit(t *testing.T) {
	cfg := plain(t, 16)
	alone := member(owner('A', 0, 16), "")
	join := func(name rune, x int32) can.Join { return can.Join{Joiner: letter(name), Coord: space.Point{x}} }
	s, out := given(cfg, alone, 'C', join('C', 12))
	assert.Equal(t, []string{"C Propose 1 SPLIT C to v0"}, sent(cfg, out))

	after, out := told(cfg, s, can.CommandLeave)
	assert.True(t, after.Leave)
	assert.Equal(t, []string{"retry A MERGE"}, events(out))

	after, out = given(cfg, s, 'C', join('C', 12))
	requireSame(t, cfg, s, after)
	assert.Empty(t, out.Send, "a copy")

	cancelled := s
	cancelled.Change.Stage, cancelled.Change.Commit = can.Granting, can.Commit{Round: 1}
	after, out = given(cfg, cancelled, 'C', join('C', 12))
	requireSame(t, cfg, cancelled, after)
	assert.Equal(t, []string{"C Refuse"}, sent(cfg, out), "the round is cancelled, the joiner asks again")

	after, out = given(cfg, s, 'D', join('D', 14))
	requireSame(t, cfg, s, after)
	assert.Equal(t, []string{"D Refuse"}, sent(cfg, out))
}

// A message is forwarded only to a node that is nearer to its destination. Here M and N are equally
// far from P, whose owner failed: they must not send it to and fro.
//
//	+---+---+
//	| P |   |
//	+---+ N |
//	| M |   |
//	+---+---+
func TestNextHopIsNearer(t *testing.T) {
	m, n, p := owner('M', 0, 4, 0, 4), owner('N', 4, 8, 0, 8), space.Point{3, 4}
	for _, s := range []can.State{member(m, "", n), member(n, "", m)} {
		_, ok := can.NextHop(&s, p)
		assert.False(t, ok)
	}
	s := member(n, "", m)
	next, ok := can.NextHop(&s, space.Point{2, 4})
	assert.True(t, ok)
	assert.Equal(t, letter('M'), next)
}
