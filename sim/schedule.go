package sim

import "fmt"

// Schedule makes the operations of the plan happen, each by the function of its name. That of one
// that is not possible when its time has come does nothing.
func (r *Run[S, M, C]) Schedule(by map[string]func(Op)) error {
	for _, op := range r.Plan.Ops {
		do := by[op.Do]
		if do == nil {
			return fmt.Errorf("%w: there is no operation %q", ErrPlan, op.Do)
		}
		r.At(op.AtMicros, func() { do(op) })
	}
	return nil
}

// Every calls a function after so many microseconds, and again and again, until faults stop.
func (r *Run[S, M, C]) Every(micros int64, do func()) {
	var again func()
	again = func() {
		do()
		if r.Now() < r.Plan.UntilMicros {
			r.At(r.Now()+micros, again)
		}
	}
	r.At(micros, again)
}

// Add adds an operation, before which faults do not stop.
func (p *Plan) Add(op Op) {
	p.Ops = append(p.Ops, op)
	p.UntilMicros = max(p.UntilMicros, op.AtMicros)
}

// Distinct demands that no two operations that have a number have the same, nor 0; what says which
// is wrong then.
func (p *Plan) Distinct(what string, number func(Op) (n uint64, has bool)) error {
	met := map[uint64]bool{0: true}
	for _, op := range p.Ops {
		n, has := number(op)
		if has && met[n] {
			return fmt.Errorf("%w: two %s %d, or it is 0", ErrPlan, what, n)
		}
		met[n] = met[n] || has
	}
	return nil
}
