package dtm

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Manner is how a host looks for its place.
type Manner uint8

// The manners of a join.
const (
	Both Manner = iota // simulated joins by fit; if they fit badly, a walk is one more
	Fit                // each step is decided by how well a place explains all readings
	Walk               // each step follows the largest Gromov product, as published
)

// The limits of a join.
const (
	randomHosts    = 8         // measured at the beginning of each simulated join
	simulatedJoins = 2         // at least
	mostJoins      = 5         // while the place fits badly
	wellFitting    = Unit / 20 // a mean deviation that needs no further simulated join
	mostMeasured   = 80        // in one simulated join, and before a walk is given up if it is one of several
)

// Want is the next request of a join. At most one field is set; if all are empty, the join has
// ended.
type Want struct {
	Random  int               // number of random members, to [Join.Drawn]
	Look    protocol.NodeID   // a view of this host, to [Join.Looked]
	Measure []protocol.NodeID // readings of these hosts, to [Join.Measured]
}

// stage is the stage of a join, named after the answer that the join waits for.
type stage uint8

const (
	drawing   stage = iota
	measuring       // for a simulated join
	looking         // around the best place
	walking         // for the neighbours of the walk's host
	stepping        // for their latencies
	ended
)

// Join looks for the place of a new host. It holds all that the host has measured.
type Join struct {
	manner    Manner
	stage     stage
	joins     int   // simulated joins so far
	all, now  Known // measured by the host, and considered by the present simulated join
	awaited   []protocol.NodeID
	lost      []protocol.NodeID // could not be measured
	point     Point             // of the best place so far, in the present simulated join
	walk      walk
	walkPlace *Place
}

// walk is the state of a walk.
type walk struct {
	base, at Reading
	value    int64 // the Gromov product of the newcomer and the present host, at the base
}

// NewJoin begins to look for a place. There must be at least one host in the tree.
func NewJoin(manner Manner) *Join { return &Join{manner: manner} }

// Next returns the next request of the join.
func (j *Join) Next() Want {
	switch j.stage {
	case drawing:
		if j.walks() {
			return Want{Random: 1}
		}
		return Want{Random: randomHosts}
	case measuring, stepping:
		return Want{Measure: j.awaited}
	case looking:
		return Want{Look: j.point.Label[0].Host}
	case walking:
		return Want{Look: j.walk.at.Label[0].Host}
	}
	return Want{}
}

// walks reports whether the next simulated join is a walk.
func (j *Join) walks() bool {
	return j.manner == Walk || j.manner == Both && j.joins == simulatedJoins
}

// Drawn passes random members; fewer than wanted if there are no more.
func (j *Join) Drawn(hosts []protocol.NodeID) {
	j.stage, j.now = measuring, Known{}
	if !j.walks() {
		if nearest, ok := j.all.Nearest(); ok {
			hosts = append(slices.Clone(hosts), nearest.Label[0].Host)
		}
	}
	j.await(hosts)
}

// await asks for the latencies of hosts. Measured ones cost nothing.
func (j *Join) await(hosts []protocol.NodeID) {
	for _, h := range hosts {
		if r, known := j.all.Get(h); known {
			j.now.Add(r)
		} else if !slices.Contains(j.awaited, h) && !slices.Contains(j.lost, h) {
			j.awaited = append(j.awaited, h)
		}
	}
	if len(j.awaited) == 0 {
		j.Measured(nil)
	}
}

// Measured passes the readings that the join asked for. Hosts that could not be measured are left
// out.
func (j *Join) Measured(readings []Reading) {
	for _, r := range readings {
		if j.all.Add(r) {
			j.now.Add(r)
		}
	}
	for _, h := range j.awaited {
		if _, known := j.all.Get(h); !known {
			j.lost = append(j.lost, h)
		}
	}
	j.awaited = nil
	switch {
	case j.stage == stepping:
		j.step()
	case j.now.Len() == 0:
		j.finish()
	case j.walks():
		base, _ := j.now.Nearest()
		j.walk = walk{base: base, at: base}
		j.stage = walking
	default:
		place, _ := j.now.Best()
		j.point, j.stage = place.On, looking
	}
}

// Looked passes the view that the join asked for.
func (j *Join) Looked(v View) {
	var hosts []protocol.NodeID
	if j.stage == walking {
		if len(v.Label) > 1 {
			hosts = append(hosts, v.Label[1].Host)
		}
		for _, c := range v.Children {
			hosts = append(hosts, c.Host)
		}
		if j.manner != Walk && j.all.Len()+len(hosts) > mostMeasured {
			j.finish()
			return
		}
		j.walk.at.Label, j.stage = v.Label, stepping
		j.now = Known{}
		j.await(hosts)
		return
	}
	for _, h := range Around(v, j.point.At) {
		if _, known := j.now.Get(h); !known && !slices.Contains(j.lost, h) {
			hosts = append(hosts, h)
		}
	}
	if len(hosts) == 0 || j.now.Len() >= mostMeasured {
		j.finish()
		return
	}
	j.stage = measuring
	j.await(hosts)
}

// step goes on with a walk, or ends it where no neighbour has a larger Gromov product. At a base
// with an empty segment all products are zero although the way goes on: the walk leaves it anyway.
func (j *Join) step() {
	w := &j.walk
	base := w.base.Label
	empty := w.at.Label[0].Host == base[0].Host && base[0].Length == 0 && len(base) > 1
	next, value, found := Reading{}, w.value, false
	for _, r := range j.now.readings {
		apart, _ := Predict(base, r.Label)
		product := Gromov(w.base.Measured, apart, r.Measured)
		if product > value || empty && !found && product == value && r.Label[0].Host == base[1].Host {
			next, value, found = r, product, true
		}
	}
	if found {
		w.at, w.value, j.stage = next, value, walking
		return
	}
	j.walkPlace = &Place{Locate(base, w.at.Label, w.value), max(w.base.Measured-w.value, 0)}
	j.finish()
}

// finish ends a simulated join, and the join if its best place fits well or too many were made.
func (j *Join) finish() {
	j.joins++
	j.stage = ended
	switch {
	case j.all.Len() == 0 || j.manner == Walk || j.joins >= mostJoins:
	case j.joins < simulatedJoins:
		j.stage = drawing
	default:
		if _, mean := j.Place(); mean > wellFitting {
			j.stage = drawing
		}
	}
}

// Place is the best place for the measurements so far, and its mean deviation.
func (j *Join) Place() (Place, int64) {
	if j.manner == Walk && j.walkPlace != nil {
		return *j.walkPlace, j.all.Mean(*j.walkPlace)
	}
	place, mean := j.all.Best()
	if j.walkPlace != nil {
		if other := j.all.Mean(*j.walkPlace); other < mean {
			return *j.walkPlace, other
		}
	}
	return place, mean
}

// Known returns the host's measurements so far.
func (j *Join) Known() *Known { return &j.all }
