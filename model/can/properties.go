package can

import (
	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/space"
)

// judge holds what the properties need besides a world.
type judge[S, M any] struct {
	space space.Space
}

type globalState[S, M any] = model.GlobalState[S, M]

func past[S, M any](w *globalState[S, M]) *history { return w.MonitorView.(*history) }

// properties lists every property that both cores are held to.
func (j judge[S, M]) properties() []model.Property[S, M] {
	always := func(name, doc string, holds func(*globalState[S, M]) bool) model.Property[S, M] {
		return model.Property[S, M]{Property: checker.Property{Name: name, Doc: doc, Shape: checker.Always}, Holds: holds}
	}
	quiet := func(name, doc string, holds func(*globalState[S, M]) bool) model.Property[S, M] {
		return model.Property[S, M]{Property: checker.Property{Name: name, Doc: doc, Shape: checker.Quiescent}, Holds: holds}
	}
	return []model.Property[S, M]{
		always("NoConflict", "no two rounds in conflict both take effect in overlapping windows", j.noConflict),
		always("NoOverlap", "zones of live nodes never overlap", j.noOverlap),
		always("OwnerInside", "a node's coordinate lies in its zone", j.ownerInside),
		always("CancelledStays", "a cancelled command never takes effect anywhere", j.cancelledStays),
		always("OneCommand", "all who execute a round execute the same command", j.oneCommand),
		always("Truthful", "who was told joined owns a zone, who was told left owns none", j.truthful),
		quiet("NoGap", "at rest the zones of the live nodes make up the whole space", j.noGap),
		quiet("NeighboursKnow", "at rest nodes with adjacent zones know each other, with the right zone", j.neighboursKnow),
		quiet("ViewsAgree", "at rest each node knows its neighbourhood exactly, direct and indirect", j.viewsAgree),
		quiet("Routable", "at rest greedy routing leads from every node to the owner of every point", j.routable),
		quiet("NobodyBusy", "at rest nobody is busy or holds a promise", j.nobodyBusy),
	}
}

// noConflict is S1: a round's window lasts from its request to its decision; two rounds are in
// conflict if one's proposer is in the other's neighbourhood.
func (j judge[S, M]) noConflict(w *globalState[S, M]) bool {
	return past(w).broken&brokenConflict == 0
}

// cancelledStays is S5.
func (j judge[S, M]) cancelledStays(w *globalState[S, M]) bool {
	return past(w).broken&brokenCancelled == 0
}

// oneCommand is S6.
func (j judge[S, M]) oneCommand(w *globalState[S, M]) bool {
	return past(w).broken&brokenCommand == 0
}

// noOverlap is the first half of S2.
func (j judge[S, M]) noOverlap(w *globalState[S, M]) bool { return NoOverlap(members(w)) }

// ownerInside: coordinates mean capabilities, so an owner outside its zone could not run its jobs.
func (j judge[S, M]) ownerInside(w *globalState[S, M]) bool { return OwnerInside(members(w)) }

// truthful: what an application was told stays true until it asks for something else.
func (j judge[S, M]) truthful(w *globalState[S, M]) bool {
	for i, v := range views(w) {
		if past(w).untrue(i, v) != "" {
			return false
		}
	}
	return true
}

// noGap is the second half of S2.
func (j judge[S, M]) noGap(w *globalState[S, M]) bool { return NoGap(j.space, members(w)) }

// neighboursKnow is S3: there is no routing discontinuity.
func (j judge[S, M]) neighboursKnow(w *globalState[S, M]) bool { return NeighboursKnow(members(w)) }

func (j judge[S, M]) viewsAgree(w *globalState[S, M]) bool { return ViewsAgree(members(w)) }
func (j judge[S, M]) routable(w *globalState[S, M]) bool   { return Routable(members(w)) }

// nobodyBusy is S4.
func (j judge[S, M]) nobodyBusy(w *globalState[S, M]) bool {
	for _, v := range views(w) {
		if v.Busy {
			return false
		}
	}
	return true
}

// viewsFit says that a promise is given only to a proposer that knows the zone as it is, and that
// the zone stays so: what is decided is decided on the present.
func (j judge[S, M]) viewsFit(w *globalState[S, M]) bool {
	for _, r := range views(w) {
		if r.Promised.IsNobody() || !w.Running(r.Promised) {
			continue
		}
		if l := w.Slots[r.Promised.Address].View.(*View); r.Misfit(l) != "" {
			return false
		}
	}
	return true
}
