package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// participant is a node in the rounds of others, R in chapter 6. It owns Promise in the state.
type participant struct{ *node }

// onPropose is Algorithm 5, Propose(i) on R from L.
func (n participant) onPropose(from protocol.NodeID, m Propose) {
	if n.IsDead(from) {
		n.answerZombie(from)
		return
	}
	if p := n.Promise; p.Proposer == from {
		if m.Round <= p.Round {
			if m.Round == p.Round {
				n.sendYes(from, m.Round)
			}
			return // older: over already, or the proposer would not have begun a newer one
		}
		n.release() // a newer round: the older one is over
	}
	if reason := n.objection(m); reason != "" {
		n.Event(EventRefuse, from, m.Round, reason)
		no := ProposeOK{Round: m.Round}
		if n.mayReport() {
			no.Self = n.Self
		}
		n.send(from, no)
		return
	}
	n.Promise = Promise{Proposer: from, Round: m.Round, Kind: m.Kind, Subject: m.Subject}
	n.Event(EventPromise, from, m.Round, m.Kind.String())
	n.sendYes(from, m.Round)
}

// sendYes promises, or repeats the promise.
func (n participant) sendYes(from protocol.NodeID, round uint32) {
	n.send(from, ProposeOK{Round: round, Yes: true, Epoch: n.Self.Epoch})
}

// objection returns the reason why the answer must be NO, or an empty string.
func (n participant) objection(m Propose) string {
	joiner := m.Kind == Split && m.Subject == n.Self.ID
	switch {
	case n.Busy():
		return "busy"
	case joiner && n.Phase != Joining:
		return "not joining"
	case !joiner && n.Phase != Member:
		return "not a member"
	case m.Version != n.Self.Version:
		return "the proposer's view is stale"
	}
	return ""
}

// onProposeOK is Algorithm 6, ProposeOK(r, i) on L from R. The first NO decides. A YES counts as NO
// if its sender took part in a round that L does not know.
func (n proposer) onProposeOK(from protocol.NodeID, m ProposeOK) {
	n.refresh(table{m.Self}) // with a NO: L's record of R may be stale
	current := m.Round == n.Round
	i := slices.Index(n.Change.Waiting, from)
	yes := m.Yes && !n.hasMissedRound(from, m.Epoch)
	switch {
	case current && n.Change.Stage == Proposing && i >= 0 && yes:
		n.Change.Waiting = slices.Delete(n.Change.Waiting, i, i+1)
		n.Change.Later = insert(n.Change.Later, from)
		n.Change.Commit = n.Change.Commit.withEpoch(from, m.Epoch+1)
		if len(n.Change.Waiting) == 0 {
			n.decide(true)
		}
	case current && n.Change.Stage == Proposing && i >= 0:
		n.decide(false)
	case current && n.Change.Commit.Kind != NoOp && (i >= 0 || slices.Contains(n.Change.Later, from)):
		n.Ignore(from, "the outcome is on its way")
	case m.Yes: // the promise is void: the round is over, or nothing came of it
		n.send(from, Release{Round: m.Round})
	}
}

// hasMissedRound reports whether a participant took part in a round that this node does not know,
// and notes its epoch. That round may have replaced another participant that promised and then
// failed. The node that took over is no participant of the present round, and would not be notified
// of its outcome.
func (n proposer) hasMissedRound(id protocol.NodeID, epoch uint32) bool {
	i, known := table(n.Known).find(id)
	if !known || n.Known[i].Epoch >= epoch {
		return false
	}
	n.Known[i].Epoch = epoch
	return true
}

// onProposeTimeout is Algorithm 7, ProposeTimeout(R), for all participants that have not answered:
// they count as NO.
func (n proposer) onProposeTimeout() {
	if n.Change.Stage == Proposing {
		n.decide(false)
	}
}

// onRelease drops a promise whose round is over at the proposer.
func (n participant) onRelease(from protocol.NodeID, m Release) {
	if n.Promise.Proposer != from || n.Promise.Round != m.Round {
		n.Ignore(from, "no such promise")
		return
	}
	n.release()
}

func (n participant) release() {
	n.Event(EventRelease, n.Promise.Proposer, n.Promise.Round, n.Promise.Kind.String())
	n.Promise = Promise{}
}

// insert adds an identity to a sorted list.
func insert(ids []protocol.NodeID, id protocol.NodeID) []protocol.NodeID {
	i, found := slices.BinarySearchFunc(ids, id, protocol.NodeID.Compare)
	if found {
		return ids
	}
	return slices.Insert(ids, i, id)
}
