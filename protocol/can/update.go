package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// sendUpdates tells the direct neighbours, and the nodes across a hole, about the node and its
// direct neighbours, holes included: without them its border would look open to others, which then
// could close no hole of their own. Who is in a round of its own keeps its news until the round is
// over, since a joiner may not have yet what was decided, and only tells everybody who waits for
// the round's end that it is alive.
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

// update takes in the news of a neighbour. The neighbour is right about who is adjacent to it,
// unless the update is older than a round that this node has executed: the sender's zone or its
// epoch tells; or what the sender knows of this node's zone, if it knows anything of it. About this
// node's own neighbours it is not believed, since rounds keep those exact.
func (n *node) update(from protocol.NodeID, m Update) {
	bare := m.Self.Version == 0
	switch i, known := table(n.Known).find(from); {
	case n.Phase != Member || m.Self.ID != from:
		n.ignore(from, "no neighbour")
		return
	case n.IsDead(from) && bare:
		n.ignore(from, "zombie") // a leaver that waits for the last acknowledgements is told nothing
		return
	case n.IsDead(from):
		n.zombie(from)
		return
	case !bare && known && (n.Known[i].Version > m.Self.Version || n.Known[i].Epoch > m.Self.Epoch):
		n.ignore(from, "stale update")
		return
	case !bare && !known && table(m.Neighbours).version(n.Self.ID) < n.Self.Version && !n.across(m):
		n.ignore(from, "stale update") // there is no record of the sender any more to compare it with
		return
	}
	for _, id := range m.Dead {
		n.bury(id)
	}
	if bare {
		return
	}
	n.reclaim(from, m.Neighbours)
	news := table{m.Self}
	for _, r := range m.Neighbours {
		news = news.merge(r)
	}
	n.refresh(news)
	n.hear(news)
	n.supersede(n.told(news))
	if _, ok := n.Self.Zone.Abuts(m.Self.Zone); ok {
		n.forget(m.Self.Zone, news)
	}
}

// across reports whether there is, or was, a hole between the sender and this node of which both
// know: so the update is not older than the hole, beside which only takeovers change anything. Who
// has taken the hole has none there any more, but the sender may.
func (n *node) across(m Update) bool {
	between := func(r Record) bool {
		return n.IsDead(r.ID) && slices.Contains(m.Dead, r.ID) && touches(r.Zone, n.Self.Zone) && touches(r.Zone, m.Self.Zone)
	}
	return slices.ContainsFunc(n.Known, between) || slices.ContainsFunc(m.Neighbours, between)
}

// reclaim takes what the node was granted by a round whose proposer failed before it could tell:
// another taker was told, and tells.
func (n *node) reclaim(from protocol.NodeID, told table) {
	if i, ok := told.find(n.Self.ID); ok && !n.Busy() && told[i].Version > n.Self.Version {
		n.adopt(from, told[i])
	}
}

// refresh takes in what is newer about known nodes, the dead included: a hole has its last shape.
func (n *node) refresh(news table) {
	for _, r := range news {
		if table(n.Known).version(r.ID) > 0 {
			n.Known = table(n.Known).merge(r)
		}
	}
}

// learn takes in records from a round or from a joiner, which are exact at their time.
func (n *node) learn(news table) {
	for _, r := range news {
		if table(n.Known).version(r.ID) > 0 || r.ID != n.Self.ID && !n.IsDead(r.ID) {
			n.Known = table(n.Known).merge(r)
		}
	}
}

// hear takes in unknown nodes from an update, unless they would lie where this node or one of its
// direct neighbours is known to be. A dead one among them is a hole beside the sender; beside this
// node itself it would be a mistake, since who is there this node knows.
func (n *node) hear(news table) {
	sure := append(table(n.Direct()).zones(), n.Self.Zone)
	for _, r := range news {
		_, direct := n.Self.Zone.Abuts(r.Zone)
		if r.ID != n.Self.ID && !overlapsAny(r.Zone, sure) && !(direct && n.IsDead(r.ID)) {
			n.Known = table(n.Known).merge(r)
		}
	}
}

// told returns what is known now of the live nodes that an update was about.
func (n *node) told(news table) table {
	return table(n.Known).where(func(r Record) bool { return news.version(r.ID) > 0 && !n.IsDead(r.ID) })
}

// forget drops indirect neighbours that claim to be adjacent to a zone whose owner does not know
// them.
func (n *node) forget(z space.Zone, listed table) {
	n.Known = table(n.Known).where(func(r Record) bool {
		_, direct := n.Self.Zone.Abuts(r.Zone)
		_, claims := z.Abuts(r.Zone)
		return direct || !claims || listed.version(r.ID) > 0
	})
}
