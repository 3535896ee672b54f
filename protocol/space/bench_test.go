package space_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/canvass-grid/canvass/protocol/space"
)

// benchGrid is a network of many members at seeded places.
func benchGrid(b *testing.B, dims, members int) *grid {
	b.Helper()
	g := newGrid(cube(dims))
	rng := rand.New(rand.NewPCG(1, uint64(dims)))
	for len(g.members) < members {
		var p space.Point
		for k := range dims {
			p[k] = rng.Int32N(far)
		}
		g.join("", p)
	}
	return g
}

func BenchmarkCovered(b *testing.B) {
	for _, dims := range []int{1, 2, 4, 8} {
		g := benchGrid(b, dims, 40)
		zones := g.zones()
		b.Run(fmt.Sprintf("dims=%d/zones=%d", dims, len(zones)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !space.Covered(g.space.Whole(), zones) {
					b.Fatal("there is a gap")
				}
			}
		})
	}
}

func BenchmarkShare(b *testing.B) {
	for _, dims := range []int{1, 2, 4, 8} {
		g := benchGrid(b, dims, 40)
		b.Run(fmt.Sprintf("dims=%d/zones=%d", dims, len(g.members)), func(b *testing.B) {
			b.ReportAllocs()
			takers := 0
			for i := 0; b.Loop(); i++ {
				departing := g.members[i%len(g.members)]
				for _, m := range g.members {
					if _, ok := space.Share(departing.zone, departing.splits, m.zone); ok {
						takers++
					}
				}
			}
			if takers == 0 {
				b.Fatal("no node takes over")
			}
		})
	}
}
