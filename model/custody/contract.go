package custody

import (
	"slices"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// rules are the rules for every step of the core.
var rules = []contract.Rule[transition]{
	{Name: "TimersKept", Broken: (*transition).timersBroken,
		Doc: "a custodian waits for answers with one timer, set for its time, and for nothing else"},
	{Name: "ListsKept", Broken: (*transition).listsBroken,
		Doc: "lists are in order, no field outlives its role, and numbers on the disk never shrink"},
	{Name: "MessagesFit", Broken: (*transition).messagesBroken,
		Doc: "a custodian sends only to others of its job, and answers what wants an answer"},
	{Name: "AnswersKept", Broken: (*transition).answersBroken,
		Doc: "a primary announces only what all members of its view have stored, and closes a host for good"},
}

// transition is one step of the core. The rules draw their own conclusions from the states.
type transition struct {
	cfg           *custody.Config
	in            *Input
	before, after *custody.State
	out           *Output
}

// member reports whether a custodian takes part in the view on its disk.
func member(s *custody.State) bool {
	return slices.Contains(s.Disk.View.Members, s.Self) && s.Disk.Promised == s.Disk.View.Number
}

// presides reports whether it does so as the owner of the view.
func presides(s *custody.State) bool {
	place := int(s.Disk.View.Number) % len(s.Custodians)
	return member(s) && s.Custodians[place] == s.Self.Address
}

// waits reports whether a custodian has a message that another one has not answered.
func waits(s *custody.State) bool {
	switch {
	case s.Forming.Active:
		for i, a := range s.Custodians {
			latest := protocol.NodeID{Address: a, Incarnation: s.Lives[i].Known}
			if !slices.Contains(s.Forming.Lives, latest) {
				return true
			}
		}
		return false
	case presides(s):
		return slices.Contains(s.Primary.Acked, false)
	}
	return s.Disk.Promised > 0 && !member(s) && len(s.Custodians) > 1
}

func pendingIn(s *custody.State) []protocol.Timer {
	if !waits(s) {
		return nil
	}
	return []protocol.Timer{{Kind: custody.ResendTimer}}
}

func (t *transition) timersBroken() string {
	steps := contract.Timers{
		Before: pendingIn(t.before), Wanted: pendingIn(t.after), Cancel: t.out.Cancel, Set: t.out.Set,
		Lasts: func(protocol.Timer) (least, most uint32) { return t.cfg.ResendTicks, t.cfg.ResendTicks },
		Anew:  func(protocol.Timer) bool { return false },
		Text:  custody.TimerText,
	}
	if t.in.Kind == protocol.Timeout {
		steps.Fired = &t.in.Timer
	}
	return contract.TimersBroken(&steps)
}

func (t *transition) listsBroken() string {
	s := t.after
	d, p, r := &s.Disk, &s.Primary, &s.Disk.Record
	was := &t.before.Disk
	forgotten := t.out.Persist != nil && len(t.out.Persist) == 0
	switch {
	case t.in.Kind != protocol.Restart && !forgotten && (d.Promised < was.Promised ||
		d.View.Number < was.View.Number || d.View.Number == was.View.Number && d.Seq < was.Seq):
		return "a number on the disk shrinks"
	case d.Promised < d.View.Number || (d.View.Number > 0) != (r.Try > 0):
		return "a view that was not promised, or that has no record"
	case s.Forming.Active && (!slices.Contains(s.Forming.Lives, s.Self) || p.Leads || len(p.Acked) > 0):
		return "a leader that forms a view is not in it, or is still primary"
	case (len(p.Acked) > 0) != (presides(s) && !s.Forming.Active) || p.Leads && len(p.Acked) == 0,
		p.Committed && !p.Leads:
		return "a primary that does not preside, or none that does"
	case p.Committed && slices.Contains(p.Acked, false):
		return "committed before all have stored it"
	case r.Attempt.IsNone() && (len(r.Hosts) > 0 || r.End == custody.Done), r.End != 0 && len(r.Hosts) > 0:
		return "hosts of no attempt, or of an ended one"
	case (r.Outcome != "") != (r.End == custody.Done) || r.Settled && r.End == 0 || r.Runs > r.Limit:
		return "an outcome without an end, or too many runs"
	}
	return ""
}

func (t *transition) messagesBroken() string {
	for _, e := range t.out.Send {
		known := slices.Contains(t.after.Custodians, e.To.Address)
		if e.From != t.after.Self || e.To.Address == e.From.Address || !known {
			return "a message to or from the wrong node"
		}
		anybody := e.Message.Kind == custody.Prepare || e.Message.Kind == custody.Hello
		if e.To.Incarnation == 0 && !anybody {
			return "a message that names no life"
		}
	}
	if t.unanswered() {
		return "it does not answer " + t.in.Message.Kind.String()
	}
	return ""
}

// unanswered reports whether the input demands an answer and the sender receives no message.
func (t *transition) unanswered() bool {
	m, s := &t.in.Message, t.before
	if t.in.Kind != protocol.Deliver || s.Over {
		return false
	}
	i := slices.Index(s.Custodians, t.in.From.Address)
	if i < 0 || t.in.From.Incarnation < s.Lives[i].Known || t.in.From.Incarnation <= s.Lives[i].Dead {
		return false
	}
	switch {
	case m.Kind == custody.Prepare && m.Number != s.Disk.View.Number:
	case m.Kind == custody.Copy && slices.Contains(m.View.Members, s.Self) && m.View.Number <= s.Disk.Promised:
	default:
		return false
	}
	return !slices.ContainsFunc(t.out.Send, func(e custody.Envelope) bool { return e.To == t.in.From })
}

// mayClose reports whether a host is named by the command, or belongs to the attempt that was open,
// and the try is its own.
func (t *transition) mayClose(e protocol.Event) bool {
	c, was := &t.in.Command, &t.before.Primary.Record
	named := t.in.Kind == protocol.Command && c.Kind == custody.CommandClosed && c.Life == e.Peer && c.Try == e.Number
	return named || was.Try == e.Number && slices.Contains(was.Hosts, e.Peer)
}

func (t *transition) answersBroken() string {
	said := &t.after.Primary.Record
	for _, e := range t.out.Events {
		switch {
		case e.Name == custody.EventPermitted &&
			(said.Attempt != custody.Attempt{By: e.Peer, Epoch: e.Number} || said.End != 0):
			return "a permit that is not committed"
		case e.Name == custody.EventClosed && e.Number == said.Try && slices.Contains(said.Hosts, e.Peer):
			return "a host is called closed and is not"
		case e.Name == custody.EventClosed && said.End == 0 && said.Attempt.IsNone() && e.Number >= said.Try:
			return "a host is called closed whose attempt may still get the permit"
		case e.Name == custody.EventClosed && !t.mayClose(e):
			return "a host is called closed of another try than its own"
		case e.Name == custody.EventEnded && said.End == 0:
			return "an end that is not committed"
		case e.Name == custody.EventSubmit && (said.Try != e.Number || !said.Attempt.IsNone()):
			return "a try that is not committed"
		}
	}
	return ""
}
