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

type world[S, M any] = model.World[S, M]

func past[S, M any](w *world[S, M]) *history { return w.Past.(*history) }

// properties lists every property that both cores are held to.
func (j judge[S, M]) properties() []model.Property[S, M] {
	always := func(name, doc string, holds func(*world[S, M]) bool) model.Property[S, M] {
		return model.Property[S, M]{Property: checker.Property{Name: name, Doc: doc, Shape: checker.Always}, Holds: holds}
	}
	quiet := func(name, doc string, holds func(*world[S, M]) bool) model.Property[S, M] {
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

// noConflict is S1: a round's window lasts from its request to its decision; two rounds are in conflict
// if one's proposer is in the other's neighbourhood.
func (j judge[S, M]) noConflict(w *world[S, M]) bool {
	return past(w).broken&brokenConflict == 0
}

// cancelledStays is S5.
func (j judge[S, M]) cancelledStays(w *world[S, M]) bool {
	return past(w).broken&brokenCancelled == 0
}

// oneCommand is S6.
func (j judge[S, M]) oneCommand(w *world[S, M]) bool {
	return past(w).broken&brokenCommand == 0
}

// noOverlap is the first half of S2.
func (j judge[S, M]) noOverlap(w *world[S, M]) bool {
	owners := members(w)
	for i, a := range owners {
		for _, b := range owners[i+1:] {
			if a.Self.Zone.Overlaps(b.Self.Zone) {
				return false
			}
		}
	}
	return true
}

// ownerInside: coordinates mean capabilities, so an owner outside its zone could not run its jobs.
func (j judge[S, M]) ownerInside(w *world[S, M]) bool {
	for _, v := range members(w) {
		if !v.Self.Zone.Contains(v.Self.Coord) {
			return false
		}
	}
	return true
}

// truthful: what an application was told stays true until it asks for something else.
func (j judge[S, M]) truthful(w *world[S, M]) bool {
	h := past(w)
	for i, v := range views(w) {
		told, left := h.told&(1<<i) != 0, h.left&(1<<i) != 0
		if told && !v.Member && !v.WantsLeave || left && v.Member {
			return false
		}
	}
	return true
}

// noGap is the second half of S2.
func (j judge[S, M]) noGap(w *world[S, M]) bool {
	return space.Covered(j.space.Whole(), zonesOf(members(w)))
}

func zonesOf(owners []*View) []space.Zone {
	var zones []space.Zone
	for _, v := range owners {
		zones = append(zones, v.Self.Zone)
	}
	return zones
}

// neighboursKnow is S3: there is no routing discontinuity.
func (j judge[S, M]) neighboursKnow(w *world[S, M]) bool {
	owners := members(w)
	for _, a := range owners {
		for _, b := range owners {
			if _, adjacent := a.Self.Zone.Abuts(b.Self.Zone); adjacent && !a.knows(b.Self) {
				return false
			}
		}
	}
	return true
}

func (v *View) knows(q Seen) bool {
	for _, k := range v.Known {
		if k == q {
			return true
		}
	}
	return false
}

// viewsAgree: a node knows exactly those within two steps, as they are, and no dead node among them.
func (j judge[S, M]) viewsAgree(w *world[S, M]) bool {
	owners := members(w)
	for _, a := range owners {
		within := 0
		for _, b := range owners {
			if a == b || !near(a, b, owners) {
				continue
			}
			within++
			if !a.knows(b.Self) {
				return false
			}
		}
		if within != len(a.Known) || a.Holes {
			return false
		}
	}
	return true
}

func near(a, b *View, owners []*View) bool {
	if _, direct := a.Self.Zone.Abuts(b.Self.Zone); direct {
		return true
	}
	for _, c := range owners {
		_, first := a.Self.Zone.Abuts(c.Self.Zone)
		_, second := c.Self.Zone.Abuts(b.Self.Zone)
		if first && second {
			return true
		}
	}
	return false
}

// routable walks from every member to corners of every zone by the members' own views.
func (j judge[S, M]) routable(w *world[S, M]) bool {
	owners := members(w)
	for _, from := range owners {
		for _, to := range owners {
			for _, p := range to.tried() {
				if !routed(from, to, p, owners) {
					return false
				}
			}
		}
	}
	return true
}

// tried are the points of a zone that routing is tried to: the coordinate and two opposite corners.
func (v *View) tried() [3]space.Point {
	high := v.Self.Zone.High
	for k := range high {
		high[k]--
	}
	return [3]space.Point{v.Self.Coord, v.Self.Zone.Low, high}
}

func routed(from, to *View, p space.Point, owners []*View) bool {
	return routedTo(from, to, p, owners) == to
}

// routedTo follows greedy routing as far as it leads: to the owner, or to who knows nobody nearer.
func routedTo(from, to *View, p space.Point, owners []*View) *View {
	at := from
	for range owners {
		if at == to {
			return at
		}
		var next *View
		nearest := at.Self.Zone.Distance(p)
		for _, q := range at.direct() {
			if d := q.Zone.Distance(p); d < nearest {
				nearest, next = d, find(owners, q)
			}
		}
		if next == nil {
			return at
		}
		at = next
	}
	return at
}

func find(owners []*View, q Seen) *View {
	for _, v := range owners {
		if v.Self.ID == q.ID {
			return v
		}
	}
	return nil
}

// nobodyBusy is S4.
func (j judge[S, M]) nobodyBusy(w *world[S, M]) bool {
	for _, v := range views(w) {
		if v.Busy {
			return false
		}
	}
	return true
}

// viewsFit says that a promise is given only to a proposer that knows the zone as it is, and that the zone
// stays so: what is decided is decided on the present.
func (j judge[S, M]) viewsFit(w *world[S, M]) bool {
	for _, r := range views(w) {
		if r.Promised.IsNobody() || !w.Running(r.Promised) {
			continue
		}
		l := w.Slots[r.Promised.Address].View.(*View)
		if l.Round != r.PromisedRound {
			continue
		}
		for _, q := range l.Assumes {
			if q.ID == r.Self.ID && q.Version != r.Self.Version {
				return false
			}
		}
	}
	return true
}
