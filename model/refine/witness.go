package refine

import (
	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
)

// witness is a set of things that must happen in some run of a scenario, or it shows nothing.
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
)

// witnesses lists them as properties.
func (o oracle[S, M]) witnesses(wanted witness) []model.Property[S, M] {
	var all []model.Property[S, M]
	sometimes := func(which witness, name, doc string, holds func(g *globalState[S, M], v *View) bool) {
		if wanted&which == 0 {
			return
		}
		all = append(all, model.Property[S, M]{
			Property: checker.Property{Name: name, Doc: doc, Shape: checker.Sometimes},
			Holds: func(g *globalState[S, M]) bool {
				for v := range views(g) {
					if holds(g, v) {
						return true
					}
				}
				return false
			},
		})
	}
	sometimes(
		seesDenial,
		"Denies",
		"a client denies a suitor",
		func(_ *globalState[S, M], v *View) bool { return len(v.Denied) > 0 },
	)
	sometimes(
		seesDefer,
		"Defers",
		"a client defers a suitor",
		func(_ *globalState[S, M], v *View) bool { return len(v.Deferred) > 0 },
	)
	sometimes(
		seesFilter,
		"Filters",
		"a head leaves out a client that accepted",
		func(_ *globalState[S, M], v *View) bool { return len(v.Filtered) > 0 },
	)
	sometimes(
		seesAdoption,
		"Adopts",
		"a node advertises a larger cluster of another head",
		func(_ *globalState[S, M], v *View) bool {
			return len(v.Own.Members) > 0 && v.Advertised.Head != v.ID && len(v.Advertised.Members) > len(v.Own.Members)
		},
	)
	sometimes(
		seesAgain,
		"Recollects",
		"a head finds a cluster of two or more in a later round",
		func(_ *globalState[S, M], v *View) bool {
			return v.Own.Round > 1 && len(v.Own.Members) > 1
		},
	)
	sometimes(
		seesRemoval,
		"Removes",
		"a head removes a failed member",
		func(g *globalState[S, M], _ *View) bool { return len(past(g).gone) > 0 },
	)
	sometimes(
		seesReturn,
		"Returns",
		"a node that crashed is in a cluster again",
		func(_ *globalState[S, M], v *View) bool {
			return v.ID.Incarnation > 1 && len(v.Own.Members) > 1
		},
	)
	sometimes(
		seesLone,
		"Lone",
		"a head finds a cluster of itself alone",
		func(_ *globalState[S, M], v *View) bool { return len(v.Own.Members) == 1 },
	)
	return all
}
