package simulate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/traces"
)

// simulation is one run of a campaign.
type simulation struct {
	tool     *tool
	flags    *simulateFlags
	campaign *sim.Campaign
	progress *cli.Progress
	begin    time.Time
	build    cli.Build
	delays   *delays         // of --latency, or nil
	planned  *planned        // of --plan, or nil
	shards   verdict.Shards  // which share of the seeds is run
	counts   map[string]int  // findings, by scenario and property
	saved    map[string]bool // plans written, by file
	files    *cli.Guard
	err      error // in writing one
}

// maxPlans is how many plans of the same scenario and property are written.
const maxPlans = 10

// shrinkTime bounds the shrinking of one property's findings.
const shrinkTime = time.Minute

func (s *simulation) run(ctx context.Context) error {
	s.begin = time.Now()
	if s.flags.verbose {
		s.progress.Note(s.resolved())
	}
	if err := cli.RemoveReport(s.flags.junit); err != nil {
		return err
	}
	s.campaign.Found = s.found
	s.campaign.Progress = func(p sim.Progress) { s.progress.Show(simulated(p)) }
	s.campaign.ProgressEvery = s.progress.Every()
	tallies, err := s.campaign.Run(ctx)
	s.progress.Clear()
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

// whyEnded says why a campaign ended before all its seeds were run, if it did.
func whyEnded(ctx context.Context) string {
	switch {
	case isStopped(ctx):
		return "interrupted"
	case ctx.Err() != nil:
		return "--timeout reached"
	}
	return ""
}

// resolved describes the run with all defaults filled in, so that it can be repeated.
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
	return fmt.Sprintf("%s, %s, workers %d, commit %s, %s", english.Count(len(c.Scenarios), "scenario"), seeds,
		c.Workers, s.build.Commit, s.build.Go)
}

// found saves a finding, then logs it, unless the scenario exists to show it.
func (s *simulation) found(f sim.Finding) {
	property := f.Result.Property
	if f.Unrepeatable {
		property = sim.UnrepeatableProperty
	} else if f.Scenario.Expected[property] != "" {
		return
	}
	key := f.Scenario.Name + "." + property
	if s.counts[key]++; s.counts[key] > maxPlans {
		return
	}
	if f.Why != "" {
		s.progress.Note(fmt.Sprintf("%s: %s", s.again(f), f.Why))
	}
	if path := s.save(f, property); path != "" {
		s.progress.Note(fmt.Sprintf("%s: %s: %s", s.again(f), property, path))
	}
}

