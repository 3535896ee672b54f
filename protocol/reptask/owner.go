package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// maxCandidates bounds the nodes that matchmaking proposes for a job.
const maxCandidates = 64

// owner is a node as the owner of jobs. It owns Jobs, Epoch and Owned in the state.
type owner struct{ *node }

// submit makes the node the owner of a job.
func (n owner) submit(c Command) {
	candidates := len(c.Candidates)
	possible := c.Spec.Size > 0 && c.Spec.Size <= protocol.MaxItems && c.Spec.Over.Valid()
	if !possible || candidates == 0 || candidates > maxCandidates {
		n.Ignore(n.Self, "an impossible job")
		return
	}
	if n.Leaving {
		n.Ignore(n.Self, "leaving")
		return
	}
	if !n.makeRoom() {
		n.noteFull(Job{Owner: n.Self}, fullJobs)
		n.Ignore(n.Self, "too many jobs")
		return
	}
	n.Jobs++
	job := Job{Submitted: c.Submitted, Owner: n.Self, Number: n.Jobs}
	n.Event(EventSubmit, n.Self, n.Jobs, "")
	n.grantNext(n.own(Owned{Job: job, Spec: c.Spec, Candidates: slices.Clone(c.Candidates)}))
}

// own adds a job to the node's owned jobs.
func (n owner) own(o Owned) *Owned {
	i, _ := n.ownedAt(o.Job)
	n.Owned = slices.Insert(n.Owned, i, o)
	return &n.Owned[i]
}

// makeRoom makes room for one more job. It may forget the first ended one.
func (n owner) makeRoom() bool {
	if len(n.Owned) < n.cfg.JobLimit {
		return true
	}
	i := slices.IndexFunc(n.Owned, func(o Owned) bool { return o.State > JobRevoking })
	if i < 0 {
		return false
	}
	n.noteFull(n.Owned[i].Job, fullEnded)
	n.Owned = slices.Delete(n.Owned, i, i+1)
	return true
}

// grantNext begins the next attempt, with the next candidate. When all candidates have refused in
// succession, or failed, the job has failed.
func (n owner) grantNext(o *Owned) {
	if int(o.Refusals) >= len(o.Candidates) {
		n.close(o, JobFailed)
		return
	}
	next := o.Candidates[0]
	copy(o.Candidates, o.Candidates[1:])
	o.Candidates[len(o.Candidates)-1] = next
	n.grantTo(o, next)
}

// grantTo begins an attempt. No other attempt at the job is under way: the representative of the
// last one has given it up, or has failed, and its hosts have noticed.
func (n owner) grantTo(o *Owned, rep protocol.NodeID) {
	n.Epoch = max(n.Epoch, o.Epoch) + 1
	o.By, o.Epoch, o.Rep = n.Self, n.Epoch, rep
	n.note(EventGrant, o.Attempt())
	n.send(rep, o.grantMessage())
}

// grantMessage returns the message that is resent to the representative until it answers, or until
// the job has ended.
func (o *Owned) grantMessage() Message {
	switch {
	case o.Parting:
		return Message{Kind: Settled, Attempt: o.Attempt(), Confirm: true}
	case o.State == JobRevoking:
		return Message{Kind: Revoke, Attempt: o.Attempt()}
	}
	return Message{Kind: Grant, Attempt: o.Attempt(), Spec: o.Spec, Moves: o.Moves}
}

// close ends a job. Its final state is remembered for the client.
func (n owner) close(o *Owned, state JobState) {
	o.State, o.Candidates, o.Refusals, o.Parting = state, nil, 0, false
	o.Rep, o.Next, o.NextBy = protocol.NodeID{}, protocol.NodeID{}, 0
	switch state {
	case JobAccepted:
		n.note(EventAccept, o.Attempt())
	case JobCancelled:
		n.Event(EventCancelled, o.Job.Owner, o.Job.Number, "")
	default:
		n.Event(EventFailed, o.Job.Owner, o.Job.Number, "")
	}
}

