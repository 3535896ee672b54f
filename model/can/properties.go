package can

import (
	"math/bits"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/space"
)

// oracle holds what the properties need in addition to a global state.
type oracle[S, M any] struct {
	space  space.Space
	coords []space.Point // of the machines, by node; the drawn coordinate is not among their dimensions
}

type globalState[S, M any] = model.GlobalState[S, M]

func past[S, M any](g *globalState[S, M]) *history { return g.MonitorView.(*history) }

// properties lists every property that both cores are checked against.
func (o oracle[S, M]) properties() []model.Property[S, M] {
	always := func(name, doc string, holds func(*globalState[S, M]) bool) model.Property[S, M] {
		return model.Property[S, M]{Property: checker.Property{Name: name, Doc: doc, Shape: checker.Always}, Holds: holds}
	}
	quiescent := func(name, doc string, holds func(*globalState[S, M]) bool) model.Property[S, M] {
		return model.Property[S, M]{Property: checker.Property{Name: name, Doc: doc, Shape: checker.Quiescent}, Holds: holds}
	}
	unbroken := func(bit uint32) model.Property[S, M] {
		of := ofRuns[bits.TrailingZeros32(bit)]
		return always(of.name, of.doc, func(g *globalState[S, M]) bool { return past(g).broken&bit == 0 })
	}
	all := []model.Property[S, M]{
		unbroken(brokenConflict),
		always("NoOverlap", "zones of live nodes never overlap", o.noOverlap),
		always("OwnerInside", "a node's coordinate lies in its zone", o.ownerInside),
		unbroken(brokenCancelled),
		unbroken(brokenChange),
		always("Truthful", "a node that reported joined owns a zone; one that reported left owns none", o.truthful),
	}
	for _, p := range ofMaps {
		all = append(all, quiescent(p.name, "when quiescent, "+p.doc, func(g *globalState[S, M]) bool {
			return p.holds(o.space, members(g))
		}))
	}
	return append(all, quiescent("NobodyBusy", "when quiescent, no node is in a round or holds a promise", o.nobodyBusy))
}

// noOverlap is the first half of S2.
func (o oracle[S, M]) noOverlap(g *globalState[S, M]) bool { return NoOverlap(members(g)) }

// ownerInside: coordinates mean capabilities, so an owner outside its zone could not run its jobs.
// They are those of the machine, after a restart too.
func (o oracle[S, M]) ownerInside(g *globalState[S, M]) bool {
	for i, v := range views(g) {
		if v.Member && !o.coordinateOf(i, v.Self.Coord) {
			return false
		}
	}
	return OwnerInside(members(g))
}

// coordinateOf reports whether a node may have this coordinate: its machine's, but for the
// dimensions that are drawn.
func (o oracle[S, M]) coordinateOf(node int, p space.Point) bool {
	want := o.coords[node]
	for k := o.space.Dims - o.space.Virtual; k < o.space.Dims; k++ {
		want[k] = p[k]
	}
	return p == want
}

// truthful: a report to the application stays true until the application commands something else.
func (o oracle[S, M]) truthful(g *globalState[S, M]) bool {
	for i, v := range views(g) {
		if past(g).untrue(i, v) != "" {
			return false
		}
	}
	return true
}

// neighboursMeet is the part of S3 that makes sense where updates never end. Without section 6.2
// they may go on forever: two nodes report to a third one in turn that it has an indirect neighbour
// and that it has not.
func (o oracle[S, M]) neighboursMeet() model.Property[S, M] {
	return model.Property[S, M]{
		Property: checker.Property{
			Name:  "NeighboursMeet",
			Doc:   "once all nodes have joined, nodes with adjacent zones may still come to know each other",
			Shape: checker.AlmostSurely,
		},
		Triggers: func(g *globalState[S, M]) bool { return len(members(g)) == len(g.Slots) },
		Holds:    func(g *globalState[S, M]) bool { return NeighboursKnow(members(g)) },
	}
}

// nobodyBusy is S4.
func (o oracle[S, M]) nobodyBusy(g *globalState[S, M]) bool {
	for _, v := range views(g) {
		if !NobodyBusy(v) {
			return false
		}
	}
	return true
}

// viewsFit: only a proposer that has the present zone of a node gets its promise, and the zone then
// stays so. A decision is thus based on the present.
func (o oracle[S, M]) viewsFit(g *globalState[S, M]) bool {
	for _, r := range views(g) {
		if r.Promised.IsNobody() || !g.Running(r.Promised) {
			continue
		}
		if l := g.Slots[r.Promised.Address].View.(*View); r.Misfit(l) != "" {
			return false
		}
	}
	return true
}
