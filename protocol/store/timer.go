package store

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// The timers of this core, beside those of package can. Which of them are pending is a function of
// the state (wanted).
const (
	RetryTimer  protocol.TimerKind = iota + 32 // a random delay before unanswered operations are retried
	ResendTimer                                // resends handovers
	GoneTimer                                  // per peer: it is awaited and silent for too long
)

// Timers returns the timers that are pending at a node in this state: those of package can, and its
// own.
func (s *State) Timers() []protocol.Timer { return append(s.CAN.Timers(), s.wanted()...) }

// wanted returns the timers that a node in this state waits for, in a fixed order, those of package
// can apart.
func (s *State) wanted() []protocol.Timer {
	var timers []protocol.Timer
	if len(s.Pending) > 0 {
		timers = append(timers, protocol.Timer{Kind: RetryTimer})
	}
	if slices.ContainsFunc(s.Gifts, s.due) {
		timers = append(timers, protocol.Timer{Kind: ResendTimer})
	}
	for _, id := range s.awaited() {
		timers = append(timers, protocol.Timer{Kind: GoneTimer, Peer: id})
	}
	return timers
}

// awaited returns, sorted, the nodes that this node waits for.
func (s *State) awaited() []protocol.NodeID {
	var ids []protocol.NodeID
	for _, a := range s.Awaits {
		ids = append(ids, a.From)
	}
	for _, g := range s.Gifts {
		ids = append(ids, g.To)
	}
	for _, p := range s.Pending {
		if !p.Target.IsNobody() {
			ids = append(ids, p.Target)
		}
	}
	slices.SortFunc(ids, protocol.NodeID.Compare)
	return slices.Compact(ids)
}

// setTimers outputs the difference between the timers pending before the step and those wanted
// after it. The timer that fired is not pending any more. Any message restarts its sender's
// GoneTimer.
func (n *node) setTimers(before *State, in Input) {
	n.Out.Retime(in.Kind, before.wanted(), n.wanted(), func(t protocol.Timer) bool {
		fired := in.Kind == protocol.Timeout && t == in.Timer
		alive := in.Kind == protocol.Deliver && t == protocol.Timer{Kind: GoneTimer, Peer: in.From}
		return fired || alive
	}, n.duration)
}

func (n *node) duration(t protocol.Timer) protocol.SetTimer {
	c := n.cfg
	set := protocol.SetTimer{Timer: t, MinTicks: c.RetryMinTicks, MaxTicks: c.RetryMaxTicks}
	switch t.Kind {
	case ResendTimer:
		set.MinTicks, set.MaxTicks = c.ResendTicks, c.ResendTicks
	case GoneTimer:
		set.MinTicks, set.MaxTicks = c.GoneTicks, c.GoneTicks
	}
	return set
}
