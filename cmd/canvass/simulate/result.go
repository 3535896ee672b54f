package simulate

import (
	"fmt"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/sim"
)

// simResult is the outcome of the runs of one scenario.
type simResult struct {
	*sim.Totals
	violations []*violation
	ended      string // why not all seeds were run
}

// violation is a violated property, shown by the run that shrank to the fewest steps.
type violation struct {
	sim.Finding
	property string
	again    string // the command that makes the run again
	shrunk   *sim.Plan
	result   *sim.Result // of the shrunk plan
	steps    int         // of the trace
	trace    string      // its file; "" if not written
	unsaved  string      // why it was not written, although nothing failed
	plan     string      // the file of the plan as it was found; "" if there is none
	smallest string      // the file of the shrunk plan; "" if it is that of the trace
	history  string      // a page that shows the history that was checked; "" if there is none
	err      error
}

// why is the reason for which the scenario is expected to violate the property; "" if it is not.
func (v *violation) why() string { return v.Scenario.Expected[v.property] }

// least is how many seeds must have been run before an expected violation counts as missing.
const least = 100

// hasNoViolation reports whether violations are expected and none of them occurred.
func (r *simResult) hasNoViolation() bool {
	if r.Seeds < least || r.isOpen() {
		return false
	}
	missing := len(r.Scenario.Expected) > 0
	for _, v := range r.violations {
		missing = missing && v.why() == ""
	}
	return missing
}

// isOpen reports whether not all seeds were run.
func (r *simResult) isOpen() bool { return r.Asked > r.Seeds || r.Seeds == 0 }

// code is the exit code that the scenario calls for: that of its findings, or of a finding that
// could not be saved.
func (r *simResult) code() int {
	code := r.found()
	for _, v := range r.violations {
		if v.err != nil {
			code = cli.Worse(code, cli.CodeError)
		}
	}
	return code
}

// found is the exit code of the findings.
func (r *simResult) found() int {
	code := cli.CodeOK
	if r.Unrepeatable > 0 {
		code = cli.CodeError
	}
	for _, v := range r.violations {
		switch {
		case v.property == sim.PanicProperty:
			code = cli.Worse(code, cli.CodeError)
		case v.why() == "":
			code = cli.Worse(code, cli.CodeSafety)
		}
	}
	if r.hasNoViolation() {
		code = cli.Worse(code, cli.CodeExpectation)
	}
	if r.isOpen() || r.Inconclusive > 0 {
		code = cli.Worse(code, cli.CodeInconclusive)
	}
	return code
}

// pendingLabel is shown for a scenario whose expected violation has not occurred on few seeds.
const pendingLabel = "not violated yet"

// label is the verdict as texts show it.
func (r *simResult) label() string {
	switch code := r.found(); {
	case code == cli.CodeInconclusive:
		return "inconclusive"
	case code == cli.CodeExpectation:
		return "NOT VIOLATED"
	case code != cli.CodeOK:
		return "VIOLATED"
	case len(r.violations) > 0:
		return "fails as expected"
	case len(r.Scenario.Expected) > 0:
		return pendingLabel
	}
	return "holds"
}

// notes describes the findings in a scenario, one line each.
func (r *simResult) notes() []string {
	var notes []string
	if r.Unrepeatable > 0 {
		notes = append(notes, english.Count(int(r.Unrepeatable), "run")+" came out differently the second time")
	}
	for _, v := range r.violations {
		notes = append(notes, v.note(r.Violated[v.property]))
		if v.trace != "" {
			notes = append(notes, "  canvass replay "+v.trace)
		}
		notes = append(notes, "  again: "+v.again)
		if v.history != "" {
			notes = append(notes, "  history, before shrinking: "+v.history)
		}
	}
	if r.hasNoViolation() {
		notes = append(notes, "expected to be "+scenarioExpectation(r.Scenario)+", but holds")
	}
	if r.label() == pendingLabel {
		notes = append(notes, fmt.Sprintf("expected to be %s within %d seeds", scenarioExpectation(r.Scenario), least))
	}
	if r.Inconclusive > 0 {
		notes = append(notes, english.Count(int(r.Inconclusive), "seed")+" came to no verdict in time")
	}
	if r.isOpen() {
		note := fmt.Sprintf("%s of %s run", english.Grouped(r.Seeds), english.Count(int(r.Asked), "seed"))
		if r.ended != "" {
			note = "stopped: " + r.ended + "; " + note
		}
		notes = append(notes, note)
	}
	return notes
}

// note says which property is violated, how often, and how.
func (v *violation) note(seeds uint64) string {
	note := fmt.Sprintf("%s is violated by %s: %s", v.property, english.Count(int(seeds), "seed"), v.result.Where)
	if why := v.why(); why != "" {
		note += " (expected: " + why + ")"
	}
	if v.unsaved != "" {
		note += "; no trace: " + v.unsaved
	}
	if v.err != nil {
		note += "; no trace: " + v.err.Error()
	}
	switch {
	case v.trace != "":
		note += "; shrunk to " + english.Count(v.steps, "step")
	case v.smallest != "":
		note += "; shrunk: " + v.smallest
	case v.plan != "":
		note += "; not shrunk: " + v.plan
	}
	return note
}
