package can

import (
	"math/bits"

	"github.com/canvass-grid/canvass/protocol/can/founders"
	"github.com/canvass-grid/canvass/protocol/space"
)

// census checks a large quiescent map without comparing each owner with each. It agrees with the
// predicates of small maps, except that it checks a sample of the routes.
type census struct {
	space    space.Space
	owners   []*View
	zones    []space.Zone
	index    *founders.Index
	adjacent [][]int32
}

func newCensus(sp space.Space, owners []*View) *census {
	zones := make([]space.Zone, len(owners))
	for i, v := range owners {
		zones[i] = v.Self.Zone
	}
	x := founders.NewIndex(sp.Whole(), zones)
	return &census{space: sp, owners: owners, zones: zones, index: x, adjacent: x.Neighbours(sp.Dims)}
}

// broken returns the first property that the map breaks, or "".
func (c *census) broken() string {
	switch {
	case !c.noOverlap():
		return "NoOverlap"
	case !c.noGap():
		return "NoGap"
	case !c.neighboursKnow():
		return "NeighboursKnow"
	case !c.viewsAgree():
		return "ViewsAgree"
	case !c.routable():
		return "Routable"
	}
	return ""
}

func (c *census) noOverlap() bool {
	for i := range c.owners {
		if len(c.index.Touching(c.zones[i])) != 1 {
			return false
		}
	}
	return true
}

// noGap compares volumes, which suffices if nothing overlaps. Volumes are counted modulo 2^128.
func (c *census) noGap() bool {
	whole := volume(c.space.Whole())
	var sum [2]uint64
	for _, z := range c.zones {
		v := volume(z)
		var carry uint64
		sum[1], carry = bits.Add64(sum[1], v[1], 0)
		sum[0], _ = bits.Add64(sum[0], v[0], carry)
	}
	return sum == whole
}

// volume is the number of points of a zone, in two words, the higher word first.
func volume(z space.Zone) [2]uint64 {
	v := [2]uint64{0, 1}
	for k := range z.Low {
		length := uint64(z.High[k] - z.Low[k])
		carry, low := bits.Mul64(v[1], length)
		v = [2]uint64{v[0]*length + carry, low}
	}
	return v
}

func (c *census) neighboursKnow() bool {
	for i, near := range c.adjacent {
		for _, j := range near {
			if !c.owners[i].Knows(c.owners[j].Self) {
				return false
			}
		}
	}
	return true
}

func (c *census) viewsAgree() bool {
	for i, v := range c.owners {
		near := founders.Within2(c.adjacent, int32(i))
		if len(near) != len(v.Known) || len(v.Holes) > 0 {
			return false
		}
		for _, j := range near {
			if !v.Knows(c.owners[j].Self) {
				return false
			}
		}
	}
	return true
}

// sampledRoutes is the number of routes that are checked.
const sampledRoutes = 1000

// routable follows routes from evenly spread owners to the coordinates of others, by the owners'
// own views.
func (c *census) routable() bool {
	at := make(map[uint32]int, len(c.owners))
	for i, v := range c.owners {
		at[uint32(v.Self.ID.Address)] = i
	}
	for k := range min(sampledRoutes, len(c.owners)) {
		from, to := k*len(c.owners)/sampledRoutes%len(c.owners), (k*7919+1)%len(c.owners)
		if !c.routed(from, to, at) {
			return false
		}
	}
	return true
}

func (c *census) routed(from, to int, at map[uint32]int) bool {
	target := c.owners[to].Self.Coord
	for range c.owners {
		if from == to {
			return true
		}
		v, next := c.owners[from], -1
		nearest := v.Self.Zone.Distance(target)
		for _, q := range v.Known {
			if _, direct := v.Self.Zone.Abuts(q.Zone); !direct {
				continue
			}
			if d := q.Zone.Distance(target); d < nearest {
				if i, known := at[uint32(q.ID.Address)]; known {
					nearest, next = d, i
				}
			}
		}
		if next < 0 {
			return false
		}
		from = next
	}
	return from == to
}
