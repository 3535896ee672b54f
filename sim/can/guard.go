package can

import (
	"slices"

	canmodel "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// failure is a node that failed and whose takeover may be incomplete.
type failure struct {
	id       protocol.NodeID
	zone     space.Zone        // empty if it owned none
	partners []protocol.NodeID // a joiner's owner, an owner's joiner, a leaver's takers
}

// failureOf describes the failure that a node would have now.
func (m *Map) failureOf(node int) failure {
	s := m.state(node)
	f := failure{id: s.Self.ID, zone: s.Self.Zone, partners: partnersOf(s)}
	for i, v := range m.oracle.views {
		if v == nil || i == node {
			continue
		}
		other := m.state(i)
		if slices.Contains(partnersOf(other), f.id) {
			f.partners = append(f.partners, v.Self.ID)
		}
		// A joiner and a leaver have no zone, but other nodes may assume one. A taker may have been
		// granted more than its state shows.
		for _, q := range slices.Concat(other.Known, other.Change.Commit.Changed) {
			if q.ID == f.id && (f.zone.Empty() || space.Covered(f.zone, []space.Zone{q.Zone})) {
				f.zone = q.Zone
			}
		}
	}
	return f
}

// partnersOf lists the nodes that a round gives zones to or takes them from.
func partnersOf(s *can.State) []protocol.NodeID {
	var ids []protocol.NodeID
	if s.Change.Stage != can.Stable {
		ids = append(ids, s.Change.Subject)
		for _, r := range s.Change.Commit.Changed {
			ids = append(ids, r.ID)
		}
	}
	if p := s.Promise; !p.Proposer.IsNobody() && (p.Subject == s.Self.ID || p.Kind == can.Merge) {
		ids = append(ids, p.Proposer)
	}
	return ids
}

// MayCrash reports whether the guard allows a node to fail now. Failures that are not overcome must
// be more than Apart steps apart, from neighbour to neighbour. A joiner counts as adjacent to the
// owner that admits it, and a leaver to its takers. Enough nodes must remain.
func (m *Map) MayCrash(node int) bool {
	if m.oracle.views[node] == nil || m.stayingBeside(node) < m.guard.Stay {
		return false
	}
	m.failed = slices.DeleteFunc(slices.Clone(m.failed), m.isOvercome)
	if len(m.failed) > 0 && m.guard.Soon && canmodel.TakenOver(m.oracle.cfg.Space, m.oracle.views) {
		m.failed = nil
	}
	if len(m.failed) == 0 {
		return true
	}
	next := m.failureOf(node)
	near := m.around(next.zone)
	return !slices.ContainsFunc(m.failed, func(f failure) bool {
		fell := slices.ContainsFunc(m.fell(f), func(z space.Zone) bool { return slices.ContainsFunc(near, z.Overlaps) })
		return fell || slices.Contains(f.partners, next.id) || slices.Contains(next.partners, f.id)
	})
}

// Fail notes that a node is about to fail.
func (m *Map) Fail(node int) { m.failed = append(m.failed, m.failureOf(node)) }

// fell returns the zones that lost their owner by a failure: the zone of the node, and any zone
// that it was granted after it had failed.
func (m *Map) fell(f failure) []space.Zone {
	zones := []space.Zone{f.zone}
	for i, v := range m.oracle.views {
		if v == nil {
			continue
		}
		s := m.state(i)
		for _, q := range slices.Concat(s.Known, s.Change.Commit.Changed) {
			if q.ID == f.id && !slices.Contains(zones, q.Zone) {
				zones = append(zones, q.Zone)
			}
		}
	}
	return zones
}

// around returns the zones within Apart steps of the given zones, these included.
func (m *Map) around(zones ...space.Zone) []space.Zone {
	var others []space.Zone
	for _, v := range m.oracle.owners() {
		others = append(others, v.Self.Zone)
	}
	for _, f := range m.failed {
		others = append(others, m.fell(f)...)
	}
	near := slices.Clone(zones)
	for range m.guard.Apart {
		reached := slices.Clone(near)
		others = slices.DeleteFunc(others, func(o space.Zone) bool {
			adjacent := slices.ContainsFunc(near, func(n space.Zone) bool { _, ok := n.Abuts(o); return ok || n.Overlaps(o) })
			if adjacent {
				reached = append(reached, o)
			}
			return adjacent
		})
		near = reached
	}
	return near
}

// isOvercome reports whether no node has anything to do with a failed node any more.
func (m *Map) isOvercome(f failure) bool {
	for i, v := range m.oracle.views {
		if v != nil && isConcerned(m.state(i), f.id) {
			return false
		}
	}
	return true
}

func isConcerned(s *can.State, id protocol.NodeID) bool {
	known := slices.ContainsFunc(s.Known, func(r can.Record) bool { return r.ID == id })
	p, c := &s.Promise, &s.Change
	return known || p.Proposer == id || p.Subject == id ||
		c.Stage != can.Stable && (c.Subject == id || slices.Contains(c.Waiting, id) || slices.Contains(c.Later, id))
}
