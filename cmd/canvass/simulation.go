package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/internal/english"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/traces"
)

// simulation is one run of a campaign.
type simulation struct {
	tool     *tool
	flags    *simulateFlags
	campaign *sim.Campaign
	progress *progress
	build    build
	delays   *delays        // of --latency, or nil
	kept     map[string]int // findings written, by world and property
	err      error          // in writing one
}

// keptFindings is how many plans of the same world and property are written.
const keptFindings = 10

// shrinkTime bounds the work on one finding.
const shrinkTime = time.Minute

// maxTraceSteps is the longest run of which a trace is kept.
const maxTraceSteps = 20_000

func (s *simulation) run(ctx context.Context) error {
	s.progress.say(s.resolved())
	s.campaign.Found = s.found
	s.campaign.Progress = s.progress.simulated
	s.campaign.ProgressEvery = s.progress.every()
	tallies, err := s.campaign.Run(ctx)
	s.progress.clear()
	if err = errors.Join(err, s.err); err != nil {
		return err
	}
	var all []*simResult
	for i := range tallies {
		all = append(all, s.conclude(ctx, &tallies[i]))
	}
	return s.report(all)
}

// resolved says what will be done, so that it can be done again.
func (s *simulation) resolved() string {
	c := s.campaign
	seeds := "seeds from " + strconv.FormatUint(c.First, 10) + " on"
	if c.Seeds > 0 {
		seeds = fmt.Sprintf("seeds %d to %d", c.First, c.First+c.Seeds-1)
	}
	if s.flags.plan != "" {
		seeds = "the plan " + filepath.ToSlash(s.flags.plan)
	}
	if c.ShardCount > 0 {
		seeds += fmt.Sprintf(", shard %d/%d", c.ShardIndex+1, c.ShardCount)
	}
	if s.delays != nil {
		seeds += ", " + s.delays.String()
	}
	return fmt.Sprintf("%s, %s, workers %d, commit %s, %s", english.Count(len(c.Worlds), "world"), seeds, c.Workers, s.build.Commit, s.build.Go)
}

// planOf is where the plan of a finding is kept, if it is.
func (s *simulation) planOf(f sim.Finding, property string) string {
	return filepath.ToSlash(filepath.Join(s.flags.found, nameOf(f, property)+planEnding))
}

// found keeps a finding, then tells it. What a world is there to show is no news.
func (s *simulation) found(f sim.Finding) {
	property := f.Result.Property
	if f.Unrepeatable {
		property = sim.UnrepeatableProperty
	} else if f.World.Declared(property) != "" {
		return
	}
	key := f.World.Name() + "." + property
	if s.kept[key]++; s.kept[key] > keptFindings || s.flags.found == "" {
		return
	}
	path := s.planOf(f, property)
	if err := durable(path, f.Plan.String()+"\n"); err != nil {
		s.err = errors.Join(s.err, err)
		return
	}
	if f.Result.Page != nil {
		if err := f.Result.Page(strings.TrimSuffix(path, planEnding) + ".html"); err != nil {
			s.err = errors.Join(s.err, err)
		}
	}
	s.progress.say(fmt.Sprintf("%s: %s: %s", again(f), property, path))
}

// durable writes a file such that it is there as a whole or not at all, whatever happens next.
func durable(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Chmod(0o644), file.Sync(), file.Close()); err != nil { // others read what a build keeps
		return errors.Join(err, os.Remove(file.Name()))
	}
	return os.Rename(file.Name(), path)
}

// nameOf is what files about a finding are called, but for their endings.
func nameOf(f sim.Finding, property string) string {
	name := fmt.Sprintf("sim-%s-seed%d", f.World.Name(), f.Seed)
	if w, ok := f.World.(planned); ok {
		name = strings.TrimSuffix(w.name, "."+fileName(property))
	}
	return fileName(name) + "." + fileName(property)
}

