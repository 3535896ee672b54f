package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

// oracle holds what the properties need in addition to a global state: the bounds of section 5.1. M
// counts a node's own cluster, and N counts the head.
type oracle[S, M any] struct {
	membership int // M
	size       int // N
}

func past[S, M any](g *globalState[S, M]) *history { return g.MonitorView.(*history) }

// properties lists every property that both cores are checked against.
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
	var all []model.Property[S, M]
	for _, p := range ofNodes {
		all = append(all, each(checker.Always, p.name, p.doc, func(_ *globalState[S, M], v *View) bool {
			return p.holds(o.bounds(), v)
		}))
	}
	all = slices.Insert(all, 2,
		each(checker.Always, "Measured",
			"each pair in a cluster was measured near, from both ends, in the round of the cluster", o.measured),
		each(checker.Always, "HeadKnows",
			"a client that is committed to the present cluster of a head is a member of it",
			func(g *globalState[S, M], v *View) bool { return HeadKnows(v, liveViews[S, M]{g}) }),
		each(checker.Always, "RemovedIsGone", "a member that is removed within a round has stopped", o.removedIsGone))
	for _, p := range ofRest {
		all = append(all, each(checker.Quiescent, p.name, "when quiescent, "+p.doc, func(g *globalState[S, M], v *View) bool {
			return p.holds(o.bounds(), v, liveViews[S, M]{g})
		}))
	}
	return all
}

func (o oracle[S, M]) bounds() Bounds { return Bounds{o.membership, o.size} }

func (o oracle[S, M]) measured(g *globalState[S, M], v *View) bool {
	h := past(g)
	if h.broken&brokenPair != 0 {
		return false
	}
	for _, c := range v.clusters() {
		if !h.covers(c) {
			return false
		}
	}
	return true
}

// removedIsGone: once committed, a client neither abandons a cluster nor is dismissed from it until
// the head finds the next one.
func (o oracle[S, M]) removedIsGone(g *globalState[S, M], v *View) bool {
	return !slices.Contains(past(g).gone, v.ID)
}

// converges holds when commands stop and faults end.
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
			Doc:   "every head becomes STEADY and stays so",
			Shape: checker.LeadsTo,
		},
		Triggers: func(g *globalState[S, M]) bool { return !all(g) }, Holds: all,
	}
}

// whole is the result of a run without crashes in which the bounds do not matter. The expected
// result depends on how many commands the head has been given.
func (o oracle[S, M]) whole(expected func(head protocol.NodeID, issued int) []protocol.NodeID) model.Property[S, M] {
	return model.Property[S, M]{
		Property: checker.Property{
			Name:  "Whole",
			Doc:   "when quiescent, the cluster of each head has all its candidates that are near",
			Shape: checker.Quiescent,
		},
		Holds: func(g *globalState[S, M]) bool {
			for v := range views(g) {
				if mask(v.Own.Members) != mask(expected(v.ID, g.Slots[v.ID.Address].Issued)) {
					return false
				}
			}
			return true
		},
	}
}

// taken states when a head may be denied for good, if no node crashes, leaves or moves away later.
func (o oracle[S, M]) taken() model.Property[S, M] {
	return model.Property[S, M]{
		Property: checker.Property{
			Name:  "Taken",
			Doc:   "when quiescent, a client that denied a head with room is in M clusters",
			Shape: checker.Quiescent,
		},
		Holds: func(g *globalState[S, M]) bool {
			for v := range views(g) {
				if !o.bounds().Taken(v, liveViews[S, M]{g}) {
					return false
				}
			}
			return true
		},
	}
}

// filled states when a head may leave out a client that accepted, where latencies are fixed.
func (o oracle[S, M]) filled(near func(a, b protocol.NodeID) bool) model.Property[S, M] {
	return model.Property[S, M]{
		Property: checker.Property{
			Name:  "Filled",
			Doc:   "when quiescent, no candidate that a head filtered out would fit into its cluster",
			Shape: checker.Quiescent,
		},
		Holds: func(g *globalState[S, M]) bool {
			for v := range views(g) {
				if !o.bounds().Filled(v, liveViews[S, M]{g}, near) {
					return false
				}
			}
			return true
		},
	}
}

// prefers states what a sorting criterion is for, where the preferred head is known.
func (o oracle[S, M]) prefers(favourite protocol.NodeID) model.Property[S, M] {
	return model.Property[S, M]{
		Property: checker.Property{
			Name:  "Prefers",
			Doc:   "a client that denied the preferred head keeps no other suitor waiting",
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
