package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Owner and representative replace each other (section 2.1). When a representative fails, the owner
// grants another attempt: see owner.go. When an owner fails, the representative finds another one,
// as follows. It keeps the attempt, and its hosts continue. After one lease of silence it asks the
// owner whether it still owns the job; a live owner answers. After another lease it announces
// EventOrphan, and asks the node that the application names.
//
// While a representative holds an attempt, its owner grants no later one (see part). So at most one
// attempt looks for an owner, and the next owner may adopt the attempt as its own.

// onOwnerExpired handles the silence of the owner of an attempt, or of a node that was asked to own
// it.
func (n representative) onOwnerExpired(r *Role) {
	switch r.Bond {
	case Bound:
		r.Bond = Asking
		n.send(r.Owner, r.adoptMessage())
	case Asking:
		r.Bond = Seeking
		n.note(EventOrphan, r.Attempt())
	}
}

// askToOwn asks the node that the application has found to own the job.
func (n representative) askToOwn(c Command) {
	r := n.roleOf(c.Job)
	switch {
	case r == nil || r.Bond != Seeking:
		n.Ignore(n.Self, "no such orphan")
	case c.Target.IsNobody() || len(c.Candidates) > maxCandidates:
		n.Ignore(n.Self, "nobody to own it, or too many candidates")
	default:
		r.Owner, r.Bond, r.Candidates = c.Target, Asking, slices.Clone(c.Candidates)
		n.send(r.Owner, r.adoptMessage())
	}
}

func (r *Role) adoptMessage() Message {
	return Message{
		Kind: Adopt, Attempt: r.Attempt(), Spec: r.Spec, Moves: r.Moves, Candidates: r.Candidates,
		Revoked: r.Phase >= Stopping && r.Why == Revoked, Done: r.Phase == Reporting,
	}
}

// onAdopt makes the node the owner of a job, as if it had granted the attempt itself. If the
// attempt has a result, the job ends in the same step: its client may have received the result
// already.
func (n owner) onAdopt(from protocol.NodeID, m Message) {
	job := m.Attempt.Job
	if r := n.roleOf(job); r != nil && r.Epoch < m.Attempt.Epoch {
		n.asRepresentative().release(r.Attempt())
	}
	o, r := n.owned(job.Owner, job.Number), n.roleOf(job)
	if o == nil && job.Owner != n.Self && (r == nil || r.Epoch <= m.Attempt.Epoch) {
		possible := !n.Leaving && len(m.Candidates) <= maxCandidates
		if !possible || !n.makeRoom() {
			if possible {
				n.noteFull(job, fullJobs)
			}
			n.send(from, Message{Kind: Decline, Attempt: m.Attempt})
			return
		}
		o = n.own(Owned{
			Job: job, Spec: m.Spec, By: m.Attempt.By, Epoch: m.Attempt.Epoch, Moves: m.Moves, Rep: from,
			Candidates: slices.Clone(m.Candidates),
		})
		n.note(EventAdopt, m.Attempt)
	}
	if m.Revoked && o != nil && o.Attempt() == m.Attempt && o.State == JobOpen {
		o.State = JobRevoking
	}
	switch {
	case o == nil || o.Attempt() != m.Attempt || o.Rep != from || o.State > JobRevoking:
		n.send(from, Message{Kind: Settled, Attempt: m.Attempt})
	case m.Done:
		n.onResult(from, m)
	default:
		n.send(from, o.grantMessage())
	}
}

// bindOwner reports whether a message about the attempt comes from the node that was asked to own
// it. If so, that node is the owner from now on.
func (n representative) bindOwner(from protocol.NodeID, a Attempt) bool {
	r := n.roleOf(a.Job)
	if r == nil || r.Attempt() != a || r.Bond == Bound || r.Owner != from {
		return false
	}
	r.Bond, r.Candidates = Bound, nil
	n.report(r)
	return true
}

// onDecline lets the representative look for another node, when it resends what was not answered.
func (n representative) onDecline(from protocol.NodeID, m Message) {
	r := n.roleOf(m.Attempt.Job)
	if r == nil || r.Attempt() != m.Attempt || r.Bond != Asking || r.Owner != from {
		n.Ignore(from, "it was not asked")
		return
	}
	r.Bond = Seeking
}
