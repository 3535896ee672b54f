package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// representative is a node as the representative of attempts. It owns Roles and Cluster in the
// state.
type representative struct{ *node }

// onGrant begins a representative task. It starts at once, in spite of the node's queue.
func (n representative) onGrant(from protocol.NodeID, m Message) {
	a := m.Attempt
	if n.bindOwner(from, a) {
		return
	}
	if r := n.roleOf(a.Job); r != nil && r.Epoch < a.Epoch {
		n.release(r.Attempt())
	}
	if r := n.roleOf(a.Job); r != nil && r.Epoch <= a.Epoch {
		n.Ignore(from, "it is represented here, or an older attempt is that is not over yet")
		return
	}
	r := Role{Job: a.Job, By: a.By, Epoch: a.Epoch, Owner: from, Spec: m.Spec, Moves: m.Moves}
	hosts := n.hostsFor(&r)
	switch {
	case n.isOver(a) || n.roleOf(a.Job) != nil:
		n.decline(from, a, "the attempt is over")
		return
	case n.Leaving:
		n.decline(from, a, "leaving")
		return
	case len(n.Roles) >= n.cfg.RoleLimit:
		n.noteFull(a.Job, fullRoles)
		n.decline(from, a, "too many representative tasks")
		return
	case uint32(len(hosts)) < r.Spec.Size:
		n.decline(from, a, "the cluster is too small")
		return
	}
	n.note(EventRepresent, a)
	i, _ := n.roleAt(a.Job)
	n.Roles = slices.Insert(n.Roles, i, r)
	n.dispatchTo(&n.Roles[i], hosts)
}

// decline answers a grant that cannot be accepted. The node remembers only that the attempt is
// over, so it declines a repeated grant again.
func (n representative) decline(owner protocol.NodeID, a Attempt, why string) {
	n.Event(EventRefuse, a.Job.Owner, a.Job.Number, why)
	n.end(a)
	n.send(owner, Message{Kind: GiveUp, Attempt: a, Reason: Refused})
}

// dispatchTo sends dependent tasks to the best hosts until the attempt has as many as it wants.
func (n representative) dispatchTo(r *Role, hosts []protocol.NodeID) {
	for _, id := range hosts {
		if uint32(len(r.Members))-r.membersIn(MemberGone) >= r.Spec.Dispatched() {
			return
		}
		i, _ := slices.BinarySearchFunc(r.Members, id, func(m Member, id protocol.NodeID) int { return m.Host.Compare(id) })
		r.Members = slices.Insert(r.Members, i, Member{Host: id})
		n.send(id, Message{Kind: Dispatch, Attempt: r.Attempt()})
	}
}

// findMember finds the role and the member that a message of a host is about. If there is none, or
// the member was not chosen, it sends the host a Cancel, in any state of the attempt.
func (n representative) findMember(from protocol.NodeID, m Message) (*Role, *Member) {
	r := n.roleOf(m.Attempt.Job)
	if r == nil || r.Epoch != m.Attempt.Epoch {
		n.send(from, Message{Kind: Cancel, Attempt: m.Attempt})
		return nil, nil
	}
	member := r.member(from)
	if member == nil || member.State == MemberGone || member.State == MemberFinished {
		n.send(from, Message{Kind: Cancel, Attempt: m.Attempt})
		return nil, nil
	}
	if r.Phase == Stopping {
		n.send(from, Message{Kind: Cancel, Attempt: m.Attempt, Confirm: true})
		return nil, nil
	}
	return r, member
}

// onReady counts a vote. With the k-th the attempt is decided.
func (n representative) onReady(from protocol.NodeID, m Message) {
	r, member := n.findMember(from, m)
	switch {
	case r == nil:
	case r.Phase == Started:
		n.remind(member, m)
	case m.Vote <= member.Vote || m.Vote <= member.Withdrawn:
		n.Ignore(from, "an old vote")
	default:
		member.Vote, member.Position = m.Vote, 0
		n.decide(r)
	}
}

