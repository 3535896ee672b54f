package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

// oracle holds what the properties need besides a world: the bounds of section 5.1, in which a
// node's own cluster counts as one of the M that it belongs to, and the head as one of the N
// members.
type oracle[S, M any] struct {
	membership int // M
	size       int // N
}

func past[S, M any](g *globalState[S, M]) *history { return g.MonitorView.(*history) }

// properties lists every property that both cores are held to.
func (o oracle[S, M]) properties() []model.Property[S, M] {
	each := func(shape checker.Shape, name, doc string, holds func(*globalState[S, M], *View) bool) model.Property[S, M] {
		return model.Property[S, M]{
			Property: checker.Property{Name: name, Doc: doc, Shape: shape},
			Holds: func(g *globalState[S, M]) bool {
				for v := range views(g) {
					if !holds(g, v) {
						return false
					}
				}
				return true
			},
		}
	}
	return []model.Property[S, M]{
		each(
			checker.Always,
			"MembershipBound",
			"no node is committed to more than M clusters, its own included",
			alone[S, M](o.bounds().MembershipBound),
		),
		each(
			checker.Always,
			"SizeBound",
			"no cluster has more than N members, its head included",
			alone[S, M](o.bounds().SizeBound),
		),
		each(
			checker.Always,
			"Measured",
			"each pair in a cluster was measured near, from both ends, in the cluster's round",
			o.measured,
		),
		each(checker.Always, "HeadKnows", "who is committed to a head's present cluster is in it", o.others(HeadKnows)),
		each(checker.Always, "RemovedIsGone", "who is taken out of a cluster within its round runs no more", o.removedIsGone),
		each(
			checker.Always,
			"Advertises",
			"a node advertises a cluster that it is in and knows as confirmed",
			alone[S, M](Advertises),
		),
		each(
			checker.Always,
			"AwarenessBound",
			"the clusters that a node is in have no more than 1+M(N-1) nodes together",
			alone[S, M](o.bounds().AwarenessBound),
		),
		each(
			checker.Quiescent,
			"AdoptionBound",
			"at rest the same holds of all clusters that anybody advertises",
			o.adoptionBound,
		),
		each(
			checker.Quiescent,
			"Agree",
			"at rest heads and members name the same clusters, of the same rounds",
			o.others(Agree),
		),
		each(
			checker.Quiescent,
			"Largest",
			"at rest a node advertises the largest cluster that it is in",
			alone[S, M](Largest),
		),
		each(
			checker.Quiescent,
			"AskedAgain",
			"at rest no head that has room has been put off",
			alone[S, M](o.bounds().AskedAgain),
		),
		each(
			checker.Quiescent,
			"NobodyStuck",
			"at rest nobody waits for an answer, a measurement or a confirmation",
			alone[S, M](NobodyStuck),
		),
	}
}

// alone is a property of a node that looks at no other.
func alone[S, M any](holds func(*View) bool) func(*globalState[S, M], *View) bool {
	return func(_ *globalState[S, M], v *View) bool { return holds(v) }
}

func (o oracle[S, M]) bounds() Bounds { return Bounds{o.membership, o.size} }

// others is a property of a node that looks at others.
func (o oracle[S, M]) others(
	holds func(*View, func(protocol.NodeID) (*View, bool)) bool,
) func(*globalState[S, M], *View) bool {
	return func(g *globalState[S, M], v *View) bool {
		return holds(v, func(id protocol.NodeID) (*View, bool) { return viewOf(g, id) })
	}
}

func (o oracle[S, M]) adoptionBound(g *globalState[S, M], v *View) bool {
	return o.bounds().AdoptionBound(v, views(g))
}

func (o oracle[S, M]) measured(g *globalState[S, M], v *View) bool {
	h := past(g)
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

// removedIsGone: once committed, a client does not abandon a cluster and is not thrown out of it
// either, until the head finds the next one.
func (o oracle[S, M]) removedIsGone(g *globalState[S, M], v *View) bool {
	return !slices.Contains(past(g).gone, v.ID)
}

// converges is what holds when orders stop and faults end.
func (o oracle[S, M]) converges() model.Property[S, M] {
	all := func(g *globalState[S, M]) bool {
		for v := range views(g) {
			if !headConverged(v) {
				return false
			}
		}
		return true
	}
	return model.Property[S, M]{
		Property: checker.Property{
			Name:  "Converges",
			Doc:   "every head comes to have a cluster and stays with it",
			Shape: checker.LeadsTo,
		},
		Triggers: func(g *globalState[S, M]) bool { return !all(g) }, Holds: all,
	}
}

// whole says what a run without failures must come to where the bounds do not bite.
func (o oracle[S, M]) whole(expected func(head protocol.NodeID) []protocol.NodeID) model.Property[S, M] {
	return model.Property[S, M]{
		Property: checker.Property{
			Name:  "Whole",
			Doc:   "at rest each head has found all of its candidates that are near",
			Shape: checker.Quiescent,
		},
		Holds: func(g *globalState[S, M]) bool {
			for v := range views(g) {
				if mask(v.Own.Members) != mask(expected(v.ID)) {
					return false
				}
			}
			return true
		},
	}
}

// taken says when a head may be turned down for good, where nobody fails, leaves or moves away
// afterwards.
func (o oracle[S, M]) taken() model.Property[S, M] {
	return model.Property[S, M]{
		Property: checker.Property{
			Name:  "Taken",
			Doc:   "at rest who turned a head with room down is in as many clusters as it may",
			Shape: checker.Quiescent,
		},
		Holds: func(g *globalState[S, M]) bool {
			for v := range views(g) {
				if !o.bounds().Taken(v, func(id protocol.NodeID) (*View, bool) { return viewOf(g, id) }) {
					return false
				}
			}
			return true
		},
	}
}

// prefers says what a sorting criterion is for, where it is known which head it puts first.
func (o oracle[S, M]) prefers(favourite protocol.NodeID) model.Property[S, M] {
	return model.Property[S, M]{
		Property: checker.Property{
			Name:  "Prefers",
			Doc:   "who turned the favourite down keeps no other suitor waiting",
			Shape: checker.Always,
		},
		Holds: func(g *globalState[S, M]) bool {
			head, runs := viewOf(g, favourite)
			if !runs {
				return true
			}
			for _, id := range slices.Concat(head.Denied, head.Deferred) {
				client, runs := viewOf(g, id)
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
