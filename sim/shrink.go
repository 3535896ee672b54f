package sim

import (
	"cmp"
	"slices"
)

// Less compares what two plans shrank to: it reports whether the first is easier to read. That is
// the one whose run takes fewer steps.
func Less(p *Plan, r *Result, q *Plan, s *Result) bool {
	return cmp.Or(cmp.Compare(r.Length, s.Length), cmp.Compare(p.size(), q.size())) < 0
}

// Shrink cuts a plan that violates a property down to a smaller one that violates the same
// property: fewer operations, fewer faults of messages, fewer nodes, simpler latencies. It runs the
// plan again and again, as long as keep says so (nil: to the end). The rates of faults become a
// list of faults, so that each can be taken away by itself.
//
// What does not come to rest takes the whole of the plan's bound to show it, too long a run for a
// trace. So the bound is cut as well in the end, to one at which the run is violated too. What it
// shows violates the property at the full bound, always: one that would converge a little later
// shows nothing.
func Shrink(s *Scenario, p *Plan, property string, keep func() bool) (*Plan, *Result) {
	shrink := &shrinker{scenario: s, property: property, keep: keep}
	r, err := Try(s, p, RunOptions{Faults: true})
	if err != nil || r.Property != property {
		return p, r
	}
	shrink.best, shrink.result, shrink.settleMicros = p, r, p.SettleMicros
	shrink.explicit(r)
	shrink.reduce()
	if shrink.bound() { // which may have kept what a shorter run does without
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

// reduce takes away whatever can be spared, until nothing more can.
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

// size is what shrinking makes less of.
func (p *Plan) size() int {
	return len(p.Ops) + len(p.Faults) + p.Nodes + p.Founders + len(p.Latency) + int(p.UntilMicros/million)
}

// try takes a plan if it still violates the property.
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

// explicit turns rates into the faults that they came to, and choices into the steps.
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

// minimize takes parts of a list away, first halves, then ever smaller ones, as long as something
// can be spared (delta debugging). Spare takes the elements from one place to another away, if it
// can.
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
		s.try(func(p *Plan) bool { // nothing happens after the last operation
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

// gaps shortens the time before and between operations: what happens at intervals happens less
// often then.
func (s *shrinker) gaps() {
	for i := range s.best.Ops {
		for _, part := range []int64{0, 4, 2} { // of the gap
			if s.try(func(p *Plan) bool { return p.draw(i, part) }) {
				break
			}
		}
	}
}

// draw brings an operation, and all that follow, nearer to the one before, or to the beginning: at
// once, or after a part of the time that lay between. It reports false if they are so near already
// that it is not worth a run.
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

// nodes takes places away that no operation needs, and founders.
func (s *shrinker) nodes() {
	for s.try(func(p *Plan) bool { p.Nodes--; return p.Nodes >= max(p.Founders, 1) }) {
	}
	for s.try(func(p *Plan) bool { p.Founders--; return p.Founders >= 1 }) {
	}
}

// bound cuts the time in which the world must converge, and reports whether it did.
func (s *shrinker) bound() bool {
	for _, seconds := range []int64{20, 60, 200} {
		if seconds*million < s.best.SettleMicros &&
			s.try(func(p *Plan) bool { p.SettleMicros = seconds * million; return true }) {
			return true
		}
	}
	return false
}
