package can

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// sendUpdates tells the direct neighbours about the node and its direct neighbours.
func (n *node) sendUpdates() {
	if n.Phase != Member {
		return
	}
	direct := n.Direct()
	n.sendAll(table(direct).ids(), Update{Self: n.Self, Neighbours: direct, Dead: n.Dead})
}

// update takes in the news of a direct neighbour. The neighbour is right about who is adjacent to it,
// unless the update is old: then it is refused if it can be told, and otherwise the next one mends it.
// About this node's own neighbours it is not believed, since rounds keep those exact.
func (n *node) update(from protocol.NodeID, m Update) {
	switch {
	case n.Phase != Member || m.Self.ID != from:
		n.ignore(from, "no neighbour")
		return
	case n.IsDead(from):
		n.ignore(from, "zombie")
		return
	case table(n.Known).version(from) > m.Self.Version:
		n.ignore(from, "stale update")
		return
	}
	for _, id := range m.Dead {
		n.bury(id)
	}
	news := table{m.Self}
	for _, r := range m.Neighbours {
		news = news.put(r)
	}
	n.refresh(news)
	n.hear(news)
	if _, ok := n.Self.Zone.Abuts(m.Self.Zone); ok {
		n.forget(m.Self.Zone, news)
	}
}

// refresh replaces known records by newer ones, those of dead nodes included: a hole has its last shape.
func (n *node) refresh(news table) {
	for _, r := range news {
		if v := table(n.Known).version(r.ID); v > 0 && v < r.Version {
			n.Known = table(n.Known).put(r)
		}
	}
}

// learn takes in records from a round or from a joiner, which are exact at their time.
func (n *node) learn(news table) {
	n.refresh(news)
	for _, r := range news {
		if r.ID != n.Self.ID && !n.IsDead(r.ID) && table(n.Known).version(r.ID) == 0 {
			n.Known = table(n.Known).put(r)
		}
	}
}

// hear takes in unknown nodes from an update, unless they would lie where this node or one of its direct
// neighbours is known to be.
func (n *node) hear(news table) {
	sure := append(table(n.Direct()).zones(), n.Self.Zone)
	n.learn(news.where(func(r Record) bool { return !overlapsAny(r.Zone, sure) }))
}

// forget drops indirect neighbours that claim to be adjacent to a zone whose owner does not know them.
func (n *node) forget(z space.Zone, listed table) {
	n.Known = table(n.Known).where(func(r Record) bool {
		_, direct := n.Self.Zone.Abuts(r.Zone)
		_, claims := z.Abuts(r.Zone)
		return direct || !claims || listed.version(r.ID) > 0 || n.IsDead(r.ID)
	})
}
