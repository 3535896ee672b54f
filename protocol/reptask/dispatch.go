package reptask

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// cluster replaces what the node knows of its cluster. A member that an attempt has lost stays lost
// to that attempt.
func (n *node) cluster(neighbours []Neighbour) {
	n.Cluster = slices.Clone(neighbours)
	slices.SortFunc(n.Cluster, func(a, b Neighbour) int { return a.ID.Compare(b.ID) })
	n.Cluster = slices.CompactFunc(n.Cluster, func(a, b Neighbour) bool { return a.ID == b.ID })
	n.Cluster = n.Cluster[:min(len(n.Cluster), protocol.MaxItems)]
}

// dispatched is the number of hosts that an attempt has at a time, if the cluster is large enough.
func (s Spec) dispatched() uint32 {
	switch s.Over {
	case OverHalf:
		return s.Size + (s.Size+1)/2
	case OverEight:
		return 8 * s.Size
	case OverTotal:
		return protocol.MaxItems
	}
	return s.Size
}

// choose returns the nodes that may get a dependent task of this attempt and have not got one yet,
// the best first. Idle nodes come first, and of these the minimally capable ones; a hash chooses
// among equals. A serial job runs on the node that it was routed to. A node with a full queue does
// not choose itself: if it owns the job, too, the task that it refuses would return to it within
// the same step, without end.
func (n *node) choose(r *Role) []protocol.NodeID {
	full := len(n.Tasks) >= n.cfg.TaskLimit
	if r.Spec.Size == 1 {
		if r.member(n.Self) != nil || full {
			return nil
		}
		return []protocol.NodeID{n.Self}
	}
	type candidate struct {
		Neighbour
		busy  uint32 // 0: idle, 1: not
		below int    // the number of candidates that are less capable
		hash  uint64
	}
	var all []candidate
	for _, q := range n.Cluster {
		if q.ID == n.Self {
			q.Length = n.QueueLength()
		}
		if q.ID == n.Self && full {
			continue
		}
		if r.member(q.ID) == nil && !slices.Contains(n.Silent, q.ID) &&
			atMost(r.Spec.Requirement, q.Capability, n.cfg.Machine) {
			all = append(all, candidate{Neighbour: q, busy: min(q.Length, 1), hash: drawn(r.Job, q.ID)})
		}
	}
	for i := range all {
		for j := range all {
			if less(all[j].Capability, all[i].Capability, n.cfg.Machine) {
				all[i].below++
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { // the cluster is sorted by identity
		return cmp.Or(cmp.Compare(a.busy, b.busy), cmp.Compare(a.below, b.below), cmp.Compare(a.hash, b.hash))
	})
	ids := make([]protocol.NodeID, len(all))
	for i, c := range all {
		ids[i] = c.ID
	}
	return ids
}

// atMost reports whether a is at most b in each of the first dims dimensions.
func atMost(a, b space.Point, dims int) bool {
	for k := range dims {
		if a[k] > b[k] {
			return false
		}
	}
	return true
}

// less is the order of section 4.2: smaller in every dimension.
func less(a, b space.Point, dims int) bool {
	for k := range dims {
		if a[k] >= b[k] {
			return false
		}
	}
	return dims > 0
}
