package space_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/protocol/space"
)

// grid is a CAN without a network: every node knows everything, and every change happens at once.
// It shows the effect of the geometry alone in a sequence of joins, leaves and crashes.
type grid struct {
	space   space.Space
	members []member // in the order in which they joined
}

type member struct {
	name   string
	coord  space.Point
	zone   space.Zone
	splits []space.HalfSpace
}

// A rule defines which entry of a departing member's split list is its takeover face, and the split
// list of a member that took over.
type rule struct {
	entry func(departing member) (int, bool)
	merge func(departing, taker member) []space.HalfSpace
}

// ours is the rule of package space.
var ours = rule{
	entry: func(departing member) (int, bool) { return space.TakeoverEntry(departing.zone, departing.splits) },
	merge: func(departing, taker member) []space.HalfSpace {
		return space.MergeSplits(departing.zone, departing.splits, taker.splits)
	},
}

// published is the rule of the paper: "The takeover face is the most recent entry on the split
// list", and in a merge "the present node deletes the opposing face from its own split list".
var published = rule{
	entry: func(departing member) (int, bool) { return len(departing.splits) - 1, len(departing.splits) > 0 },
	merge: func(departing, taker member) []space.HalfSpace {
		return withoutLast(taker.splits, departing.splits[len(departing.splits)-1].Opposite())
	},
}

// mixed has the right takeover face but deletes the opposing one as the paper does.
var mixed = rule{
	entry: ours.entry,
	merge: func(departing, taker member) []space.HalfSpace {
		i, _ := ours.entry(departing)
		return withoutLast(taker.splits, departing.splits[i].Opposite())
	},
}

// withoutLast deletes the last occurrence of a half-space.
func withoutLast(splits []space.HalfSpace, h space.HalfSpace) []space.HalfSpace {
	for i := len(splits) - 1; i >= 0; i-- {
		if splits[i] == h {
			return slices.Delete(slices.Clone(splits), i, i+1)
		}
	}
	return splits
}

func newGrid(s space.Space) *grid { return &grid{space: s} }

func (g *grid) zones() []space.Zone {
	var zones []space.Zone
	for _, m := range g.members {
		zones = append(zones, m.zone)
	}
	return zones
}

func (g *grid) find(name string) int {
	return slices.IndexFunc(g.members, func(m member) bool { return m.name == name })
}

// join adds a node at a coordinate that no member has.
func (g *grid) join(name string, coord space.Point) bool {
	if len(g.members) == 0 {
		g.members = append(g.members, member{name: name, coord: coord, zone: g.space.Whole()})
		return true
	}
	owner := &g.members[slices.IndexFunc(g.members, func(m member) bool { return m.zone.Contains(coord) })]
	keep, ok := g.space.Split(owner.splits, owner.coord, coord)
	if !ok {
		return false
	}
	joiner := member{name: name, coord: coord, zone: keep.Opposite().Cut(owner.zone)}
	joiner.splits = append(slices.Clone(owner.splits), keep.Opposite())
	owner.zone, owner.splits = keep.Cut(owner.zone), append(slices.Clone(owner.splits), keep)
	g.members = append(g.members, joiner)
	return true
}

// leave removes a member. Each member across its takeover face takes a share, one after the other
// in the given order. Whether all do so in one round, or each in its own round after a crash, makes
// no difference here. It returns the first error; the grid stays as it is then.
func (g *grid) leave(name string, r rule, order func(n int) []int) error {
	i := g.find(name)
	departing := g.members[i]
	g.members = slices.Delete(g.members, i, i+1)
	if len(g.members) == 0 {
		return nil
	}
	entry, ok := r.entry(departing)
	if !ok {
		return errors.New("no takeover face")
	}
	face, ok := departing.splits[entry].FaceOf(departing.zone)
	if !ok {
		return fmt.Errorf("the takeover face of %s is no face of its zone", name)
	}
	var takers []int
	for j, m := range g.members {
		if f, ok := departing.zone.Abuts(m.zone); ok && f == face {
			takers = append(takers, j)
		}
	}
	for _, k := range order(len(takers)) {
		taker := &g.members[takers[k]]
		share := departing.zone.Intersect(stretched(taker.zone, face.Dim, departing.zone))
		taker.splits = r.merge(departing, *taker)
		taker.zone = space.Join(taker.zone, share)
		if err := g.check(false); err != nil {
			return err
		}
	}
	return g.check(true)
}

// stretched extends a zone in one dimension as far as another reaches.
func stretched(z space.Zone, dim uint8, to space.Zone) space.Zone {
	z.Low[dim] = min(z.Low[dim], to.Low[dim])
	z.High[dim] = max(z.High[dim], to.High[dim])
	return z
}

// check reports whether zones overlap, do not contain their owners or, if whole is set, leave a
// gap.
func (g *grid) check(whole bool) error {
	for i, m := range g.members {
		if !m.zone.Contains(m.coord) {
			return fmt.Errorf("%s is outside of its zone", m.name)
		}
		for _, n := range g.members[i+1:] {
			if m.zone.Overlaps(n.zone) {
				return fmt.Errorf("the zones of %s and %s overlap", m.name, n.name)
			}
		}
	}
	if whole && !space.Covered(g.space.Whole(), g.zones()) {
		return errors.New("there is a gap")
	}
	return nil
}

// String shows zones and split lists, in as many dimensions as are in use.
func (g *grid) String() string {
	var b strings.Builder
	for _, m := range g.members {
		fmt.Fprintf(&b, "%s %s %s\n", m.name, zoneText(g.space, m.zone), splitsText(m.splits))
	}
	return b.String()
}

func zoneText(s space.Space, z space.Zone) string {
	var parts []string
	for k := range s.Dims {
		parts = append(parts, fmt.Sprintf("[%d,%d)", z.Low[k], z.High[k]))
	}
	return strings.Join(parts, "x")
}

// splitsText writes a split list with the dimensions as x, y, z.
func splitsText(splits []space.HalfSpace) string {
	var parts []string
	for _, h := range splits {
		sign := "<"
		if h.AtLeast {
			sign = ">="
		}
		parts = append(parts, fmt.Sprintf("%c%s%d", "xyzuvwst"[h.Dim], sign, h.At))
	}
	return "{" + strings.Join(parts, " ") + "}"
}

func inOrder(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}
