package walk

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// stream is the second half of the seed of all walks.
const stream = 0x9e3779b97f4a7c15

// leastHorizon is the least number of steps, as a power of two, over which the changes of priority
// of a walk are spread.
const leastHorizon = 3

// Picker draws the next action of a walk: any enabled one, or, with priorities, one of the enabled
// class that has the highest priority.
type Picker struct {
	*rand.Rand
	priority []int // by class; nil without priorities
	changes  []int // the steps at which a priority changes, ascending
	lowest   int   // below all priorities
	enabled  []int // the successors of the class that was chosen
}

// NewPicker returns the picker of the walk with a seed.
func NewPicker(seed uint64) *Picker { return &Picker{Rand: rand.New(rand.NewPCG(seed, stream))} }

// Prioritise draws the priorities of the classes, and the bugDepth - 1 steps at which one of them
// changes, for a walk of bounded length.
func (p *Picker) Prioritise(classes, bugDepth, most int) {
	p.priority = p.Perm(classes)
	// The length of a walk is not known beforehand. So the horizon is drawn: short ones as often as
	// long ones.
	longest := max(bits.Len(uint(most))-1, leastHorizon)
	horizon := 1 << (leastHorizon + p.IntN(longest-leastHorizon+1))
	for range bugDepth - 1 {
		p.changes = append(p.changes, p.IntN(horizon))
	}
	slices.Sort(p.changes)
}

// Pick returns the index of the successor to go to, given the class of each. There must be one.
func (p *Picker) Pick(step int, classes []uint16) int {
	if p.priority == nil {
		return p.IntN(len(classes))
	}
	class := p.highest(classes)
	for ; len(p.changes) > 0 && p.changes[0] <= step; p.changes = p.changes[1:] {
		p.lowest--
		p.priority[class] = p.lowest
		class = p.highest(classes)
	}
	p.enabled = p.enabled[:0]
	for i, c := range classes {
		if c == class {
			p.enabled = append(p.enabled, i)
		}
	}
	return p.enabled[p.IntN(len(p.enabled))]
}

// highest is the enabled class with the highest priority.
func (p *Picker) highest(classes []uint16) uint16 {
	best := classes[0]
	for _, class := range classes {
		if p.priority[class] > p.priority[best] {
			best = class
		}
	}
	return best
}
