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
	delays   *delays         // of --latency, or nil
	planned  *planned        // of --plan, or nil
	counts   map[string]int  // findings told, by world and property
	kept     map[string]bool // plans written, by file
	err      error           // in writing one
}

// keptFindings is how many plans of the same world and property are written.
const keptFindings = 10

// shrinkTime bounds the shrinking of one property's findings.
const shrinkTime = time.Minute

func (s *simulation) run(ctx context.Context) error {
	s.progress.log(s.resolved())
	s.campaign.Found = s.found
	s.campaign.Progress = s.progress.simulated
	s.campaign.ProgressEvery = s.progress.every()
	tallies, err := s.campaign.Run(ctx)
	s.progress.clear()
	if err != nil {
		return err
	}
	var all []*simResult
	ended := whyEnded(ctx)
	for i := range tallies {
		all = append(all, s.conclude(ctx, &tallies[i], ended))
	}
	return s.report(all)
}

// whyEnded says why a campaign has ended before all its seeds were run, if it has.
func whyEnded(ctx context.Context) string {
	switch {
	case stopped(ctx):
		return "interrupted"
	case ctx.Err() != nil:
		return "the budget is used up"
	}
	return ""
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
	return fmt.Sprintf(
		"%s, %s, workers %d, commit %s, %s",
		english.Count(len(c.Scenarios), "world"),
		seeds,
		c.Workers,
		s.build.Commit,
		s.build.Go,
	)
}

// found keeps a finding, then tells it. What a world is there to show is no news.
func (s *simulation) found(f sim.Finding) {
	property := f.Result.Property
	if f.Unrepeatable {
		property = sim.UnrepeatableProperty
	} else if f.Scenario.Expected[property] != "" {
		return
	}
	key := f.Scenario.Name + "." + property
	if s.counts[key]++; s.counts[key] > keptFindings {
		return
	}
	if path := s.keep(f, property); path != "" {
		s.progress.log(fmt.Sprintf("%s: %s: %s", s.again(f), property, path))
	}
}

// keep writes the plan of a finding, and the page of its history if it has one, unless that is
// done. It returns the file of the plan; "" if there is none.
func (s *simulation) keep(f sim.Finding, property string) string {
	if s.flags.found == "" {
		return ""
	}
	path := filepath.ToSlash(filepath.Join(s.flags.found, s.nameOf(f, property)+planEnding))
	if s.kept[path] {
		return path
	}
	err := durable(path, f.Plan.String()+"\n")
	if err == nil && f.Result.Page != nil {
		err = f.Result.Page(historyOf(path))
	}
	if err != nil {
		s.err = errors.Join(s.err, err)
		return ""
	}
	s.kept[path] = true
	return path
}

// historyOf is the page beside the plan of a finding.
func historyOf(plan string) string { return strings.TrimSuffix(plan, planEnding) + ".html" }

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
func (s *simulation) nameOf(f sim.Finding, property string) string {
	name := fmt.Sprintf("sim-%s-seed%d", f.Scenario.Name, f.Seed)
	if s.planned != nil {
		name = strings.TrimSuffix(s.planned.name, "."+fileName(property))
	}
	return fileName(name) + "." + fileName(property)
}

// again is the command that makes a run again.
func (s *simulation) again(f sim.Finding) string {
	if s.planned != nil {
		return s.planned.command
	}
	command := fmt.Sprintf("canvass simulate %s --seed %d --seeds 1", f.Scenario.Name, f.Seed)
	if s.delays != nil {
		command += fmt.Sprintf(" --latency %q", s.delays.text)
	}
	return command
}

// simResult is what came of a world.
type simResult struct {
	*sim.Totals
	violations []*violation
	ended      string // why not all seeds were run
}

// violation is a violated property, by the run of the fewest steps that was found.
type violation struct {
	sim.Finding
	property string
	again    string // the command that makes the run again
	shrunk   *sim.Plan
	result   *sim.Result // of the shrunk plan
	steps    int         // of the trace
	trace    string      // its file; "" if none was written
	unkept   string      // why none could be, though nothing failed
	plan     string      // the file of the plan as it was found; "" if none is kept
	least    string      // the file of the shrunk plan; "" if it is that of the trace
	history  string      // a page that shows the history that was judged; "" if there is none
	err      error
}

