package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// sendUpdates reports the node, its direct neighbours and the holes beside it to direct neighbours
// and to nodes across a hole. Without the holes its border would look open to others, which then
// could close no hole of their own. During its own round a node sends bare updates, also to all
// participants: the joiner may not have its zone yet.
func (n *node) sendUpdates() {
	to := n.audience().ids()
	if n.Change.Stage == Stable {
		n.sendAll(to, Update{Self: n.Self, Neighbours: table(n.Known).adjacentTo(n.Self.Zone), Dead: n.Dead})
		return
	}
	for _, ids := range [2][]protocol.NodeID{n.Change.Waiting, n.Change.Later} {
		for _, id := range ids {
			to = insert(to, id)
		}
	}
	n.sendAll(to, Update{Self: Record{ID: n.Self.ID}})
}

// onUpdate learns from a neighbour's report. The sender is right about the nodes adjacent to it,
// unless the update is older than a round that this node executed. The sender's version or epoch
// shows that or, for an unknown sender, the version of this node that it lists. An update removes
// no direct neighbour of this node and adds no dead one, since rounds keep these exact.
func (n *node) onUpdate(from protocol.NodeID, m Update) {
	bare := m.Self.Version == 0
	switch i, known := table(n.Known).find(from); {
	case n.Phase != Member || m.Self.ID != from:
		n.Ignore(from, "no neighbour")
		return
	case n.IsDead(from) && bare:
		n.Ignore(from, "zombie") // a leaver that waits for the last acknowledgements gets no answer
		return
	case n.IsDead(from):
		n.answerZombie(from)
		return
	case !bare && known && (n.Known[i].Version > m.Self.Version || n.Known[i].Epoch > m.Self.Epoch):
		n.Ignore(from, "stale update")
		return
	case !bare && !known && table(m.Neighbours).version(n.Self.ID) < n.Self.Version && !n.isAcross(m):
		n.Ignore(from, "stale update") // no record of the sender is left to compare it with
		return
	}
	for _, id := range m.Dead {
		n.markDead(id)
	}
	if bare {
		return
	}
	n.reclaim(from, m.Neighbours)
	reported := table{m.Self}
	for _, r := range m.Neighbours {
		reported = reported.merge(r)
	}
	n.refresh(reported)
	n.discover(reported)
	n.supersede(n.presentRecords(reported))
	if _, ok := n.Self.Zone.Abuts(m.Self.Zone); ok {
		n.forget(m.Self.Zone, reported)
	}
}

// isAcross reports whether there is, or was, a hole between the sender and this node that both
// know. Then the update is not older than the hole, and beside a hole only takeovers change
// anything. If this node has taken the hole in the meantime, the sender may still list it.
func (n *node) isAcross(m Update) bool {
	between := func(r Record) bool {
		return n.IsDead(r.ID) && slices.Contains(m.Dead, r.ID) && touches(r.Zone, n.Self.Zone) && touches(r.Zone, m.Self.Zone)
	}
	return slices.ContainsFunc(n.Known, between) || slices.ContainsFunc(m.Neighbours, between)
}

// reclaim adopts the share that a round granted to this node if the proposer failed before this
// node received Commit. Another taker received it, and its update shows the share.
func (n *node) reclaim(from protocol.NodeID, reported table) {
	if i, ok := reported.find(n.Self.ID); ok && !n.Busy() && reported[i].Version > n.Self.Version {
		n.adopt(from, reported[i])
	}
}

// refresh replaces records of known nodes by newer ones, also of dead nodes: a hole has the shape
// that the zone had last.
func (n *node) refresh(reported table) {
	for _, r := range reported {
		if table(n.Known).version(r.ID) > 0 {
			n.Known = table(n.Known).merge(r)
		}
	}
}

// learn adds records from a round or from a joiner. They were exact when they were sent.
func (n *node) learn(reported table) {
	for _, r := range reported {
		if table(n.Known).version(r.ID) > 0 || r.ID != n.Self.ID && !n.IsDead(r.ID) {
			n.Known = table(n.Known).merge(r)
		}
	}
}

// discover adds unknown nodes from an update, unless they overlap this node or one of its direct
// neighbours. A dead one among them is a hole beside the sender. Beside this node itself it is a
// mistake, since this node has all its own neighbours.
func (n *node) discover(reported table) {
	sure := append(table(n.Direct()).zones(), n.Self.Zone)
	for _, r := range reported {
		_, direct := n.Self.Zone.Abuts(r.Zone)
		if r.ID != n.Self.ID && !overlapsAny(r.Zone, sure) && !(direct && n.IsDead(r.ID)) {
			n.Known = table(n.Known).merge(r)
		}
	}
}

// presentRecords returns the present records of the live nodes that an update reported.
func (n *node) presentRecords(reported table) table {
	return table(n.Known).where(func(r Record) bool { return reported.version(r.ID) > 0 && !n.IsDead(r.ID) })
}

// forget drops indirect neighbours that should be adjacent to a zone but are not listed by its
// owner.
func (n *node) forget(z space.Zone, listed table) {
	n.Known = table(n.Known).where(func(r Record) bool {
		_, direct := n.Self.Zone.Abuts(r.Zone)
		_, claims := z.Abuts(r.Zone)
		return direct || !claims || listed.version(r.ID) > 0
	})
}