// decide sends Start to the first k hosts that are ready, and Cancel to all others.
func (n representative) decide(r *Role) {
	votes := uint32(0)
	for _, m := range r.Members {
		if m.Vote > 0 {
			votes++
		}
	}
	if votes < r.Spec.Size {
		return
	}
	r.Phase = Started
	n.note(EventDecide, r.Attempt())
	var chosen []Member
	for _, m := range r.Members {
		switch {
		case m.State == MemberGone:
		case m.Vote > 0:
			n.send(m.Host, Message{Kind: Start, Attempt: r.Attempt(), Vote: m.Vote})
			chosen = append(chosen, Member{Host: m.Host, State: MemberStarting, Vote: m.Vote})
		default:
			n.send(m.Host, Message{Kind: Cancel, Attempt: r.Attempt()})
		}
	}
	r.Members = chosen
}

// remind resends the decision to a member that has not received it.
func (n representative) remind(member *Member, m Message) {
	if member.Vote != m.Vote {
		n.Ignore(member.Host, "an old vote")
		return
	}
	n.send(member.Host, Message{Kind: Start, Attempt: m.Attempt, Vote: m.Vote})
}

// onWithdraw gives a vote back. After the decision the answer is Start instead. A withdrawn vote
// never counts again, even if its Ready arrives after the Withdraw.
func (n representative) onWithdraw(from protocol.NodeID, m Message) {
	r, member := n.findMember(from, m)
	switch {
	case r == nil:
	case r.Phase == Started:
		n.remind(member, m)
	default:
		if member.Vote <= m.Vote {
			member.Vote = 0
		}
		member.Withdrawn = max(member.Withdrawn, m.Vote)
		n.send(from, Message{Kind: Withdrawn, Attempt: m.Attempt, Vote: m.Vote})
	}
}

// onFinish records that a member ran to its end. When all members have, there is a result.
func (n representative) onFinish(from protocol.NodeID, m Message) {
	r := n.roleOf(m.Attempt.Job)
	n.send(from, Message{Kind: Cancel, Attempt: m.Attempt})
	if r == nil || r.Epoch != m.Attempt.Epoch {
		return
	}
	member := r.member(from)
	switch {
	case member == nil:
	case r.Phase == Stopping:
		n.removeMember(r, from)
	case r.Phase == Started:
		member.State = MemberFinished
		if r.membersIn(MemberFinished) == r.Spec.Size {
			r.Phase, r.Members = Reporting, nil
			n.report(r)
		}
	}
}

// miss handles a member that was silent for a lease. A member that was sent Start may run.
func (n representative) miss(a Attempt, host protocol.NodeID) {
	r := n.roleOf(a.Job)
	member := r.member(host)
	switch {
	case member == nil:
	case r.Phase == Collecting:
		n.lose(a, host)
	case r.Phase == Started && member.State == MemberStarting:
		n.stop(r, Lost)
	}
}

// lose handles a member that no longer holds its task. An idle attempt looks for another host. A
// decided one is given up, since the others cannot run without it.
func (n representative) lose(a Attempt, host protocol.NodeID) {
	r := n.roleOf(a.Job)
	if r == nil || r.Epoch != a.Epoch {
		return
	}
	member := r.member(host)
	if member == nil || member.State == MemberGone || member.State == MemberFinished {
		return
	}
	switch r.Phase {
	case Collecting:
		*member = Member{Host: host, State: MemberGone}
		n.dispatchTo(r, n.hostsFor(r))
		if uint32(len(r.Members))-r.membersIn(MemberGone) < r.Spec.Size {
			n.stop(r, Lost)
		}
	case Started:
		member.State = MemberGone
		n.stop(r, Lost)
	case Stopping:
		n.removeMember(r, host)
	}
}

// stop ends an attempt without a result. Members that may run must confirm that they have stopped
// before the owner is notified, since it may then begin another attempt. Before a decision no
// member was sent Start, so no confirmation is needed.
func (n representative) stop(r *Role, why Reason) {
	decided := r.Phase == Started
	r.Phase, r.Why = Stopping, why
	members := r.Members
	r.Members = nil
	for _, m := range members {
		if m.State == MemberGone || m.State == MemberFinished {
			continue
		}
		if decided {
			r.Members = append(r.Members, Member{Host: m.Host, State: MemberStarting, Vote: m.Vote})
		}
		n.send(m.Host, Message{Kind: Cancel, Attempt: r.Attempt(), Confirm: decided})
	}
	n.resign(r)
}

// removeMember records that a member has stopped.
func (n representative) removeMember(r *Role, host protocol.NodeID) {
	r.Members = slices.DeleteFunc(r.Members, func(m Member) bool { return m.Host == host })
	n.resign(r)
}

