package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/internal/english"
	"github.com/canvass-grid/canvass/sim"
)

// declared reports whether a violation is one that the world is there to show.
func (v *violation) declared() string { return v.Scenario.Expected[v.property] }

// least is how many seeds a world must have been run on for a declared violation to be missed.
const least = 100

// missing lists the properties that are declared to be violated, if none of them was.
func (r *simResult) missing() bool {
	if r.Seeds < least || r.open() {
		return false
	}
	declares := len(r.Scenario.Expected) > 0
	for _, v := range r.violations {
		declares = declares && v.declared() == ""
	}
	return declares
}

// open reports whether seeds are left that were asked for.
func (r *simResult) open() bool { return r.Asked > r.Seeds || r.Seeds == 0 }

// code is the exit code: that of what was found, or of a finding that could not be kept.
func (r *simResult) code() int {
	code := r.found()
	for _, v := range r.violations {
		if v.err != nil {
			code = worse(code, exitError)
		}
	}
	return code
}

// found is the exit code of what was found.
func (r *simResult) found() int {
	code := exitOK
	if r.Unrepeatable > 0 {
		code = exitError
	}
	for _, v := range r.violations {
		switch {
		case v.property == sim.PanicProperty:
			code = worse(code, exitError)
		case v.declared() == "":
			code = worse(code, exitSafety)
		}
	}
	if r.missing() {
		code = worse(code, exitExpectation)
	}
	if r.open() || r.Inconclusive > 0 {
		code = worse(code, exitInconclusive)
	}
	return code
}

// label is the verdict in words.
func (r *simResult) label() string {
	switch code := r.found(); {
	case code == exitInconclusive:
		return "inconclusive"
	case code == exitExpectation:
		return "holds, not as declared"
	case code != exitOK:
		return "VIOLATED"
	case len(r.violations) > 0:
		return "violated as declared"
	}
	return "holds"
}

// notes are the lines under that of a world.
func (r *simResult) notes() []string {
	var notes []string
	if r.Unrepeatable > 0 {
		notes = append(notes, english.Count(int(r.Unrepeatable), "run")+" came out differently the second time")
	}
	for _, v := range r.violations {
		notes = append(notes, v.note(r.Violated[v.property]), "again: "+v.again)
		if v.history != "" {
			notes = append(notes, "history, as it was found: "+v.history)
		}
	}
	if r.Inconclusive > 0 {
		notes = append(notes, english.Count(int(r.Inconclusive), "seed")+" came to no verdict in time")
	}
	if r.open() {
		note := fmt.Sprintf("%s of %d asked for", english.Count(int(r.Seeds), "seed"), r.Asked)
		if r.ended != "" {
			note += "; " + r.ended
		}
		notes = append(notes, note)
	}
	return notes
}

// note says what is violated, and where that can be seen.
func (v *violation) note(seeds uint64) string {
	note := fmt.Sprintf("%s by %s: %s", v.property, english.Count(int(seeds), "seed"), v.result.Where)
	if why := v.declared(); why != "" {
		note += " (declared: " + why + ")"
	}
	if v.unkept != "" {
		note += "; " + v.unkept
	}
	if v.err != nil {
		note += "; no trace: " + v.err.Error()
	}
	switch {
	case v.trace != "":
		note += fmt.Sprintf("; %s: %s", english.Count(v.steps, "step"), v.trace)
	case v.least != "":
		note += "; shrunk: " + v.least
	case v.plan != "":
		note += "; not shrunk: " + v.plan
	}
	return note
}

// report writes the results of all worlds, and ends with the exit code.
func (s *simulation) report(all []*simResult) error {
	code := exitOK
	for _, r := range all {
		code = worse(code, r.code())
	}
	write := s.table
	if s.flags.json {
		write = s.lines
	}
	if err := write(all); err != nil {
		return err
	}
	if s.flags.junit != "" {
		if err := simJUnit(s.flags.junit, all); err != nil {
			return err
		}
	}
	if s.err != nil || code == exitOK {
		return s.err // worse than whatever was found
	}
	return exitCode(code)
}

func (s *simulation) table(all []*simResult) error {
	width := len("WORLD")
	for _, r := range all {
		width = max(width, len(r.Scenario.Name))
	}
	var b strings.Builder
	fmt.Fprintf(
		&b,
		"%-22s  %-*s  %9s  %13s  %10s  %8s  %10s\n",
		"VERDICT",
		width,
		"WORLD",
		"SEEDS",
		"MESSAGES",
		"SIMULATED",
		"SECONDS",
		"MESSAGES/S",
	)
	for _, r := range all {
		messages, simulated, speed := english.Grouped(
			r.Stats.Delivered,
		), r.VirtualTime.Truncate(time.Second).
			String(),
			english.Grouped(
				uint64(rate(r.Stats.Delivered, r.WorkTime)),
			)
		if r.VirtualTime == 0 && r.Stats.Delivered == 0 { // a world without a clock
			messages, simulated, speed = "-", "-", "-"
		}
		fmt.Fprintf(
			&b,
			"%-22s  %-*s  %9s  %13s  %10s  %8.2f  %10s\n",
			r.label(),
			width,
			r.Scenario.Name,
			english.Grouped(r.Seeds),
			messages,
			simulated,
			r.WorkTime.Seconds(),
			speed,
		)
		for _, note := range r.notes() {
			b.WriteString("    " + note + "\n")
		}
	}
	_, err := io.WriteString(s.tool.stdout, b.String())
	return err
}

