package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/mutation"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/contract"
)

// refinement is the property that each step of a core is one of its abstract machine.
const refinement = "Refines"

// refines checks a model against its abstract machine alone: no other property can notice a mutant.
func refines(ctx context.Context, m model.Checkable, most uint64) mutation.Answer {
	whole := m.Model()
	at := slices.IndexFunc(whole.Properties(), func(p checker.Property) bool { return p.Name == refinement })
	if at < 0 {
		return mutation.Answer{Error: "the model has no property " + refinement}
	}
	report, err := checker.Check(ctx, &alone{whole, at}, checker.Options{MaxStates: most, Workers: 1})
	if err != nil {
		return mutation.Answer{Error: err.Error()}
	}
	answer := mutation.Answer{States: report.States}
	for _, o := range report.Outcomes {
		if o.Verdict != checker.Violated || o.Property.Name != refinement {
			continue
		}
		answer.Killed, answer.Violated = refinement, []string{refinement}
		if answer.Refused, err = refusedStep(m, o); err != nil {
			return mutation.Answer{Error: err.Error()}
		}
	}
	return answer
}

// refusedStep returns the text of the refusal at the end of a run.
func refusedStep(m model.Checkable, o checker.Outcome) (string, error) {
	trace, err := model.Trace(m, o)
	if err != nil {
		return "", err
	}
	effects := trace.Steps[len(trace.Steps)-1].Effects
	for _, effect := range effects {
		if _, text, found := strings.Cut(effect, "no step "); found && strings.HasPrefix(effect, "event "+contract.Event) {
			return text, nil
		}
	}
	return "", fmt.Errorf("the last step of the run is refused without a reason: %q", effects)
}

// alone is a model with one of its properties, which may end anywhere.
type alone struct {
	checker.Model
	property int
}

// Properties implements [checker.Model].
func (a *alone) Properties() []checker.Property {
	return []checker.Property{a.Model.Properties()[a.property]}
}

// NewWorker implements [checker.Model].
func (a *alone) NewWorker() checker.Worker { return &aloneWorker{a.Model.NewWorker(), a.property} }

type aloneWorker struct {
	checker.Worker
	property int
}

// Holds implements [checker.Worker].
func (a *aloneWorker) Holds(_ int, state []uint32) bool { return a.Worker.Holds(a.property, state) }

// QuiescentEnd implements [checker.Worker].
func (a *aloneWorker) QuiescentEnd([]uint32) bool { return true }
