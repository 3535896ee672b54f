package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/mutation"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/sim"
)

// maxSteps is how long a walk may be.
const maxSteps = 400

// walk says how many walks through the models it took until a property was violated that its model
// does not declare.
func (p *probe) walk(order checker.Order) (found mutation.Search, err error) {
	ctx, cancel := p.context()
	defer cancel()
	for _, m := range p.models {
		s, err := walkThrough(ctx, m, order, p.Walks)
		switch {
		case err != nil:
			return found, fmt.Errorf("%s: %w", m.Info().Name, err)
		case s.Found > 0:
			s.Found += found.Tried
			return s, nil
		}
		found.Tried += s.Tried
		if found.Stopped = ctx.Err() != nil; found.Stopped {
			break
		}
	}
	return found, nil
}

func walkThrough(
	ctx context.Context,
	m model.Checkable,
	order checker.Order,
	walks uint64,
) (found mutation.Search, err error) {
	name := m.Info().Name
	expected := declared(m.Info())
	defer func() {
		if recover() != nil { // in making the first state
			found, err = mutation.Search{Found: 1, Where: name, Property: mutation.Panic}, nil
		}
	}()
	// Expected violations must not end the walks.
	o := checker.Options{Order: order, MaxWalks: walks, MaxDepth: maxSteps, ContinueAfterViolation: len(expected) > 0}
	report, err := checker.Check(ctx, m.Model(), o)
	if p := (*checker.PanicError)(nil); errors.As(err, &p) {
		return mutation.Search{
			Found:    walks,
			Where:    name,
			Property: mutation.Panic,
		}, nil // on one of them: which it was is not told
	}
	if err != nil {
		return found, err
	}
	for _, o := range report.Outcomes {
		if o.Verdict == checker.Violated && !expected[o.Property.Name] && (found.Found == 0 || o.Walk+1 < found.Found) {
			found = mutation.Search{Found: o.Walk + 1, Where: name, Property: o.Property.Name}
		}
	}
	if found.Found == 0 {
		found.Tried = report.Walks
	}
	return found, nil
}

// simulate says how many seeds of a scenario it took until one was violated. The scenarios have
// equal shares of the time, so cheap ones run on more seeds.
func (p *probe) simulate() (found mutation.Search, err error) {
	ctx, cancel := p.context()
	defer cancel()
	turns := make([]turn, len(p.scenarios))
	for {
		i := next(turns, p.Seeds)
		if i < 0 {
			return found, nil
		}
		if ctx.Err() != nil { // short runs may not notice
			found.Stopped = true
			return found, nil
		}
		w, t := p.scenarios[i], &turns[i]
		t.seeds++
		begun := time.Now()
		property, err := runSeed(ctx, w, t.seeds)
		t.spent += time.Since(begun)
		switch {
		case errors.Is(err, sim.ErrStopped):
			found.Stopped = true
			return found, nil
		case err != nil:
			return found, fmt.Errorf("%s, seed %d: %w", w.Name, t.seeds, err)
		case property != "":
			return mutation.Search{Found: t.seeds, Where: w.Name, Property: property}, nil
		}
		found.Tried++
	}
}

// turn is the share that a scenario has had so far.
type turn struct {
	seeds uint64
	spent time.Duration
}

// next is the scenario with the least time so far among those with seeds left, or -1.
func next(turns []turn, most uint64) int {
	least := -1
	for i, t := range turns {
		if t.seeds < most && (least < 0 || t.spent < turns[least].spent) {
			least = i
		}
	}
	return least
}

// againEvery is how often a seed runs twice, as in the campaigns of the command line.
const againEvery = 20

// runSeed says which property broke in the run of a seed, if any did.
func runSeed(ctx context.Context, w *sim.Scenario, seed uint64) (property string, err error) {
	defer func() {
		if recover() != nil {
			property, err = mutation.Panic, nil
		}
	}()
	o := sim.RunOptions{Stop: func() bool { return ctx.Err() != nil }}
	r, err := w.Run(w.Draw(seed), o)
	switch {
	case err != nil:
		return "", err
	case r.Verdict == sim.Violated:
		return r.Property, nil
	case seed%againEvery != 1:
		return "", nil
	}
	same, err := sim.Again(w, w.Draw(seed), r, o)
	if err != nil || same {
		return "", err
	}
	return sim.UnrepeatableProperty, nil
}
