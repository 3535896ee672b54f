package can

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// awaited lists the timers of a node in a state, from what it waits for.
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

// timersBroken follows the timers through the step: those before it, without the one that fired and
// those that are cancelled, and with those that are set, are those that the node waits for. A
// pending timer restarts only if a message of its peer arrives.
func (s *transition) timersBroken() string {
	var pending, set []protocol.Timer
	if !s.begins() {
		pending = awaited(s.before)
	}
	alive := protocol.Timer{Kind: can.MissedTimer, Peer: s.in.From}
	heard := s.in.Kind == protocol.Deliver && slices.Contains(pending, alive)
	pending = slices.DeleteFunc(pending, func(t protocol.Timer) bool {
		return s.in.Kind == protocol.Timeout && t == s.in.Timer || slices.Contains(s.out.Cancel, t)
	})
	for _, t := range s.out.Set {
		least, most := lasts(s.cfg, t.Timer)
		switch again := slices.Contains(pending, t.Timer); {
		case t.MinTicks != least || t.MaxTicks != most:
			return fmt.Sprintf("%s is set for %d to %d ticks", can.TimerText(t.Timer), t.MinTicks, t.MaxTicks)
		case slices.Contains(set, t.Timer), again && !(heard && t.Timer == alive):
			return can.TimerText(t.Timer) + " starts anew"
		case !again:
			pending = append(pending, t.Timer)
		}
		set = append(set, t.Timer)
	}
	wanted := awaited(s.after)
	for _, t := range wanted {
		if !slices.Contains(pending, t) {
			return can.TimerText(t) + " is missing"
		}
	}
	switch {
	case len(pending) != len(wanted):
		return "a timer is pending for nothing"
	case heard && slices.Contains(wanted, alive) && !slices.Contains(set, alive):
		return can.TimerText(alive) + " does not start anew"
	}
	return ""
}
