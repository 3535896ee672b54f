package lease

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// The timers. Two rounds of a holder are open at most, so their parity distinguishes them.
const (
	ResendTimer     protocol.TimerKind = iota + 1 // holder: unanswered messages are sent again
	RoundTimer                                    // holder: the next round begins
	ExpireEvenTimer                               // holder: the grant of a round with an even number ends
	ExpireOddTimer                                // holder: the grant of a round with an odd number ends
	AskTimer                                      // holder: unanswered questions are sent again
	GrantTimer                                    // witness: the grant of Peer ends
	GraceTimer                                    // witness: no grant of an earlier incarnation is in force any more
	BehindTimer                                   // witness: it granted to all that run in its generation
)

// Timer returns the timer of a kind that has no peer.
func Timer(kind protocol.TimerKind) protocol.Timer { return protocol.Timer{Kind: kind} }

// ExpireTimer returns the timer of a round of a holder.
func ExpireTimer(round uint32) protocol.Timer {
	if round%2 == 0 {
		return Timer(ExpireEvenTimer)
	}
	return Timer(ExpireOddTimer)
}

// OpenRounds returns the rounds of a holder whose expiry timers are pending, the first and the
// last. There are no open rounds if the last is 0.
func (s *State) OpenRounds() (first, last uint32) {
	switch {
	case s.Phase == Leased && !s.Settled:
		return s.Round - 1, s.Round
	case s.Phase == Leased || s.Phase == Joining:
		return s.Round, s.Round
	}
	return 0, 0
}

func (s *State) isOpen(t protocol.Timer) bool {
	first, last := s.OpenRounds()
	return last > 0 && (t == ExpireTimer(first) || t == ExpireTimer(last))
}

// isWaiting reports whether a holder resends what it asks witnesses.
func (s *State) isWaiting() bool {
	return s.Phase == Looking || s.Phase == Founding || s.isInRound()
}

// Timers returns the timers that are pending at a node in this state.
func (s *State) Timers() []protocol.Timer {
	var all []protocol.Timer
	want := func(wanted bool, t protocol.Timer) {
		if wanted {
			all = append(all, t)
		}
	}
	first, last := s.OpenRounds()
	want(s.isWaiting(), Timer(ResendTimer))
	want(s.Settled, Timer(RoundTimer))
	want(last > 0, ExpireTimer(first))
	want(last > first, ExpireTimer(last))
	want(len(s.Asks) > 0, Timer(AskTimer))
	for _, g := range s.Witness.Grants {
		want(true, protocol.Timer{Kind: GrantTimer, Peer: g.Holder})
	}
	want(s.Witness.Grace, Timer(GraceTimer))
	want(s.Witness.Behind, Timer(BehindTimer))
	return all
}

// setTimers outputs the difference between the timers pending before the step and those wanted
// after it. The timer that fired is not pending any more.
func (n *node) setTimers(before *State, in Input) {
	n.Out.Retime(in.Kind, before.Timers(), n.Timers(), func(t protocol.Timer) bool {
		return in.Kind == protocol.Timeout && t == in.Timer || slices.Contains(n.afresh, t)
	}, func(t protocol.Timer) protocol.SetTimer { return n.cfg.duration(t, n.Phase) })
}

func (c *Config) duration(t protocol.Timer, phase Phase) protocol.SetTimer {
	var ticks, most uint32
	switch t.Kind {
	case ResendTimer:
		ticks = c.ResendTicks
		if phase == Looking || phase == Founding { // who tries first is left to chance
			most = 3 * c.ResendTicks
		}
	case RoundTimer:
		ticks = c.RenewTicks
	case ExpireEvenTimer, ExpireOddTimer:
		ticks = c.ExpireTicks
	case AskTimer:
		ticks = c.AskTicks
	case GrantTimer:
		ticks = c.GrantTicks
	case GraceTimer, BehindTimer:
		ticks = c.GraceTicks
	}
	return protocol.SetTimer{Timer: t, MinTicks: ticks, MaxTicks: max(ticks, most)}
}