// save writes the plan of a finding, and the page of its history if it has one, unless they are
// written. It returns the file of the plan; "" if there is none.
func (s *simulation) save(f sim.Finding, property string) string {
	if s.flags.found == "" {
		return ""
	}
	path := filepath.ToSlash(filepath.Join(s.flags.found, s.nameOf(f, property)+planEnding))
	if s.saved[path] {
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
	s.saved[path] = true
	return path
}

// historyOf is the page beside the plan of a finding.
func historyOf(plan string) string { return strings.TrimSuffix(plan, planEnding) + pageEnding }

// durable writes a text to a file, whose folder it makes.
func durable(path, text string) error {
	return fileio.WriteIn(path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// nameOf is the name of the files about a finding, without their endings.
func (s *simulation) nameOf(f sim.Finding, property string) string {
	name := fmt.Sprintf("sim-%s-seed%d", f.Scenario.Name, f.Seed)
	if s.planned != nil {
		name = s.planned.name
	}
	return cli.FileName(name) + "." + cli.FileName(property)
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

// conclude shrinks the findings in a scenario, one run for each violated property.
func (s *simulation) conclude(ctx context.Context, t *sim.Totals, ended string) *simResult {
	r := &simResult{Totals: t, ended: ended}
	for _, name := range t.Properties() {
		v := s.shrink(ctx, t.Shortest[name])
		s.preserve(ctx, v)
		r.violations = append(r.violations, v)
	}
	return r
}

// shrink shrinks the findings of a property, and returns the smallest one. It stops upon an
// interrupt, but not when --timeout is reached.
func (s *simulation) shrink(ctx context.Context, found []sim.Finding) *violation {
	var best *violation
	if !isStopped(ctx) {
		s.progress.Note(fmt.Sprintf("shrinking %s of %s: %s", english.Count(len(found), "run"),
			found[0].Scenario.Name, found[0].Result.Property))
	}
	end := time.Now().Add(shrinkTime)
	for i, f := range found {
		v := &violation{Finding: f, again: s.again(f), property: f.Result.Property, shrunk: f.Plan, result: f.Result}
		if !isStopped(ctx) {
			share := time.Now().Add(time.Until(end) / time.Duration(len(found)-i))
			goOn := func() bool { return time.Now().Before(share) && !isStopped(ctx) }
			if plan, r := sim.Shrink(f.Scenario, f.Plan, v.property, goOn); r != nil && r.Property == v.property {
				v.shrunk, v.result = plan, r
			}
		}
		if best == nil || sim.Less(v.shrunk, v.result, best.shrunk, best.result) {
			best = v
		}
	}
	return best
}

// isStopped reports whether an interrupt came.
func isStopped(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }

// ModelPrefix marks the scenarios among the models that traces name.
const ModelPrefix = "sim/"

// longestTrace bounds the steps of a trace: each shows the whole state, and a million of them would
// fill a disk.
const longestTrace = 20_000

// preserve writes the files about a violation: the plan as it was found, unless the violation is
// expected, and the trace of the shrunk one.
func (s *simulation) preserve(ctx context.Context, v *violation) {
	if v.why() == "" {
		if v.plan = s.save(v.Finding, v.property); v.plan != "" && v.Result.Page != nil {
			v.history = historyOf(v.plan)
		}
	}
	if v.property != sim.PanicProperty && s.flags.traces != "" && !isStopped(ctx) {
		v.err = s.record(v)
	}
	if v.plan != "" && v.trace == "" && v.shrunk != v.Plan { // which a trace would hold
		v.smallest = strings.TrimSuffix(v.plan, planEnding) + ".shrunk" + planEnding
		v.err = errors.Join(v.err, durable(v.smallest, v.shrunk.String()+"\n"))
	}
}

// record writes the trace of a shrunk run, unless it is too long, and replays it.
func (s *simulation) record(v *violation) error {
	machine, err := sim.NewMachine(v.Scenario, v.shrunk)
	if err != nil {
		return err
	}
	for ; len(machine.Enabled()) > 0; v.steps++ {
		if v.steps == longestTrace {
			v.unsaved = fmt.Sprintf("more than %s, too many for a trace", english.Count(longestTrace, "step"))
			return nil
		}
		machine.Take(0)
	}
	stats := machine.Result().Stats
	header := traces.Header{
		Model: ModelPrefix + v.Scenario.Name, Property: v.property, Shape: v.Scenario.ShapeOf(v.property),
		Verdict: traces.Violated, Trigger: -1,
		Bounds: v.shrunk.String(), Commit: s.build.Commit, Go: s.build.Go, Description: cli.OneLine(v.result.Where),
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
		v.unsaved = fmt.Sprintf(
			"%s, whose states are too large for a trace: more than %d MiB",
			english.Count(v.steps, "step"),
			traces.MaxBytes>>20,
		)
		return nil
	case err != nil:
		return err
	}
	path := filepath.ToSlash(filepath.Join(s.flags.traces, s.nameOf(v.Finding, v.property)+verdict.TraceEnding))
	if err := durable(path, b.String()); err != nil {
		return err
	}
	v.trace = path
	return nil
}

// simulated is how far a simulation has come.
func simulated(now sim.Progress) string {
	runs := english.Grouped(now.Runs)
	if now.Of > 0 {
		runs += " of " + english.Grouped(now.Of)
	}
	messages := ""
	if now.Messages > 0 { // walks count none
		speed := english.Grouped(uint64(cli.Rate(now.Messages, now.Elapsed)))
		messages = fmt.Sprintf("%s messages, %s messages/s, ", english.Grouped(now.Messages), speed)
	}
	return fmt.Sprintf("%s runs, %s violated, %s%s", runs, english.Grouped(now.Violations), messages,
		now.Elapsed.Truncate(time.Second))
}
