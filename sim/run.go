package sim

import (
	"cmp"

	"github.com/canvass-grid/canvass/internal/called"
	"github.com/canvass-grid/canvass/traces"
)

// Oracle checks a run against properties.
type Oracle interface {
	// Broken returns the property that was violated first and what was seen, for people, or "".
	Broken() (property, where string)
	// Violate reports a violation. Only the first one counts.
	Violate(property, format string, args ...any)
	// Quiescent is called after faults have stopped. It returns a property of quiescent states that
	// does not hold yet, and where, or "" if all hold.
	Quiescent() (property, where string)
}

// Sketcher is an [Oracle] that adds what it knows to pictures of a run: a map, for example.
type Sketcher interface {
	Sketch(p *traces.Picture)
}

// Run is the run of a plan on a simulation. It has what all scenarios share. The operations and the
// properties are the scenario's.
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
		calls = &called.Log{}
	}
	run := &Run[S, M, C]{
		Plan: p, oracle: guardOracle(calls, oracle), record: guardRecorder(calls, o.Record),
		stop: called.F0(calls, "Stop of the options", o.Stop),
	}
	cfg.calls, cfg.careful = calls, o.careful
	cfg.Seed, cfg.DriftPPM, cfg.Twice = p.Seed, p.DriftPPM, o.Twice
	cfg.Network = Network{
		Latency: cfg.Network.Latency, Drop: p.Drop, Duplicate: p.Duplicate, Delay: p.Delay, DelayMicros: p.DelayMicros,
		Faults: p.Faults,
	}
	if s, sketches := oracle.(Sketcher); sketches {
		run.sketch = called.Do1(calls, "Sketch of the oracle", s.Sketch)
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

// Convergence says what happens after faults have stopped.
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
	if counts = called.F0(r.cfg.calls, "counts of Finish", counts); counts == nil {
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
	r.requireUnchanged("")
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

// remark is what a picture of the present state says about a property.
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
