package lease

import (
	"slices"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// rules are the rules for every step of the core.
var rules = []contract.Rule[transition]{
	{Name: "TimersKept", Broken: (*transition).timersBroken,
		Doc: "a node has a timer for each open round, grant and question, set for its time, and no other"},
	{Name: "ListsKept", Broken: (*transition).listsBroken,
		Doc: "lists are sorted and as long as they must be, and no field outlives its phase"},
	{Name: "MessagesFit", Broken: (*transition).messagesBroken,
		Doc: "a node sends to witnesses and answers to those that ask, and a witness answers what wants an answer"},
}

// transition is one step of the core. The rules draw their own conclusions from the states.
type transition struct {
	cfg           *lease.Config
	in            *lease.Input
	before, after *lease.State
	out           *lease.Output
}

// pendingIn returns the timers for which a node in a state waits.
func pendingIn(s *lease.State) (all []protocol.Timer) {
	add := func(kinds ...protocol.TimerKind) {
		for _, k := range kinds {
			all = append(all, lease.Timer(k))
		}
	}
	expiry := []protocol.TimerKind{lease.ExpireEvenTimer, lease.ExpireOddTimer}
	switch s.Phase {
	case lease.Looking, lease.Founding:
		add(lease.ResendTimer)
	case lease.Joining:
		add(lease.ResendTimer, expiry[s.Round%2])
	case lease.Leased:
		add(expiry[s.Round%2])
		if s.Settled {
			add(lease.RoundTimer)
		} else {
			add(lease.ResendTimer, expiry[(s.Round+1)%2])
		}
	}
	if len(s.Asks) > 0 {
		add(lease.AskTimer)
	}
	if s.Witness.Grace {
		add(lease.GraceTimer)
	}
	if s.Witness.Behind {
		add(lease.BehindTimer)
	}
	for _, g := range s.Witness.Grants {
		all = append(all, protocol.Timer{Kind: lease.GrantTimer, Peer: g.Holder})
	}
	return all
}

func (t *transition) timersBroken() string {
	steps := contract.Timers{
		Before: pendingIn(t.before), Wanted: pendingIn(t.after), Cancel: t.out.Cancel, Set: t.out.Set,
		Lasts: t.lasts, Anew: t.anew, Text: lease.TimerText,
	}
	if t.in.Kind == protocol.Restart || t.in.Kind == protocol.Start {
		steps.Before = nil
	}
	if t.in.Kind == protocol.Timeout {
		steps.Fired = &t.in.Timer
	}
	return contract.TimersBroken(&steps)
}

func (t *transition) lasts(timer protocol.Timer) (least, most uint32) {
	c := t.cfg
	ticks := map[protocol.TimerKind]uint32{
		lease.ResendTimer: c.ResendTicks, lease.RoundTimer: c.RenewTicks, lease.ExpireEvenTimer: c.ExpireTicks,
		lease.ExpireOddTimer: c.ExpireTicks, lease.AskTimer: c.AskTicks, lease.GrantTimer: c.GrantTicks,
		lease.GraceTimer: c.GraceTicks, lease.BehindTimer: c.GraceTicks,
	}[timer.Kind]
	if timer.Kind == lease.ResendTimer && (t.after.Phase == lease.Looking || t.after.Phase == lease.Founding) {
		return ticks, 3 * ticks
	}
	return ticks, ticks
}

// anew reports whether a pending timer starts again: that of a grant with each grant, that for
// copies with each new question, that of a witness that is behind with each refusal.
func (t *transition) anew(timer protocol.Timer) bool {
	switch timer.Kind {
	case lease.ResendTimer:
		return t.before.Phase != t.after.Phase || t.before.Round != t.after.Round
	case lease.GrantTimer:
		return slices.ContainsFunc(t.out.Events, func(e protocol.Event) bool {
			return e.Name == lease.EventGranted && e.Peer == timer.Peer
		})
	case lease.BehindTimer:
		return slices.ContainsFunc(t.out.Events, func(e protocol.Event) bool { return e.Name == lease.EventBehind })
	}
	return false
}

func (t *transition) listsBroken() string {
	s, w := t.after, &t.after.Witness
	witnesses := len(t.cfg.Witnesses)
	asks := s.Phase == lease.Looking || s.Phase == lease.Founding || s.Phase == lease.Joining ||
		s.Phase == lease.Leased && !s.Settled
	joined := s.Phase == lease.Joining || s.Phase == lease.Leased
	founder := !s.Founder.IsNobody()
	lives := slices.IsSortedFunc(w.Lives, func(a, b lease.Life) int { return int(a.Address) - int(b.Address) })
	grants := slices.IsSortedFunc(w.Grants, func(a, b lease.Grant) int { return a.Holder.Compare(b.Holder) })
	switch {
	case asks && len(s.Answers) != witnesses || !asks && len(s.Answers) > 0:
		return "answers outlive a question, or are missing"
	case joined != founder || !joined && !s.Contact.IsNobody():
		return "a founder or a contact outlives its phase, or is missing"
	case s.Settled && s.Phase != lease.Leased:
		return "a round is settled without a lease"
	case s.Phase == lease.Fenced && len(s.Asks) > 0:
		return "an ended incarnation asks"
	case !lives || !grants:
		return "the lists of the witness are not sorted"
	case len(w.Lives) > t.cfg.AddressLimit || len(s.Asks) > t.cfg.AskLimit || len(s.Dead) > t.cfg.DeadLimit:
		return "a list exceeds its limit"
	}
	for _, g := range w.Grants {
		at := slices.IndexFunc(w.Lives, func(l lease.Life) bool { return l.Address == g.Holder.Address })
		if at < 0 || w.Lives[at].Incarnation != g.Holder.Incarnation {
			return "a grant is pending for an unknown incarnation"
		}
	}
	for _, q := range s.Asks {
		if len(q.Verdicts) != witnesses {
			return "a question has not one place for each witness"
		}
	}
	return ""
}

func (t *transition) messagesBroken() string {
	for _, e := range t.out.Send {
		answer := e.Message.Kind >= lease.Promised
		toWitness := e.To.Incarnation == 0 && slices.Contains(t.cfg.Witnesses, e.To.Address)
		toAsker := t.in.Kind == protocol.Deliver && e.To == t.in.From
		if e.From != t.after.Self || e.To.Address == t.after.Self.Address && !toAsker || answer && !toAsker ||
			!answer && !toWitness {
			return "a message to or from the wrong node"
		}
	}
	if t.wantsAnswer() && !slices.ContainsFunc(t.out.Send, func(e lease.Envelope) bool {
		return e.To == t.in.From && e.Message.Kind >= lease.Promised
	}) {
		return "it does not answer " + t.in.Message.Kind.String()
	}
	return ""
}

// wantsAnswer reports whether the input demands an answer: all that nodes ask a witness do, except
// for the copy of an older Renew.
func (t *transition) wantsAnswer() bool {
	witness := slices.Contains(t.cfg.Witnesses, t.before.Self.Address)
	if t.in.Kind != protocol.Deliver || !witness || t.in.From == t.before.Self || t.in.Message.Kind > lease.Ask {
		return false
	}
	return t.in.Message.Kind != lease.Renew || !slices.ContainsFunc(t.before.Witness.Grants, func(g lease.Grant) bool {
		return g.Holder == t.in.From && t.in.Message.Round < g.Round
	})
}
