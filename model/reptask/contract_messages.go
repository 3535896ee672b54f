package reptask

import (
	"bytes"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// repeated lists the messages that a node resends until they are answered.
func repeated(s *reptask.State) (all []reptask.Envelope) {
	add := func(to protocol.NodeID, m reptask.Message) {
		if to != s.Self && (m.Kind == reptask.Adopt || !slices.Contains(s.Silent, to)) {
			all = append(all, reptask.Envelope{From: s.Self, To: to, Message: m})
		}
	}
	for i := range s.Owned {
		if o := &s.Owned[i]; unended(o) {
			add(o.Rep, asked(o))
		}
	}
	for i := range s.Roles {
		r := &s.Roles[i]
		if m, open := reported(r); open {
			add(r.Owner, m)
		}
		for _, m := range r.Members {
			ask := reptask.Message{Kind: reptask.Cancel, Attempt: r.Attempt(), Confirm: true}
			switch {
			case r.Phase == reptask.Stopping:
			case m.State == reptask.MemberStarting:
				ask = reptask.Message{Kind: reptask.Start, Attempt: r.Attempt(), Vote: m.Vote}
			case m.State == reptask.MemberDispatched && m.Vote == 0:
				ask = reptask.Message{Kind: reptask.Dispatch, Attempt: r.Attempt()}
			default:
				continue
			}
			add(m.Host, ask)
		}
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		kinds := [...]reptask.MessageKind{reptask.TaskReady: reptask.Ready, reptask.TaskWithdrawing: reptask.Withdraw}
		switch t.State {
		case reptask.TaskReady, reptask.TaskWithdrawing:
			add(t.Rep, reptask.Message{Kind: kinds[t.State], Attempt: t.Attempt(), Vote: t.Vote})
		case reptask.TaskDone:
			add(t.Rep, reptask.Message{Kind: reptask.Finish, Attempt: t.Attempt()})
		}
	}
	return all
}

// asked is the request of an owner to the representative of an open job.
func asked(o *reptask.Owned) reptask.Message {
	switch {
	case o.Parting:
		return reptask.Message{Kind: reptask.Settled, Attempt: o.Attempt(), Confirm: true}
	case o.State == reptask.JobRevoking:
		return reptask.Message{Kind: reptask.Revoke, Attempt: o.Attempt()}
	}
	return reptask.Message{Kind: reptask.Grant, Attempt: o.Attempt(), Spec: o.Spec, Moves: o.Moves}
}

// reported is the report that a representative owes its owner, if there is one.
func reported(r *reptask.Role) (reptask.Message, bool) {
	ends := r.Phase == reptask.Stopping || r.Phase == reptask.Resigning
	switch {
	case r.Bond == reptask.Asking:
		return reptask.Message{
			Kind: reptask.Adopt, Attempt: r.Attempt(), Spec: r.Spec, Moves: r.Moves, Candidates: r.Candidates,
			Revoked: ends && r.Why == reptask.Revoked, Done: r.Phase == reptask.Reporting,
		}, true
	case r.Bond == reptask.Bound && r.Phase == reptask.Reporting:
		return reptask.Message{Kind: reptask.Result, Attempt: r.Attempt()}, true
	case r.Bond == reptask.Bound && r.Phase == reptask.Resigning:
		return reptask.Message{
			Kind: reptask.GiveUp, Attempt: r.Attempt(), Reason: r.Why, Target: r.Target, By: r.TargetBy,
		}, true
	}
	return reptask.Message{}, false
}

// sends reports whether the step sends exactly this message.
func (s *transition) sends(to protocol.NodeID, m reptask.Message) bool {
	want := reptask.AppendMessage(s.cfg, nil, m)
	return slices.ContainsFunc(s.out.Send, func(e reptask.Envelope) bool {
		return e.To == to && bytes.Equal(want, reptask.AppendMessage(s.cfg, nil, e.Message))
	})
}

// owes reports whether the step fails to send a message that it must, unless it stays in the node
// or the node is silent.
func (s *transition) owes(to protocol.NodeID, m reptask.Message) bool {
	return to != s.after.Self && !s.silent(to) && !s.sends(to, m)
}

// sendsKind reports whether the step sends a message of a kind about an attempt.
func (s *transition) sendsKind(to protocol.NodeID, kind reptask.MessageKind, a reptask.Attempt) bool {
	return slices.ContainsFunc(s.out.Send, func(e reptask.Envelope) bool {
		return e.To == to && e.Message.Kind == kind && e.Message.Attempt == a
	})
}

func (s *transition) messagesBroken() string {
	if s.begins() {
		return ""
	}
	if slices.ContainsFunc(s.out.Send, func(e reptask.Envelope) bool {
		return e.From != s.after.Self || e.To == s.after.Self || e.To.IsNobody()
	}) {
		return "it sends to itself, to no node, or by another name"
	}
	if s.fires(reptask.ResendTimer) {
		all := repeated(s.before)
		for _, e := range all {
			if !s.sends(e.To, e.Message) {
				return "it does not resend a message without an answer"
			}
		}
		if len(all) != len(s.out.Send) {
			return "it resends what has an answer"
		}
	}
	if why := s.changesUnsent(); why != "" {
		return why
	}
	if s.in.Kind != protocol.Deliver {
		return ""
	}
	return s.unanswered()
}

// changesUnsent compares the changes of the step with its messages.
func (s *transition) changesUnsent() string {
	n := s.after
	for i := range n.Owned {
		o := &n.Owned[i]
		was := ownedIn(s.before, o.Job)
		granted := o.By == n.Self && (was == nil || was.Attempt() != o.Attempt() && o.Job == was.Job)
		asks := was != nil && (o.Parting && !was.Parting || o.State == reptask.JobRevoking && was.State == reptask.JobOpen)
		if unended(o) && (granted || asks) && s.owes(o.Rep, asked(o)) {
			return "an owner sends no notice of its decision"
		}
	}
	for i := range n.Roles {
		r := &n.Roles[i]
		was := reptask.Role{Phase: reptask.Collecting}
		if b := attemptIn(s.before, r.Attempt()); b != nil {
			was = *b
		}
		if m, open := reported(r); open && (was.Phase != r.Phase && m.Kind != reptask.Adopt || was.Bond != r.Bond) {
			if s.owes(r.Owner, m) && !(m.Kind == reptask.Adopt && s.sends(r.Owner, m)) {
				return "a representative does not say how its attempt ended"
			}
		}
		for _, m := range r.Members {
			dispatched := r.Phase == reptask.Collecting && m.State == reptask.MemberDispatched && m.Vote == 0
			if dispatched && memberIn(&was, m.Host) == nil &&
				s.owes(m.Host, reptask.Message{Kind: reptask.Dispatch, Attempt: r.Attempt()}) {
				return "a member has no task"
			}
		}
	}
	for i := range n.Tasks {
		t := &n.Tasks[i]
		was := reptask.Task{}
		if b := taskIn(s.before, t.Job); b != nil && b.Epoch == t.Epoch {
			was = *b
		}
		if was.State == t.State && was.Vote == t.Vote {
			continue
		}
		for _, e := range repeated(&reptask.State{Self: n.Self, Tasks: n.Tasks[i : i+1]}) {
			if s.owes(e.To, e.Message) {
				return "a host sends no notice about its task"
			}
		}
	}
	return s.stopUnsent()
}

// stopUnsent checks that the members of an attempt that ends receive Cancel. Members that may run
// must confirm.
func (s *transition) stopUnsent() string {
	for i := range s.before.Roles {
		was := &s.before.Roles[i]
		r := attemptIn(s.after, was.Attempt())
		ends := r == nil || r.Phase == reptask.Stopping || r.Phase == reptask.Resigning
		if was.Phase > reptask.Started || !ends || s.says(was.Attempt(), reptask.EventDecide) {
			continue
		}
		for _, m := range was.Members {
			gone := s.in.Kind == protocol.Deliver && s.in.From == m.Host || m.State > reptask.MemberStarting
			cancel := reptask.Message{Kind: reptask.Cancel, Attempt: was.Attempt(), Confirm: was.Phase == reptask.Started}
			if !gone && s.owes(m.Host, cancel) {
				return "a member is not notified that its attempt ends"
			}
		}
	}
	return ""
}
