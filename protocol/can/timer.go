package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// The timers of this core. Which of them are pending is a function of the state (wanted).
const (
	RetryTimer   protocol.TimerKind = iota + 1 // a random delay before a request is repeated
	ProposeTimer                               // ProposeTimeout of the paper, for all missing answers
	ResendTimer                                // repeats a Commit, a YES or a Query
	UpdateTimer                                // the period of updates
	MissedTimer                                // per peer: too many of its updates are missing
)

// Timers returns the timers that are pending at a node in this state, in a fixed order.
func (s *State) Timers() []protocol.Timer { return s.wanted() }

// wanted returns the timers that a node in this state waits for, in a fixed order.
func (s *State) wanted() []protocol.Timer {
	var timers []protocol.Timer
	if s.wantsRetry() {
		timers = append(timers, protocol.Timer{Kind: RetryTimer})
	}
	if s.Change.Stage == Proposing {
		timers = append(timers, protocol.Timer{Kind: ProposeTimer})
	}
	if s.Change.Stage > Proposing || !s.Promise.Proposer.IsNobody() {
		timers = append(timers, protocol.Timer{Kind: ResendTimer})
	}
	if s.Phase == Member || s.Phase == Leaving {
		timers = append(timers, protocol.Timer{Kind: UpdateTimer})
	}
	for _, id := range s.watched() {
		timers = append(timers, protocol.Timer{Kind: MissedTimer, Peer: id})
	}
	return timers
}

func (s *State) wantsRetry() bool {
	if s.Phase == Joining {
		return true
	}
	_, duty := s.duty()
	return s.Phase == Member && s.Change.Stage == Stable && (s.Leave || duty)
}

// watched returns, sorted, the nodes whose failure this node must detect: its direct neighbours,
// and the nodes that it waits for.
func (s *State) watched() []protocol.NodeID {
	ids := slices.Concat(table(s.Direct()).ids(), s.Change.Waiting, s.Change.Later)
	if p := s.Promise; !p.Proposer.IsNobody() {
		if p.Orphan {
			ids = append(ids, p.Subject)
		} else {
			ids = append(ids, p.Proposer)
		}
	}
	slices.SortFunc(ids, protocol.NodeID.Compare)
	return slices.Compact(ids)
}

// setTimers outputs the difference between the timers pending before the step and those wanted
// after it. The timer that fired is not pending any more. Any message restarts its sender's
// MissedTimer.
func (n *node) setTimers(before *State, in Input) {
	n.Out.Retime(in.Kind, before.wanted(), n.wanted(), func(t protocol.Timer) bool {
		fired := in.Kind == protocol.Timeout && t == in.Timer
		alive := in.Kind == protocol.Deliver && t == protocol.Timer{Kind: MissedTimer, Peer: in.From}
		return fired || alive
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
	case ResendTimer:
		set.MinTicks, set.MaxTicks = c.ResendTicks, c.ResendTicks
	case UpdateTimer:
		set.MinTicks, set.MaxTicks = c.UpdateTicks, c.UpdateTicks
	case MissedTimer:
		set.MinTicks, set.MaxTicks = c.UpdateTicks*c.MissedUpdates, c.UpdateTicks*c.MissedUpdates
	}
	return set
}