// again is the command that makes a run again.
func again(f sim.Finding) string {
	command := fmt.Sprintf("canvass simulate %s --seed %d --seeds 1", f.World.Name(), f.Seed)
	switch w := f.World.(type) {
	case delayedWorld:
		command += fmt.Sprintf(" --latency %q", w.delays.text)
	case planned:
		command = w.command
	}
	return command
}

// simResult is what came of a world.
type simResult struct {
	*sim.Tally
	violations []violation
}

// violation is a violated property, by its first seed.
type violation struct {
	sim.Finding
	property string
	shrunk   *sim.Plan
	where    string
	steps    int
	trace    string // "" if none was written
	plan     string // the file of the plan as it was found; "" if none is kept
	history  string // a page that shows the history that was judged; "" if there is none
	err      error
}

// conclude shrinks the first seed of each violated property of a world.
func (s *simulation) conclude(ctx context.Context, t *sim.Tally) *simResult {
	r := &simResult{Tally: t}
	for _, name := range t.Properties() {
		r.violations = append(r.violations, s.shrink(ctx, t.First[name]))
	}
	return r
}

// shrink cuts a finding down. That the budget is used up is no reason to stop, an interrupt is.
func (s *simulation) shrink(ctx context.Context, f sim.Finding) violation {
	v := violation{Finding: f, property: f.Result.Property, shrunk: f.Plan, where: f.Result.Where}
	if s.flags.found != "" && v.declared() == "" && f.Result.Property != "" {
		if v.plan = s.planOf(f, v.property); f.Result.Page != nil {
			v.history = strings.TrimSuffix(v.plan, planEnding) + ".html"
		}
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return v
	}
	end := time.Now().Add(shrinkTime)
	s.progress.say("shrinking " + again(f))
	keep := func() bool { return time.Now().Before(end) && !errors.Is(ctx.Err(), context.Canceled) }
	if plan, r := sim.Shrink(f.World, f.Plan, v.property, keep); r != nil {
		v.shrunk, v.where = plan, r.Where
	}
	if v.property != sim.PanicProperty && s.flags.traces != "" && !errors.Is(ctx.Err(), context.Canceled) {
		if v.trace, v.steps, v.err = s.record(&v); v.err != nil {
			v.trace = ""
		}
	}
	return v
}

// modelPrefix marks the worlds among the models that traces name.
const modelPrefix = "sim/"

// longestTrace bounds the steps of a trace: each shows the whole state, and a million of them would fill a disk.
const longestTrace = 20_000

// record makes a shrunk run into a trace, unless that is too long, and makes it once more.
func (s *simulation) record(v *violation) (path string, steps int, err error) {
	machine, err := sim.NewMachine(v.World, v.shrunk)
	if err != nil {
		return "", 0, err
	}
	for len(machine.Enabled()) > 0 {
		if steps == maxTraceSteps {
			return "", 0, fmt.Errorf("a run of more than %d steps is too long for one", maxTraceSteps)
		}
		machine.Take(0)
		steps++
	}
	if steps > longestTrace {
		return "", steps, nil
	}
	stats := machine.Result().Stats
	header := traces.Header{
		Model: modelPrefix + v.World.Name(), Property: v.property, Shape: sim.ShapeOf(v.World, v.property), Verdict: traces.Violated, Trigger: -1,
		Bounds: v.shrunk.String(), Commit: s.build.Commit, Go: s.build.Go, Description: oneLine(v.where),
		Budget: traces.Budget{Drop: int(stats.Lost + stats.Cut), Duplicate: int(stats.Duplicated), Spurious: int(stats.Early), Crash: int(stats.Crashes), Restart: int(stats.Restarts)},
	}
	t, err := traces.Record(machine, make([]int, steps), -1, header)
	if err != nil {
		return "", 0, err
	}
	if err := traces.Replay(machine, t, nil); err != nil {
		return "", 0, err
	}
	var b bytes.Buffer
	if err := traces.Write(&b, t); err != nil {
		return "", 0, err
	}
	path = filepath.Join(s.flags.traces, nameOf(v.Finding, v.property)+traceEnding)
	return filepath.ToSlash(path), steps, durable(path, b.String())
}
