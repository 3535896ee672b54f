package cluster

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/canvass-grid/canvass/scheduler/latency"
)

// distances are the predicted latencies of all pairs, in half-nanoseconds. A latency that does not
// fit into 32 bits exceeds any diameter.
type distances struct {
	hosts int
	far   []uint32
	limit uint32
	near  [][]int32 // of each host: those within the limit, nearest first, then by number; itself included
}

func newDistances(tree *latency.Anchors, hosts int, diameterNanos int64) *distances {
	d := &distances{
		hosts: hosts, far: make([]uint32, hosts*hosts), limit: uint32(2 * diameterNanos), near: make([][]int32, hosts),
	}
	each(hosts, func(a int) {
		for b := range a {
			d.far[a*hosts+b] = uint32(min(tree.Halves(a, b), math.MaxUint32))
		}
	})
	each(hosts, func(a int) {
		for b := a + 1; b < hosts; b++ {
			d.far[a*hosts+b] = d.far[b*hosts+a]
		}
	})
	each(hosts, func(a int) {
		row := d.far[a*hosts:][:hosts]
		for b, far := range row {
			if far <= d.limit {
				d.near[a] = append(d.near[a], int32(b))
			}
		}
		slices.SortFunc(d.near[a], func(x, y int32) int { return cmp.Or(cmp.Compare(row[x], row[y]), cmp.Compare(x, y)) })
	})
	return d
}

// each calls f for 0 to n-1, on all processors. Calls must not depend on each other.
func each(n int, f func(i int)) {
	var next atomic.Int64
	var working sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		working.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	working.Wait()
}
