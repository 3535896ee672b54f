package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Owner and representative replace each other (section 2.1). That the owner grants anew when a
// representative fails is in owner.go; here a representative finds another owner when its own has
// failed. It keeps the attempt meanwhile, and its hosts run on. When the owner was silent for a
// lease, the representative asks whether it still is the owner: if it lives it answers. When
// nothing has come for another lease, EventOrphan says so, and the representative asks whomever the
// application names.
//
// As long as a representative holds an attempt, its owner has granted no later one (part). So there
// are never two of them that look for an owner, and the next owner may take the attempt as its own.

// bereft deals with the silence of the owner of an attempt, or of whoever was asked to be it.
func (n *node) bereft(r *Role) {
	switch r.Bond {
	case Bound:
		r.Bond = Asking
		n.send(r.Owner, r.asksFor())
	case Asking:
		r.Bond = Seeking
		n.note(EventOrphan, r.Attempt())
	}
}

// ask turns to the node that the application has found.
func (n *node) ask(o Command) {
	r := n.roleOf(o.Job)
	switch {
	case r == nil || r.Bond != Seeking:
		n.ignore(n.Self, "no such orphan")
	case o.Target.IsNobody() || len(o.Candidates) > maxCandidates:
		n.ignore(n.Self, "nobody to own it, or too many candidates")
	default:
		r.Owner, r.Bond, r.Candidates = o.Target, Asking, slices.Clone(o.Candidates)
		n.send(r.Owner, r.asksFor())
	}
}

func (r *Role) asksFor() Message {
	return Message{
		Kind: Adopt, Attempt: r.Attempt(), Spec: r.Spec, Moved: r.Moved, Candidates: r.Candidates,
		Revoked: r.Phase >= Stopping && r.Why == Revoked, Done: r.Phase == Reporting,
	}
}

// adopt makes the node the owner of a job, as if it had granted the attempt itself. If the attempt
// has a result, the job is done in the same step: no owner holds a job open of which a client may
// have been told.
func (n *node) adopt(from protocol.NodeID, m Message) {
	job := m.Attempt.Job
	if r := n.roleOf(job); r != nil && r.Epoch < m.Attempt.Epoch {
		n.release(r.Attempt())
	}
	o, r := n.owned(job.Owner, job.Number), n.roleOf(job)
	if o == nil && job.Owner != n.Self && (r == nil || r.Epoch <= m.Attempt.Epoch) {
		if n.Leaving || len(m.Candidates) > maxCandidates || !n.room() {
			n.send(from, Message{Kind: Decline, Attempt: m.Attempt})
			return
		}
		o = n.own(Owned{
			Job: job, Spec: m.Spec, By: m.Attempt.By, Epoch: m.Attempt.Epoch, Moved: m.Moved, Rep: from, Candidates: slices.Clone(m.Candidates),
		})
		if m.Revoked {
			o.State = JobRevoking
		}
		n.note(EventAdopt, m.Attempt)
	}
	switch {
	case o == nil || o.Attempt() != m.Attempt || o.Rep != from || o.State > JobRevoking:
		n.send(from, Message{Kind: Settled, Attempt: m.Attempt})
	case m.Done:
		n.result(from, m)
	default:
		n.send(from, o.grants())
	}
}

// owns reports whether the message about the attempt makes its sender the owner that was asked for.
func (n *node) owns(from protocol.NodeID, a Attempt) bool {
	r := n.roleOf(a.Job)
	if r == nil || r.Attempt() != a || r.Bond == Bound || r.Owner != from {
		return false
	}
	r.Bond, r.Candidates = Bound, nil
	n.report(r)
	return true
}

// declined looks for somebody else, when what is not answered is repeated.
func (n *node) declined(from protocol.NodeID, m Message) {
	r := n.roleOf(m.Attempt.Job)
	if r == nil || r.Attempt() != m.Attempt || r.Bond != Asking || r.Owner != from {
		n.ignore(from, "it was not asked")
		return
	}
	r.Bond = Seeking
}
