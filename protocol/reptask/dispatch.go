package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// setCluster replaces the node's data about its cluster. The first of several entries of a node
// counts. A member that an attempt has lost stays lost to that attempt.
func (n representative) setCluster(neighbours []Neighbour) {
	n.Cluster = slices.Clone(neighbours)
	slices.SortStableFunc(n.Cluster, func(a, b Neighbour) int { return a.ID.Compare(b.ID) })
	n.Cluster = slices.CompactFunc(n.Cluster, func(a, b Neighbour) bool { return a.ID == b.ID })
	n.Cluster = n.Cluster[:min(len(n.Cluster), protocol.MaxItems)]
}

// exclude removes a node that takes no tasks from the node's view of its cluster, until the
// application names it again. The node itself counts as long as it is not cordoned.
func (n representative) exclude(host protocol.NodeID) {
	if host != n.Self {
		n.Cluster = slices.DeleteFunc(slices.Clone(n.Cluster), func(q Neighbour) bool { return q.ID == host })
	}
}

// hostsFor returns the nodes that may get a dependent task of this attempt and have not got one
// yet, the best first (Rank). A serial job runs on the node that it was routed to. A node that is
// cordoned or has a full queue does not choose itself: if it owns the job, too, the task that it
// refuses would return to it within the same step, without end.
func (n representative) hostsFor(r *Role) []protocol.NodeID {
	full := len(n.Tasks) >= n.cfg.TaskLimit
	if r.Spec.Size == 1 {
		switch {
		case r.member(n.Self) != nil || n.Cordoned:
			return nil
		case full:
			n.noteFull(r.Job, fullTasks)
			return nil
		}
		return []protocol.NodeID{n.Self}
	}
	all := make([]Neighbour, 0, len(n.Cluster))
	for _, q := range n.Cluster { // sorted by identity
		if r.member(q.ID) != nil || slices.Contains(n.Silent, q.ID) || q.ID == n.Self && n.Cordoned {
			continue
		}
		if q.ID == n.Self {
			q.Length = n.QueueLength()
		}
		if q.ID == n.Self && full {
			n.noteFull(r.Job, fullTasks)
			continue
		}
		all = append(all, q)
	}
	return Rank(n.cfg, r.Job, r.Spec.Requirement, all)
}
