package sim

import (
	"cmp"
	"fmt"

	"github.com/canvass-grid/canvass/internal/blame"
	"github.com/canvass-grid/canvass/traces"
)

// Run is the run of a plan on a simulation. It has the common part of all scenarios. The operations
// and the properties are the scenario's.
type Run[S, M, C any] struct {
	*Simulation[S, M, C]
	Plan *Plan

	oracle Oracle
	sketch func(*traces.Picture) // of the oracle; may be nil
	seen   string                // the property that the oracle named
	tracer *Tracer[S, M, C]
	record Recorder
	stop   func() bool
	events int // for afterEvent
	gaveUp bool
}

// NewRun returns the run of a plan. The configuration's seed, drift and faults are replaced by
// those of the plan. No node is up yet. Place or start the first nodes, then call Begin.
func NewRun[S, M, C any](p *Plan, o RunOptions, cfg Config[S, M, C], oracle Oracle) *Run[S, M, C] {
	if oracle == nil {
		panic("sim: a run needs an oracle, which is missing")
	}
	calls := o.calls
	if calls == nil {
		calls = &blame.Log{}
	}
	run := &Run[S, M, C]{
		Plan: p, oracle: guardOracle(calls, oracle), record: guardRecorder(calls, o.Record),
		stop: blame.F0(calls, "Stop of the options", o.Stop),
	}
	cfg.calls, cfg.careful = calls, o.careful
	cfg.Seed, cfg.DriftPPM, cfg.Twice = p.Seed, p.DriftPPM, o.Twice
	cfg.Network = Network{
		Latency: cfg.Network.Latency, Drop: p.Drop, Duplicate: p.Duplicate, Delay: p.Delay, DelayMicros: p.DelayMicros,
		Faults: p.Faults,
	}
	if s, sketches := oracle.(Sketcher); sketches {
		run.sketch = blame.Do1(calls, "Sketch of the oracle", s.Sketch)
	}
	if o.Record != nil {
		run.tracer = &Tracer[S, M, C]{Recorder: run.record, Sketch: run.sketch}
		cfg.Observer = run.tracer
	}
	run.Simulation = New(cfg)
	if run.tracer != nil {
		run.tracer.Core = run.cfg.Core
	}
	if o.Faults {
		run.RecordFaults()
	}
	return run
}

// Begin passes the initial state to the recorder.
func (r *Run[S, M, C]) Begin() {
	if r.tracer != nil {
		r.tracer.Simulation = r.Simulation
		r.record.Begin(r.tracer)
	}
}

// Note records an action on the simulation as a whole, such as a partition.
func (r *Run[S, M, C]) Note(kind, text string) {
	if r.tracer != nil {
		r.tracer.Note(kind, text)
	}
}

// Convergence describes the run after faults have stopped.
type Convergence struct {
	Latency    Latency // of the network from then on
	PollMicros int64   // interval between checks for quiescence
	OnHeal     func()  // called when faults stop; nil does nothing
	OnPoll     func()  // called after each check that failed; nil does nothing
}

// Finish runs the plan to its end. It stops all faults, requires the run to become quiescent within
// the plan's bound, and returns the result. Properties of the whole run, such as histories, are
// left to the caller.
func (r *Run[S, M, C]) Finish(e Convergence, counts func() map[string]int) (*Result, error) {
	e = e.guarded(r.cfg.calls)
	if counts = blame.F0(r.cfg.calls, "counts of Finish", counts); counts == nil {
		counts = func() map[string]int { return nil }
	}
	r.RunUntil(r.Plan.UntilMicros, r.afterEvent)
	if r.undecided() {
		r.Heal(e.Latency)
		r.Note("heal", healNote)
		if e.OnHeal != nil {
			e.OnHeal()
		}
		r.converge(e)
	}
	if r.gaveUp {
		return nil, ErrStopped
	}
	r.audit.requireUnchanged("")
	property, where := r.broken()
	result := &Result{
		Verdict:  Holds,
		AtMicros: r.Now(),
		Digest:   r.Digest(),
		Stats:    r.Stats(),
		Length:   r.Stats().Steps + r.Stats().Remembered,
		Faults:   r.Faults(),
		Counts:   counts(),
	}
	if property != "" {
		result.Verdict, result.Property, result.Where = Violated, property, where
	}
	return result, nil
}

// afterEvent reports whether the run goes on. It is called after each event.
func (r *Run[S, M, C]) afterEvent() bool {
	if r.events++; r.events%1024 == 0 && r.stop != nil && r.stop() {
		r.gaveUp = true
	}
	return r.undecided()
}

func (r *Run[S, M, C]) undecided() bool {
	property, _ := r.broken()
	return property == "" && !r.gaveUp
}

// broken asks the oracle which property is violated. Once it has named one, that stays.
func (r *Run[S, M, C]) broken() (property, where string) {
	property, where = r.oracle.Broken()
	switch {
	case r.seen != property && r.seen != "":
		broken("Oracle.Broken named the property %q before and %q now; the first violation of a run counts, so keep it "+
			"(embed Violation)", r.seen, property)
	case property == "" && where != "":
		broken("Oracle.Broken says %q and names no property", where)
	}
	r.seen = property
	return property, where
}

// remark is the text of a picture of the present state about a property.
func (r *Run[S, M, C]) remark(property string) string {
	if r.sketch == nil {
		return ""
	}
	picture := (&Tracer[S, M, C]{Core: r.cfg.Core, Simulation: r.Simulation, Sketch: r.sketch}).Draw()
	return picture.Remarked(property)
}

// converge requires the run to become quiescent within the plan's bound, with all properties of
// quiescent states.
func (r *Run[S, M, C]) converge(e Convergence) {
	end := r.Plan.UntilMicros + r.Plan.SettleMicros
	for r.undecided() {
		property, where := r.oracle.Quiescent()
		if property == "" {
			if again, _ := r.oracle.Quiescent(); again != "" {
				broken("Oracle.Quiescent names no property, and %q when called again at once; "+
					"it must depend on nothing but the state of the run", again)
			}
			return
		}
		if r.Now() >= end {
			r.oracle.Violate(
				property,
				"%d s after faults stopped: %s",
				r.Plan.SettleMicros/million,
				cmp.Or(r.remark(property), where),
			)
			r.Note("end", "the bound for convergence has passed")
			return
		}
		if e.OnPoll != nil {
			e.OnPoll()
		}
		r.RunUntil(min(r.Now()+e.PollMicros, end), r.afterEvent)
	}
}

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
			guarded[op.Do] = blame.Do1(r.cfg.calls, fmt.Sprintf("the function for the operation %q", op.Do), do)
		}
		do = guarded[op.Do]
		r.At(op.AtMicros, func() { do(op) })
	}
	return nil
}

// Every calls a function at intervals of micros microseconds until faults stop.
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

// Distinct requires that all operations that carry a number carry different ones, other than 0.
// Number returns the number of an operation, and whether it carries one; the text what names these
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
