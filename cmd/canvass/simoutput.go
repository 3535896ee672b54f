package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/sim"
)

// report writes the results of all scenarios, and ends with the exit code.
func (s *simulation) report(all []*simResult) error {
	code := cli.CodeOK
	for _, r := range all {
		code = cli.Worse(code, r.code())
	}
	write := s.families
	switch {
	case s.tool.stdout.WantsJSON():
		write = s.lines
	case s.flags.verbose:
		write = s.table
	}
	if err := write(all); err != nil {
		return err
	}
	if s.flags.junit != "" {
		if err := simJUnit(s.flags.junit, all); err != nil {
			return err
		}
	}
	if s.err != nil || code == cli.CodeOK {
		return s.err // worse than any finding
	}
	return cli.Code(code)
}

// simTotals counts the scenarios of a family, or all of them, by what came of them.
type simTotals struct {
	totals
	seeds, messages uint64
}

func (t *simTotals) add(r *simResult) {
	t.models++
	switch code := r.code(); {
	case code == cli.CodeOK && len(r.violations) > 0:
		t.fail++
	case code == cli.CodeOK && len(r.Scenario.Expected) > 0:
		t.pending++
	case code == cli.CodeOK:
		t.hold++
	case code == cli.CodeInconclusive:
		t.open++
	case code == cli.CodeError:
		t.errors++
	default:
		t.wrong++
	}
	t.seeds, t.messages, t.elapsed = t.seeds+r.Seeds, t.messages+r.Stats.Delivered, t.elapsed+r.WorkTime.Seconds()
}

// families writes one line for each family of scenarios and one with the totals, and describes in
// full each scenario whose verdict is not the expected one; all of them if they are few.
func (s *simulation) families(all []*simResult) error {
	var b strings.Builder
	var names []string
	totals, whole := map[string]*simTotals{}, &simTotals{}
	for _, r := range all {
		name := familyOf(r.Scenario.Name)
		if totals[name] == nil {
			names, totals[name] = append(names, name), &simTotals{}
		}
		totals[name].add(r)
		whole.add(r)
		if len(all) > few && r.code() == cli.CodeOK {
			continue
		}
		fmt.Fprintf(&b, "%s: %s (%s, %s messages, %s of work)\n", r.Scenario.Name, r.label(),
			english.Count(int(r.Seeds), "seed"), english.Grouped(r.Stats.Delivered), seconds(r.WorkTime.Seconds()))
		for _, note := range r.notes() {
			b.WriteString("  " + note + "\n")
		}
	}
	var lines rows
	for _, name := range names {
		lines.fit(name, english.Count(totals[name].models, "scenario"), totals[name].verdicts())
	}
	for _, name := range names {
		if t := totals[name]; len(all) > few {
			lines.write(&b, name, english.Count(t.models, "scenario"), t.verdicts(),
				english.Count(int(t.messages), "message"), seconds(t.elapsed)+" of work")
		}
	}
	if len(all) > 1 {
		fmt.Fprintf(&b, "%s: %s; %s, %s messages, %s\n", english.Count(len(all), "scenario"), whole.verdicts(),
			english.Count(int(whole.seeds), "seed"), english.Grouped(whole.messages),
			seconds(time.Since(s.begin).Seconds()))
	}
	_, err := io.WriteString(s.tool.stdout, b.String())
	return err
}

// table writes a line for each scenario, and under it a line for each finding.
func (s *simulation) table(all []*simResult) error {
	width := len("SCENARIO")
	for _, r := range all {
		width = max(width, len(r.Scenario.Name))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-17s  %-*s  %9s  %13s  %10s  %8s  %10s\n",
		"VERDICT", width, "SCENARIO", "SEEDS", "MESSAGES", "SIMULATED", "SECONDS", "MESSAGES/S")
	for _, r := range all {
		messages, simulated := english.Grouped(r.Stats.Delivered), r.VirtualTime.Truncate(time.Second).String()
		speed := english.Grouped(uint64(cli.Rate(r.Stats.Delivered, r.WorkTime)))
		if r.VirtualTime == 0 && r.Stats.Delivered == 0 { // a scenario without a clock
			messages, simulated, speed = "-", "-", "-"
		}
		fmt.Fprintf(&b, "%-17s  %-*s  %9s  %13s  %10s  %8.2f  %10s\n",
			r.label(), width, r.Scenario.Name, english.Grouped(r.Seeds), messages, simulated, r.WorkTime.Seconds(),
			speed)
		for _, note := range r.notes() {
			b.WriteString("    " + note + "\n")
		}
	}
	_, err := io.WriteString(s.tool.stdout, b.String())
	return err
}

