package check

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/model"
)

// faultFlag is a flag that sets the budget of a fault.
type faultFlag struct {
	name, what string
	count      *int
}

func faultFlags(b *model.Budget) []faultFlag {
	return []faultFlag{
		{"drop", "drop at most `N` messages", &b.Drop},
		{"duplicate", "deliver at most `N` messages a second time", &b.Duplicate},
		{"spurious", "at most `N` premature timeouts: the awaited message is still in flight", &b.Spurious},
		{"crash", "at most `N` nodes crash", &b.Crash},
		{"restart", "at most `N` crashed nodes restart, as new incarnations", &b.Restart},
		{"suspect", "at most `N` false suspicions: a live node is suspected to have failed", &b.Suspect},
		{"late", "adversarial delivery: up to `N` messages arrive late or again, at any incarnation", &b.Late},
	}
}

// chosen is a model to be checked, under its own budget or another one.
type chosen struct {
	model.Checkable
	overridden bool
}

// overridden gives each system the budget of the command line, for the faults that it names. A
// budget that a system does not support is a mistake on the command line.
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
		repeats(&budget, flags, given)
		result[i] = chosen{s, resized}
		if budget == s.Info().Budget {
			continue
		}
		with, err := s.With(budget)
		if err != nil {
			return nil, cli.Usagef("%s: %s", s.Info().Name, withoutName(err, s.Info().Name))
		}
		if with == nil {
			return nil, errors.New(s.Info().Name + ": the model refuses the fault budget without a reason")
		}
		result[i] = chosen{with, true}
	}
	return result, nil
}

// withoutName is the text of an error that may begin with the name of the model, which stands
// before it already.
func withoutName(err error, name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "model "), name+": ")
}

// repeats sets unbounded duplication and adversarial delivery. They and a number of duplicates
// exclude each other: the one on the command line replaces the others in the model's own budget.
func repeats(b *model.Budget, flags *pflag.FlagSet, given model.Budget) {
	if flags.Changed("repeat") {
		b.Repeat = given.Repeat
	}
	if flags.Changed("adversarial") {
		b.Adversarial = given.Adversarial
	}
	replaced := func(name string) bool {
		return !flags.Changed(name) && (given.Repeat || given.Adversarial || given.Duplicate+given.Late > 0)
	}
	if replaced("repeat") {
		b.Repeat = false
	}
	if replaced("adversarial") {
		b.Adversarial = false
	}
	if b.Repeat || b.Adversarial {
		for name, count := range map[string]*int{"duplicate": &b.Duplicate, "late": &b.Late} {
			if replaced(name) {
				*count = 0
			}
		}
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
		return nil, false, cli.Usagef("%s: the number of nodes is fixed; leave out --nodes or name another model",
			s.Info().Name)
	}
	larger, err := resizable.WithNodes(nodes)
	if err != nil {
		return nil, false, cli.Usagef("%s: %s", s.Info().Name, withoutName(err, s.Info().Name))
	}
	return larger, true, nil
}

// resolved describes the run with all defaults filled in.
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
	b := cli.ThisBuild()
	return fmt.Sprintf("checking %s: order %s, workers %d, reductions %s, timeout %s, "+
		"limits: memory %s, depth %s, states %s; commit %s, %s",
		english.Count(len(systems), "model"), f.order, workers, reductions, limit(f.timeout > 0, f.timeout),
		limit(o.MemoryLimitBytes > 0, size(o.MemoryLimitBytes)), limit(f.maxDepth > 0, f.maxDepth),
		limit(f.maxStates > 0, f.maxStates), b.Commit, b.Go)
}
