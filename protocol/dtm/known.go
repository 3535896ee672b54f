package dtm

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Reading is a measured latency to a host with a known label.
type Reading struct {
	Label    Label
	Measured int64
}

// Known has the measurements of a host that looks for its place. The zero value is empty.
type Known struct {
	readings []Reading
	apart    [][]int64 // predicted latency of readings i and j, for j <= i
	order    []int     // nearest first, then by host
}

// near and spread are how many of the nearest hosts, and of hosts at all distances, are tried as
// the two ends of the way on which a place lies.
const (
	nearEnds = 4
	farEnds  = 5
	spread   = 5
)

// Len is how many hosts were measured.
func (k *Known) Len() int { return len(k.readings) }

// Nearest returns the nearest host, if any was measured.
func (k *Known) Nearest() (Reading, bool) {
	if len(k.order) == 0 {
		return Reading{}, false
	}
	return k.readings[k.order[0]], true
}

// Get returns the reading of a host.
func (k *Known) Get(host protocol.NodeID) (Reading, bool) {
	for i := range k.readings {
		if k.readings[i].Label[0].Host == host {
			return k.readings[i], true
		}
	}
	return Reading{}, false
}

// Add adds a reading of a host that is not there yet. It refuses one whose label is of another tree
// than those before, and a negative latency.
func (k *Known) Add(r Reading) bool {
	if len(r.Label) == 0 || r.Measured < 0 {
		return false
	}
	row := make([]int64, len(k.readings)+1)
	for i := range k.readings {
		d, ok := Predict(r.Label, k.readings[i].Label)
		if !ok {
			return false
		}
		row[i] = d
	}
	at, there := slices.BinarySearchFunc(k.order, r, func(i int, r Reading) int {
		other := &k.readings[i]
		return cmp.Or(cmp.Compare(other.Measured, r.Measured), other.Label[0].Host.Compare(r.Label[0].Host))
	})
	if there {
		return false
	}
	k.order = slices.Insert(k.order, at, len(k.readings))
	k.readings = append(k.readings, r)
	k.apart = append(k.apart, row)
	return true
}

// Best returns the place that explains the readings best, and its mean deviation. It tries places
// on the ways between one of the nearest hosts and hosts at all distances. The first of equally
// good places wins. Nothing must be known to be an error of the caller.
func (k *Known) Best() (Place, int64) {
	if len(k.readings) == 0 {
		panic("dtm: no reading, so no place")
	}
	if len(k.readings) == 1 {
		only := &k.readings[0]
		return Place{normal(Point{Label: only.Label}), only.Measured}, 0
	}
	var far, near int
	least := worst * int64(len(k.readings))
	least++
	for _, y := range k.order[:min(nearEnds, len(k.order))] {
		for _, o := range k.ends() {
			if o == y {
				continue
			}
			if sum := k.sum(o, y, least); sum < least {
				far, near, least = o, y, sum
			}
			if sum := k.sum(y, o, least); sum < least {
				far, near, least = y, o, sum
			}
		}
	}
	a, b := &k.readings[far], &k.readings[near]
	place, _ := Between(a.Label, b.Label, a.Measured, b.Measured)
	return place, least / int64(len(k.readings))
}

// ends are the hosts that are tried as one of the two ends.
func (k *Known) ends() []int {
	n := len(k.order)
	all := slices.Clone(k.order[:min(farEnds, n)])
	for i := range spread {
		if at := i * (n - 1) / (spread - 1); at >= farEnds {
			all = append(all, k.order[at])
		}
	}
	return all
}

// sum is the sum of the deviations for the place between two readings, or any number that is not
// below the limit. The tree is a metric, so the predictions among the measured hosts say how far
// each is from a point between two of them; no label is needed.
func (k *Known) sum(far, near int, limit int64) (sum int64) {
	apart := k.between(far, near)
	off := offset(apart, k.readings[far].Measured, k.readings[near].Measured)
	length := k.readings[near].Measured - off
	for h := range k.readings {
		toNear, toFar := k.between(h, near), k.between(h, far)
		branch := Gromov(apart, toNear, toFar)
		rise := toNear - branch
		sum += Deviation(max(off-branch, branch-off)+rise+length, k.readings[h].Measured)
		if sum >= limit {
			return limit
		}
	}
	return sum
}

func (k *Known) between(i, j int) int64 { return k.apart[max(i, j)][min(i, j)] }

// Mean is the mean deviation of a place from the readings.
func (k *Known) Mean(p Place) int64 {
	sum := int64(0)
	for i := range k.readings {
		d, ok := p.Predict(k.readings[i].Label)
		if !ok {
			return worst
		}
		sum += Deviation(d, k.readings[i].Measured)
	}
	return sum / int64(max(1, len(k.readings)))
}
