package probe

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/mutants"
	"github.com/canvass-grid/canvass/internal/mutants/judge"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/sim"
)

// caps is how far each method goes.
type caps struct {
	states, walks, seeds uint64
	time                 time.Duration // 0: no limit
}

// Main does what the command line says, with the models and scenarios of a mutant's core.
func Main(models []model.Checkable, scenarios []*sim.Scenario) {
	var most caps
	name := flag.String(
		"models",
		"",
		"check and walk through the model of this `name`, or through those of the default run below it",
	)
	flag.Uint64Var(&most.states, "states", 1_000_000, "of each check at most so many `states`")
	flag.Uint64Var(
		&most.walks,
		"walks",
		5_000,
		"take at most so many `walks` of each kind through each model; 0 means none",
	)
	scenario := flag.String("scenarios", "", "run the scenario of this `name`, or those below it that declare nothing")
	flag.Uint64Var(&most.seeds, "seeds", 200, "run at most so many `seeds` of each scenario, from 1")
	flag.DurationVar(&most.time, "time", 0, "stop each method after this `time`; 0 means never")
	flag.Parse()
	models = slices.DeleteFunc(slices.Clone(models), func(m model.Checkable) bool {
		info := m.Info()
		return info.Name != *name && (info.Deep || !strings.HasPrefix(info.Name, *name+"/"))
	})
	scenarios = slices.DeleteFunc(slices.Clone(scenarios), func(w *sim.Scenario) bool {
		return w.Name != *scenario && ((len(w.Expected) > 0) || !strings.HasPrefix(w.Name, *scenario+"/"))
	})
	if *name != "" && len(models) == 0 || *scenario != "" && len(scenarios) == 0 {
		fail(fmt.Errorf("no model %q or no scenario %q is known here", *name, *scenario))
	}
	found, err := tryAll(models, scenarios, most)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(found)
	}
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "probe:", err)
	os.Exit(1)
}

// tryAll says what each of the methods took.
func tryAll(models []model.Checkable, scenarios []*sim.Scenario, most caps) (found mutants.Effort, err error) {
	if found.Checker, err = check(models, most); err != nil {
		return found, err
	}
	if most.walks > 0 {
		if found.PCT, err = walk(models, checker.PCT, most); err != nil {
			return found, err
		}
		if found.Random, err = walk(models, checker.RandomWalk, most); err != nil {
			return found, err
		}
	}
	found.Scenarios, err = simulate(scenarios, most)
	return found, err
}

// context ends when a method has had its time.
func (c caps) context() (context.Context, context.CancelFunc) {
	if c.time == 0 {
		return context.WithCancel(context.Background())
	}
	return context.WithTimeout(context.Background(), c.time)
}

// check says how many states of the models it took until a property was violated that its model
// does not declare.
func check(models []model.Checkable, most caps) (found mutants.Search, err error) {
	ctx, cancel := most.context()
	defer cancel()
	for _, m := range models {
		v, err := judge.Check(ctx, m, most.states)
		found.Tried += v.States
		switch {
		case err != nil:
			return found, fmt.Errorf("%s: %w", m.Info().Name, err)
		case v.Verdict == mutants.Panic:
			return mutants.Search{Found: max(found.Tried, 1), Where: v.Model, Property: mutants.Panic}, nil
		case len(v.Property) > 0:
			return mutants.Search{Found: found.Tried, Where: v.Model, Property: v.Property[0]}, nil
		}
		if found.Stopped = ctx.Err() != nil; found.Stopped {
			break
		}
	}
	return found, nil
}
