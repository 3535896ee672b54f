package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// onFailed handles the failure of a peer: its rounds, its promises, and perhaps its zone.
func (n *node) onFailed(id protocol.NodeID) {
	n.Event(EventFailed, id, 0, "")
	n.markDead(id)
	n.asParticipant().orphan(id)
	switch i := slices.Index(n.Change.Waiting, id); {
	case n.Change.Stage == Proposing && i >= 0:
		n.Change.Waiting = slices.Delete(n.Change.Waiting, i, i+1)
		n.asProposer().decide(false)
	case n.Change.Stage >= Granting:
		n.asProposer().stopWaiting(id)
	}
	if hole, ok := n.duty(); ok && !n.Busy() {
		n.asProposer().takeOver(hole)
	}
}

// orphan deals with a promise whose proposer failed. A merge or a takeover that took place has the
// same effect as the takeover that follows, so a promise to it is void. Only the joiner knows for
// sure whether a split took place, since it receives Commit before all others. So it is asked, and
// a NO of the joiner is final.
func (n participant) orphan(id protocol.NodeID) {
	p := &n.Promise
	switch {
	case p.Proposer == id && p.Kind == Split && p.Subject != n.Self.ID && !p.Orphan:
		p.Orphan = true
		n.send(p.Subject, Query{Proposer: p.Proposer, Round: p.Round})
	case p.Proposer == id && !p.Orphan, p.Orphan && p.Subject == id:
		n.giveUp()
	}
}

// onQuery answers, at the joiner, a node that found the proposer failed. If the joiner is no member
// yet, it gives the round up, so that no delayed Commit can make its answer false.
func (n participant) onQuery(from protocol.NodeID, m Query) {
	n.markDead(m.Proposer)
	n.orphan(m.Proposer)
	a := Answer{Proposer: m.Proposer, Round: m.Round}
	if n.Phase == Member {
		a.Records = table(slices.Clone(n.Known)).merge(n.Self) // the proposer's last record among them
	}
	n.send(from, a)
}

// onAnswer ends an orphaned promise.
func (n participant) onAnswer(m Answer) {
	if p := n.Promise; !p.Orphan || p.Proposer != m.Proposer || p.Round != m.Round {
		n.Ignore(m.Proposer, "no such question")
		return
	}
	n.giveUp()
	n.learn(m.Records)
}

// giveUp ends a promise to a node that failed. Other participants may have executed the round; they
// expect this node to be in the epoch after it.
func (n participant) giveUp() {
	n.release()
	n.Self.Epoch++
}

// duty returns a hole of which this node must take a share.
func (s *State) duty() (Record, bool) {
	if s.Phase != Member {
		return Record{}, false
	}
	for _, hole := range s.holes() {
		if _, ok := extended(s.Self, hole); ok {
			return hole, true
		}
	}
	return Record{}, false
}

func (n proposer) takeOver(hole Record) {
	n.request(Takeover, hole.ID, hole.Coord)
}

// markDead remembers a node as departed or failed, for good. The oldest is forgotten when there are
// too many.
func (n *node) markDead(id protocol.NodeID) {
	switch {
	case id.IsNobody() || n.IsDead(id):
	case id == n.Self.ID:
		n.fence()
	default:
		n.Dead = append(n.Dead, id)
		if extra := len(n.Dead) - n.cfg.DeadLimit; extra > 0 {
			n.Dead = n.Dead[extra:]
		}
	}
}

// answerZombie notifies a node that this node considers dead.
func (n *node) answerZombie(id protocol.NodeID) {
	n.Ignore(id, "zombie")
	n.send(id, Update{Self: Record{ID: n.Self.ID}, Dead: []protocol.NodeID{id}})
}

// fence stops this node because others consider it dead: they are taking its zone over.
func (n *node) fence() {
	n.Phase, n.Change, n.Promise = Departed, Change{}, Promise{}
	n.Event(EventFenced, n.Self.ID, 0, "")
}
