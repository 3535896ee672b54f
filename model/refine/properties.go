package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

// judge holds what the properties need besides a world: the bounds of section 5.1, in which a node's own cluster
// counts as one of the M that it belongs to, and the head as one of the N members.
type judge[S, M any] struct {
	membership int // M
	size       int // N
}

func past[S, M any](w *world[S, M]) *history { return w.Past.(*history) }

// properties lists every property that both cores are held to.
func (j judge[S, M]) properties() []model.Property[S, M] {
	each := func(shape checker.Shape, name, doc string, holds func(*world[S, M], *View) bool) model.Property[S, M] {
		return model.Property[S, M]{
			Property: checker.Property{Name: name, Doc: doc, Shape: shape},
			Holds: func(w *world[S, M]) bool {
				for v := range views(w) {
					if !holds(w, v) {
						return false
					}
				}
				return true
			},
		}
	}
	return []model.Property[S, M]{
		each(checker.Always, "MembershipBound", "no node is committed to more than M clusters, its own included", j.membershipBound),
		each(checker.Always, "SizeBound", "no cluster has more than N members, its head included", j.sizeBound),
		each(checker.Always, "Measured", "each pair in a cluster was measured near, from both ends, in the cluster's round", j.measured),
		each(checker.Always, "HeadKnows", "who is committed to a head's present cluster is in it", j.headKnows),
		each(checker.Always, "RemovedIsGone", "who is taken out of a cluster within its round runs no more", j.removedIsGone),
		each(checker.Always, "Advertises", "a node advertises a cluster that it is in and knows as confirmed", j.advertises),
		each(checker.Always, "AwarenessBound", "the clusters that a node is in have no more than 1+M(N-1) nodes together", j.awarenessBound),
		each(checker.Quiescent, "AdoptionBound", "at rest the same holds of all clusters that anybody advertises", j.adoptionBound),
		each(checker.Quiescent, "Agree", "at rest heads and members name the same clusters, of the same rounds", j.agree),
		each(checker.Quiescent, "Largest", "at rest a node advertises the largest cluster that it is in", j.largest),
		each(checker.Quiescent, "AskedAgain", "at rest no head that has room has been put off", j.askedAgain),
		each(checker.Quiescent, "NobodyStuck", "at rest nobody waits for an answer, a measurement or a confirmation", j.nobodyStuck),
	}
}

func (j judge[S, M]) membershipBound(_ *world[S, M], v *View) bool {
	committed := 1
	for _, s := range v.Slots {
		if s.Stage == Committed {
			committed++
		}
	}
	return committed <= j.membership
}

func (j judge[S, M]) sizeBound(_ *world[S, M], v *View) bool {
	for _, c := range v.clusters() {
		if len(c.Members) > j.size {
			return false
		}
	}
	return true
}

func (j judge[S, M]) measured(w *world[S, M], v *View) bool {
	h := past(w)
	if h.broken {
		return false
	}
	for _, c := range v.clusters() {
		if !h.covers(c) {
			return false
		}
	}
	return true
}

// headKnows: a commitment that the head knows nothing of would take up a place for nothing. A head that has found
// another cluster since may be about to tell.
func (j judge[S, M]) headKnows(w *world[S, M], v *View) bool {
	for _, s := range v.Slots {
		head, runs := viewOf(w, s.Head)
		if s.Stage == Committed && runs && head.Own.Round == s.Cluster.Round && !head.Own.has(v.ID) {
			return false
		}
	}
	return true
}

// removedIsGone: once committed, a client does not abandon a cluster and is not thrown out of it either, until the head
// finds the next one.
func (j judge[S, M]) removedIsGone(w *world[S, M], v *View) bool {
	return !slices.Contains(past(w).gone, v.ID)
}

