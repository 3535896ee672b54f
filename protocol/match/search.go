package match

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Goal is the goal of a search: a node whose coordinate satisfies a requirement. Such a coordinate
// lies in Region, so the zone of such a node meets Region.
type Goal struct {
	Classes     *Classes
	Requirement space.Point
	Dims        int
	Region      space.Zone
}

// NewGoal returns the goal of a job in a space. In each dimension Region reaches from the
// requirement upwards, or is one point wide (Equal), or as wide as the space (Ignored).
func NewGoal(classes *Classes, s *space.Space, requirement space.Point) Goal {
	g := Goal{Classes: classes, Requirement: requirement, Dims: s.Dims, Region: s.Whole()}
	for k := range s.Dims {
		switch classes[k] {
		case AtLeast:
			g.Region.Low[k] = requirement[k]
		case Equal:
			g.Region.Low[k], g.Region.High[k] = requirement[k], requirement[k]+1
		}
	}
	return g
}

// Satisfied reports whether a node with that coordinate ends the search.
func (g *Goal) Satisfied(coordinate *space.Point) bool {
	return Satisfies(g.Classes, &g.Requirement, coordinate, g.Dims)
}

// Place is a node on the map, in the view of a neighbour.
type Place struct {
	ID         protocol.NodeID
	Coordinate space.Point
	Zone       space.Zone
}

// Search is a complete search under way: a token that goes depth-first through the zones that meet
// a region. It is a value: no method changes its receiver. The zero value is no search.
type Search struct {
	Steps []Step // in the order of the visits

	// Unsure says that the search may have missed a node, or that a node may be able later. A
	// search that is unsure never ends as Exhausted.
	Unsure bool
}

// Step is the visit of a node. It is left when the token has gone back from it: then all its
// neighbours that meet the region have been visited. The steps that are not left, in their order,
// are the way from the first node to the present one.
type Step struct {
	Node protocol.NodeID
	Left bool
}

// Outcome is the next step of a search.
type Outcome uint8

// The outcomes. All but Onward end the search without a node that was found.
const (
	Onward    Outcome = iota // the token goes to At
	Exhausted                // no zone that meets the region is left to visit
	Limited                  // a zone is left, but the limit is reached
	Undecided                // as Exhausted, but the search is unsure
)

// Begin returns a search at its first node. The zone of that node should meet the region. It need
// not, if a neighbour's zone does.
func Begin(at protocol.NodeID) Search { return Search{Steps: []Step{{Node: at}}} }

// On reports whether this is a search, and no zero value.
func (s *Search) On() bool { return len(s.Steps) > 0 }

// At returns the node that has the token or will get it; zero after the end.
func (s *Search) At() protocol.NodeID {
	if i := s.last(); i >= 0 {
		return s.Steps[i].Node
	}
	return protocol.NodeID{}
}

// last returns the index of the last step that is not left, or -1.
func (s *Search) last() int {
	for i := len(s.Steps) - 1; i >= 0; i-- {
		if !s.Steps[i].Left {
			return i
		}
	}
	return -1
}

// Next moves the token on from a node that cannot run the job, and whose direct neighbours are
// these. It goes to a neighbour that was not visited and whose zone meets the region: to one whose
// coordinate satisfies the goal if there is one, of these to the nearest, and back if there is
// none. At most limit nodes are visited. The search must not have ended.
func (s *Search) Next(g *Goal, neighbours []Place, limit int) (Search, Outcome) {
	next := Search{Steps: slices.Clone(s.Steps), Unsure: s.Unsure}
	var open []Place
	for _, p := range neighbours {
		if p.Zone.Overlaps(g.Region) && !s.visited(p.ID) {
			open = append(open, p)
		}
	}
	if len(open) > 0 {
		if len(s.Steps) >= limit {
			return next, Limited
		}
		next.Steps = append(next.Steps, Step{Node: slices.MinFunc(open, g.compare).ID})
		return next, Onward
	}
	next.Steps[s.last()].Left = true
	switch {
	case next.last() >= 0:
		return next, Onward
	case s.Unsure:
		return next, Undecided
	}
	return next, Exhausted
}

func (s *Search) visited(id protocol.NodeID) bool {
	return slices.ContainsFunc(s.Steps, func(step Step) bool { return step.Node == id })
}

// compare orders places by whether they satisfy the goal, by the distance of their part of the
// region from the requirement, and by identity.
func (g *Goal) compare(a, b Place) int {
	fits := func(p *Place) int {
		if g.Satisfied(&p.Coordinate) {
			return 0
		}
		return 1
	}
	far := func(p *Place) uint64 { return p.Zone.Intersect(g.Region).Distance(g.Requirement) }
	return cmp.Or(cmp.Compare(fits(&a), fits(&b)), cmp.Compare(far(&a), far(&b)), a.ID.Compare(b.ID))
}

// Append appends the canonical encoding of a search under way, or of no search.
func (s *Search) Append(dst []byte) []byte {
	dst = protocol.AppendUint(dst, uint64(len(s.Steps)))
	for _, step := range s.Steps {
		dst = protocol.AppendBool(protocol.AppendNodeID(dst, step.Node), step.Left)
	}
	return protocol.AppendBool(dst, s.Unsure)
}

// ReadSearch decodes the output of Append. It refuses a node that was visited twice, more than
// limit visits, and the end of a search.
func ReadSearch(r *protocol.Reader, limit int) Search {
	steps := protocol.List(r, func() Step { return Step{Node: r.NodeID(), Left: r.Bool()} })
	s := Search{Steps: steps, Unsure: r.Bool()}
	for i, step := range steps {
		if former := (Search{Steps: steps[:i]}); former.visited(step.Node) {
			r.Fail()
		}
	}
	if len(steps) > limit || len(steps) > 0 && steps[0].Left || len(steps) == 0 && s.Unsure {
		r.Fail()
	}
	return s
}
