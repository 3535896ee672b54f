package experiment

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler/cluster"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// search is a family of searches for clusters: on an input, of a size, with several bounds.
type search struct {
	input string
	size  int
	most  []int // memberships; the last is the size
}

// searchOf is the family of a size: the whole grid, or, so that it runs anywhere, a twentieth.
func searchOf(size string) search {
	if size == "ci" {
		return search{sharcnetName + ":sites=plane,every=20", 8, []int{2, 4, 8}}
	}
	return search{sharcnetName, 64, []int{8, 16, 32, 64}}
}

// Aggregated hosts, as multiples of the maximum size of a cluster.
const once, twice, fourTimes = 1, 2, 4

// cell is the name of a search, as a setting of a cell.
func (s search) cell(criterion string, memberships, aggregated int) string {
	return fmt.Sprintf("clusters:%d,memberships=%d,criterion=%s,aggregate=%d of %s", s.size, memberships, criterion,
		aggregated*s.size, s.input)
}

// near10 is the cell of a search on high-performance networks alone.
func (s search) near10() string { return fmt.Sprintf("clusters:%d%s of %s", s.size, near10, s.input) }

// found is a number of the clusters of a search.
func found(predict string, number func(*cluster.Quality) float64) series {
	return series{value: func(s seeded) (float64, []*lab.Row, bool) {
		some := with(s, "predict="+predict)
		if len(some) != 1 {
			return 0, nil, false
		}
		return number(some[0].Clusters), some, true
	}}
}

// sizes claims that the first of two mean sizes of clusters is the smaller one.
func sizes(text string, q Quote, a, b series) Claim {
	return Claim{
		Text: text, Published: q, Estimator: Difference, Relation: ordered(Less, Difference),
		Metric: Metric{Name: "mean size", Unit: " hosts", Range: metric.AtLeast0, series: []series{a, b}},
	}
}

// extreme claims that the largest value of a number of clusters, over all seeds, is in a relation.
func extreme(text string, q Quote, predict string, r Relation, number func(*cluster.Quality) float64) Claim {
	return Claim{
		Text: text, Published: q, Estimator: Largest, Relation: r,
		Metric: Metric{Name: "number", Range: metric.AnyNumber, series: []series{found(predict, number)}},
	}
}

// Quotes from section 5.1.
var (
	likelyLarge = says("section 5.1.1", "The greedy strategy relies on updates from suitors about accepted and rejected "+
		"solicitations to adjust how suitors are sorted so that nodes join clusters that are more likely to be large.")
	formLarger = says("section 5.1", "To counter this, more nodes than are necessary for the maximum cluster size are "+
		"aggregated to form larger clusters.")
	twiceIsEnough = says("section 5.1", "In practice, aggregating twice as many nodes is enough.")
	noMoreThanM   = says("section 5.1.1", "At the end of this process, any given node x will be a member of no more than "+
		"M clusters. For the rest of this work, it is assumed that $M = N$.")
	knows = says("section 5.1.1",
		"If all M clusters are disjoint except for x, then x knows about no more than $M * (N - 1)$ other nodes.")
	noIncrease = says("section 5.1.3", "However, it does not increase the number of nodes with which a given node must "+
		"regularly communicate.").granting("Though the number of nodes with which a given node might communicate does not " +
		"increase, the number of nodes that may potentially send tasks to a node will.")
	moreClusters = says("section 5.1.3", "This can effectively increase the number of clusters to which a node belongs.")
	harmless     = says("section 5.1", "Symmetry effectively relaxes cluster membership in a harmless way to ensure that "+
		"individual nodes advertise and use the largest possible clusters.")
	allOrNone = says("section 5.1.2", "Fortunately, the results in practice are either all entirely within the cluster "+
		"diameter or entirely outside.")
	observed = says("section 5.1.2", "Situations where two distant nodes appear close together in the estimation tree "+
		"have been observed experimentally.")
	thirtySeconds = says("section 5.1.4",
		"Empirically, a thirty second timeout has been found to be adequate when looking for clusters of up to 64 nodes.")
)

func ownSize(q *cluster.Quality) float64 { return q.Own.MeanSize }

func advertisedSize(q *cluster.Quality) float64 { return q.Advertised.MeanSize }

