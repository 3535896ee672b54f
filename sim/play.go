package sim

import (
	"cmp"

	"github.com/canvass-grid/canvass/traces"
)

// Judge holds a run to properties.
type Judge interface {
	// Broken is the first property that was violated, and what was seen, for people; or "".
	Broken() (property, where string)
	// Violated notes that a property does not hold. Of several the first counts.
	Violated(property, format string, args ...any)
	// AtRest is asked when faults have stopped: it returns a property of worlds at rest that does not
	// hold yet, and who breaks it, or "".
	AtRest() (property, who string)
}

// Sketcher is a [Judge] that adds what it sees to pictures of a run: a map, say.
type Sketcher interface {
	Sketch(p *traces.Picture)
}

// Play is a run of a plan on a cluster. What is the same in all worlds is here; what is done to the
// world, and what must hold in it, is up to the world.
type Play[S, M, C any] struct {
	*Cluster[S, M, C]
	Plan *Plan

	judge  Judge
	scribe *Scribe[S, M, C]
	record Recorder
	stop   func() bool
	asked  int // see keep
	gaveUp bool
}

// NewPlay returns the run of a plan on the cluster of that configuration, of which seed, drift and
// faults are the plan's. Nobody is up yet. When whoever is there from the beginning has been
// placed, Begin comes next.
func NewPlay[S, M, C any](p *Plan, o RunOptions, cfg Config[S, M, C], judge Judge) *Play[S, M, C] {
	r := &Play[S, M, C]{Plan: p, judge: judge, record: o.Record, stop: o.Stop}
	cfg.Seed, cfg.DriftPPM, cfg.Twice = p.Seed, p.DriftPPM, o.Twice
	cfg.Network = Network{
		Latency: cfg.Network.Latency, Lose: p.Lose, Duplicate: p.Duplicate, Delay: p.Delay, DelayMicros: p.DelayMicros, Faults: p.Faults,
	}
	if o.Record != nil {
		r.scribe = &Scribe[S, M, C]{Core: cfg.Core, Recorder: o.Record}
		if s, sketches := judge.(Sketcher); sketches {
			r.scribe.Sketch = s.Sketch
		}
		cfg.Watch = r.scribe
	}
	r.Cluster = New(cfg)
	if o.Faults {
		r.KeepFaults()
	}
	return r
}

// Begin tells whoever records the run what there is to begin with.
func (r *Play[S, M, C]) Begin() {
	if r.scribe != nil {
		r.scribe.Cluster = r.Cluster
		r.record.Begin(r.scribe)
	}
}

// Note tells whoever records the run of something that is done to the world.
func (r *Play[S, M, C]) Note(kind, text string) {
	if r.scribe != nil {
		r.scribe.Note(kind, text)
	}
}

// Ending is how a run ends.
type Ending struct {
	Latency    Latency // of the network once faults have stopped
	LookMicros int64   // how often rest is looked for then
	Healed     func()  // what is done when faults have stopped; nil is nothing
	Looked     func()  // what is done each time when there is no rest yet; nil is nothing
}

// Finish lets everything happen, ends all faults, demands that the world comes to rest within the
// plan's bound, and says how it went. What the run as a whole must be held to besides is the
// caller's business.
func (r *Play[S, M, C]) Finish(e Ending, counts func() map[string]int) (*Result, error) {
	r.Run(r.Plan.UntilMicros, r.keep)
	if r.goesOn() {
		r.Heal(e.Latency)
		r.Note("heal", "faults stop; the world must converge")
		if e.Healed != nil {
			e.Healed()
		}
		r.settle(e)
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
	if property, where := r.judge.Broken(); property != "" {
		result.Verdict, result.Property, result.Where = Violated, property, where
	}
	return result, nil
}

// keep is asked after each event.
func (r *Play[S, M, C]) keep() bool {
	if r.asked++; r.asked%1024 == 0 && r.stop != nil && r.stop() {
		r.gaveUp = true
	}
	return r.goesOn()
}

func (r *Play[S, M, C]) goesOn() bool {
	property, _ := r.judge.Broken()
	return property == "" && !r.gaveUp
}

// remarked says what a picture of the present says of a property.
func (r *Play[S, M, C]) remarked(property string) string {
	sketcher, sketches := r.judge.(Sketcher)
	if !sketches {
		return ""
	}
	picture := (&Scribe[S, M, C]{Core: r.cfg.Core, Cluster: r.Cluster, Sketch: sketcher.Sketch}).Draw()
	return picture.Remarked(property)
}

// settle demands that the world comes to rest within the plan's bound, and that all is well then.
func (r *Play[S, M, C]) settle(e Ending) {
	end := r.Plan.UntilMicros + r.Plan.SettleMicros
	for r.goesOn() {
		property, who := r.judge.AtRest()
		if property == "" {
			return
		}
		if r.Now() >= end {
			r.judge.Violated(
				property,
				"%d s after the faults stopped: %s",
				r.Plan.SettleMicros/million,
				cmp.Or(r.remarked(property), who),
			)
			r.Note("end", "the bound for convergence has passed")
			return
		}
		if e.Looked != nil {
			e.Looked()
		}
		r.Run(min(r.Now()+e.LookMicros, end), r.keep)
	}
}
