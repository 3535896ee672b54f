package refine

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// The predicates behind the properties of single states. They see only the views of live nodes, so
// that the checker and the simulator check the same.

// Bounds are those of section 5.1: M counts a node's own cluster, and N counts the head.
type Bounds struct{ Membership, Size int }

// Views shows the live nodes to the properties that compare nodes.
type Views interface {
	Of(id protocol.NodeID) (*View, bool) // if that very incarnation runs
	All() iter.Seq[*View]
}

// ofNodes are the properties of all states that look at one node alone.
var ofNodes = []struct {
	name, doc string
	holds     func(Bounds, *View) bool
}{
	{"MembershipBound", "no node is committed to more than M clusters, its own included", Bounds.MembershipBound},
	{"SizeBound", "no cluster has more than N members, its head included", Bounds.SizeBound},
	{"Advertises", "a node advertises only a confirmed cluster of which it is a member",
		func(_ Bounds, v *View) bool { return Advertises(v) }},
	{"AwarenessBound", "the clusters of a node have at most 1+M(N-1) nodes together", Bounds.AwarenessBound},
}

// ofRest are the properties of each node in quiescent states.
var ofRest = []struct {
	name, doc string
	holds     func(Bounds, *View, Views) bool
}{
	{"AdoptionBound", "all advertised clusters of a node have at most 1+M(N-1) nodes together", Bounds.AdoptionBound},
	{"Agree", "heads and members agree on clusters and rounds",
		func(_ Bounds, v *View, all Views) bool { return Agree(v, all) }},
	{"Largest", "a node advertises the largest of its clusters",
		func(_ Bounds, v *View, _ Views) bool { return Largest(v) }},
	{"AskedAgain", "no head that has room is deferred",
		func(b Bounds, v *View, _ Views) bool { return b.AskedAgain(v) }},
	{"NobodyStuck", "no node waits for an answer, a measurement or a confirmation",
		func(_ Bounds, v *View, _ Views) bool { return NobodyStuck(v) }},
}

// Broken returns the first property of ofNodes that the node breaks, or "".
func (b Bounds) Broken(v *View) string {
	for i := range ofNodes {
		if p := &ofNodes[i]; !p.holds(b, v) {
			return p.name
		}
	}
	return ""
}

// Unsettled returns the first property of quiescent states that the node breaks, or "".
func (b Bounds) Unsettled(v *View, all Views) string {
	for i := range ofRest {
		if p := &ofRest[i]; !p.holds(b, v, all) {
			return p.name
		}
	}
	return ""
}

// MembershipBound reports whether the node is committed to no more than M clusters, its own
// included.
func (b Bounds) MembershipBound(v *View) bool {
	committed := 1
	for _, s := range v.Slots {
		if s.Stage == Committed {
			committed++
		}
	}
	return committed <= b.Membership
}

// SizeBound reports whether no cluster that the node knows has more than N members, its head
// included.
func (b Bounds) SizeBound(v *View) bool {
	for _, c := range v.clusters() {
		if len(c.Members) > b.Size {
			return false
		}
	}
	return true
}

// AwarenessBound reports whether the clusters of the node have at most 1+M(N-1) nodes together.
func (b Bounds) AwarenessBound(v *View) bool {
	var aware addresses
	for _, c := range v.clusters() {
		aware.add(c.Members)
	}
	return b.bounds(aware)
}

// AdoptionBound is the neighbour awareness bound of appendix A after any adoptions: it counts all
// clusters that any node advertises.
func (b Bounds) AdoptionBound(v *View, all Views) bool {
	var aware addresses
	for other := range all.All() {
		for _, c := range []Cluster{other.Own, other.Advertised} {
			if c.has(v.ID) {
				aware.add(c.Members)
			}
		}
	}
	return b.bounds(aware)
}

func (b Bounds) bounds(aware addresses) bool { return aware.len() <= 1+b.Membership*(b.Size-1) }

// AskedAgain reports whether no client has deferred a head that has room: a deferred head asks
// again.
func (b Bounds) AskedAgain(v *View) bool { return len(v.Deferred) == 0 || len(v.Own.Members) >= b.Size }