// onResult accepts the result of the latest attempt, and of no other. The representative receives
// Settled in either case.
func (n owner) onResult(from protocol.NodeID, m Message) {
	o := n.granted(m.Attempt)
	mine := o != nil && o.Rep == from
	if mine && o.State == JobRevoking {
		n.part(o)
		return
	}
	n.send(from, Message{Kind: Settled, Attempt: m.Attempt})
	if !mine {
		n.Ignore(from, "a result of an attempt that is over")
		return
	}
	n.close(o, JobAccepted)
}

// onGiveUp records that an attempt is over. A node that refused the attempt does not hold it.
func (n owner) onGiveUp(from protocol.NodeID, m Message) {
	o := n.granted(m.Attempt)
	switch {
	case o == nil || o.Rep != from:
		n.send(from, Message{Kind: Settled, Attempt: m.Attempt})
		n.Ignore(from, "an attempt that is over")
	case m.Reason == Refused && !o.Parting:
		n.send(from, Message{Kind: Settled, Attempt: m.Attempt})
		if o.isInTurn(from) {
			o.Refusals++
		}
		n.goOn(o)
	default:
		o.Refusals = 0
		switch {
		case m.Reason == Revoked: // perhaps by a former owner
			o.State = JobRevoking
		case m.Reason == Moved:
			o.Next, o.NextBy = m.Target, m.By
		}
		n.part(o)
	}
}

// part makes the representative forget an attempt that is over, before the owner continues. While
// the representative holds the attempt it may bring it to another owner, if this one fails.
func (n owner) part(o *Owned) {
	if !o.Parting {
		o.Parting = true
		n.note(EventPart, o.Attempt())
	}
	n.send(o.Rep, o.grantMessage())
}

// endParting reports whether the message confirms that a representative has forgotten its attempt.
// If so it begins the next one.
func (n owner) endParting(from protocol.NodeID, m Message) bool {
	o := n.granted(m.Attempt)
	if o == nil || !o.Parting || o.Rep != from {
		return false
	}
	n.goOn(o)
	return true
}

// goOn begins the next attempt, unless the job is cancelled. No node holds the last one.
func (n owner) goOn(o *Owned) {
	o.Parting = false
	switch next := o.Next; {
	case o.State == JobRevoking:
		n.close(o, JobCancelled)
	case !next.IsNobody():
		o.Moves[o.NextBy] = true
		o.Next, o.NextBy = protocol.NodeID{}, 0
		n.grantTo(o, next)
	default:
		n.grantNext(o)
	}
}

// isInTurn reports whether a representative was asked as the next candidate. The target of a move
// was not: its refusal must not count while other candidates have not been asked again.
func (o *Owned) isInTurn(rep protocol.NodeID) bool {
	last := len(o.Candidates) - 1
	return last >= 0 && o.Candidates[last] == rep
}

// cancelJob cancels a job for its client. The job ends when nothing of it can run.
func (n owner) cancelJob(c Command) {
	if c.Owner.IsNobody() {
		c.Owner = n.Self
	}
	o := n.owned(c.Owner, c.Number)
	if o == nil || o.State != JobOpen {
		n.Ignore(n.Self, "no such open job")
		return
	}
	o.State = JobRevoking
	n.send(o.Rep, o.grantMessage())
}

// goOnWithout handles the failure of a representative or a candidate. When it is called, no host
// holds a task of the attempt any more.
func (n owner) goOnWithout(o *Owned, peer protocol.NodeID) {
	asked := len(o.Candidates)
	o.Candidates = slices.DeleteFunc(o.Candidates, func(id protocol.NodeID) bool { return id == peer })
	if len(o.Candidates) < asked {
		o.Refusals = 0
	}
	if o.State <= JobRevoking && o.Rep == peer {
		n.goOn(o)
	}
}
