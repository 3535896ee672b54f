package dtm

import (
	"slices"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// timersBroken compares the timers that a step sets and cancels with the demands of its states.
func (s *transition) timersBroken() string {
	t := contract.Timers{
		Wanted: demanded(s.after), Cancel: s.out.Cancel, Set: s.out.Set,
		Lasts: s.lasts, Anew: s.anew, Text: dtm.TimerText,
	}
	if !s.begins() {
		t.Before = demanded(s.before)
	}
	if s.in.Kind == protocol.Timeout {
		t.Fired = &s.in.Timer
	}
	return contract.TimersBroken(&t)
}

// demanded lists the timers that a node in this state must wait for.
func demanded(n *dtm.State) (all []protocol.Timer) {
	add := func(wanted bool, kind protocol.TimerKind, peer protocol.NodeID) {
		if wanted {
			all = append(all, protocol.Timer{Kind: kind, Peer: peer})
		}
	}
	nobody := protocol.NodeID{}
	asks := len(n.Search.Awaits) > 0 || n.Search.Look != nobody
	searches := n.Phase == dtm.Joining
	add(searches && asks, dtm.AnswerTimer, nobody)
	rests := searches && !asks && n.Search.Anchor == nobody
	add(rests || n.Departure.Stage == dtm.Resting, dtm.RetryTimer, nobody)
	add(n.Anchor != nobody, dtm.MissedTimer, n.Anchor)
	add(n.Search.Anchor != nobody, dtm.MissedTimer, n.Search.Anchor)
	for _, b := range n.Branches {
		add(!b.Gone, dtm.MissedTimer, b.Host)
	}
	watches := slices.ContainsFunc(all, func(t protocol.Timer) bool { return t.Kind == dtm.MissedTimer })
	for _, b := range n.Branches {
		add(b.Gone, dtm.HealTimer, b.Host)
	}
	add(watches, dtm.KeepTimer, nobody)
	return all
}

// lasts returns the times of a timer, in ticks.
func (s *transition) lasts(t protocol.Timer) (least, most uint32) {
	c := s.cfg
	switch t.Kind {
	case dtm.AnswerTimer:
		return c.AnswerTicks, c.AnswerTicks
	case dtm.RetryTimer:
		return c.RetryTicks, 2 * c.RetryTicks
	case dtm.KeepTimer:
		return c.KeepTicks, c.KeepTicks
	case dtm.MissedTimer:
		return c.KeepTicks * c.MissedKeeps, c.KeepTicks * c.MissedKeeps
	}
	return c.HealTicks, c.HealTicks
}

// anew reports whether a timer that is pending must start again: a sign of life of a peer arrived.
func (s *transition) anew(t protocol.Timer) bool {
	return s.in.Kind == protocol.Deliver && t == protocol.Timer{Kind: dtm.MissedTimer, Peer: s.in.From}
}
