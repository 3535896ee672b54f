package custody

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// ResendTimer resends unanswered messages. It is the only timer of this core, and is pending while
// there are such messages.
const ResendTimer protocol.TimerKind = 1

// Timers returns the timers that are pending at a custodian in this state.
func (s *State) Timers() []protocol.Timer {
	if len(s.unanswered()) == 0 {
		return nil
	}
	return []protocol.Timer{{Kind: ResendTimer}}
}

// unanswered returns the messages that are resent until they are answered. A leader asks all others
// for their promise, a primary all members to store the record, and a custodian without a working
// view greets all others, since any of them may lead. A custodian that has died may run again.
func (s *State) unanswered() []Envelope {
	switch {
	case s.Over:
		return nil
	case s.Forming.Active:
		return s.toOthers(func(i int) bool { return !s.promised(i) }, Message{Kind: Prepare, Number: s.Disk.Promised})
	case s.presides():
		return s.copies()
	case s.Disk.Promised > 0 && !s.works():
		return s.toOthers(func(int) bool { return true }, Message{Kind: Hello, Number: s.Disk.Promised})
	}
	return nil
}

// toOthers addresses a message to the running incarnations of some of the other custodians.
func (s *State) toOthers(some func(int) bool, m Message) (all []Envelope) {
	for i, a := range s.Custodians {
		if a != s.Self.Address && some(i) {
			all = append(all, Envelope{From: s.Self, To: protocol.NodeID{Address: a}, Message: m})
		}
	}
	return all
}

// copies returns the latest record for each member that has not stored it.
func (s *State) copies() (all []Envelope) {
	for i, id := range s.Disk.View.Members {
		if i >= len(s.Primary.Acked) || !s.Primary.Acked[i] {
			m := Message{Kind: Copy, View: s.Disk.View, Seq: s.Disk.Seq, Record: s.Disk.Record}
			all = append(all, Envelope{From: s.Self, To: id, Message: m})
		}
	}
	return all
}

// promised reports whether the latest known incarnation of a custodian has promised the view that
// forms.
func (s *State) promised(i int) bool {
	return slices.Contains(s.Forming.Lives, protocol.NodeID{Address: s.Custodians[i], Incarnation: s.Lives[i].Known})
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
