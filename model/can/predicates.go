package can

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// The predicates behind the properties of single states. They see only the views of nodes, so that
// the checker and the simulator check the same. Owners are the live nodes that own a zone.

// NoOverlap reports whether no two owners' zones overlap.
func NoOverlap(owners []*View) bool {
	for i, a := range owners {
		for _, b := range owners[i+1:] {
			if !Apart(a, b) {
				return false
			}
		}
	}
	return true
}

// Apart reports whether two owners' zones do not overlap.
func Apart(a, b *View) bool { return !a.Self.Zone.Overlaps(b.Self.Zone) }

// OwnerInside reports whether each owner's coordinate lies in its zone.
func OwnerInside(owners []*View) bool {
	for _, v := range owners {
		if !v.Inside() {
			return false
		}
	}
	return true
}

// Inside reports whether the owner's coordinate lies in its zone.
func (v *View) Inside() bool { return v.Self.Zone.Contains(v.Self.Coord) }

// ofMaps are the properties of the map in quiescent states: the second half of S2, S3, and the
// needs of routing.
var ofMaps = []struct {
	name, doc string
	holds     func(space.Space, []*View) bool
}{
	{"NoGap", "the zones of the live nodes cover the whole space", NoGap},
	{"NeighboursKnow", "nodes with adjacent zones know each other's zones",
		func(_ space.Space, owners []*View) bool { return NeighboursKnow(owners) }},
	{"ViewsAgree", "each node knows its direct and indirect neighbours exactly",
		func(_ space.Space, owners []*View) bool { return ViewsAgree(owners) }},
	{"Routable", "greedy routing leads from every node to the owner of every point",
		func(_ space.Space, owners []*View) bool { return Routable(owners) }},
}

// BrokenMap returns the first property that the map breaks in a quiescent state, or "". An index of
// zones takes the place of comparing many owners each with each.
func BrokenMap(s space.Space, owners []*View) string {
	if len(owners) > smallMap {
		return newCensus(s, owners).broken()
	}
	return brokenSmall(s, owners)
}

// brokenSmall compares each owner with each.
func brokenSmall(s space.Space, owners []*View) string {
	if !NoOverlap(owners) {
		return "NoOverlap"
	}
	for _, p := range ofMaps {
		if !p.holds(s, owners) {
			return p.name
		}
	}
	return ""
}

// smallMap is the largest number of owners that BrokenMap compares each with each.
const smallMap = 16

// NoGap reports whether the owners' zones cover the whole space.
func NoGap(s space.Space, owners []*View) bool { return space.Covered(s.Whole(), zonesOf(owners)) }

func zonesOf(owners []*View) []space.Zone {
	var zones []space.Zone
	for _, v := range owners {
		zones = append(zones, v.Self.Zone)
	}
	return zones
}

// TakenOver reports whether all takeovers are complete: every zone has a running owner with its
// neighbours in view, and no node is in a round. Views are those of the running nodes; nil stands
// for a node that does not run.
func TakenOver(s space.Space, views []*View) bool {
	var owners []*View
	for _, v := range views {
		if v != nil && v.Busy {
			return false
		}
		if v != nil && v.Member {
			owners = append(owners, v)
		}
	}
	return NoGap(s, owners) && NeighboursKnow(owners)
}

// NeighboursKnow reports whether owners of adjacent zones know each other by their present records.
func NeighboursKnow(owners []*View) bool {
	for _, a := range owners {
		for _, b := range owners {
			if _, adjacent := a.Self.Zone.Abuts(b.Self.Zone); adjacent && !a.Knows(b.Self) {
				return false
			}
		}
	}
	return true
}

// Knows reports whether the node knows another by its present record.
func (v *View) Knows(q Seen) bool {
	for _, k := range v.Known {
		if k == q {
			return true
		}
	}
	return false
}

// ViewsAgree reports whether each owner knows exactly the owners within two steps, by their present
// records, and no hole.
func ViewsAgree(owners []*View) bool {
	for _, a := range owners {
		if !a.Agrees(owners) {
			return false
		}
	}
	return true
}

// Agrees reports whether an owner knows exactly the owners within two steps, by their present
// records, and no hole.
func (v *View) Agrees(owners []*View) bool {
	within := 0
	for _, b := range owners {
		if v == b || !near(v, b, owners) {
			continue
		}
		within++
		if !v.Knows(b.Self) {
			return false
		}
	}
	return within == len(v.Known) && len(v.Holes) == 0
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

// Routable reports whether greedy routing, by the owners' own views, leads from every owner to
// corners of every zone.
func Routable(owners []*View) bool {
	for _, from := range owners {
		for _, to := range owners {
			for _, p := range to.tried() {
				if routedTo(from, to, p, owners) != to {
					return false
				}
			}
		}
	}
	return true
}

// tried are the points of a zone that routing is tested with: the coordinate and two opposite
// corners.
func (v *View) tried() [3]space.Point {
	high := v.Self.Zone.High
	for k := range high {
		high[k]--
	}
	return [3]space.Point{v.Self.Coord, v.Self.Zone.Low, high}
}

// routedTo follows greedy routing as far as it leads: to the owner, or to a node without a nearer
// one in its view.
func routedTo(from, to *View, p space.Point, owners []*View) *View {
	at := from
	for range owners {
		if at == to {
			return at
		}
		var next *View
		nearest := at.Self.Zone.Distance(p)
		for _, q := range at.Direct() {
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

// NobodyBusy reports whether the node is in no round and holds no promise.
func NobodyBusy(v *View) bool { return !v.Busy }

// Untrue describes a false report of a node to its application: that it has joined, or that it has
// left. It returns "" if there is none.
func (v *View) Untrue(joined, left bool) string {
	switch {
	case joined && !v.Member && !v.WantsLeave:
		return fmt.Sprintf("%v reported that it has joined; it owns no zone and was not commanded to leave", v.Self.ID)
	case left && v.Member:
		return fmt.Sprintf("%v reported that it has left; it still owns a zone", v.Self.ID)
	}
	return ""
}

// Misfit describes how the record of a node that gave a promise differs from the record that the
// running proposer of that round uses. A proposer that is in another round by now uses none. It
// returns "" if they agree.
func (v *View) Misfit(proposer *View) string {
	if proposer.Round != v.PromisedRound {
		return ""
	}
	for _, q := range proposer.Assumes {
		if q.ID == v.Self.ID && q.Version != v.Self.Version {
			return fmt.Sprintf(
				"%v has made a promise to %v, whose round uses version %d of its record; the present version is %d",
				v.Self.ID,
				proposer.Self.ID,
				q.Version,
				v.Self.Version,
			)
		}
	}
	return ""
}

// OlderNews returns a node of which a step replaces the record by an older one, if there is one.
// Records are sorted by identity. Where no zone has changed, epochs alone distinguish old records
// from new ones.
func OlderNews(before, after []can.Record) (of protocol.NodeID, found bool) {
	at := 0
	for i := range before {
		old := &before[i]
		for at < len(after) && after[at].ID.Compare(old.ID) < 0 {
			at++
		}
		if at == len(after) {
			break
		}
		if now := &after[at]; now.ID == old.ID && (now.Version < old.Version || now.Epoch < old.Epoch) {
			return old.ID, true
		}
	}
	return of, false
}
