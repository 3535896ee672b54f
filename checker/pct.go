package checker

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// bugDepth is the depth of order PCT where the options do not tell.
const bugDepth = 3

// leastHorizon is the least number of steps, as a power of two, over which the changes of priority of a walk are spread.
const leastHorizon = 3

// picker draws the next action of a walk: for order RandomWalk any, for order PCT one of the class that has the
// highest priority among those that are enabled.
type picker struct {
	*rand.Rand
	priority []int // by class; nil for order RandomWalk
	changes  []int // the steps at which a priority changes, ascending
	lowest   int   // below all priorities
	enabled  []int // the successors of the class that was chosen
}

// newPicker draws what is drawn once in a walk.
func (e *engine) newPicker(seed uint64) *picker {
	p := &picker{Rand: rand.New(rand.NewPCG(seed, mixA))}
	if e.options.Order != PCT {
		return p
	}
	p.priority = p.Perm(len(e.classes))
	// A walk is as long as it is, which nobody knows beforehand: so the horizon is drawn, short ones as often as long.
	longest := max(bits.Len(uint(e.options.MaxDepth))-1, leastHorizon)
	horizon := 1 << (leastHorizon + p.IntN(longest-leastHorizon+1))
	for range e.options.BugDepth - 1 {
		p.changes = append(p.changes, p.IntN(horizon))
	}
	slices.Sort(p.changes)
	return p
}

// pick chooses among the successors of a state, which has some.
func (p *picker) pick(step int, out *Successors) int {
	if p.priority == nil {
		return p.IntN(out.Len())
	}
	class := p.highest(out)
	for ; len(p.changes) > 0 && p.changes[0] <= step; p.changes = p.changes[1:] {
		p.lowest--
		p.priority[class] = p.lowest
		class = p.highest(out)
	}
	p.enabled = p.enabled[:0]
	for i := range out.Len() {
		if out.Class(i) == class {
			p.enabled = append(p.enabled, i)
		}
	}
	return p.enabled[p.IntN(len(p.enabled))]
}

// highest is the class of the highest priority that leads anywhere.
func (p *picker) highest(out *Successors) int {
	best := out.Class(0)
	for i := 1; i < out.Len(); i++ {
		if class := out.Class(i); p.priority[class] > p.priority[best] {
			best = class
		}
	}
	return best
}
