package sim

import (
	"fmt"

	"github.com/canvass-grid/canvass/internal/called"
)

// Schedule schedules the operations of the plan, each by the function for its name. A function does
// nothing if its operation is impossible at that time.
func (r *Run[S, M, C]) Schedule(by map[string]func(Op)) error {
	guarded := map[string]func(Op){}
	for _, op := range r.Plan.Ops {
		do := by[op.Do]
		if do == nil {
			return fmt.Errorf("%w: there is no operation %q", ErrPlan, op.Do)
		}
		if guarded[op.Do] == nil {
			guarded[op.Do] = called.Do1(r.cfg.calls, fmt.Sprintf("the function for the operation %q", op.Do), do)
		}
		do = guarded[op.Do]
		r.At(op.AtMicros, func() { do(op) })
	}
	return nil
}

// Every calls a function at intervals of so many microseconds until faults stop.
func (r *Run[S, M, C]) Every(micros int64, do func()) {
	if micros < 1 {
		broken("Every is called with an interval of %d microseconds; it must be at least 1", micros)
	}
	var again func()
	again = func() {
		do()
		if r.Now() < r.Plan.UntilMicros {
			r.At(r.Now()+micros, again)
		}
	}
	r.At(micros, again)
}

// Add appends an operation. Faults do not stop before it.
func (p *Plan) Add(op Op) {
	p.Ops = append(p.Ops, op)
	p.UntilMicros = max(p.UntilMicros, op.AtMicros)
}

// Distinct requires that all operations that carry a number carry different ones, and none is 0.
// Number returns the number of an operation, and whether it carries one; what names these
// operations in the error.
func (p *Plan) Distinct(what string, number func(Op) (n uint64, has bool)) error {
	met := map[uint64]bool{0: true}
	for _, op := range p.Ops {
		n, has := number(op)
		if has && met[n] {
			return fmt.Errorf("%w: %s %d is used twice, or is 0", ErrPlan, what, n)
		}
		met[n] = met[n] || has
	}
	return nil
}