// conclude shrinks what was found in a world, a run for each violated property.
func (s *simulation) conclude(ctx context.Context, t *sim.Totals, ended string) *simResult {
	r := &simResult{Totals: t, ended: ended}
	for _, name := range t.Properties() {
		v := s.shrink(ctx, t.Shortest[name])
		s.preserve(ctx, v)
		r.violations = append(r.violations, v)
	}
	return r
}

// shrink cuts findings of a property down, and returns the one of which the least is left. That the
// budget is used up is no reason to stop, an interrupt is.
func (s *simulation) shrink(ctx context.Context, found []sim.Finding) *violation {
	var best *violation
	if !stopped(ctx) {
		s.progress.log(
			fmt.Sprintf(
				"shrinking %s of %s: %s",
				english.Count(len(found), "run"),
				found[0].Scenario.Name,
				found[0].Result.Property,
			),
		)
	}
	end := time.Now().Add(shrinkTime)
	for i, f := range found {
		v := &violation{Finding: f, again: s.again(f), property: f.Result.Property, shrunk: f.Plan, result: f.Result}
		if !stopped(ctx) {
			share := time.Now().Add(time.Until(end) / time.Duration(len(found)-i))
			if plan, r := sim.Shrink(f.Scenario, f.Plan, v.property, func() bool { return time.Now().Before(share) && !stopped(ctx) }); r != nil &&
				r.Property == v.property {
				v.shrunk, v.result = plan, r
			}
		}
		if best == nil || sim.Less(v.shrunk, v.result, best.shrunk, best.result) {
			best = v
		}
	}
	return best
}

// stopped reports whether an interrupt came.
func stopped(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }

// modelPrefix marks the worlds among the models that traces name.
const modelPrefix = "sim/"

// longestTrace bounds the steps of a trace: each shows the whole state, and a million of them would
// fill a disk.
const longestTrace = 20_000

// preserve writes what is to be kept of a violation: the plan as it was found, unless the world
// declares it, and the trace of the shrunk one.
func (s *simulation) preserve(ctx context.Context, v *violation) {
	if v.declared() == "" {
		if v.plan = s.keep(v.Finding, v.property); v.plan != "" && v.Result.Page != nil {
			v.history = historyOf(v.plan)
		}
	}
	if v.property != sim.PanicProperty && s.flags.traces != "" && !stopped(ctx) {
		v.err = s.record(v)
	}
	if v.plan != "" && v.trace == "" && v.shrunk != v.Plan { // which a trace would hold
		v.least = strings.TrimSuffix(v.plan, planEnding) + ".shrunk" + planEnding
		v.err = errors.Join(v.err, durable(v.least, v.shrunk.String()+"\n"))
	}
}

// record makes a shrunk run into a trace, unless that is too long, and makes it once more.
func (s *simulation) record(v *violation) error {
	machine, err := sim.NewMachine(v.Scenario, v.shrunk)
	if err != nil {
		return err
	}
	for ; len(machine.Enabled()) > 0; v.steps++ {
		if v.steps == longestTrace {
			v.unkept = fmt.Sprintf("more than %s, too many for a trace", english.Count(longestTrace, "step"))
			return nil
		}
		machine.Take(0)
	}
	stats := machine.Result().Stats
	header := traces.Header{
		Model: modelPrefix + v.Scenario.Name, Property: v.property, Shape: v.Scenario.ShapeOf(v.property), Verdict: traces.Violated, Trigger: -1,
		Bounds: v.shrunk.String(), Commit: s.build.Commit, Go: s.build.Go, Description: oneLine(v.result.Where),
		Budget: traces.Budget{
			Drop:      int(stats.Dropped + stats.Cut),
			Duplicate: int(stats.Duplicated),
			Spurious:  int(stats.Premature),
			Crash:     int(stats.Crashes),
			Restart:   int(stats.Restarts),
		},
	}
	t, err := traces.Record(machine, make([]int, v.steps), -1, header)
	if err != nil {
		return err
	}
	if err := traces.Replay(machine, t, nil); err != nil {
		return err
	}
	var b bytes.Buffer
	switch err := traces.Write(&b, t); {
	case errors.Is(err, traces.ErrTooLarge):
		v.unkept = fmt.Sprintf(
			"%s, whose states are too large for a trace: more than %d MiB",
			english.Count(v.steps, "step"),
			traces.MaxBytes>>20,
		)
		return nil
	case err != nil:
		return err
	}
	path := filepath.ToSlash(filepath.Join(s.flags.traces, s.nameOf(v.Finding, v.property)+traceEnding))
	if err := durable(path, b.String()); err != nil {
		return err
	}
	v.trace = path
	return nil
}