// criteria compares the criteria by which clients choose heads.
func criteria() *Experiment {
	e := &Experiment{
		Name: "jackson/criteria", Chance: true,
		seconds: [3]float64{0.06, 7.2, 7.2},
		numbers: []string{"mean_size"},
		Doc:     "whether the greedy criterion and double aggregation make clusters larger",
		Source:  "Jackson (2015), section 5.1, which gives no numbers; the tree is our interpretation of DTM",
		cells: func(size string) (all []lab.Cell) {
			s := searchOf(size)
			for _, m := range s.most {
				for _, criterion := range []string{"greedy", "first-come", "global-order"} {
					all = append(all, lab.MustCell("predict="+s.cell(criterion, m, twice)),
						lab.MustCell("predict="+s.cell(criterion, m, once)))
				}
				all = append(all, lab.MustCell("predict="+s.cell("greedy", m, fourTimes)))
			}
			return append(all, lab.MustCell("predict="+s.near10()))
		},
	}
	for _, size := range []string{"desk", "ci"} {
		s := searchOf(size)
		for _, m := range s.most {
			e.Claims = append(e.Claims, s.bounded(m)...)
		}
		e.Claims = append(e.Claims, s.unbounded()...)
	}
	for i := range e.Claims { // each size has its own
		c := &e.Claims[i]
		c.of = func(rows []*lab.Row) []*lab.Row {
			if len(c.Metric.sample(rows).seeds) == 0 {
				return nil
			}
			return rows
		}
	}
	return e
}

// bounded are the claims about searches with a bound on memberships.
func (s search) bounded(m int) (all []Claim) {
	label := fmt.Sprintf(" (N = %d, M = %d)", s.size, m)
	double := s.cell("greedy", m, twice)
	for _, of := range []struct {
		name string
		size func(*cluster.Quality) float64
	}{{"own", ownSize}, {"advertised", advertisedSize}} {
		ofDouble := found(double, of.size)
		for _, other := range []string{"first-come", "global-order"} {
			// Each client accepts as many heads as it may, in any order, so own clusters are equal.
			all = append(all, sizes("mean size of "+of.name+" clusters: "+other+" less greedy"+label, likelyLarge,
				found(s.cell(other, m, twice), of.size), ofDouble))
		}
		all = append(all, sizes("mean size of "+of.name+" clusters: single less double aggregation"+label, formLarger,
			found(s.cell("greedy", m, once), of.size), ofDouble))
		enough := sizes("mean size of "+of.name+" clusters: fourfold in times of double aggregation"+label, twiceIsEnough,
			found(s.cell("greedy", m, fourTimes), of.size), ofDouble)
		enough.Estimator, enough.Relation, enough.Band = Ratio, times(0, 1), times(0, 1.05)
		all = append(all, enough)
	}
	if m == s.size {
		return all // then the bounds allow more than there are hosts
	}
	return append(all,
		extreme("most memberships of a host, before symmetry"+label, noMoreThanM, double, atMost(float64(m)),
			func(q *cluster.Quality) float64 { return float64(q.Own.MaxMembership) }),
		extreme("most memberships of a host, more with symmetry than before"+label, moreClusters, double, atLeast(1),
			func(q *cluster.Quality) float64 { return float64(q.Advertised.MaxMembership - q.Own.MaxMembership) }),
		extreme("most acquaintances of a host, before and after symmetry"+label, knows, double,
			atMost(float64(m*(s.size-1))),
			func(q *cluster.Quality) float64 { return float64(max(q.Own.MaxAcquainted, q.Advertised.MaxAcquainted)) }))
}

// unbounded are the claims about searches with M = N, as in the paper, with both diameters.
func (s search) unbounded() (all []Claim) {
	for _, x := range []struct{ predict, label string }{
		{s.cell("greedy", s.size, twice), fmt.Sprintf(" (N = M = %d)", s.size)},
		{s.near10(), fmt.Sprintf(" (N = M = %d, 10 µs)", s.size)},
	} {
		all = append(all,
			extreme("most acquaintances of a host, more with symmetry than before"+x.label, noIncrease, x.predict, atMost(0),
				func(q *cluster.Quality) float64 { return float64(q.Advertised.MaxAcquainted - q.Own.MaxAcquainted) }),
			sizes("advertised clusters have a larger mean size than own ones"+x.label, harmless,
				found(x.predict, ownSize), found(x.predict, advertisedSize)),
			extreme("clusters before the filter of which some pairs are within the diameter and others beyond"+x.label,
				allOrNone, x.predict, atMost(0), func(q *cluster.Quality) float64 { return float64(q.Unfiltered.Mixed) }),
			extreme("pairs that are too far apart, before the filter"+x.label, observed, x.predict, atLeast(1),
				func(q *cluster.Quality) float64 { return float64(q.FilteredPairs) }),
			extreme("rounds, one a second, until reports along the tree end"+x.label, thirtySeconds, x.predict, atMost(30),
				func(q *cluster.Quality) float64 { return float64(q.Rounds) }))
	}
	return all
}
