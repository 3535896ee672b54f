package lease_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// allTimers lists the timers that a node can have, and a timer that it cannot have.
func allTimers() []protocol.Timer {
	all := []protocol.Timer{
		{}, {Kind: lease.BehindTimer + 1, Peer: nodeB},
		{Kind: lease.GrantTimer, Peer: nodeA}, {Kind: lease.GrantTimer, Peer: nodeB},
	}
	for kind := lease.ResendTimer; kind <= lease.BehindTimer; kind++ {
		all = append(all, lease.Timer(kind))
	}
	return all
}

// A timer that is not pending changes nothing. A pending one has only its own effect.
func TestTimersThatAreNotPending(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := generator{t}
		s := lease.State{
			Self: nodeD, Phase: lease.Phase(1 + g.below(6)), Round: 1 + g.number()%3, Answers: make([]lease.Answer, 3),
			Witness: lease.Witness{Grace: g.flag(), Behind: g.flag()},
		}
		s.Settled = s.Phase == lease.Leased && g.flag()
		if g.flag() {
			s.Asks = []lease.Question{{Node: nodeC, Verdicts: make([]lease.Opinion, 3)}}
		}
		if g.flag() {
			s.Witness.Grants = []lease.Grant{{Holder: nodeB}}
		}
		pending := s.Timers()
		for _, timer := range allTimers() {
			next, out := after(3, s, fired(timer))
			ignored := len(out.Events) == 1 && out.Events[0].Name == lease.EventIgnore
			wanted := false
			for _, p := range pending {
				wanted = wanted || p == timer
			}
			require.Equal(t, !wanted, ignored, timer)
			if ignored {
				require.Equal(t, s, next)
			}
		}
	})
}

// The effect of each timer of a witness, and of a question, while the others are pending.
func TestEachTimerDoesItsOwn(t *testing.T) {
	s := looking()
	s.Asks = []lease.Question{{Node: nodeC, Verdicts: make([]lease.Opinion, 3)}}
	s.Witness = lease.Witness{Grace: true, Behind: true, Grants: []lease.Grant{{Holder: nodeA}, {Holder: nodeB}}}
	for timer, change := range map[protocol.Timer]func(*lease.State){
		lease.Timer(lease.ResendTimer):        func(*lease.State) {},
		lease.Timer(lease.AskTimer):           func(*lease.State) {},
		lease.Timer(lease.GraceTimer):         func(s *lease.State) { s.Witness.Grace = false },
		lease.Timer(lease.BehindTimer):        func(s *lease.State) { s.Witness.Behind = false },
		{Kind: lease.GrantTimer, Peer: nodeB}: func(s *lease.State) { s.Witness.Grants = s.Witness.Grants[:1] },
	} {
		want := s
		change(&want)
		next, out := after(3, s, fired(timer))
		require.Equal(t, want, next, timer)
		require.Empty(t, out.Events)
		switch timer.Kind {
		case lease.ResendTimer:
			require.Equal(t, lease.Look, out.Send[0].Message.Kind)
		case lease.AskTimer:
			require.Equal(t, lease.Ask, out.Send[0].Message.Kind)
		default:
			require.Empty(t, out.Send)
		}
	}
}

// Two rounds of a holder are open while the second waits for its grants: either one ends the
// incarnation.
func TestEitherExpiryEndsTheLife(t *testing.T) {
	none := looking()
	first, last := none.OpenRounds()
	require.Equal(t, [2]uint32{}, [2]uint32{first, last})
	for round := range uint32(2) {
		s, _ := after(3, leased(true), fired(lease.ExpireTimer(1+round)))
		require.Equal(t, lease.Fenced, s.Phase)
	}
}
