package cluster

import (
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/canvass-grid/canvass/scheduler/latency"
)

// Quality measures clusters and their cost.
type Quality struct {
	Hosts         int     `json:"hosts"`
	Size          int     `json:"size_bound"`
	Memberships   int     `json:"membership_bound"`
	DiameterNanos int64   `json:"diameter_nanos"`
	Criterion     string  `json:"criterion"`
	Aggregate     int     `json:"aggregate"`
	Candidates    float64 `json:"mean_candidates"` // of a head, itself included

	Own        Shape   `json:"own"`        // the cluster of each host as a head
	Advertised Shape   `json:"advertised"` // the cluster that each host advertises: with symmetry
	Adopting   float64 `json:"adopting"`   // share of hosts that advertise another's cluster

	FarPairs           int `json:"far_pairs"` // pairs of job-ready clusters beyond the diameter
	FilteredPairs      int `json:"filtered_pairs"`
	FilteredClusters   int `json:"filtered_clusters"`  // that lost hosts to the filter
	AcquaintancesBound int `json:"acquaintance_bound"` // M(N-1)

	Unfiltered Split `json:"unfiltered"` // the clusters of at least two hosts before the filter

	Joins    int  `json:"join_measurements"`        // by all hosts, when they joined the tree
	Members  int  `json:"membership_measurements"`  // by all hosts, of the others in unfiltered clusters
	Rounds   int  `json:"aggregation_rounds"`       // until nothing changed
	Reports  int  `json:"aggregation_messages"`     // of near hosts, along the tree
	Messages Cost `json:"solicitation_and_answers"` // between heads and clients
}

// Split counts clusters by the latencies of their pairs.
type Split struct {
	Within int `json:"within"` // all pairs are within the diameter
	Beyond int `json:"beyond"` // all pairs are beyond it
	Mixed  int `json:"mixed"`
}

// add counts a cluster of which some pairs are far.
func (s *Split) add(far, pairs int) {
	switch {
	case pairs == 0:
	case far == 0:
		s.Within++
	case far == pairs:
		s.Beyond++
	default:
		s.Mixed++
	}
}

// Shape describes one cluster of each host. Several hosts can have the same.
type Shape struct {
	MeanSize      float64     `json:"mean_size"`
	Sizes         map[int]int `json:"sizes"`      // hosts by the size of their cluster
	Undersized    float64     `json:"undersized"` // share of hosts whose cluster is smaller than the bound
	Whole         *float64    `json:"whole"`      // share whose cluster is the largest possible
	Memberships   float64     `json:"mean_memberships"`
	MaxMembership int         `json:"max_memberships"` // hosts that have one host in their cluster
	Acquaintances float64     `json:"mean_acquaintances"`
	MaxAcquainted int         `json:"max_acquaintances"` // other hosts in all clusters with one host
	Distinct      int         `json:"distinct_clusters"`
	Subsets       int         `json:"strict_subsets"` // pairs of clusters of which one is a part of the other
	Overlap       float64     `json:"mean_jaccard"`   // of the clusters of two hosts of which one has the other in its own
	Rand          *float64    `json:"adjusted_rand"`  // of hosts by their clusters, against the true ones
}

// Quality judges what was found against the latencies that it was found for.
func (f *Found) Quality(in *latency.Input) Quality {
	q := Quality{
		Hosts: in.Hosts, Size: f.Settings.Size, Memberships: f.Settings.Memberships,
		DiameterNanos: f.Settings.DiameterNanos, Criterion: criteria[f.Settings.Criterion], Aggregate: f.Settings.Aggregate,
		Candidates: meanSize(f.Candidates), Own: shape(f.Own, in, f.Settings.Size),
		Advertised:         shape(f.Lists(true), in, f.Settings.Size),
		AcquaintancesBound: f.Settings.Memberships * (f.Settings.Size - 1),
		Joins:              f.Tree.Measured(),
		Rounds:             f.Aggregation.Rounds,
		Reports:            f.Aggregation.Messages,
		Messages:           f.Cost,
	}
	adopting := 0
	for host, head := range f.Advertised {
		if head != host {
			adopting++
		}
		if len(f.Own[host]) < len(f.Unfiltered[host]) {
			q.FilteredClusters++
		}
		q.FarPairs += farPairs(in, f.Own[host], f.Settings.DiameterNanos)
		size, far := len(f.Unfiltered[host]), farPairs(in, f.Unfiltered[host], f.Settings.DiameterNanos)
		q.Unfiltered.add(far, size*(size-1)/2)
		q.FilteredPairs += far
	}
	q.Adopting = part(adopting, in.Hosts)
	for _, known := range acquainted(f.Unfiltered) {
		q.Members += known.size() - 1
	}
	return q
}

// Apart is the Kolmogorov-Smirnov distance of the sizes of two shapes: the largest difference of
// their shares of hosts whose cluster has at most n members, over all n.
func Apart(a, b *Shape) float64 {
	counts := map[int][2]int{}
	var hosts [2]int
	for k, sizes := range []map[int]int{a.Sizes, b.Sizes} {
		for size, n := range sizes {
			both := counts[size]
			both[k] += n
			counts[size] = both
			hosts[k] += n
		}
	}
	apart, below := 0.0, [2]int{}
	for _, size := range slices.Sorted(maps.Keys(counts)) {
		below[0] += counts[size][0]
		below[1] += counts[size][1]
		apart = max(apart, math.Abs(part(below[0], hosts[0])-part(below[1], hosts[1])))
	}
	return apart
}

func farPairs(in *latency.Input, cluster []int, diameterNanos int64) (far int) {
	for i, a := range cluster {
		for _, b := range cluster[:i] {
			if in.Nanos(a, b) > diameterNanos {
				far++
			}
		}
	}
	return far
}

