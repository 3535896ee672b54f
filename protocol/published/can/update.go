package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// sendUpdates sends the direct neighbours the records of the node and of each other.
func (n *node) sendUpdates() {
	direct := n.Direct()
	for _, r := range direct {
		n.send(r.ID, Update{Self: n.Self.Record, Neighbours: direct})
	}
}

// update records the update of a neighbour: its own record, and the indirect neighbours.
func (n *node) update(from protocol.NodeID, m Update) {
	if m.Self.ID != from {
		n.Ignore(from, "news of somebody else")
		return
	}
	if !n.offer(m.Self) {
		n.Ignore(from, "outdated update")
		return
	}
	for _, r := range m.Neighbours {
		n.offer(r)
	}
	if abuts(n.Self.Zone, m.Self.Zone) {
		n.forget(m.Self.Zone, m.Neighbours)
	}
}

// offer is section 6.1: information about a node is discarded if it is older than the present
// record, or than the deletion of that node. If the instance number is new, an outstanding command
// is removed.
func (n *node) offer(r Record) bool {
	if r.ID == n.Self.ID || n.cfg.InstanceNumbers && n.outdated(r) {
		return false
	}
	if i, ok := n.findTombstone(r.ID); ok {
		n.Gone = slices.Delete(n.Gone, i, i+1)
	}
	entry := (*table)(&n.Nodes).at(r.ID)
	if r.Instance > entry.Instance {
		entry.Status = Stable
	} else {
		r.Instance = entry.Instance // without section 6.1 only
	}
	entry.Record = r
	return true
}

func (n *node) outdated(r Record) bool {
	if i, ok := n.findTombstone(r.ID); ok && r.Instance <= n.Gone[i].Instance {
		return true
	}
	i, ok := table(n.Nodes).find(r.ID)
	return ok && r.Instance < n.Nodes[i].Instance
}

// forget drops indirect neighbours that should be adjacent to the sender of an update but are not
// listed in it.
func (n *node) forget(sender space.Zone, listed []Record) {
	n.Nodes = slices.DeleteFunc(n.Nodes, func(e Entry) bool {
		lists := func(r Record) bool { return r.ID == e.ID }
		return abuts(sender, e.Zone) && !abuts(n.Self.Zone, e.Zone) && !slices.ContainsFunc(listed, lists)
	})
}

// remove forgets a node that has left or failed, and keeps a record of its departure.
func (n *node) remove(r Record) {
	(*table)(&n.Nodes).remove(r.ID)
	if !n.cfg.InstanceNumbers {
		return
	}
	n.Gone = append(n.Gone, Tombstone{ID: r.ID, Instance: r.Instance})
	if extra := len(n.Gone) - n.cfg.DepartedLimit; extra > 0 {
		n.Gone = n.Gone[extra:]
	}
}

func (s *State) findTombstone(id protocol.NodeID) (int, bool) {
	i := slices.IndexFunc(s.Gone, func(t Tombstone) bool { return t.ID == id })
	return i, i >= 0
}
