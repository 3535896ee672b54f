package refine

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// awaited lists the timers of a node in a state, from what it waits for.
func (s *transition) awaited(n *refine.State) (timers []protocol.Timer) {
	want := func(wanted bool, t protocol.Timer) {
		if wanted && !slices.Contains(timers, t) {
			timers = append(timers, t)
		}
	}
	deferred := number(n, with(refine.Deferred)) > 0 && s.room(n)
	measures := open(n.Survey) || slices.ContainsFunc(n.Slots, func(t refine.Slot) bool { return open(t.Survey) })
	watched := number(n, concerned) > 0 || len(n.Slots) > 0
	want(n.Head == refine.Collect, protocol.Timer{Kind: refine.CollectTimer})
	want(n.Head == refine.HeadSteady && deferred, protocol.Timer{Kind: refine.RetryTimer})
	want(len(stages(n, refine.Suitor)) > 0, protocol.Timer{Kind: refine.WaitTimer})
	want(measures, protocol.Timer{Kind: refine.MeasureTimer})
	want(watched, protocol.Timer{Kind: refine.KeepTimer})
	for _, c := range n.Candidates {
		want(concerned(c), protocol.Timer{Kind: refine.MissedTimer, Peer: c.ID})
	}
	for _, t := range n.Slots {
		want(true, protocol.Timer{Kind: refine.MissedTimer, Peer: t.Head})
	}
	return timers
}

// lasts returns the shortest and the longest time of a timer.
func lasts(c *refine.Config, t protocol.Timer) (least, most uint32) {
	switch t.Kind {
	case refine.RetryTimer:
		return c.RetryTicks, c.RetryTicks + c.RetryTicks
	case refine.CollectTimer:
		least = c.CollectTicks
	case refine.WaitTimer:
		least = c.WaitTicks
	case refine.MeasureTimer:
		least = c.MeasureTicks
	case refine.KeepTimer:
		least = c.KeepTicks
	case refine.MissedTimer:
		least = c.MissedKeeps * c.KeepTicks
	}
	return least, least
}

// anew reports whether a pending timer must start anew: a message of the peer has arrived, there
// are new candidates, there is another suitor, or other nodes are to be measured.
func (s *transition) anew(t protocol.Timer) bool {
	switch t.Kind {
	case refine.MissedTimer:
		return s.in.Kind == protocol.Deliver && t.Peer == s.in.From
	case refine.CollectTimer:
		return s.commands(refine.CommandAdd)
	case refine.WaitTimer:
		_, known := slotOf(s.before, s.in.From)
		return !known && len(stages(s.after, refine.Suitor)) > len(stages(s.before, refine.Suitor))
	case refine.MeasureTimer:
		_, client := s.surveys()
		return client || s.filters()
	}
	return false
}

// timersBroken follows the timers through the step: those before it, without the one that fired and
// those that are cancelled, and with those that are set, are those that the node waits for.
func (s *transition) timersBroken() string {
	var pending, set []protocol.Timer
	if !s.begins() {
		pending = s.awaited(s.before)
	}
	pending = slices.DeleteFunc(pending, func(t protocol.Timer) bool {
		return s.in.Kind == protocol.Timeout && t == s.in.Timer || slices.Contains(s.out.Cancel, t)
	})
	for _, t := range s.out.Set {
		least, most := lasts(s.cfg, t.Timer)
		switch again := slices.Contains(pending, t.Timer); {
		case t.MinTicks != least || t.MaxTicks != most:
			return fmt.Sprintf("%s is set for %d to %d ticks", refine.TimerText(t.Timer), t.MinTicks, t.MaxTicks)
		case slices.Contains(set, t.Timer), again && !s.anew(t.Timer):
			return refine.TimerText(t.Timer) + " starts anew"
		case !again:
			pending = append(pending, t.Timer)
		}
		set = append(set, t.Timer)
	}
	wanted := s.awaited(s.after)
	for _, t := range wanted {
		if !slices.Contains(pending, t) {
			return refine.TimerText(t) + " is missing"
		}
		if s.anew(t) && !slices.Contains(set, t) {
			return refine.TimerText(t) + " does not start anew"
		}
	}
	if len(pending) != len(wanted) {
		return "a timer is pending for nothing"
	}
	return ""
}
