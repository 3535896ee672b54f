package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// The timers of this core. Which of them are pending is a function of the state (wanted).
const (
	CollectTimer protocol.TimerKind = iota + 1 // no news of candidates for some time
	WaitTimer                                  // no new suitor for some time
	MeasureTimer                               // measurements are overdue
	KeepTimer                                  // the period of signs of life
	RetryTimer                                 // ask deferred candidates again
	MissedTimer                                // per peer: MissedKeeps signs of life are missing
)

// Timers returns the timers that are pending at a node in this state, in a fixed order.
func (s *State) Timers(cfg *Config) []protocol.Timer { return s.wanted(cfg) }

// wanted returns the timers that a node in this state waits for, in a fixed order.
func (s *State) wanted(cfg *Config) []protocol.Timer {
	var timers []protocol.Timer
	want := func(wanted bool, kind protocol.TimerKind) {
		if wanted {
			timers = append(timers, protocol.Timer{Kind: kind})
		}
	}
	peers := s.peers()
	want(s.Head == Collect, CollectTimer)
	want(s.slotsIn(Suitor) > 0, WaitTimer)
	want(s.isMeasuring(), MeasureTimer)
	want(len(peers) > 0, KeepTimer)
	want(s.Head == HeadSteady && s.having(Deferred) > 0 && s.size() < cfg.SizeBound, RetryTimer)
	for _, id := range peers {
		timers = append(timers, protocol.Timer{Kind: MissedTimer, Peer: id})
	}
	return timers
}

func (s *State) isMeasuring() bool {
	return !complete(s.Survey) || slices.ContainsFunc(s.Slots, func(t Slot) bool { return !complete(t.Survey) })
}

// peers returns, sorted, the nodes that this node watches: its members, the heads of its slots, and
// every candidate that it waits for.
func (s *State) peers() []protocol.NodeID {
	var ids []protocol.NodeID
	for i := range s.Candidates {
		if c := &s.Candidates[i]; c.isWaiting() || c.isInCluster() {
			ids = append(ids, c.ID)
		}
	}
	for _, t := range s.Slots {
		ids = append(ids, t.Head)
	}
	slices.SortFunc(ids, protocol.NodeID.Compare)
	return slices.Compact(ids)
}

// restartTimer restarts a timer, if it is wanted after the step.
func (n *node) restartTimer(t protocol.Timer) { n.anew = append(n.anew, t) }

// setTimers outputs the difference between the timers pending before the step and those wanted
// after it. The timer that fired is no longer pending. A message restarts the timer of its sender.
func (n *node) setTimers(before *State, in Input) {
	switch in.Kind {
	case protocol.Timeout:
		n.restartTimer(in.Timer)
	case protocol.Deliver:
		n.restartTimer(protocol.Timer{Kind: MissedTimer, Peer: in.From})
	}
	anew := func(t protocol.Timer) bool { return slices.Contains(n.anew, t) }
	n.Out.Retime(in.Kind, before.wanted(n.cfg), n.wanted(n.cfg), anew, n.duration)
}

func (n *node) duration(t protocol.Timer) protocol.SetTimer {
	c := n.cfg
	var ticks uint32
	switch t.Kind {
	case CollectTimer:
		ticks = c.CollectTicks
	case WaitTimer:
		ticks = c.WaitTicks
	case MeasureTimer:
		ticks = c.MeasureTicks
	case KeepTimer:
		ticks = c.KeepTicks
	case RetryTimer:
		return protocol.SetTimer{Timer: t, MinTicks: c.RetryTicks, MaxTicks: 2 * c.RetryTicks}
	case MissedTimer:
		ticks = c.KeepTicks * c.MissedKeeps
	}
	return protocol.SetTimer{Timer: t, MinTicks: ticks, MaxTicks: ticks}
}
