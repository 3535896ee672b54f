package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// awaited lists the timers of a node in a state, from the events that it waits for.
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

// anew reports whether a pending timer must start again: a message of the peer has arrived, there
// are new candidates, there is another suitor, or other nodes must be measured.
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

// timersBroken compares the timers with the expected ones.
func (s *transition) timersBroken() string {
	t := contract.Timers{
		Wanted: s.awaited(s.after), Fired: s.fired(), Cancel: s.out.Cancel, Set: s.out.Set, Text: refine.TimerText,
		Lasts: func(t protocol.Timer) (least, most uint32) { return lasts(s.cfg, t) }, Anew: s.anew,
	}
	if !s.begins() {
		t.Before = s.awaited(s.before)
	}
	return contract.TimersBroken(&t)
}