// Taken reports whether every client that denied the head, while the head has room, is in as many
// clusters as M allows. This holds in quiescent states if no node crashes, leaves or moves away
// later.
func (b Bounds) Taken(v *View, all Views) bool {
	return !slices.ContainsFunc(v.Denied, func(id protocol.NodeID) bool {
		client, runs := all.Of(id)
		return runs && len(v.Own.Members) < b.Size && len(client.Slots) < b.Membership-1
	})
}

// Filled reports whether no candidate that the head filtered out would fit into its cluster: there
// is no room, the candidate does not run, or it is not near all members. This holds in quiescent
// states if no measurement is given up early, and all heads have measured since latencies changed
// last.
func (b Bounds) Filled(v *View, all Views, near func(a, b protocol.NodeID) bool) bool {
	return !slices.ContainsFunc(v.Filtered, func(id protocol.NodeID) bool {
		_, runs := all.Of(id)
		distant := slices.ContainsFunc(v.Own.Members, func(m protocol.NodeID) bool { return !near(id, m) })
		return runs && len(v.Own.Members) < b.Size && !distant
	})
}

// HeadKnows reports whether the heads of the clusters that the node is committed to list it as a
// member. A commitment that the head does not know would waste a place. A head that has found
// another cluster since may still be about to notify the node.
func HeadKnows(v *View, all Views) bool {
	for _, s := range v.Slots {
		head, runs := all.Of(s.Head)
		if s.Stage == Committed && runs && head.Own.Round == s.Cluster.Round && !head.Own.has(v.ID) {
			return false
		}
	}
	return true
}

// Near reports whether the members of the node's own cluster are near each other, according to the
// given function. This holds when all heads have measured since latencies changed last.
func Near(v *View, near func(a, b protocol.NodeID) bool) bool {
	for i, a := range v.Own.Members {
		for _, b := range v.Own.Members[:i] {
			if !near(a, b) {
				return false
			}
		}
	}
	return true
}

// Advertises reports whether the node advertises a cluster that it is in and knows as confirmed.
func Advertises(v *View) bool {
	c := v.Advertised
	if len(c.Members) == 0 {
		return true
	}
	if !c.has(v.ID) {
		return false
	}
	s, ok := v.slot(c.Head)
	return c.same(&v.Own) || ok && s.Stage == Committed && c.same(&s.Cluster)
}

// Agree reports whether the node as a head, and the members of its cluster, name the same clusters,
// of the same rounds.
func Agree(v *View, all Views) bool {
	for _, id := range v.Own.Members {
		if id == v.ID {
			continue
		}
		member, runs := all.Of(id)
		if !runs {
			return false
		}
		if s, ok := member.slot(v.ID); !ok || s.Stage != Committed || !s.Cluster.same(&v.Own) {
			return false
		}
	}
	for _, s := range v.Slots {
		if head, runs := all.Of(s.Head); !runs ||
			s.Stage == Committed && (s.Round != head.Own.Round || !s.Cluster.same(&head.Own)) {
			return false
		}
	}
	return true
}

// Largest reports whether the node advertises the largest cluster that it is in.
func Largest(v *View) bool {
	for _, c := range v.clusters() {
		if len(c.Members) > len(v.Advertised.Members) {
			return false
		}
	}
	return true
}

// NobodyStuck reports whether the node waits for no answer, measurement or confirmation. A client
// may stay in WAIT as long as no head has asked.
func NobodyStuck(v *View) bool {
	unsure := slices.ContainsFunc(v.Slots, func(s Slot) bool { return s.Stage != Committed })
	return !unsure && v.Client != ClientMeasure && headConverged(v)
}

func headConverged(v *View) bool { return v.Head == HeadIdle || v.Head == HeadSteady }

// addresses is a set of addresses below 256.
type addresses [4]uint64

func (a *addresses) add(ids []protocol.NodeID) {
	for _, id := range ids {
		a[id.Address>>6&3] |= 1 << (id.Address & 63)
	}
}

func (a *addresses) len() int {
	n := 0
	for _, word := range a {
		n += bits.OnesCount64(word)
	}
	return n
}
