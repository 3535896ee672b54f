package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/mutation"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/sim"
)

// probe looks for violations by each method, as far as it is asked to.
type probe struct {
	mutation.Measure
	models    []model.Checkable
	scenarios []*sim.Scenario
}

// newProbe picks the models and the scenarios that are asked for.
func newProbe(asked mutation.Measure, models []model.Checkable, scenarios []*sim.Scenario) (*probe, error) {
	p := &probe{Measure: asked}
	p.models = slices.DeleteFunc(slices.Clone(models), func(m model.Checkable) bool {
		info := m.Info()
		return info.Name != p.Models && (info.Deep || !strings.HasPrefix(info.Name, p.Models+"/"))
	})
	p.scenarios = slices.DeleteFunc(slices.Clone(scenarios), func(w *sim.Scenario) bool {
		return w.Name != p.Scenarios && (len(w.Expected) > 0 || !strings.HasPrefix(w.Name, p.Scenarios+"/"))
	})
	if p.Models != "" && len(p.models) == 0 || p.Scenarios != "" && len(p.scenarios) == 0 {
		return nil, fmt.Errorf("no model %q or no scenario %q is known", p.Models, p.Scenarios)
	}
	return p, nil
}

// tryAll returns the effort of each of the methods.
func (p *probe) tryAll() (found mutation.Effort, err error) {
	if found.Checker, err = p.check(); err != nil {
		return found, err
	}
	if p.Walks > 0 {
		if found.PCT, err = p.walk(checker.PCT); err != nil {
			return found, err
		}
		if found.Random, err = p.walk(checker.RandomWalk); err != nil {
			return found, err
		}
	}
	found.Scenarios, err = p.simulate()
	return found, err
}

// context ends when a method has had its time.
func (p *probe) context() (context.Context, context.CancelFunc) {
	if p.Time == 0 {
		return context.WithCancel(context.Background())
	}
	return context.WithTimeout(context.Background(), p.Time)
}

// check says how many states of the models it took until a property was violated that its model
// does not declare.
func (p *probe) check() (found mutation.Search, err error) {
	ctx, cancel := p.context()
	defer cancel()
	for _, m := range p.models {
		name := m.Info().Name
		v := guarded(func() mutation.Answer { return check(ctx, m, p.States) })
		found.Tried += v.States
		switch {
		case v.Error != "":
			return found, fmt.Errorf("%s: %s", name, v.Error)
		case v.Killed == mutation.Panic:
			return mutation.Search{Found: max(found.Tried, 1), Where: name, Property: mutation.Panic}, nil
		case len(v.Violated) > 0:
			return mutation.Search{Found: found.Tried, Where: name, Property: v.Violated[0]}, nil
		}
		if found.Stopped = ctx.Err() != nil; found.Stopped {
			break
		}
	}
	return found, nil
}