// simObject is a result in JSON. Fields are added, never changed.
type simObject struct {
	World        string            `json:"world"`
	Verdict      string            `json:"verdict"` // holds, violated, inconclusive
	AsDeclared   bool              `json:"as_declared"`
	FirstSeed    uint64            `json:"first_seed"`
	Seeds        uint64            `json:"seeds"`
	Asked        uint64            `json:"asked"` // 0: without end
	Again        uint64            `json:"again"` // seeds that ran twice
	Unrepeatable uint64            `json:"unrepeatable"`
	Undecided    uint64            `json:"undecided"` // seeds that came to no verdict
	Violations   []violationObject `json:"violations"`
	Counts       map[string]int    `json:"counts"`
	Messages     uint64            `json:"messages"`
	Lost         uint64            `json:"lost"`
	Duplicated   uint64            `json:"duplicated"`
	Late         uint64            `json:"late"`
	Cut          uint64            `json:"cut"`
	Crashes      uint64            `json:"crashes"`
	Restarts     uint64            `json:"restarts"`
	Simulated    float64           `json:"simulated_seconds"`
	Seconds      float64           `json:"seconds"` // of work, all workers together
	Rate         float64           `json:"messages_per_second"`
}

type violationObject struct {
	Property string    `json:"property"`
	Declared string    `json:"declared,omitempty"`
	Seeds    uint64    `json:"seeds"` // that violate it
	Seed     uint64    `json:"seed"`  // the one that was shrunk
	Where    string    `json:"where"`
	Command  string    `json:"command"`
	Trace    string    `json:"trace"`
	Steps    int       `json:"steps"`             // of the trace
	Found    string    `json:"found,omitempty"`   // the file of the plan as it was found
	History  string    `json:"history,omitempty"` // a page that shows the history that was judged
	Plan     *sim.Plan `json:"plan"`              // shrunk
	Error    string    `json:"error,omitempty"`
}

func (s *simulation) lines(all []*simResult) error {
	enc := json.NewEncoder(s.tool.stdout)
	enc.SetEscapeHTML(false)
	for _, r := range all {
		if err := enc.Encode(r.object(s.campaign.First)); err != nil {
			return err
		}
	}
	return nil
}

func (r *simResult) object(first uint64) simObject {
	o := simObject{
		World: r.Scenario.Name, Verdict: "holds", AsDeclared: r.code() == exitOK, FirstSeed: first, Seeds: r.Seeds, Asked: r.Asked, Again: r.Again,
		Unrepeatable: r.Unrepeatable, Undecided: r.Inconclusive, Violations: []violationObject{}, Counts: r.Counts, Messages: r.Stats.Delivered, Lost: r.Stats.Dropped,
		Duplicated: r.Stats.Duplicated, Late: r.Stats.Delayed, Cut: r.Stats.Cut, Crashes: r.Stats.Crashes, Restarts: r.Stats.Restarts,
		Simulated: rounded(
			r.VirtualTime.Seconds(),
			1e3,
		), Seconds: rounded(r.WorkTime.Seconds(), 1e6), Rate: rounded(rate(r.Stats.Delivered, r.WorkTime), 1),
	}
	for _, v := range r.violations {
		o.Verdict = "violated"
		object := violationObject{
			Property: v.property,
			Declared: v.declared(),
			Seeds:    r.Violated[v.property],
			Seed:     v.Seed,
			Where:    v.result.Where,
			Command:  v.again,
			Trace:    v.trace,
			Found:    v.plan,
			History:  v.history,
			Plan:     v.shrunk,
		}
		if v.trace != "" {
			object.Steps = v.steps
		}
		if v.err != nil {
			object.Error = v.err.Error()
		}
		o.Violations = append(o.Violations, object)
	}
	if r.found() == exitInconclusive {
		o.Verdict = "inconclusive"
	}
	return o
}

// simJUnit writes a suite for each world: a case for its seeds, and one for each violated property.
func simJUnit(path string, all []*simResult) error {
	run, total := junitRun{Name: "canvass simulate"}, 0.0
	for _, r := range all {
		suite := junitSuite{Name: r.Scenario.Name, Time: xmlSeconds(r.WorkTime.Seconds())}
		total += r.WorkTime.Seconds()
		whole := junitCase{Class: r.Scenario.Name, Name: "seeds"}
		switch {
		case r.Unrepeatable > 0:
			whole.Error = &junitMessage{r.notes()[0], "error"}
		case r.missing():
			whole.Failure = &junitMessage{"declared violated, but holds", "expectation"}
		case r.open() || r.Inconclusive > 0:
			whole.Error = &junitMessage{fmt.Sprintf("%d seeds of %d", r.Seeds-r.Inconclusive, r.Asked), "inconclusive"}
		}
		suite.add(whole)
		for _, v := range r.violations {
			c := junitCase{Class: r.Scenario.Name, Name: v.property}
			if v.declared() == "" {
				c.Failure = &junitMessage{v.result.Where + "; " + v.again, v.Scenario.ShapeOf(v.property)}
			}
			suite.add(c)
		}
		run.Suites = append(run.Suites, suite)
		run.Tests, run.Failures, run.Errors = run.Tests+suite.Tests, run.Failures+suite.Failures, run.Errors+suite.Errors
	}
	run.Time = xmlSeconds(total)
	return write(path, func(w io.Writer) error {
		if _, err := io.WriteString(w, xml.Header); err != nil {
			return err
		}
		enc := xml.NewEncoder(w)
		enc.Indent("", "  ")
		if err := enc.Encode(run); err != nil {
			return err
		}
		_, err := io.WriteString(w, "\n")
		return err
	})
}
