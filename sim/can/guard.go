package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// failure is a node that failed and whose takeover may not be complete yet.
type failure struct {
	id       protocol.NodeID
	zone     space.Zone        // empty if it owned none
	partners []protocol.NodeID // a joiner's owner, an owner's joiner, a leaver's takers
}

// failureOf says what the failure of a node would be.
func (r *run) failureOf(node int) failure {
	s := r.State(node)
	f := failure{id: s.Self.ID, zone: s.Self.Zone, partners: partnersOf(s)}
	for i, v := range r.judge.views {
		if v == nil || i == node {
			continue
		}
		other := r.State(i)
		if slices.Contains(partnersOf(other), f.id) {
			f.partners = append(f.partners, v.Self.ID)
		}
		// A joiner and a leaver have no zone, but others may believe in one; a taker may have been granted more than it
		// knows of.
		for _, q := range slices.Concat(other.Known, other.Change.Commit.Changed) {
			if q.ID == f.id && (f.zone.Empty() || space.Covered(f.zone, []space.Zone{q.Zone})) {
				f.zone = q.Zone
			}
		}
	}
	return f
}

// partnersOf lists those to whom a round gives zones or takes them from.
func partnersOf(s *can.State) []protocol.NodeID {
	var ids []protocol.NodeID
	if s.Change.Stage != can.Stable {
		ids = append(ids, s.Change.Subject)
		for _, r := range s.Change.Commit.Changed {
			ids = append(ids, r.ID)
		}
	}
	if p := s.Promise; !p.Proposer.IsNobody() && (p.Subject == s.Self.ID || p.Command == can.Merge) {
		ids = append(ids, p.Proposer)
	}
	return ids
}

// mayCrash keeps to what the world allows: failures that are not overcome yet are more than so many steps
// apart, from neighbour to neighbour; a joiner counts as adjacent to the owner that admits it and a leaver to its
// takers; and enough nodes are left.
func (r *run) mayCrash(node int) bool {
	if r.judge.views[node] == nil || r.staying() <= 2 {
		return false
	}
	r.failed = slices.DeleteFunc(slices.Clone(r.failed), r.overcome)
	next := r.failureOf(node)
	near := r.around(next.zone)
	return !slices.ContainsFunc(r.failed, func(f failure) bool {
		return slices.ContainsFunc(near, f.zone.Overlaps) || slices.Contains(f.partners, next.id) || slices.Contains(next.partners, f.id)
	})
}

// around returns the zones that are at most so many steps from a zone as failures must be apart, itself included.
func (r *run) around(z space.Zone) []space.Zone {
	var others []space.Zone
	for _, v := range r.judge.owners() {
		others = append(others, v.Self.Zone)
	}
	for _, f := range r.failed {
		others = append(others, f.zone)
	}
	near := []space.Zone{z}
	for range r.apart {
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

// overcome reports whether nobody has anything to do with a failed node any more.
func (r *run) overcome(f failure) bool {
	for i, v := range r.judge.views {
		if v != nil && concerned(r.State(i), f.id) {
			return false
		}
	}
	return true
}

func concerned(s *can.State, id protocol.NodeID) bool {
	known := slices.ContainsFunc(s.Known, func(r can.Record) bool { return r.ID == id })
	p, c := &s.Promise, &s.Change
	return known || p.Proposer == id || p.Subject == id ||
		c.Stage != can.Stable && (c.Subject == id || slices.Contains(c.Waiting, id) || slices.Contains(c.Later, id))
}
