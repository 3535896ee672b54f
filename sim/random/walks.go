package random

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

const (
	// WalksPerSeed is the number of walks of a seed through its system. Later walks reuse the steps
	// that earlier ones have computed.
	WalksPerSeed = 16
	// LongestWalk is the number of steps after which a walk ends.
	LongestWalk = 2000

	maxChanges = 8       // of priorities in a walk, plus one
	walkStream = 0x3a1c5 // stream of the plan's seed that draws the kind of walk
	askEvery   = 200 * time.Millisecond
)

// runPlan makes the run of a plan on its system. The plan passed to describe has been validated.
func runPlan(describe func(*sim.Plan) (model.Checkable, error), p *sim.Plan, o sim.RunOptions) (*sim.Result, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if _, err := p.Delays(); err != nil {
		return nil, err
	}
	system, err := describe(p)
	if errors.Is(err, model.ErrBudget) || errors.Is(err, model.ErrSystem) {
		err = fmt.Errorf("%w: %w", sim.ErrPlan, err)
	}
	if err != nil {
		return nil, err
	}
	if p.Faults != nil {
		return newWalker(system, o).follow(p)
	}
	report, err := walk(system, p, o)
	var panicked *checker.PanicError
	switch {
	case errors.As(err, &panicked):
		r := &sim.Result{Verdict: sim.Violated, Property: sim.PanicProperty, Where: panicked.Problem()}
		return r, replay(system, panicked.Path, o, r)
	case err != nil:
		return nil, err
	case report.Stopped == checker.StoppedByInterrupt:
		return nil, sim.ErrStopped
	}
	r := resultOf(report)
	path := firstViolation(report, r)
	return r, replay(system, path, o, r)
}

// walk takes the walks that the seed of a plan draws.
func walk(system model.Checkable, p *sim.Plan, o sim.RunOptions) (*checker.Report, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	how := checker.Options{
		Workers:  1,
		Order:    checker.RandomWalk,
		MaxWalks: WalksPerSeed,
		MaxDepth: LongestWalk,
		WalkSeed: p.Seed,
	}
	if c := sim.NewChance(p.Seed, walkStream); c.Of(1, 2) {
		how.Order, how.BugDepth = checker.PCT, 1+int(c.Below(maxChanges))
	}
	if o.Stop != nil {
		how.ProgressEvery = askEvery
		how.Progress = func(checker.Progress) {
			if o.Stop() {
				cancel()
			}
		}
	}
	return checker.Check(ctx, system.Model(), how)
}

// resultOf is the result of walks without a violation.
func resultOf(report *checker.Report) *sim.Result {
	steps := report.States - report.Walks
	r := &sim.Result{
		Verdict: sim.Holds,
		Counts:  map[string]int{"walks": int(report.Walks), "steps": int(steps)},
		Stats:   sim.Stats{Steps: steps},
	}
	sum := []byte(fmt.Sprint(report.States, report.Transitions, report.Depth, report.ClassCounts))
	for _, o := range report.Outcomes {
		sum = fmt.Append(sum, o.Verdict, o.Cases)
		if o.Property.Shape == checker.Quiescent {
			r.Counts["rests"] = int(o.Cases) // the same for all of them
		}
	}
	r.Digest.State = protocol.Hash(sum)
	return r
}

// firstViolation stores the first violation of a report in a result, and returns the path to it, or
// nil. The first is the one with the fewest steps in the first walk that has one: its path meets no
// other violation before.
func firstViolation(report *checker.Report, r *sim.Result) *checker.Path {
	var first *checker.Outcome
	for i := range report.Outcomes {
		o := &report.Outcomes[i]
		if o.Verdict != checker.Violated || o.Path == nil || !isDemanded(o.Property.Shape) {
			continue
		}
		if first == nil || o.Walk < first.Walk || o.Walk == first.Walk && len(o.Path.Steps) < len(first.Path.Steps) {
			first = o
		}
	}
	if first == nil {
		return nil
	}
	r.Verdict, r.Property = sim.Violated, first.Property.Name
	r.Length = uint64(len(first.Path.Steps) - 1)
	r.Where = fmt.Sprintf(
		"does not hold: %s, %d steps into walk %d (%v)",
		first.Property.Doc,
		r.Length,
		first.Walk+1,
		report.Order,
	)
	return first.Path
}

// isDemanded reports whether properties of that shape are checked in single states.
func isDemanded(s checker.Shape) bool {
	return s == checker.Always || s == checker.Quiescent || s == checker.DeadlockFree
}

// deadlock is the check for deadlocks, which every model has.
var deadlock = checker.Property{
	Name:  checker.Deadlock,
	Doc:   "no action is possible, although a node is waiting",
	Shape: checker.DeadlockFree,
}

// propertiesOf lists the properties that walks through a system are checked against.
func propertiesOf(system model.Checkable) []checker.Property {
	all := slices.DeleteFunc(
		slices.Clone(system.Model().Properties()),
		func(p checker.Property) bool { return !isDemanded(p.Shape) },
	)
	return append(all, deadlock)
}