func part(some, all int) float64 { return float64(some) / float64(max(1, all)) }

func meanSize(lists [][]int) float64 {
	sum := 0
	for _, l := range lists {
		sum += len(l)
	}
	return part(sum, len(lists))
}

// hostSet is a set of hosts, a bit each.
type hostSet []uint64

func newSet(hosts int, members []int) hostSet {
	s := make(hostSet, (hosts+63)/64)
	for _, m := range members {
		s[m/64] |= 1 << (m % 64)
	}
	return s
}

func (s hostSet) size() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// common is the size of the intersection.
func (s hostSet) common(other hostSet) int {
	n := 0
	for i, w := range s {
		n += bits.OnesCount64(w & other[i])
	}
	return n
}

// acquainted returns for each host the hosts in all lists with it.
func acquainted(lists [][]int) []hostSet {
	all := make([]hostSet, len(lists))
	for host := range all {
		all[host] = newSet(len(lists), []int{host})
	}
	for _, members := range lists {
		s := newSet(len(lists), members)
		for _, m := range members {
			for i, w := range s {
				all[m][i] |= w
			}
		}
	}
	return all
}

// shape describes the list of each host.
func shape(lists [][]int, in *latency.Input, size int) Shape {
	s := Shape{MeanSize: meanSize(lists), Sizes: map[int]int{}}
	memberships := make([]int, len(lists))
	undersized := 0
	for _, members := range lists {
		s.Sizes[len(members)]++
		if len(members) < size {
			undersized++
		}
		for _, m := range members {
			memberships[m]++
		}
	}
	s.Undersized = part(undersized, len(lists))
	sum := 0
	for _, n := range memberships {
		sum += n
		s.MaxMembership = max(s.MaxMembership, n)
	}
	s.Memberships = part(sum, len(lists))
	distinct, kind := distinctOf(lists)
	s.Distinct = len(distinct)
	s.acquaintances(distinct, len(lists))
	s.overlaps(lists, distinct, kind)
	if in.Group != nil {
		whole, rand := s.whole(lists, in.Group, size), adjustedRand(kind, in.Group)
		s.Whole, s.Rand = &whole, &rand
	}
	return s
}

// distinctOf lists the different lists, and for each host which of them it has.
func distinctOf(lists [][]int) (distinct [][]int, kind []int) {
	order := make([]int, len(lists))
	for host := range order {
		order[host] = host
	}
	slices.SortStableFunc(order, func(a, b int) int { return slices.Compare(lists[a], lists[b]) })
	kind = make([]int, len(lists))
	for i, host := range order {
		if i == 0 || !slices.Equal(lists[host], lists[order[i-1]]) {
			distinct = append(distinct, lists[host])
		}
		kind[host] = len(distinct) - 1
	}
	return distinct, kind
}

func (s *Shape) acquaintances(distinct [][]int, hosts int) {
	padded := make([][]int, hosts) // distinct lists are no more than hosts
	copy(padded, distinct)
	sum := 0
	for _, known := range acquainted(padded) {
		others := known.size() - 1
		sum += others
		s.MaxAcquainted = max(s.MaxAcquainted, others)
	}
	s.Acquaintances = part(sum, hosts)
}

// overlaps compares the lists of hosts that have each other in them, and finds lists that are parts
// of others.
func (s *Shape) overlaps(lists, distinct [][]int, kind []int) {
	sets, with := make([]hostSet, len(distinct)), make([][]int, len(lists))
	for d, members := range distinct {
		sets[d] = newSet(len(lists), members)
		for _, m := range members {
			with[m] = append(with[m], d)
		}
	}
	sum, pairs := 0.0, 0
	for host, members := range lists {
		for _, m := range members {
			if m == host {
				continue
			}
			both := sets[kind[host]].common(sets[kind[m]])
			sum += part(both, len(members)+len(lists[m])-both)
			pairs++
		}
	}
	s.Overlap = sum / float64(max(1, pairs))
	for d, members := range distinct {
		rarest := slices.MinFunc(members, func(a, b int) int { return len(with[a]) - len(with[b]) })
		for _, other := range with[rarest] {
			if len(distinct[other]) > len(members) && sets[d].common(sets[other]) == len(members) {
				s.Subsets++
			}
		}
	}
}

// whole is the share of hosts whose list is as large as the bound, or as their true cluster.
func (s *Shape) whole(lists [][]int, group []int, size int) float64 {
	sizes := map[int]int{}
	for _, g := range group {
		sizes[g]++
	}
	whole := 0
	for host, members := range lists {
		if len(members) >= min(size, sizes[group[host]]) {
			whole++
		}
	}
	return part(whole, len(lists))
}

// adjustedRand is the adjusted Rand index of two partitions: 1 if they are equal, 0 on average if
// one is random.
func adjustedRand(a, b []int) float64 {
	both, first, second := map[[2]int]int{}, map[int]int{}, map[int]int{}
	for i := range a {
		both[[2]int{a[i], b[i]}]++
		first[a[i]]++
		second[b[i]]++
	}
	together, x, y := pairsIn(both), pairsIn(first), pairsIn(second)
	all := len(a) * (len(a) - 1) / 2
	expected := float64(x) * float64(y) / float64(max(1, all))
	largest := float64(x+y) / 2
	if largest == expected {
		return 1
	}
	return (float64(together) - expected) / (largest - expected)
}

// pairsIn counts the pairs inside the parts of a partition.
func pairsIn[K comparable](sizes map[K]int) (pairs int) {
	for _, n := range sizes {
		pairs += n * (n - 1) / 2
	}
	return pairs
}
