package dtm

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// The timers of this core. Which of them are pending is a function of the state (wanted).
const (
	AnswerTimer protocol.TimerKind = iota + 1 // views or measurements are overdue
	RetryTimer                                // try again to attach, or to leave
	KeepTimer                                 // the period of signs of life
	MissedTimer                               // per peer: MissedKeeps signs of life are missing
	HealTimer                                 // per failed child: no heir has claimed its place
)

// Timers returns the timers that are pending at a node in this state, in a fixed order.
func (s *State) Timers() []protocol.Timer { return s.wanted() }

// wanted returns the timers that a node in this state waits for, in a fixed order.
func (s *State) wanted() []protocol.Timer {
	var timers []protocol.Timer
	want := func(wanted bool, kind protocol.TimerKind) {
		if wanted {
			timers = append(timers, protocol.Timer{Kind: kind})
		}
	}
	peers := s.watched()
	want(s.Phase == Joining && s.Search.isWaiting(), AnswerTimer)
	want(s.Phase == Joining && s.Search.isResting() || s.Departure.Stage == Resting, RetryTimer)
	want(len(peers) > 0, KeepTimer)
	for _, id := range peers {
		timers = append(timers, protocol.Timer{Kind: MissedTimer, Peer: id})
	}
	for _, b := range s.Branches {
		if b.Gone {
			timers = append(timers, protocol.Timer{Kind: HealTimer, Peer: b.Host})
		}
	}
	return timers
}

// watched returns the nodes that this node watches, sorted: its neighbours in the tree, or the
// host that it wants to attach to.
func (s *State) watched() []protocol.NodeID {
	if s.Phase == Joining && !s.Search.Anchor.IsNobody() {
		return []protocol.NodeID{s.Search.Anchor}
	}
	return s.neighbours()
}

// setTimers outputs the difference between the timers pending before the step and those wanted
// after it. The timer that fired is no longer pending. A message restarts the timer of its sender.
func (n *node) setTimers(before *State, in Input) {
	var anew []protocol.Timer
	switch in.Kind {
	case protocol.Timeout:
		anew = append(anew, in.Timer)
	case protocol.Deliver:
		anew = append(anew, protocol.Timer{Kind: MissedTimer, Peer: in.From})
	}
	afresh := func(t protocol.Timer) bool { return slices.Contains(anew, t) }
	n.Out.Retime(in.Kind, before.wanted(), n.wanted(), afresh, n.duration)
}

func (n *node) duration(t protocol.Timer) protocol.SetTimer {
	c := n.cfg
	set := protocol.SetTimer{Timer: t}
	switch t.Kind {
	case AnswerTimer:
		set.MinTicks = c.AnswerTicks
	case RetryTimer:
		set.MinTicks, set.MaxTicks = c.RetryTicks, 2*c.RetryTicks
		return set
	case KeepTimer:
		set.MinTicks = c.KeepTicks
	case MissedTimer:
		set.MinTicks = c.KeepTicks * c.MissedKeeps
	case HealTimer:
		set.MinTicks = c.HealTicks
	}
	set.MaxTicks = set.MinTicks
	return set
}
