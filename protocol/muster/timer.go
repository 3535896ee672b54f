package muster

import "github.com/canvass-grid/canvass/protocol"

// ResendTimer resends unanswered messages. It is the only timer of this core, and is pending while
// there are such messages.
const ResendTimer protocol.TimerKind = 1

// Timers returns the timers that are pending at a node in this state.
func (s *State) Timers() []protocol.Timer {
	if len(s.unanswered()) == 0 {
		return nil
	}
	return []protocol.Timer{{Kind: ResendTimer}}
}

// unanswered returns the messages that are resent until they are answered, and their receivers.
func (s *State) unanswered() []Envelope {
	var all []Envelope
	add := func(to protocol.NodeID, m Message) {
		if to != s.Self {
			all = append(all, Envelope{From: s.Self, To: to, Message: m})
		}
	}
	if repeat, open := s.Host.reports(); open {
		add(s.Host.Rep, repeat)
	}
	for i, m := range s.Rep.Members {
		if repeat, open := s.Rep.asks(i); open {
			add(m.Host, repeat)
		}
	}
	return all
}

// asks returns the message that a representative resends to the host of a rank: Go until the host
// goes or has ended, Halt until it has ended, Finish until it acknowledges that the outcome is
// safe.
func (r *Rep) asks(rank int) (Message, bool) {
	m := &r.Members[rank]
	switch {
	case m.State < MemberEnded && r.Reason != 0:
		return Message{Kind: Halt, Reason: r.Reason}, true
	case m.State == MemberHere && r.Phase == RepStarted:
		return Message{Kind: Go, Rank: uint32(rank), Places: r.places()}, true
	case m.State == MemberEnded && r.Phase == RepFinishing:
		return Message{Kind: Finish}, true
	}
	return Message{}, false
}

// setTimers outputs the difference between the timers pending before the step and those wanted
// after it. The timer that fired is not pending any more.
func (n *node) setTimers(before *State, in Input) {
	n.Out.Retime(in.Kind, before.Timers(), n.Timers(), func(t protocol.Timer) bool {
		return in.Kind == protocol.Timeout && t == in.Timer
	}, func(t protocol.Timer) protocol.SetTimer {
		return protocol.SetTimer{Timer: t, MinTicks: n.cfg.ResendTicks, MaxTicks: n.cfg.ResendTicks}
	})
}
