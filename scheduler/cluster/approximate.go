package cluster

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/latency"
)

// Largest returns the largest set S(p,q) = {x: x is at most as far from p, and from q, as they are
// from each other} of hosts in a space, with p and q in it and at most a diameter apart, that
// contains a host of it. In a tree metric the diameter of the set is the distance of p and q, so no
// set of that diameter around the host is larger. Among equal sets the first pair counts. All
// distances are predicted ones. The result is ascending.
func Largest(tree *latency.Anchors, hosts int, diameterNanos int64, host int, space []int) []int {
	return newApproximation(newDistances(tree, hosts, diameterNanos)).largest(host, space)
}

// approximation finds the first approximation of one host after the other. It keeps memory.
type approximation struct {
	*distances
	near  []int   // hosts of the space within the limit, ascending
	local []int32 // of each host: its index in near, or -1
	rank  []int32 // of each pair of near: how many of near are at most as far from the first as the second is
	order []int32 // the pairs, the largest bound first
}

func newApproximation(d *distances) *approximation {
	a := &approximation{distances: d, local: make([]int32, d.hosts)}
	for i := range a.local {
		a.local[i] = -1
	}
	return a
}

// largest is [Largest] of a host.
//
// A set is no larger than the number of hosts that are as near p as q is, or as near q as p is. The
// pairs are tried by this bound, so that the first one is nearly always the best, and no more is
// tried than those with the same bound. That a set contains the host needs no test: if the set of p
// and q does not, the host is farther from p than q is, or farther from q than p is, and the set of
// the host and that one contains all of it, since the predictions are a tree metric.
func (a *approximation) largest(host int, space []int) []int {
	a.begin(host, space)
	n := len(a.near)
	a.pairs()
	best, first, second := 0, 0, 0
	for _, pair := range a.order {
		p, q := int(pair)/n, int(pair)%n
		bound := int(min(a.rank[p*n+q], a.rank[q*n+p]))
		if bound < best {
			break
		}
		if bound == best && (p > first || p == first && q > second) {
			continue
		}
		size := a.size(p, q)
		if size > best || size == best && (p < first || p == first && q < second) {
			best, first, second = size, p, q
		}
	}
	var set []int
	for x := range n {
		if a.inside(first, second, x) {
			set = append(set, a.near[x])
		}
	}
	a.end()
	return set
}

// begin makes the ranks of all pairs near a host.
func (a *approximation) begin(host int, space []int) {
	a.near = a.near[:0]
	for _, x := range space {
		if a.far[host*a.hosts+x] <= a.limit {
			a.local[x] = int32(len(a.near))
			a.near = append(a.near, x)
		}
	}
	n := len(a.near)
	a.rank = slices.Grow(a.rank[:0], n*n)[:n*n]
	clear(a.rank)
	row := make([]int32, 0, n)
	for p, host := range a.near {
		row = row[:0]
		for _, x := range a.distances.near[host] {
			if a.local[x] >= 0 {
				row = append(row, a.local[x])
			}
		}
		for from := 0; from < len(row); {
			to := from + 1
			for to < len(row) && a.apart(p, int(row[to])) == a.apart(p, int(row[from])) {
				to++
			}
			for _, q := range row[from:to] {
				a.rank[p*n+int(q)] = int32(to)
			}
			from = to
		}
	}
}

func (a *approximation) apart(p, q int) uint32 { return a.far[a.near[p]*a.hosts+a.near[q]] }

// end forgets which hosts are near.
func (a *approximation) end() {
	for _, x := range a.near {
		a.local[x] = -1
	}
}

// pairs lists the pairs that are within the limit, by the bound on the size of their sets.
func (a *approximation) pairs() {
	n := len(a.near)
	count := make([]int32, n+2)
	bound := func(p, q int) int32 {
		return min(a.rank[p*n+q], a.rank[q*n+p])
	}
	for p := range n {
		for q := p; q < n; q++ {
			count[bound(p, q)]++
		}
	}
	at := make([]int32, n+2)
	for b := n - 1; b >= 1; b-- {
		at[b] = at[b+1] + count[b+1]
	}
	all := at[1] + count[1]
	a.order = slices.Grow(a.order[:0], int(all))[:all]
	for p := range n {
		for q := p; q < n; q++ {
			if b := bound(p, q); b > 0 {
				a.order[at[b]] = int32(p*n + q)
				at[b]++
			}
		}
	}
}

// inside reports whether a host is in the set of a pair.
func (a *approximation) inside(p, q, x int) bool {
	n := len(a.near)
	return a.within(p, q, x, n) && a.within(q, p, x, n)
}

func (a *approximation) within(p, q, x, n int) bool {
	r := a.rank[p*n+x]
	return r > 0 && r <= a.rank[p*n+q]
}

// size is the size of the set of a pair.
func (a *approximation) size(p, q int) int {
	n, count := len(a.near), 0
	for x := range n {
		if a.inside(p, q, x) {
			count++
		}
	}
	return count
}

// approximate returns the candidates of each host as a head: its first approximation, or a random
// subset of it with the host in it if it is larger than a cluster may be. They are ascending.
func approximate(d *distances, spaces [][]int, size int, seed uint64) [][]int {
	found := make([][]int, d.hosts)
	workers := make(chan *approximation, d.hosts)
	each(d.hosts, func(host int) {
		var a *approximation
		select {
		case a = <-workers:
		default:
			a = newApproximation(d)
		}
		found[host] = subset(a.largest(host, spaces[host]), host, size, seed)
		workers <- a
	})
	return found
}

// subset draws size hosts from a host's set, the host included.
func subset(set []int, host, size int, seed uint64) []int {
	if len(set) <= size {
		return set
	}
	r := scheduler.Stream(seed, fmt.Sprintf("subset of host %d", host))
	r.Shuffle(len(set), func(i, j int) { set[i], set[j] = set[j], set[i] })
	at := slices.Index(set, host)
	set[0], set[at] = set[at], set[0]
	set = set[:size]
	slices.Sort(set)
	return set
}
