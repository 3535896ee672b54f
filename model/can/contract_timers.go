package can

import (
	"slices"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// awaited lists the timers of a node in a state, from the events that it waits for.
func awaited(s *can.State) (timers []protocol.Timer) {
	want := func(wanted bool, t protocol.Timer) {
		if wanted && !slices.Contains(timers, t) {
			timers = append(timers, t)
		}
	}
	_, duty := hole(s)
	undecided := s.Change.Stage == can.Proposing
	decided := s.Change.Stage == can.Granting || s.Change.Stage == can.Committing
	member := s.Phase == can.Member
	want(s.Phase == can.Joining, protocol.Timer{Kind: can.RetryTimer})
	want(member && s.Change.Stage == can.Stable && (s.Leave || duty), protocol.Timer{Kind: can.RetryTimer})
	want(undecided, protocol.Timer{Kind: can.ProposeTimer})
	want(decided || bound(s.Promise.Proposer), protocol.Timer{Kind: can.ResendTimer})
	want(member || s.Phase == can.Leaving, protocol.Timer{Kind: can.UpdateTimer})
	watch := func(wanted bool, id protocol.NodeID) { want(wanted, protocol.Timer{Kind: can.MissedTimer, Peer: id}) }
	for _, r := range s.Known {
		watch(!dead(s, r.ID) && abuts(s.Self.Zone, r.Zone), r.ID)
	}
	for _, id := range slices.Concat(s.Change.Waiting, s.Change.Later) {
		watch(true, id)
	}
	watch(bound(s.Promise.Proposer) && !s.Promise.Orphan, s.Promise.Proposer)
	watch(s.Promise.Orphan, s.Promise.Subject)
	return timers
}

// lasts returns the shortest and the longest time of a timer.
func lasts(c *can.Config, t protocol.Timer) (least, most uint32) {
	switch t.Kind {
	case can.RetryTimer:
		return c.RetryMinTicks, c.RetryMaxTicks
	case can.ProposeTimer:
		least = c.ProposeTicks
	case can.ResendTimer:
		least = c.ResendTicks
	case can.UpdateTimer:
		least = c.UpdateTicks
	case can.MissedTimer:
		least = c.MissedUpdates * c.UpdateTicks
	}
	return least, least
}

// timersBroken compares the timers with the expected ones. A pending timer starts again if and only
// if a message of its peer arrives.
func (s *transition) timersBroken() string {
	t := contract.Timers{
		Wanted: awaited(s.after), Fired: s.fired(), Cancel: s.out.Cancel, Set: s.out.Set, Text: can.TimerText,
		Lasts: func(t protocol.Timer) (least, most uint32) { return lasts(s.cfg, t) },
	}
	if !s.begins() {
		t.Before = awaited(s.before)
	}
	alive := protocol.Timer{Kind: can.MissedTimer, Peer: s.in.From}
	heard := s.in.Kind == protocol.Deliver && slices.Contains(t.Before, alive)
	t.Anew = func(t protocol.Timer) bool { return heard && t == alive }
	return contract.TimersBroken(&t)
}
