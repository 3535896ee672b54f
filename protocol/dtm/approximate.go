package dtm

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Approximate returns the first approximation of a host's cluster (section 5.1): the largest set
// S(p,q) = {x: x is at most as far from p, and from q, as they are from each other} of hosts that
// the host knows, with p and q in it and at most a diameter apart, that contains the host. In a
// tree the diameter of the set is the distance of p and q, so no larger set of that diameter
// contains the host. If sets are equal, that of the first pair counts. The result is sorted. The
// diameter is in the unit of lengths.
//
// The cost is a prediction for each pair of hosts within the diameter of this one, and a test of
// all such hosts for each pair that can beat those before.
func Approximate(own Label, known []Label, diameter int64) []protocol.NodeID {
	a := newApproximation(own, known, diameter)
	n := len(a.hosts)
	first, second, most := 0, 0, 0
	for p := range n {
		for q := p; q < n; q++ {
			if bound := min(a.rank[p*n+q], a.rank[q*n+p]); bound <= most || !a.inside(p, q, a.own) {
				continue
			}
			size := 0
			for x := range n {
				if a.inside(p, q, x) {
					size++
				}
			}
			if size > most {
				first, second, most = p, q, size
			}
		}
	}
	var set []protocol.NodeID
	for x := range n {
		if a.inside(first, second, x) {
			set = append(set, a.hosts[x][0].Host)
		}
	}
	return set
}

// approximation is the hosts within a diameter of one, sorted, with its own index.
type approximation struct {
	hosts []Label
	own   int
	rank  []int // of each pair: how many hosts are at most as far from the first as the second is; 0: too far
}

func newApproximation(own Label, known []Label, diameter int64) *approximation {
	a := &approximation{}
	near := []ranked{{0, own}}
	for _, label := range known {
		if len(label) == 0 || label[0].Host == own[0].Host {
			continue
		}
		if far, ok := Predict(own, label); ok && far <= diameter {
			near = append(near, ranked{far, label})
		}
	}
	slices.SortFunc(near, func(x, y ranked) int {
		return cmp.Or(x.label[0].Host.Compare(y.label[0].Host), cmp.Compare(x.far, y.far))
	})
	for _, r := range near {
		if n := len(a.hosts); n == 0 || a.hosts[n-1][0].Host != r.label[0].Host { // the nearest label of a host counts
			a.hosts = append(a.hosts, r.label)
		}
	}
	a.own = slices.IndexFunc(a.hosts, func(l Label) bool { return l[0].Host == own[0].Host })
	n := len(a.hosts)
	a.rank = make([]int, n*n)
	far, sorted := make([]int64, n), make([]int64, n)
	for p := range n {
		for q := range n {
			far[q], _ = Predict(a.hosts[p], a.hosts[q])
		}
		copy(sorted, far)
		slices.Sort(sorted)
		for q := range n {
			if far[q] <= diameter {
				a.rank[p*n+q], _ = slices.BinarySearch(sorted, far[q]+1)
			}
		}
	}
	return a
}

// inside reports whether a host is in the set of a pair.
func (a *approximation) inside(p, q, x int) bool { return a.within(p, q, x) && a.within(q, p, x) }

func (a *approximation) within(p, q, x int) bool {
	n := len(a.hosts)
	r := a.rank[p*n+x]
	return r > 0 && r <= a.rank[p*n+q]
}

// Subset returns which hosts of a sorted set solicit a host's cluster if it may have size members:
// all others, or a part that a hash of both identities draws. Nearness does not matter, so that no
// host is solicited by all heads around it. A host that is added or removed replaces at most one
// other. The result is sorted.
func Subset(host protocol.NodeID, set []protocol.NodeID, size int) []protocol.NodeID {
	others := slices.DeleteFunc(slices.Clone(set), func(id protocol.NodeID) bool { return id == host })
	draw := func(id protocol.NodeID) uint64 {
		return protocol.Hash(protocol.AppendNodeID(protocol.AppendNodeID(nil, host), id))
	}
	slices.SortFunc(others, func(a, b protocol.NodeID) int {
		return cmp.Or(cmp.Compare(draw(a), draw(b)), a.Compare(b))
	})
	others = others[:min(len(others), max(0, size-1))]
	slices.SortFunc(others, protocol.NodeID.Compare)
	return others
}

// Candidates returns the hosts that a member solicits for its cluster, as far as it has the tree:
// the [Subset] of its first approximation. A host that is not in the tree has no candidates.
func (s *State) Candidates(diameter int64, size int) []protocol.NodeID {
	if s.Phase != Member {
		return nil
	}
	var known []Label
	for _, l := range s.Links {
		known = append(known, l.Heard...)
	}
	return Subset(s.ID, Approximate(s.Label(), known, diameter), size)
}

// Measures reports whether the node waits for the latency to a host.
func (s *State) Measures(host protocol.NodeID) bool {
	_, known := s.Search.latency(host)
	return !known && slices.ContainsFunc(s.Search.Awaits, func(a Await) bool { return a.Host == host && len(a.Label) > 0 })
}
