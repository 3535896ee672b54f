package can

import (
	"github.com/canvass-grid/canvass/protocol"
)

// The timers, numbered as in package can (whose resend timer, 3, has no counterpart in print), so
// that one set of rules for when a timer may fire serves both.
const (
	RetryTimer   protocol.TimerKind = 1 // a drawn delay before a join or leave is tried again
	ProposeTimer protocol.TimerKind = 2 // per peer: ProposeTimeout(R)
	UpdateTimer  protocol.TimerKind = 4 // the period of updates
	MissedTimer  protocol.TimerKind = 5 // per peer: that many updates have been missed
)

// Timers returns the timers that are pending for a node in this state, in a fixed order.
func (s *State) Timers() []protocol.Timer {
	var timers []protocol.Timer
	if s.Phase == Joining || s.Phase == Member && s.Leave && s.Self.Status == Stable {
		timers = append(timers, protocol.Timer{Kind: RetryTimer})
	}
	if s.Phase != Member {
		return timers
	}
	for _, r := range s.Replies {
		if r.Answer == Undef {
			timers = append(timers, protocol.Timer{Kind: ProposeTimer, Peer: r.From})
		}
	}
	timers = append(timers, protocol.Timer{Kind: UpdateTimer})
	for _, r := range s.Direct() {
		timers = append(timers, protocol.Timer{Kind: MissedTimer, Peer: r.ID})
	}
	return timers
}

// setTimers turns the difference between the timers pending before the step and those pending after
// it into outputs. The timer that fired is pending no more; a new request starts the timers for its
// answers afresh; a sign of life starts its sender's timer afresh.
func (n *node) setTimers(before *State, in Input) {
	n.Out.Retime(in.Kind, before.Timers(), n.Timers(), func(t protocol.Timer) bool {
		fired := in.Kind == protocol.Timeout && t == in.Timer
		alive := in.Kind == protocol.Deliver && t == protocol.Timer{Kind: MissedTimer, Peer: in.From}
		return fired || alive || n.requested && t.Kind == ProposeTimer
	}, n.duration)
}

func (n *node) duration(t protocol.Timer) protocol.SetTimer {
	c := n.cfg
	set := protocol.SetTimer{Timer: t}
	switch t.Kind {
	case RetryTimer:
		set.MinTicks, set.MaxTicks = c.RetryMinTicks, c.RetryMaxTicks
	case ProposeTimer:
		set.MinTicks, set.MaxTicks = c.ProposeTicks, c.ProposeTicks
	case UpdateTimer:
		set.MinTicks, set.MaxTicks = c.UpdateTicks, c.UpdateTicks
	case MissedTimer:
		set.MinTicks, set.MaxTicks = c.UpdateTicks*c.MissedUpdates, c.UpdateTicks*c.MissedUpdates
	}
	return set
}
