package main

import (
	"context"
	"errors"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/sim"
)

// schedule walks through the states of models instead of running worlds. The seeds are walks, all workers take walks of
// one model at a time, and violations are traces of the model.
func (t *tool) schedule(ctx context.Context, f *simulateFlags, c *sim.Campaign, patterns []string) error {
	options := checker.Options{Workers: c.Workers, WalkSeed: c.First, MaxWalks: c.Seeds, PCTDepth: f.depth, ContinueAfterViolation: true}
	switch {
	case f.scheduler == "walk":
		options.Order = checker.RandomWalk
	case f.scheduler == "pct":
		options.Order = checker.PCT
	default:
		return usagef("--scheduler %q is neither walk nor pct", f.scheduler)
	}
	switch {
	case f.depth < 1:
		return usagef("--depth %d: a bug needs at least one event", f.depth)
	case f.shard != "":
		return usagef("--scheduler has no --shard; give each machine a --seed of its own")
	case len(patterns) == 0:
		return usagef("--scheduler needs models; \"canvass models\" lists them")
	}
	models, err := choose(t.models(), patterns, true)
	if err != nil {
		return err
	}
	var systems []chosen
	for _, m := range models {
		if safe, ok := m.(model.Safe); ok {
			m = safe.Safety() // walks decide nothing else
		}
		systems = append(systems, chosen{m, false})
	}
	outputs, err := t.outputs(&checkFlags{json: f.json, junit: f.junit}, systems)
	if err != nil {
		return err
	}
	s := &session{options: options, outputs: outputs, recorder: recorder{folder: f.traces, build: thisBuild()}, progress: newProgress(t.stderr, f.quiet)}
	err = s.run(ctx, systems)
	if code := exitCode(0); errors.As(err, &code) && code == exitInconclusive && ctx.Err() == nil {
		return nil // all walks were taken; that the verdict is open is said
	}
	return err
}
