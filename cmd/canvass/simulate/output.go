package simulate

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
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
	case s.tool.Stdout.WantsJSON():
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

// simTotals counts the scenarios of a family, or all of them, by their results.
type simTotals struct {
	verdict.Totals
	seeds, messages uint64
}

func (t *simTotals) add(r *simResult) {
	t.Models++
	switch code := r.code(); {
	case code == cli.CodeOK && len(r.violations) > 0:
		t.Fail++
	case code == cli.CodeOK && len(r.Scenario.Expected) > 0:
		t.Pending++
	case code == cli.CodeOK:
		t.Hold++
	case code == cli.CodeInconclusive:
		t.Open++
	case code == cli.CodeError:
		t.Errors++
	default:
		t.Wrong++
	}
	t.seeds, t.messages, t.Elapsed = t.seeds+r.Seeds, t.messages+r.Stats.Delivered, t.Elapsed+r.WorkTime.Seconds()
}

// families writes one line for each family of scenarios and one with the totals, and describes in
// full each scenario whose verdict is not the expected one; all of them if they are few.
func (s *simulation) families(all []*simResult) error {
	var b strings.Builder
	var names []string
	totals, whole := map[string]*simTotals{}, &simTotals{}
	for _, r := range all {
		name := verdict.FamilyOf(r.Scenario.Name)
		if totals[name] == nil {
			names, totals[name] = append(names, name), &simTotals{}
		}
		totals[name].add(r)
		whole.add(r)
		if len(all) > verdict.Few && r.code() == cli.CodeOK {
			continue
		}
		fmt.Fprintf(&b, "%s: %s (%s, %s messages, %s of work)\n", r.Scenario.Name, r.label(),
			english.Count(int(r.Seeds), "seed"), english.Grouped(r.Stats.Delivered),
			verdict.Seconds(r.WorkTime.Seconds()))
		for _, note := range r.notes() {
			b.WriteString("  " + note + "\n")
		}
	}
	var lines verdict.Rows
	for _, name := range names {
		lines.Fit(name, english.Count(totals[name].Models, "scenario"), totals[name].Verdicts())
	}
	for _, name := range names {
		if t := totals[name]; len(all) > verdict.Few {
			lines.Write(&b, name, english.Count(t.Models, "scenario"), t.Verdicts(),
				english.Count(int(t.messages), "message"), verdict.Seconds(t.Elapsed)+" of work")
		}
	}
	if len(all) > 1 {
		fmt.Fprintf(&b, "%s: %s; %s, %s messages, %s\n", english.Count(len(all), "scenario"), whole.Verdicts(),
			english.Count(int(whole.seeds), "seed"), english.Grouped(whole.messages),
			verdict.Seconds(time.Since(s.begin).Seconds()))
	}
	_, err := io.WriteString(s.tool.Stdout, b.String())
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
	_, err := io.WriteString(s.tool.Stdout, b.String())
	return err
}

// ResultObject is a result in JSON. The help topic json describes the fields.
type ResultObject struct {
	Schema       int               `json:"schema"`
	Scenario     string            `json:"scenario"`
	Expected     string            `json:"expected"`
	Verdict      string            `json:"verdict"`
	AsExpected   bool              `json:"as_expected"`
	FirstSeed    uint64            `json:"first_seed"`
	Seeds        uint64            `json:"seeds"`
	Requested    uint64            `json:"seeds_requested"`
	Asked        uint64            `json:"asked"` // former name of seeds_requested
	Reruns       uint64            `json:"reruns"`
	Unrepeatable uint64            `json:"nondeterministic"`
	Differed     uint64            `json:"unrepeatable"` // former name of nondeterministic
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
	Shards       *verdict.Shards   `json:"shards"`
}

// violationObject is a violated property of a scenario in JSON.
type violationObject struct {
	Property    string    `json:"property"`
	Expected    string    `json:"expected"`
	Why         string    `json:"reason,omitempty"`
	FormerWhy   string    `json:"why,omitempty"` // former name of reason
	Seeds       uint64    `json:"seeds"`
	Seed        uint64    `json:"seed"`
	Where       string    `json:"where"`
	Command     string    `json:"command"`
	Trace       string    `json:"trace"`
	Steps       int       `json:"steps"`
	Found       string    `json:"original_plan,omitempty"`
	FormerFound string    `json:"found,omitempty"` // former name of original_plan
	History     string    `json:"history,omitempty"`
	Plan        *sim.Plan `json:"plan"`
	Error       string    `json:"error,omitempty"`
}

func (s *simulation) lines(all []*simResult) error {
	for _, r := range all {
		if err := s.tool.Stdout.JSON(r.object(s.campaign.First, &s.shards)); err != nil {
			return err
		}
	}
	return nil
}

func (r *simResult) object(first uint64, shards *verdict.Shards) ResultObject {
	o := ResultObject{
		Schema: cli.Schema, Scenario: r.Scenario.Name, Expected: scenarioExpectation(r.Scenario), Verdict: "holds",
		AsExpected: r.code() == cli.CodeOK, FirstSeed: first, Seeds: r.Seeds, Reruns: r.Again,
		Requested: r.Asked, Asked: r.Asked, Unrepeatable: r.Unrepeatable, Differed: r.Unrepeatable,
		Undecided: r.Inconclusive, Violations: []violationObject{}, Counts: r.Counts,
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
		Property:    v.property,
		Expected:    "holds",
		Why:         v.why(),
		FormerWhy:   v.why(),
		Seeds:       seeds,
		Seed:        v.Seed,
		Where:       v.result.Where,
		Command:     v.again,
		Trace:       v.trace,
		Found:       v.plan,
		FormerFound: v.plan,
		History:     v.history,
		Plan:        v.shrunk,
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
	case r.hasNoViolation():
		whole.Failure = message("expected to be "+scenarioExpectation(r.Scenario)+", but holds", "expectation")
	case r.isOpen() || r.Inconclusive > 0:
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
