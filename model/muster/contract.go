package muster

import (
	"slices"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
)

// rules are the rules for every step of the core.
var rules = []contract.Rule[transition]{
	{Name: "TimersKept", Broken: (*transition).timersBroken,
		Doc: "a node waits for answers with one timer, set for its time, and for nothing else"},
	{Name: "ListsKept", Broken: (*transition).listsBroken,
		Doc: "members are sorted, no field outlives its phase or comes before it, and the first reason to halt stays"},
	{Name: "MessagesFit", Broken: (*transition).messagesBroken,
		Doc: "a node sends only to the other nodes of its attempt, and answers what wants an answer"},
}

// transition is one step of the core. The rules draw their own conclusions from the states.
type transition struct {
	cfg           *muster.Config
	in            *Input
	before, after *muster.State
	out           *Output
}

// waits reports whether a node in a state has a message that another node has not answered.
func waits(s *muster.State) bool {
	h, r := &s.Host, &s.Rep
	if h.Rep != s.Self && (h.Phase == muster.HostWaiting || h.Phase == muster.HostEnded && !h.Noted) {
		return true
	}
	return slices.ContainsFunc(r.Members, func(m muster.Member) bool {
		unended := m.State < muster.MemberEnded
		return m.Host != s.Self && (unended && r.Reason != 0 ||
			m.State == muster.MemberHere && r.Phase == muster.RepStarted ||
			m.State == muster.MemberEnded && r.Phase == muster.RepFinishing)
	})
}

func pendingIn(s *muster.State) []protocol.Timer {
	if !waits(s) {
		return nil
	}
	return []protocol.Timer{{Kind: muster.ResendTimer}}
}

func (t *transition) timersBroken() string {
	steps := contract.Timers{
		Before: pendingIn(t.before), Wanted: pendingIn(t.after), Cancel: t.out.Cancel, Set: t.out.Set,
		Lasts: func(protocol.Timer) (least, most uint32) { return t.cfg.ResendTicks, t.cfg.ResendTicks },
		Anew:  func(protocol.Timer) bool { return false },
		Text:  muster.TimerText,
	}
	if t.in.Kind == protocol.Timeout {
		steps.Fired = &t.in.Timer
	}
	return contract.TimersBroken(&steps)
}

func (t *transition) listsBroken() string {
	h, r := &t.after.Host, &t.after.Rep
	ended := h.Phase == muster.HostEnded || h.Phase == muster.HostClosed
	keeps := h.Phase == muster.HostKeeping
	switch {
	case t.after.Ended && (h.Phase != muster.HostAbsent || r.Phase != muster.RepAbsent):
		return "a role outlives the attempt"
	case (ended || keeps) != (h.Status.Cause != 0):
		return "a host has ended without a status, or has one before"
	case h.Noted && !ended || h.Phase == muster.HostClosed && !h.Noted:
		return "a status without a meaning is noted, or finished without a status"
	case (h.Phase == muster.HostRunning || keeps) && len(h.Places) == 0:
		return "a host runs without its places"
	case t.reasonChanges():
		return "the reason of a halt changes"
	}
	for i, m := range r.Members {
		switch {
		case i > 0 && r.Members[i-1].Host.Compare(m.Host) >= 0:
			return "the members are not sorted"
		case (m.State >= muster.MemberEnded) != (m.Status.Cause != 0):
			return "a member has ended without a status, or has one before"
		case m.State == muster.MemberClosed && r.Phase < muster.RepFinishing:
			return "a member is closed before the outcome is safe"
		}
	}
	return ""
}

// reasonChanges reports whether a later reason replaces the one for which hosts are halted, at the
// representative or at a host.
func (t *transition) reasonChanges() bool {
	b, a := t.before, t.after
	rep := b.Rep.Reason != 0 && a.Rep.Phase != muster.RepAbsent && a.Rep.Reason != b.Rep.Reason
	return rep || b.Host.Halted != 0 && a.Host.Phase != muster.HostAbsent && a.Host.Halted != b.Host.Halted
}

func (t *transition) messagesBroken() string {
	for _, e := range t.out.Send {
		known := e.To == t.after.Host.Rep || slices.ContainsFunc(t.after.Rep.Members, func(m muster.Member) bool {
			return m.Host == e.To
		})
		if e.From != t.after.Self || e.To == t.after.Self || !known {
			return "a message to or from the wrong node"
		}
	}
	answer := t.answer()
	answered := slices.ContainsFunc(t.out.Send, func(e protocol.Envelope[muster.Message]) bool {
		return e.To == t.in.From && e.Message.Kind == answer
	})
	if answer != 0 && !answered {
		return "it does not answer " + t.in.Message.Kind.String()
	}
	return ""
}

// goers are the phases of a host that answers Go.
var goers = []muster.HostPhase{muster.HostWaiting, muster.HostRunning, muster.HostKeeping}

// answer is the message that the input demands, if it demands one.
func (t *transition) answer() muster.MessageKind {
	h, r := &t.before.Host, &t.before.Rep
	if t.in.Kind != protocol.Deliver || t.in.From == t.before.Self {
		return 0
	}
	member := slices.ContainsFunc(r.Members, func(m muster.Member) bool { return m.Host == t.in.From })
	switch kind := t.in.Message.Kind; {
	case kind == muster.Exit && member:
		return muster.Noted
	case kind == muster.Go && t.in.From == h.Rep && slices.Contains(goers, h.Phase):
		return muster.Going
	case kind == muster.Finish && t.in.From == h.Rep && (h.Phase == muster.HostEnded || h.Phase == muster.HostClosed):
		return muster.Closed
	}
	return 0
}