// resign gives the attempt up to the owner, once no member runs.
func (n representative) resign(r *Role) {
	if len(r.Members) > 0 {
		return
	}
	r.Phase = Resigning
	n.Event(EventResign, r.By, r.Epoch, r.Why.String())
	n.report(r)
}

// report sends the owner, if there is one, how the attempt ended.
func (n representative) report(r *Role) {
	if m, open := r.reportMessage(); open && r.Bond == Bound {
		n.send(r.Owner, m)
	}
}

// reportMessage returns the message that is resent to the owner, or to the node that is asked to be
// it, until it answers.
func (r *Role) reportMessage() (Message, bool) {
	switch {
	case r.Bond == Seeking:
	case r.Bond == Asking:
		return r.adoptMessage(), true
	case r.Phase == Reporting:
		return Message{Kind: Result, Attempt: r.Attempt()}, true
	case r.Phase == Resigning:
		return Message{Kind: GiveUp, Attempt: r.Attempt(), Reason: r.Why, Target: r.Target, By: r.TargetBy}, true
	}
	return Message{}, false
}

// onRevoke ends an attempt at a cancelled job. An attempt that is over is declined again.
func (n representative) onRevoke(from protocol.NodeID, m Message) {
	owned := n.bindOwner(from, m.Attempt)
	r := n.roleOf(m.Attempt.Job)
	switch {
	case r == nil || r.Epoch < m.Attempt.Epoch:
		n.decline(from, m.Attempt, "the attempt is revoked")
	case r.Epoch > m.Attempt.Epoch || r.Phase == Reporting || r.Phase == Resigning || r.Why == Revoked:
		if !owned {
			n.Ignore(from, "the attempt is ending")
		}
	default:
		n.note(EventRevoke, m.Attempt)
		if r.Phase == Stopping {
			r.Why = Revoked // if the owner fails, the next one must know
			return
		}
		n.stop(r, Revoked)
	}
}

// onSettled forgets an attempt that the owner knows to be over. An attempt that continues because
// it had no owner is stopped. A message of a former owner that has failed since does not count: it
// would lose the job.
func (n representative) onSettled(from protocol.NodeID, m Message) {
	r := n.roleOf(m.Attempt.Job)
	switch {
	case (r == nil || r.Epoch != m.Attempt.Epoch) && m.Confirm:
		n.send(from, Message{Kind: Gone, Attempt: m.Attempt})
	case r == nil || r.Epoch != m.Attempt.Epoch:
		n.Ignore(from, "nothing to settle")
	case r.Owner != from:
		n.Ignore(from, "another node owns it")
	case r.Phase == Reporting || r.Phase == Resigning:
		n.forget(m.Attempt)
		if m.Confirm {
			n.send(from, Message{Kind: Gone, Attempt: m.Attempt})
		}
	case r.Bond == Asking:
		r.Bond = Bound
		if r.Phase != Stopping {
			n.stop(r, Revoked)
		}
	default:
		n.Ignore(from, "nothing to settle")
	}
}

// release drops an attempt that the owner knows to be over, when nothing of it can run.
func (n representative) release(a Attempt) {
	r := n.roleOf(a.Job)
	switch r.Phase {
	case Collecting:
		for _, m := range r.Members {
			n.send(m.Host, Message{Kind: Cancel, Attempt: a})
		}
		n.forget(a)
	case Started:
		n.stop(r, Revoked)
	case Reporting, Resigning:
		n.forget(a)
	}
}

func (n representative) forget(a Attempt) {
	i, _ := n.roleAt(a.Job)
	n.Roles = slices.Delete(n.Roles, i, i+1)
	n.note(EventSettled, a)
	n.end(a)
}

// move gives an idle job away, unless it has moved too often: the owner grants the next attempt to
// the target. The attempt here ends before that, so the job is never in two places.
func (n representative) move(c Command) {
	r := n.roleOf(c.Job)
	switch {
	case r == nil || r.Phase != Collecting:
		n.Ignore(n.Self, "no such idle job")
	case !n.cfg.MayMove(r.Moves, c.By):
		n.Ignore(n.Self, "the job has moved before")
	case c.Target == n.Self || c.Target.IsNobody():
		n.Ignore(n.Self, "there is nowhere to move to")
	default:
		r.Target, r.TargetBy = c.Target, c.By
		n.Event(EventMove, r.By, r.Epoch, c.By.String())
		n.stop(r, Moved)
	}
}
