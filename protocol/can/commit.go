package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// decide is Algorithm 8, CommitPhase(γ): the round is decided, once and for good. The proposer
// executes it at once. It notifies the nodes whose zones grow first, and all others when these have
// acknowledged.
func (n proposer) decide(granted bool) {
	c := &n.Change
	if !granted {
		n.Event(EventRetry, c.Subject, n.Round, c.Commit.Kind.String())
		c.Commit = Commit{Round: n.Round}
	}
	n.Event(EventDecide, c.Subject, n.Round, c.Commit.Kind.String())
	var gainers, others []protocol.NodeID
	for _, id := range append(c.Waiting, c.Later...) {
		if table(c.Commit.Changed).version(id) > 0 {
			gainers = insert(gainers, id)
		} else {
			others = insert(others, id)
		}
	}
	c.Stage, c.Waiting, c.Later = Granting, gainers, others
	n.execute(n.Self.ID, c.Commit)
	n.sendAll(c.Waiting, c.Commit)
	n.proceed()
}

// execute carries a decided round out, at its proposer and at its participants alike.
func (n *node) execute(proposer protocol.NodeID, m Commit) {
	for _, r := range m.Changed {
		if r.ID == n.Self.ID {
			n.adopt(proposer, r)
			continue
		}
		n.Known = table(n.Known).merge(r) // even if it is dead: then this is the hole it leaves
	}
	n.learn(m.View)
	if m.Gone == n.Self.ID {
		n.Phase = Leaving
		n.Self.Zone, n.Self.Splits = space.Zone{}, nil
		return
	}
	n.markDead(m.Gone)
	n.supersede(m.Changed)
}

// supersede drops indirect neighbours, but no holes, where a round has put other nodes or an update
// reports others: these neighbours are gone or have changed, and no message said so. Direct
// neighbours stay: this node detects their failure itself.
func (n *node) supersede(changed table) {
	zones := changed.zones()
	n.Known = table(n.Known).where(func(r Record) bool {
		_, direct := n.Self.Zone.Abuts(r.Zone)
		return direct || n.IsDead(r.ID) || changed.version(r.ID) > 0 || !overlapsAny(r.Zone, zones)
	})
}

// proceed goes to the next stage of the round when no acknowledgement is missing.
func (n proposer) proceed() {
	c := &n.Change
	if c.Stage == Granting && len(c.Waiting) == 0 {
		c.Stage, c.Waiting, c.Later = Committing, c.Later, nil
		n.sendAll(c.Waiting, c.Commit)
	}
	if c.Stage == Committing && len(c.Waiting) == 0 {
		n.Change = Change{}
		if n.Phase == Leaving {
			n.Phase = Departed
			n.Event(EventLeft, n.Self.ID, n.Round, "")
		}
	}
}

// onCommit is Algorithm 9, Commit(γ, i) on R from L. The promise is the right to execute, once;
// every copy is acknowledged, since the first acknowledgement may have been dropped.
func (n participant) onCommit(from protocol.NodeID, m Commit) {
	if n.Promise.Proposer == from && n.Promise.Round == m.Round {
		n.fulfil(from, m)
	} else {
		n.Ignore(from, "no such promise")
	}
	n.acknowledge(from, m)
}

// fulfil executes the round that the node promised to.
func (n participant) fulfil(from protocol.NodeID, m Commit) {
	n.Promise = Promise{}
	n.Event(EventExecute, from, m.Round, m.Kind.String())
	if m.Kind == NoOp && n.Phase == Joining {
		n.Event(EventRetry, from, m.Round, Split.String())
	}
	if m.Kind != NoOp {
		n.Self.Epoch++
	}
	n.execute(from, m)
}

// acknowledge answers a Commit. A node that took a zone over borders on nodes that it may not know:
// the neighbours of that zone's neighbours. It needs their records before it may have to take over
// again, so the acknowledgement lists them.
func (n participant) acknowledge(from protocol.NodeID, m Commit) {
	ok := CommitOK{Round: m.Round}
	if m.Kind == Takeover && n.mayReport() {
		n.prune() // the executed change may close the hole
		ok.Neighbours = table(n.Known).adjacentTo(n.Self.Zone)
	}
	n.send(from, ok)
}

// adopt makes a granted record the node's own.
func (n *node) adopt(from protocol.NodeID, r Record) {
	r.Epoch = n.Self.Epoch
	n.Self = r
	if n.Phase == Joining {
		n.Phase = Member
		n.Event(EventJoined, from, 0, "")
	}
}

// onCommitOK ends the wait for one acknowledgement.
func (n proposer) onCommitOK(from protocol.NodeID, m CommitOK) {
	if n.Change.Stage < Granting || m.Round != n.Round {
		n.Ignore(from, "no such round")
		return
	}
	n.refresh(m.Neighbours)
	n.discover(m.Neighbours)
	n.stopWaiting(from)
}

// stopWaiting removes a node from the lists of missing acknowledgements.
func (n proposer) stopWaiting(id protocol.NodeID) {
	same := func(w protocol.NodeID) bool { return w == id }
	n.Change.Waiting = slices.DeleteFunc(n.Change.Waiting, same)
	n.Change.Later = slices.DeleteFunc(n.Change.Later, same)
	n.proceed()
}

// resend repeats the message whose answer is missing: it may have been dropped.
func (n *node) resend() {
	switch p := n.Promise; {
	case n.Change.Stage >= Granting:
		n.sendAll(n.Change.Waiting, n.Change.Commit)
	case p.Orphan:
		n.send(p.Subject, Query{Proposer: p.Proposer, Round: p.Round})
	case !p.Proposer.IsNobody():
		n.asParticipant().sendYes(p.Proposer, p.Round)
	}
}
