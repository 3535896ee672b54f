package space_test

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol/space"
)

// spaces draws a space of lo to hi dimensions, each of a size up to the given one.
func spaces(lo, hi int, size int32) *rapid.Generator[space.Space] {
	return rapid.Custom(func(t *rapid.T) space.Space {
		sizes := rapid.SliceOfN(rapid.Int32Range(1, size), lo, hi).Draw(t, "sizes")
		s, err := space.New(rapid.IntRange(0, min(2, len(sizes))).Draw(t, "virtual"), sizes...)
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}

// even draws a number below n, evenly: rapid's own numbers are mostly small ones, with which
// histories are much alike.
func even(t *rapid.T, n int, label string) int {
	bits := rapid.Custom(func(t *rapid.T) int {
		v := 0
		for range 12 {
			v <<= 1
			if rapid.Bool().Draw(t, "bit") {
				v++
			}
		}
		return v
	})
	return bits.Draw(t, label) % n
}

// pointIn draws a point of a zone.
func pointIn(t *rapid.T, z space.Zone, label string) space.Point {
	var p space.Point
	for k := range p {
		if z.High[k]-z.Low[k] > 1 {
			p[k] = rapid.Int32Range(z.Low[k], z.High[k]-1).Draw(t, label)
		} else {
			p[k] = z.Low[k]
		}
	}
	return p
}

// boxIn draws a box within a zone that is not empty.
func boxIn(t *rapid.T, whole space.Zone, label string) space.Zone {
	a, b := pointIn(t, whole, label), pointIn(t, whole, label)
	for k := range a {
		a[k], b[k] = min(a[k], b[k]), max(a[k], b[k])+1
	}
	return space.Zone{Low: a, High: b}
}

// tiling draws zones that tile the space: the whole space, cut again and again by any plane at all.
func tiling(t *rapid.T, s space.Space, cuts int) []space.Zone {
	zones := []space.Zone{s.Whole()}
	for range rapid.IntRange(0, cuts).Draw(t, "cuts") {
		i := rapid.IntRange(0, len(zones)-1).Draw(t, "zone")
		k := rapid.IntRange(0, s.Dims-1).Draw(t, "dim")
		z := zones[i]
		if z.High[k]-z.Low[k] < 2 {
			continue
		}
		h := space.HalfSpace{
			Dim:     uint8(k),
			At:      rapid.Int32Range(z.Low[k]+1, z.High[k]-1).Draw(t, "at"),
			AtLeast: rapid.Bool().Draw(t, "side"),
		}
		zones[i] = h.Cut(z)
		zones = append(zones, h.Opposite().Cut(z))
	}
	return zones
}

// history draws a sequence of joins and departures and calls after each of them.
func history(t *rapid.T, g *grid, steps int, after func()) {
	for i := range 1 + even(t, steps, "steps") {
		if n := len(g.members); n > 1 && even(t, 10, "leave") < min(n, 6) {
			leaver := even(t, len(g.members), "leaver")
			shuffled := func(n int) []int { return rapid.Permutation(inOrder(n)).Draw(t, "order") }
			if err := g.leave(g.members[leaver].name, ours, shuffled); err != nil {
				t.Fatalf("%v:\n%v", err, g)
			}
		} else {
			var p space.Point
			for k := range g.space.Dims {
				p[k] = int32(even(t, min(int(g.space.Size[k]), 1<<12), "coord"))
			}
			if !slices.ContainsFunc(g.members, func(m member) bool { return m.coord == p }) {
				g.join(string(rune('A'+i)), p)
			}
		}
		after()
	}
}

// points calls yield for every point of a zone.
func points(z space.Zone, yield func(space.Point)) {
	p := z.Low
	if z.Empty() {
		return
	}
	for {
		yield(p)
		k := 0
		for ; k < len(p); k++ {
			if p[k]++; p[k] < z.High[k] {
				break
			}
			p[k] = z.Low[k]
		}
		if k == len(p) {
			return
		}
	}
}

// The dumb versions of the clever functions go through all points.

func dumbCovered(target space.Zone, zones []space.Zone) bool {
	covered := true
	points(target, func(p space.Point) {
		covered = covered && slices.ContainsFunc(zones, func(z space.Zone) bool { return z.Contains(p) })
	})
	return covered
}

func dumbBorderCovered(s space.Space, z space.Zone, zones []space.Zone) bool {
	covered := true
	points(z, func(p space.Point) {
		for k := range s.Dims {
			for _, d := range [2]int32{-1, 1} {
				q := p
				q[k] += d
				if s.Whole().Contains(q) && !z.Contains(q) {
					covered = covered && slices.ContainsFunc(zones, func(z space.Zone) bool { return z.Contains(q) })
				}
			}
		}
	})
	return covered
}

// dumbAbuts is meant for disjoint zones: a point of one is next to a point of the other.
func dumbAbuts(z, other space.Zone) (face space.Face, abuts bool) {
	points(z, func(p space.Point) {
		for k := range p {
			for _, high := range [2]bool{false, true} {
				q := p
				q[k]--
				if high {
					q[k] += 2
				}
				if other.Contains(q) {
					face, abuts = space.Face{Dim: uint8(k), High: high}, true
				}
			}
		}
	})
	return face, abuts
}

func dumbDistance(z space.Zone, p space.Point) uint64 {
	nearest := uint64(1<<64 - 1)
	points(z, func(q space.Point) {
		var sum uint64
		for k := range p {
			d := int64(p[k]) - int64(q[k])
			sum += uint64(d * d)
		}
		nearest = min(nearest, sum)
	})
	return nearest
}