func (j judge[S, M]) advertises(_ *world[S, M], v *View) bool {
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

func (j judge[S, M]) awarenessBound(_ *world[S, M], v *View) bool {
	var aware uint16
	for _, c := range v.clusters() {
		aware |= mask(c.Members)
	}
	return j.bounded(aware)
}

// adoptionBound is the neighbour awareness bound of appendix A after any adoptions.
func (j judge[S, M]) adoptionBound(w *world[S, M], v *View) bool {
	var aware uint16
	for other := range views(w) {
		for _, c := range []Cluster{other.Own, other.Advertised} {
			if c.has(v.ID) {
				aware |= mask(c.Members)
			}
		}
	}
	return j.bounded(aware)
}

func (j judge[S, M]) bounded(aware uint16) bool {
	n := 0
	for ; aware != 0; aware &= aware - 1 {
		n++
	}
	return n <= 1+j.membership*(j.size-1)
}

func (j judge[S, M]) agree(w *world[S, M], v *View) bool {
	for _, id := range v.Own.Members {
		if id == v.ID {
			continue
		}
		member, runs := viewOf(w, id)
		if !runs {
			return false
		}
		if s, ok := member.slot(v.ID); !ok || s.Stage != Committed || !s.Cluster.same(&v.Own) {
			return false
		}
	}
	for _, s := range v.Slots {
		if head, runs := viewOf(w, s.Head); !runs || s.Stage == Committed && (s.Round != head.Own.Round || !s.Cluster.same(&head.Own)) {
			return false
		}
	}
	return true
}

func (j judge[S, M]) largest(_ *world[S, M], v *View) bool {
	for _, c := range v.clusters() {
		if len(c.Members) > len(v.Advertised.Members) {
			return false
		}
	}
	return true
}

// askedAgain: who was told to come later comes later.
func (j judge[S, M]) askedAgain(_ *world[S, M], v *View) bool {
	return len(v.Deferred) == 0 || len(v.Own.Members) >= j.size
}

// nobodyStuck: a client may rest in WAIT as long as nobody has asked.
func (j judge[S, M]) nobodyStuck(_ *world[S, M], v *View) bool {
	for _, s := range v.Slots {
		if s.Stage != Committed {
			return false
		}
	}
	return v.Client != ClientMeasure && settledHead(v)
}

func settledHead(v *View) bool { return v.Head == HeadIdle || v.Head == HeadSteady }

// converges is what holds when orders stop and faults end.
func (j judge[S, M]) converges() model.Property[S, M] {
	all := func(w *world[S, M]) bool {
		for v := range views(w) {
			if !settledHead(v) {
				return false
			}
		}
		return true
	}
	return model.Property[S, M]{
		Property: checker.Property{Name: "Converges", Doc: "every head comes to have a cluster and stays with it", Shape: checker.LeadsTo},
		Triggers: func(w *world[S, M]) bool { return !all(w) }, Holds: all,
	}
}

// whole says what a run without failures must come to where the bounds do not bite.
func (j judge[S, M]) whole(expected func(head protocol.NodeID) []protocol.NodeID) model.Property[S, M] {
	return model.Property[S, M]{
		Property: checker.Property{Name: "Whole", Doc: "at rest each head has found all of its candidates that are near", Shape: checker.Quiescent},
		Holds: func(w *world[S, M]) bool {
			for v := range views(w) {
				if mask(v.Own.Members) != mask(expected(v.ID)) {
					return false
				}
			}
			return true
		},
	}
}

// taken says when a head may be turned down for good, where nobody fails, leaves or moves away afterwards.
func (j judge[S, M]) taken() model.Property[S, M] {
	return model.Property[S, M]{
		Property: checker.Property{Name: "Taken", Doc: "at rest who turned a head with room down is in as many clusters as it may", Shape: checker.Quiescent},
		Holds: func(w *world[S, M]) bool {
			for v := range views(w) {
				for _, id := range v.Denied {
					client, runs := viewOf(w, id)
					if runs && len(v.Own.Members) < j.size && len(client.Slots) < j.membership-1 {
						return false
					}
				}
			}
			return true
		},
	}
}

// prefers says what a sorting criterion is for, where it is known which head it puts first.
func (j judge[S, M]) prefers(favourite protocol.NodeID) model.Property[S, M] {
	return model.Property[S, M]{
		Property: checker.Property{Name: "Prefers", Doc: "who turned the favourite down keeps no other suitor waiting", Shape: checker.Always},
		Holds: func(w *world[S, M]) bool {
			head, runs := viewOf(w, favourite)
			if !runs {
				return true
			}
			for _, id := range slices.Concat(head.Denied, head.Deferred) {
				client, runs := viewOf(w, id)
				if runs && slices.ContainsFunc(client.Slots, func(s Slot) bool { return s.Stage == Suitor }) {
					return false
				}
			}
			return true
		},
	}
}

// mask returns nodes as bits of their addresses.
func mask(ids []protocol.NodeID) uint16 {
	var bits uint16
	for _, id := range ids {
		bits |= 1 << id.Address
	}
	return bits
}
