package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol/reptask"
)

// unanswered compares a message with the answer of the step, by the state of the node before.
func (s *transition) unanswered() string {
	m := &s.in.Message
	switch m.Kind {
	case reptask.Finish:
		return s.answered(true, reptask.Message{Kind: reptask.Cancel, Attempt: m.Attempt})
	case reptask.Dispatch:
		answer := reptask.Message{Kind: reptask.Gone, Attempt: m.Attempt}
		if s.before.Cordoned {
			answer.Kind = reptask.Unable
		}
		return s.answered(s.parts(), answer)
	case reptask.Start, reptask.Cancel:
		return s.answered(s.parts(), reptask.Message{Kind: reptask.Gone, Attempt: m.Attempt})
	case reptask.Ready, reptask.Withdraw:
		return s.voteUnanswered()
	case reptask.Result, reptask.GiveUp:
		return s.endUnanswered()
	case reptask.Grant, reptask.Revoke:
		if s.refuses() != s.sends(s.in.From, reptask.Message{Kind: reptask.GiveUp, Attempt: m.Attempt}) {
			return "an attempt is not refused, or without a reason"
		}
	case reptask.Settled:
		r := attemptIn(s.before, m.Attempt)
		mine := r != nil && r.Owner == s.in.From && r.Phase != reptask.Collecting &&
			(r.Phase == reptask.Reporting || r.Phase == reptask.Resigning)
		return s.answered(m.Confirm && (r == nil || mine), reptask.Message{Kind: reptask.Gone, Attempt: m.Attempt})
	case reptask.Adopt:
		if !slices.ContainsFunc(s.out.Send, func(e reptask.Envelope) bool {
			k := e.Message.Kind
			return e.To == s.in.From && e.Message.Attempt.Job == m.Attempt.Job &&
				(k == reptask.Settled || k == reptask.Decline || k == reptask.Grant || k == reptask.Revoke)
		}) {
			return "an orphan gets no answer"
		}
	}
	return ""
}

// answered compares a message that the sender must get, or must not get, with the step.
func (s *transition) answered(must bool, m reptask.Message) string {
	switch {
	case must && !s.sends(s.in.From, m):
		return m.Kind.String() + " is not sent"
	case !must && s.sendsKind(s.in.From, m.Kind, m.Attempt):
		return m.Kind.String() + " is sent without a reason"
	}
	return ""
}

// parts reports whether a host answers Gone: it holds no such task and will not.
func (s *transition) parts() bool {
	m, t := &s.in.Message, taskIn(s.before, s.in.Message.Attempt.Job)
	held := t != nil && t.Epoch == m.Attempt.Epoch
	switch m.Kind {
	case reptask.Start:
		return !held || t.Rep != s.in.From
	case reptask.Cancel:
		return m.Confirm
	}
	newer := t != nil && t.Epoch > m.Attempt.Epoch
	return !held && (newer || s.before.Leaving || s.before.Cordoned || overIn(s.before, m.Attempt))
}

// refuses reports whether a node refuses an attempt that it could not take in any cluster.
func (s *transition) refuses() bool {
	m, r := &s.in.Message, roleIn(s.before, s.in.Message.Attempt.Job)
	if attemptIn(s.before, m.Attempt) != nil {
		return false
	}
	if m.Kind == reptask.Revoke {
		return r == nil || r.Epoch < m.Attempt.Epoch
	}
	return r == nil && attemptIn(s.after, m.Attempt) == nil && !s.says(m.Attempt, reptask.EventRepresent) ||
		r != nil && r.Epoch > m.Attempt.Epoch
}

// overIn reports whether a node has recorded that an attempt is over.
func overIn(n *reptask.State, a reptask.Attempt) bool {
	return slices.ContainsFunc(n.Floors, func(f reptask.Floor) bool { return f.Job == a.Job && f.Epoch > a.Epoch })
}

// voteUnanswered checks the answer to a host that votes, or wants its vote back.
func (s *transition) voteUnanswered() string {
	m, r := &s.in.Message, attemptIn(s.before, s.in.Message.Attempt)
	start := reptask.Message{Kind: reptask.Start, Attempt: m.Attempt, Vote: m.Vote}
	var member *reptask.Member
	if r != nil {
		member = memberIn(r, s.in.From)
	}
	switch {
	case member == nil || member.State == reptask.MemberGone || member.State == reptask.MemberFinished:
		return s.answered(true, reptask.Message{Kind: reptask.Cancel, Attempt: m.Attempt})
	case r.Phase == reptask.Stopping:
		return s.answered(true, reptask.Message{Kind: reptask.Cancel, Attempt: m.Attempt, Confirm: true})
	case r.Phase == reptask.Started:
		return s.answered(m.Vote == member.Vote, start)
	case m.Kind == reptask.Withdraw:
		return s.answered(true, reptask.Message{Kind: reptask.Withdrawn, Attempt: m.Attempt, Vote: m.Vote})
	}
	fresh := m.Vote > member.Vote && m.Vote > member.Withdrawn
	votes := uint32(0)
	if fresh && member.Vote == 0 {
		votes = 1
	}
	for i := range r.Members {
		if r.Members[i].Vote > 0 {
			votes++
		}
	}
	if !fresh || votes < r.Spec.Size {
		return s.answered(false, start)
	}
	for _, other := range r.Members {
		if other.Host == s.in.From {
			other.Vote = m.Vote
		}
		decision := reptask.Message{Kind: reptask.Start, Attempt: m.Attempt, Vote: other.Vote}
		if other.Vote == 0 {
			decision = reptask.Message{Kind: reptask.Cancel, Attempt: m.Attempt}
		}
		if other.State != reptask.MemberGone && s.owes(other.Host, decision) {
			return "a member is not sent the decision"
		}
	}
	return ""
}

// endUnanswered checks the answer to a representative whose attempt is over: an owner that goes on
// with the job has it forget the attempt, and confirm that.
func (s *transition) endUnanswered() string {
	m, o := &s.in.Message, ownedIn(s.before, s.in.Message.Attempt.Job)
	mine := o != nil && unended(o) && o.Attempt() == m.Attempt && o.Rep == s.in.From
	refused := m.Kind == reptask.GiveUp && m.Reason == reptask.Refused
	confirm := mine && !(refused && !o.Parting) && (m.Kind == reptask.GiveUp || o.State == reptask.JobRevoking)
	return s.answered(true, reptask.Message{Kind: reptask.Settled, Attempt: m.Attempt, Confirm: confirm})
}