// simObject is a result in JSON. The help topic json describes the fields.
type simObject struct {
	Schema       int               `json:"schema"`
	Scenario     string            `json:"scenario"`
	Expected     string            `json:"expected"`
	Verdict      string            `json:"verdict"`
	AsExpected   bool              `json:"as_expected"`
	FirstSeed    uint64            `json:"first_seed"`
	Seeds        uint64            `json:"seeds"`
	Asked        uint64            `json:"asked"`
	Reruns       uint64            `json:"reruns"`
	Unrepeatable uint64            `json:"unrepeatable"`
	Undecided    uint64            `json:"undecided"`
	Violations   []violationObject `json:"violations"`
	Counts       map[string]int    `json:"counts"`
	Messages     uint64            `json:"messages"`
	Dropped      uint64            `json:"dropped"`
	Duplicated   uint64            `json:"duplicated"`
	Delayed      uint64            `json:"delayed"`
	Cut          uint64            `json:"cut"`
	Crashes      uint64            `json:"crashes"`
	Restarts     uint64            `json:"restarts"`
	Simulated    float64           `json:"simulated_seconds"`
	Seconds      float64           `json:"seconds"`
	Rate         float64           `json:"messages_per_second"`
	Shards       *shardsObject     `json:"shards"`
}

// violationObject is a violated property of a scenario in JSON.
type violationObject struct {
	Property string    `json:"property"`
	Expected string    `json:"expected"`
	Why      string    `json:"why,omitempty"`
	Seeds    uint64    `json:"seeds"`
	Seed     uint64    `json:"seed"`
	Where    string    `json:"where"`
	Command  string    `json:"command"`
	Trace    string    `json:"trace"`
	Steps    int       `json:"steps"`
	Found    string    `json:"found,omitempty"`
	History  string    `json:"history,omitempty"`
	Plan     *sim.Plan `json:"plan"`
	Error    string    `json:"error,omitempty"`
}

func (s *simulation) lines(all []*simResult) error {
	for _, r := range all {
		if err := s.tool.stdout.JSON(r.object(s.campaign.First, &s.shards)); err != nil {
			return err
		}
	}
	return nil
}

func (r *simResult) object(first uint64, shards *shardsObject) simObject {
	o := simObject{
		Schema: cli.Schema, Scenario: r.Scenario.Name, Expected: scenarioExpectation(r.Scenario), Verdict: "holds",
		AsExpected: r.code() == cli.CodeOK, FirstSeed: first, Seeds: r.Seeds, Asked: r.Asked, Reruns: r.Again,
		Unrepeatable: r.Unrepeatable, Undecided: r.Inconclusive, Violations: []violationObject{}, Counts: r.Counts,
		Messages: r.Stats.Delivered, Dropped: r.Stats.Dropped, Duplicated: r.Stats.Duplicated, Delayed: r.Stats.Delayed,
		Cut: r.Stats.Cut, Crashes: r.Stats.Crashes, Restarts: r.Stats.Restarts,
		Simulated: cli.Rounded(r.VirtualTime.Seconds(), 1e3), Seconds: cli.Rounded(r.WorkTime.Seconds(), 1e6),
		Rate: cli.Rounded(cli.Rate(r.Stats.Delivered, r.WorkTime), 1), Shards: shards,
	}
	for _, v := range r.violations {
		o.Verdict = "violated"
		o.Violations = append(o.Violations, v.object(r.Violated[v.property]))
	}
	if r.found() == cli.CodeInconclusive {
		o.Verdict = "inconclusive"
	}
	return o
}

func (v *violation) object(seeds uint64) violationObject {
	o := violationObject{
		Property: v.property,
		Expected: "holds",
		Why:      v.why(),
		Seeds:    seeds,
		Seed:     v.Seed,
		Where:    v.result.Where,
		Command:  v.again,
		Trace:    v.trace,
		Found:    v.plan,
		History:  v.history,
		Plan:     v.shrunk,
	}
	if o.Why != "" {
		o.Expected = "violated"
	}
	if v.trace != "" {
		o.Steps = v.steps
	}
	if v.err != nil {
		o.Error = v.err.Error()
	}
	return o
}

// simJUnit writes a JUnit report: a suite for each scenario, with a case for its seeds and one for
// each violated property.
func simJUnit(path string, all []*simResult) error {
	report := cli.JUnit{Name: "canvass simulate"}
	for _, r := range all {
		report.Suite(r.Scenario.Name, r.WorkTime.Seconds(), r.testcases()...)
	}
	return report.Write(path)
}

func (r *simResult) testcases() []cli.JUnitCase {
	message := func(text, kind string) *cli.JUnitMessage { return &cli.JUnitMessage{Message: text, Type: kind} }
	whole := cli.JUnitCase{Name: "seeds"}
	switch {
	case r.Unrepeatable > 0:
		whole.Error = message(r.notes()[0], "error")
	case r.missing():
		whole.Failure = message("expected to be "+scenarioExpectation(r.Scenario)+", but holds", "expectation")
	case r.open() || r.Inconclusive > 0:
		whole.Error = message(fmt.Sprintf("%s of %s decided", english.Grouped(r.Seeds-r.Inconclusive),
			english.Count(int(r.Asked), "seed")), "inconclusive")
	}
	cases := []cli.JUnitCase{whole}
	for _, v := range r.violations {
		c := cli.JUnitCase{Name: v.property}
		if v.why() == "" {
			c.Failure = message(v.result.Where+"; "+v.again, v.Scenario.ShapeOf(v.property))
		}
		cases = append(cases, c)
	}
	return cases
}
