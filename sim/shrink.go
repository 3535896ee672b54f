package sim

import (
	"cmp"
	"slices"
)

// Less reports whether the first of two shrunk plans is easier to read: the one whose run has fewer
// steps.
func Less(p *Plan, r *Result, q *Plan, s *Result) bool {
	return cmp.Or(cmp.Compare(r.Length, s.Length), cmp.Compare(p.size(), q.size())) < 0
}

// Shrink reduces a plan that violates a property to a smaller plan that violates the same property:
// fewer operations, message faults and nodes, and simpler latencies. It repeats the run until
// nothing more can be removed or keep reports false; a nil keep never does. Rates of faults become
// a list of faults, so that each fault can be removed.
//
// A run that does not become quiescent takes the whole bound of the plan to show it, too long for a
// trace. So the bound is shortened as well in the end. The shrunk plan must still violate the
// property at the full bound: a run that would converge a little later shows nothing.
func Shrink(s *Scenario, p *Plan, property string, keep func() bool) (*Plan, *Result) {
	shrink := &shrinker{scenario: s, property: property, keep: keep}
	r, err := Try(s, p, RunOptions{Faults: true})
	if err != nil || r.Property != property {
		return p, r
	}
	shrink.best, shrink.result, shrink.settleMicros = p, r, p.SettleMicros
	shrink.explicit(r)
	shrink.reduce()
	if shrink.bound() { // a run with the shorter bound may need less
		shrink.reduce()
	}
	return shrink.best, shrink.result
}

type shrinker struct {
	scenario *Scenario
	property string
	keep     func() bool
	best     *Plan
	result   *Result

	settleMicros int64 // the full bound
}

// reduce removes parts of the plan until nothing more can be removed.
func (s *shrinker) reduce() {
	for size := -1; size != s.best.size() && s.goOn(); {
		size = s.best.size()
		s.ops()
		s.faults()
		s.simplify()
		s.gaps()
		s.nodes()
	}
}

func (s *shrinker) goOn() bool { return s.keep == nil || s.keep() }

// size is the measure that shrinking reduces.
func (p *Plan) size() int {
	return len(p.Ops) + len(p.Faults) + p.Nodes + p.Founders + len(p.Latency) + int(p.UntilMicros/million)
}

// try applies a change to the plan if the result still violates the property.
func (s *shrinker) try(change func(p *Plan) bool) bool {
	p := s.best.Clone()
	if !s.goOn() || !change(p) || p.Validate() != nil {
		return false
	}
	r := s.violated(p)
	if r == nil {
		return false
	}
	if p.SettleMicros < s.settleMicros {
		full := p.Clone()
		full.SettleMicros = s.settleMicros
		if s.violated(full) == nil {
			return false
		}
	}
	s.best, s.result = p, r
	return true
}

// violated returns the result of a run that violates the property, or nil.
func (s *shrinker) violated(p *Plan) *Result {
	r, err := Try(s.scenario, p, RunOptions{Stop: func() bool { return !s.goOn() }})
	if err != nil || r.Property != s.property {
		return nil
	}
	return r
}

// explicit replaces rates by the faults that they led to, and choices by steps.
func (s *shrinker) explicit(r *Result) {
	s.try(func(p *Plan) bool {
		p.Faults = append([]Fault{}, r.Faults...)
		p.Ops = append(p.Ops, r.Steps...)
		p.Drop, p.Duplicate, p.Delay = 0, 0, 0
		return true
	})
}

func (s *shrinker) ops() {
	minimize(len(s.best.Ops), func(from, to int) bool {
		return s.try(func(p *Plan) bool { p.Ops = slices.Delete(p.Ops, from, to); return true })
	})
}

func (s *shrinker) faults() {
	minimize(len(s.best.Faults), func(from, to int) bool {
		return s.try(func(p *Plan) bool { p.Faults = slices.Delete(p.Faults, from, to); return true })
	})
}

// minimize removes parts of a list, halves first, then smaller ones, as long as parts can be
// removed (delta debugging). Spare removes the elements in a range, if possible.
func minimize(length int, spare func(from, to int) bool) {
	for size := length; size > 0; size /= 2 {
		for from := 0; from < length; {
			to := min(from+size, length)
			if spare(from, to) {
				length -= to - from
			} else {
				from = to
			}
		}
	}
}

func (s *shrinker) simplify() {
	s.try(func(p *Plan) bool { drifts := p.DriftPPM > 0; p.DriftPPM = 0; return drifts })
	s.try(func(p *Plan) bool {
		const simple = "constant 50000"
		differs := len(p.Latency) > len(simple)
		p.Latency = simple
		return differs
	})
	for _, after := range []int64{nearMicros, million} {
		s.try(func(p *Plan) bool { // faults stop right after the last operation
			last := int64(0)
			for _, op := range p.Ops {
				last = max(last, op.AtMicros)
			}
			earlier := p.UntilMicros > last+after
			p.UntilMicros = last + after
			return earlier
		})
	}
}

// gaps shortens the time before and between operations. Operations at intervals then happen less
// often.
func (s *shrinker) gaps() {
	for i := range s.best.Ops {
		for _, part := range []int64{0, 4, 2} { // that remains: none, a quarter, half
			if s.try(func(p *Plan) bool { return p.draw(i, part) }) {
				break
			}
		}
	}
}

// draw moves an operation, and all that follow, closer to the one before: to the same time, or so
// that a part of the gap remains. It reports false if the gap is too short to be worth a run.
func (p *Plan) draw(op int, part int64) bool {
	gap := p.Ops[op].AtMicros
	if op > 0 {
		gap -= p.Ops[op-1].AtMicros
	}
	less := gap
	if part > 0 {
		less -= gap / part
	}
	if gap < nearMicros {
		return false
	}
	for i := range p.Ops[op:] {
		p.Ops[op+i].AtMicros -= less
	}
	p.UntilMicros -= less
	return true
}

// nearMicros is a gap that is not shortened.
const nearMicros = 100_000

// nodes removes nodes that no operation needs, and founders.
func (s *shrinker) nodes() {
	for s.try(func(p *Plan) bool { p.Nodes--; return p.Nodes >= max(p.Founders, 1) }) {
	}
	for s.try(func(p *Plan) bool { p.Founders--; return p.Founders >= 1 }) {
	}
}

// bound shortens the time that the run has to become quiescent, and reports whether it did.
func (s *shrinker) bound() bool {
	for _, seconds := range []int64{20, 60, 200} {
		if seconds*million < s.best.SettleMicros &&
			s.try(func(p *Plan) bool { p.SettleMicros = seconds * million; return true }) {
			return true
		}
	}
	return false
}
