package refine

import (
	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
)

// witness is a set of events that must happen in some run of a scenario; without them it shows
// nothing.
type witness uint16

const (
	seesDenial witness = 1 << iota
	seesDefer
	seesFilter
	seesAdoption
	seesAgain
	seesRemoval
	seesReturn
	seesLone
	seesCluster // of every scenario that lists no other
)

// witnesses lists them as properties.
func (o oracle[S, M]) witnesses(wanted witness) []model.Property[S, M] {
	var all []model.Property[S, M]
	for _, each := range allWitnesses[S, M]() {
		if wanted&each.bit == 0 {
			continue
		}
		all = append(all, model.Property[S, M]{
			Property: checker.Property{Name: each.name, Doc: each.doc, Shape: checker.Sometimes},
			Holds: func(g *globalState[S, M]) bool {
				for v := range views(g) {
					if each.holds(g, v) {
						return true
					}
				}
				return false
			},
		})
	}
	return all
}

// witnessOf is a witness: its name, and the node at which it is seen.
type witnessOf[S, M any] struct {
	bit       witness
	name, doc string
	holds     func(*globalState[S, M], *View) bool
}

func allWitnesses[S, M any]() []witnessOf[S, M] {
	at := func(holds func(*View) bool) func(*globalState[S, M], *View) bool {
		return func(_ *globalState[S, M], v *View) bool { return holds(v) }
	}
	return []witnessOf[S, M]{
		{seesDenial, "Denies", "a client denies a suitor", at(func(v *View) bool { return len(v.Denied) > 0 })},
		{seesDefer, "Defers", "a client defers a suitor", at(func(v *View) bool { return len(v.Deferred) > 0 })},
		{seesFilter, "Filters", "a head leaves out a client that accepted", at(func(v *View) bool {
			return len(v.Filtered) > 0
		})},
		{seesAdoption, "Adopts", "a node advertises a larger cluster of another head", at(func(v *View) bool {
			own := len(v.Own.Members)
			return own > 0 && v.Advertised.Head != v.ID && len(v.Advertised.Members) > own
		})},
		{seesAgain, "Recollects", "a head finds a cluster of two or more in a later round", at(func(v *View) bool {
			return v.Own.Round > 1 && len(v.Own.Members) > 1
		})},
		{seesRemoval, "Removes", "a head removes a failed member", func(g *globalState[S, M], _ *View) bool {
			return len(past(g).gone) > 0
		}},
		{seesReturn, "Returns", "a node that crashed is in a cluster again", at(func(v *View) bool {
			return v.ID.Incarnation > 1 && len(v.Own.Members) > 1
		})},
		{seesLone, "Lone", "a head finds a cluster of itself alone", at(func(v *View) bool {
			return len(v.Own.Members) == 1
		})},
		{seesCluster, "Finds", "some head finds a cluster of two or more", at(func(v *View) bool {
			return v.Head == HeadSteady && len(v.Own.Members) > 1
		})},
	}
}
