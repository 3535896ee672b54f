package sim

import (
	"cmp"

	"github.com/canvass-grid/canvass/traces"
)

// Judge holds a run to properties.
type Oracle interface {
	// Broken is the first property that was violated, and what was seen, for people; or "".
	Broken() (property, where string)
	// Violated notes that a property does not hold. Of several the first counts.
	Violate(property, format string, args ...any)
	// AtRest is asked when faults have stopped: it returns a property of worlds at rest that does not
	// hold yet, and who breaks it, or "".
	Quiescent() (property, who string)
}

// Sketcher is a [Judge] that adds what it sees to pictures of a run: a map, say.
type Sketcher interface {
	Sketch(p *traces.Picture)
}

// Play is a run of a plan on a cluster. What is the same in all worlds is here; what is done to the
// world, and what must hold in it, is up to the world.
type Run[S, M, C any] struct {
	*Simulation[S, M, C]
	Plan *Plan

	oracle Oracle
	tracer *Tracer[S, M, C]
	record Recorder
	stop   func() bool
	events int // see keep
	gaveUp bool
}

// NewPlay returns the run of a plan on the cluster of that configuration, of which seed, drift and
// faults are the plan's. Nobody is up yet. When whoever is there from the beginning has been
// placed, Begin comes next.
func NewRun[S, M, C any](p *Plan, o RunOptions, cfg Config[S, M, C], judge Oracle) *Run[S, M, C] {
	run := &Run[S, M, C]{Plan: p, oracle: judge, record: o.Record, stop: o.Stop}
	cfg.Seed, cfg.DriftPPM, cfg.Twice = p.Seed, p.DriftPPM, o.Twice
	cfg.Network = Network{
		Latency: cfg.Network.Latency, Drop: p.Drop, Duplicate: p.Duplicate, Delay: p.Delay, DelayMicros: p.DelayMicros, Faults: p.Faults,
	}
	if o.Record != nil {
		run.tracer = &Tracer[S, M, C]{Core: cfg.Core, Recorder: o.Record}
		if s, sketches := judge.(Sketcher); sketches {
			run.tracer.Sketch = s.Sketch
		}
		cfg.Observer = run.tracer
	}
	run.Simulation = New(cfg)
	if o.Faults {
		run.RecordFaults()
	}
	return run
}

// Begin tells whoever records the run what there is to begin with.
func (r *Run[S, M, C]) Begin() {
	if r.tracer != nil {
		r.tracer.Simulation = r.Simulation
		r.record.Begin(r.tracer)
	}
}

// Note tells whoever records the run of something that is done to the world.
func (r *Run[S, M, C]) Note(kind, text string) {
	if r.tracer != nil {
		r.tracer.Note(kind, text)
	}
}

// Ending is how a run ends.
type Convergence struct {
	Latency    Latency // of the network once faults have stopped
	PollMicros int64   // how often rest is looked for then
	OnHeal     func()  // what is done when faults have stopped; nil is nothing
	OnPoll     func()  // what is done each time when there is no rest yet; nil is nothing
}

// Finish lets everything happen, ends all faults, demands that the world comes to rest within the
// plan's bound, and says how it went. What the run as a whole must be held to besides is the
// caller's business.
func (r *Run[S, M, C]) Finish(e Convergence, counts func() map[string]int) (*Result, error) {
	r.RunUntil(r.Plan.UntilMicros, r.afterEvent)
	if r.undecided() {
		r.Heal(e.Latency)
		r.Note("heal", "faults stop; the world must converge")
		if e.OnHeal != nil {
			e.OnHeal()
		}
		r.converge(e)
	}
	if r.gaveUp {
		return nil, ErrStopped
	}
	result := &Result{
		Verdict:  Holds,
		AtMicros: r.Now(),
		Digest:   r.Digest(),
		Stats:    r.Stats(),
		Length:   r.Stats().Steps + r.Stats().Remembered,
		Faults:   r.Faults(),
		Counts:   counts(),
	}
	if property, where := r.oracle.Broken(); property != "" {
		result.Verdict, result.Property, result.Where = Violated, property, where
	}
	return result, nil
}

// keep is asked after each event.
func (r *Run[S, M, C]) afterEvent() bool {
	if r.events++; r.events%1024 == 0 && r.stop != nil && r.stop() {
		r.gaveUp = true
	}
	return r.undecided()
}

func (r *Run[S, M, C]) undecided() bool {
	property, _ := r.oracle.Broken()
	return property == "" && !r.gaveUp
}

// remarked says what a picture of the present says of a property.
func (r *Run[S, M, C]) remark(property string) string {
	sketcher, sketches := r.oracle.(Sketcher)
	if !sketches {
		return ""
	}
	picture := (&Tracer[S, M, C]{Core: r.cfg.Core, Simulation: r.Simulation, Sketch: sketcher.Sketch}).Draw()
	return picture.Remarked(property)
}

// settle demands that the world comes to rest within the plan's bound, and that all is well then.
func (r *Run[S, M, C]) converge(e Convergence) {
	end := r.Plan.UntilMicros + r.Plan.SettleMicros
	for r.undecided() {
		property, who := r.oracle.Quiescent()
		if property == "" {
			return
		}
		if r.Now() >= end {
			r.oracle.Violate(
				property,
				"%d s after the faults stopped: %s",
				r.Plan.SettleMicros/million,
				cmp.Or(r.remark(property), who),
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
