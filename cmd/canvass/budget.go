package main

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/english"
	"github.com/canvass-grid/canvass/model"
)

// faultFlag ties a fault to the flag that sets its budget.
type faultFlag struct {
	name, what string
	count      *int
}

func faultFlags(b *model.Budget) []faultFlag {
	return []faultFlag{
		{"drop", "messages are lost", &b.Drop},
		{"duplicate", "messages are delivered once more", &b.Duplicate},
		{"spurious", "timers fire early", &b.Spurious},
		{"crash", "nodes crash", &b.Crash},
		{"restart", "crashed nodes come back", &b.Restart},
		{"suspect", "live nodes are taken for failed", &b.Suspect},
	}
}

// chosen is a model to be checked, under its own budget or another one.
type chosen struct {
	model.Checkable
	overridden bool
}

// overridden gives each system the budget of the command line, as far as it names faults. What a
// system cannot do is a mistake on the command line; a system that declares nonsense itself is not.
func overridden(systems []model.Checkable, flags *pflag.FlagSet, given model.Budget) ([]chosen, error) {
	from := faultFlags(&given)
	result := make([]chosen, len(systems))
	for i, s := range systems {
		s, resized, err := withNodes(s, flags)
		if err != nil {
			return nil, err
		}
		budget := s.Info().Budget
		for k, to := range faultFlags(&budget) {
			if flags.Changed(to.name) {
				*to.count = *from[k].count
			}
		}
		repetitions(&budget, flags, given)
		result[i] = chosen{s, resized}
		if budget == s.Info().Budget {
			continue
		}
		with, err := s.With(budget)
		if err != nil {
			return nil, usagef("%s: %v", s.Info().Name, err)
		}
		if with == nil {
			return nil, errors.New(s.Info().Name + ": the model refuses the budget and does not say why")
		}
		result[i] = chosen{with, true}
	}
	return result, nil
}

// repetitions takes over whether messages come again without end. That and a number of repetitions
// exclude each other: what is named on the command line takes the place of the other in the model's
// own budget.
func repetitions(b *model.Budget, flags *pflag.FlagSet, given model.Budget) {
	switch {
	case flags.Changed("repeat"):
		b.Repeat = given.Repeat
		if b.Repeat && !flags.Changed("duplicate") {
			b.Duplicate = 0
		}
	case flags.Changed("duplicate") && given.Duplicate > 0:
		b.Repeat = false
	}
}

// withNodes makes a system as large as the command line asks for.
func withNodes(s model.Checkable, flags *pflag.FlagSet) (model.Checkable, bool, error) {
	if !flags.Changed("nodes") {
		return s, false, nil
	}
	nodes, err := flags.GetInt("nodes")
	if err != nil {
		return nil, false, err
	}
	resizable, ok := s.(model.Resizable)
	if !ok {
		return nil, false, usagef("%s: its number of nodes is fixed; leave --nodes out or name another model", s.Info().Name)
	}
	larger, err := resizable.WithNodes(nodes)
	if err != nil {
		return nil, false, usagef("%v", err)
	}
	return larger, true, nil
}

// resolved says what the run will do, all defaults filled in.
func (f *checkFlags) resolved(systems []chosen, o checker.Options) string {
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	limit := func(given bool, value any) string {
		if !given {
			return "none"
		}
		return fmt.Sprint(value)
	}
	reductions := "off"
	if f.reduce {
		reductions = "on"
	}
	b := thisBuild()
	return fmt.Sprintf(
		"checking %s: order %s, workers %d, reductions %s, timeout %s, limits: memory %s, depth %s, states %s; commit %s, %s",
		english.Count(
			len(systems),
			"model",
		),
		f.order,
		workers,
		reductions,
		limit(f.timeout > 0, f.timeout),
		limit(o.MemoryLimitBytes > 0, size(o.MemoryLimitBytes)),
		limit(f.maxDepth > 0, f.maxDepth),
		limit(f.maxStates > 0, f.maxStates),
		b.Commit,
		b.Go,
	)
}
