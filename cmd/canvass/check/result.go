package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/model"
)

// result is the outcome of the check of one model.
type result struct {
	info     model.Info
	limits   *limits         // of the run
	report   *checker.Report // nil if the check never began or failed
	err      error           // why it failed
	coverage *model.Coverage // nil if the model does not record it
	resume   string          // the command that resumes the search, "" if there is no checkpoint
	dead     bool            // an action or an event that the model provides for never happens
	findings []finding       // one for each property, the deadlock check included
}

// finding is the verdict on one property, compared with the expected one.
type finding struct {
	checker.Outcome
	expected    bool   // the property is expected to be violated
	why         string // the reason for that
	otherFaults bool   // the expectation is about another fault budget
	trace       string // file of the counterexample, "" if not written
}

// standing says how a verdict compares with the expected one.
type standing uint8

const (
	asExpected standing = iota
	unexpected          // violated, and expected to hold
	missing             // holds, and expected to be violated
	untested            // holds, and no state puts it to the test
	undecided
)

func (f *finding) standing() standing {
	switch {
	case f.Verdict == checker.Inconclusive:
		return undecided
	case f.Verdict == checker.Violated && !f.expected:
		return unexpected
	case f.Verdict == checker.Holds && f.expected && !f.otherFaults:
		return missing
	case f.isVacuous() && !f.otherFaults:
		return untested
	}
	return asExpected
}

func (f *finding) code() int {
	switch f.standing() {
	case undecided:
		return cli.CodeInconclusive
	case unexpected:
		return verdict.ViolationCode(f.Property.Shape)
	case missing, untested:
		return cli.CodeExpectation
	}
	return cli.CodeOK
}

// steps is the length of the counterexample; false if there is none to count.
func (f *finding) steps() (int, bool) {
	if f.Verdict != checker.Violated || f.Path == nil {
		return 0, false
	}
	return len(f.Path.Steps) - 1, true
}

func (f *finding) name() string { return fmt.Sprintf("%s (%s)", f.Property.Name, f.Property.Shape) }

// isVacuous reports whether the property holds because no state put it to the test.
func (f *finding) isVacuous() bool { return f.Outcome.Vacuous() != "" }

// untested says that the property is vacuous.
func (f *finding) untested() string { return f.name() + ": holds, but " + f.Outcome.Vacuous() }

// compareVerdicts compares a report with the verdicts that the model expects. An expected violation
// need not occur under a fault budget that is not the model's own.
func compareVerdicts(info model.Info, report *checker.Report, otherFaults bool) (*result, error) {
	r := &result{info: info, report: report}
	for _, o := range report.Outcomes {
		f := finding{Outcome: o, otherFaults: otherFaults}
		for _, e := range info.Expected {
			if e.Property == o.Property.Name {
				f.expected, f.why = e.Violated, e.Why
			}
		}
		r.findings = append(r.findings, f)
	}
	for _, e := range info.Expected {
		if _, ok := report.Outcome(e.Property); !ok {
			return nil, fmt.Errorf("the model expects a verdict on %q, but has no such property; correct its "+
				"expectations",
				e.Property)
		}
	}
	return r, nil
}

// code is the exit code that the model calls for.
func (r *result) code() int {
	if r.err != nil {
		return cli.CodeError
	}
	if r.report == nil {
		return cli.CodeInconclusive
	}
	code := cli.CodeOK
	if r.dead {
		code = cli.CodeExpectation
	}
	for i := range r.findings {
		code = cli.Worse(code, r.findings[i].code())
	}
	if code == cli.CodeInconclusive && r.isSampled() {
		return cli.CodeSampled
	}
	return code
}

// isSampled reports whether the search came to its end, and could prove nothing: it saw samples of
// the states.
func (r *result) isSampled() bool {
	return r.report.Stopped == checker.StoppedBySampling || r.report.Stopped == checker.StoppedByOmission
}

func (r *result) isAsExpected() bool { return r.code() == cli.CodeOK }

// verdict is holds, violated or inconclusive.
func (r *result) verdict() string {
	if r.report == nil {
		return checker.Inconclusive.String()
	}
	return r.report.Verdict().String()
}

// label is the verdict as texts show it. Capitals mark what needs attention.
func (r *result) label() string {
	switch code := r.code(); {
	case r.err != nil:
		return "ERROR"
	case r.report == nil:
		return "not run"
	case cli.IsOpen(code):
		return "inconclusive"
	case code == cli.CodeOK && r.verdict() == "violated":
		return "fails as expected"
	case code == cli.CodeOK:
		return "holds"
	case r.has(unexpected):
		return "VIOLATED"
	case r.dead:
		return "DEAD"
	case r.has(missing):
		return "NOT VIOLATED"
	}
	return "UNTESTED"
}

func (r *result) has(s standing) bool {
	return slices.ContainsFunc(r.findings, func(f finding) bool { return f.standing() == s })
}

// violated lists the violated properties: the unexpected ones first, and of those alike the one
// with the shortest counterexample first.
func (r *result) violated() []*finding {
	var all []*finding
	for i := range r.findings {
		if f := &r.findings[i]; f.Verdict == checker.Violated {
			all = append(all, f)
		}
	}
	rank := func(f *finding) int {
		if f.standing() == unexpected {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b *finding) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		na, _ := a.steps()
		nb, _ := b.steps()
		return na - nb
	})
	return all
}

// first is the violated property that matters most: an unexpected one, else any. It is nil if no
// property is violated.
func (r *result) first() *finding {
	var best *finding
	for i := range r.findings {
		f := &r.findings[i]
		if f.Verdict == checker.Violated && (best == nil || best.standing() == asExpected && f.standing() == unexpected) {
			best = f
		}
	}
	return best
}

// stopped is the word for why the check ended before every property was decided; "none" if every
// property was.
func (r *result) stopped() string {
	switch {
	case r.err != nil:
		return "error"
	case r.report == nil:
		return "not run"
	}
	return r.report.Stopped.String()
}

// notes describes the model, one line each: first violations, each with the command that replays
// it, then the remarks.
func (r *result) notes() []string {
	var notes []string
	for _, f := range r.violated() {
		notes = append(notes, f.violation())
	}
	return append(notes, r.remarks()...)
}

// remarks are the notes but for the violations.
func (r *result) remarks() []string {
	var notes []string
	for i := range r.findings {
		f := &r.findings[i]
		switch {
		case f.standing() == missing:
			notes = append(notes, f.name()+": expected to be violated, but holds"+because(f.why))
		case f.isVacuous():
			notes = append(notes, f.untested())
		}
	}
	if r.report != nil {
		for _, why := range r.report.Declined {
			notes = append(notes, "not reduced by "+why)
		}
	}
	if r.has(unexpected) && r.findings[0].otherFaults {
		notes = append(notes, "the fault budget is not the model's own, so no violation was expected; it may break an "+
			"assumption: \"canvass models limit\" lists models that show the failure then")
	}
	for _, never := range r.never() {
		if r.dead {
			never = "DEAD: " + never
		}
		notes = append(notes, never)
	}
	if stop := r.stop(); stop != "" {
		notes = append(notes, stop)
	}
	if r.report != nil && r.report.Storage != checker.Exact {
		notes = append(notes, r.report.Assurance())
	}
	if r.resume != "" {
		notes = append(notes, "to resume: "+r.resume)
	}
	if r.err != nil {
		notes = append(notes, r.err.Error())
	}
	return notes
}

// never lists possible events of the model that never happened, if the model was explored
// completely. Under a fault budget that is not the model's own it is no failure, but such a verdict
// shows nothing about the fault.
func (r *result) never() []string {
	if r.coverage == nil || r.report == nil || !r.report.Complete {
		return nil
	}
	return r.coverage.Never
}

// violation describes the violation of a property in one line.
func (f *finding) violation() string {
	text := f.name() + ": "
	if f.expected {
		text += "violated as expected"
	} else {
		text += "VIOLATED"
	}
	if n, ok := f.steps(); ok {
		text += " in " + english.Count(n, "step")
	} else if f.Property.Shape == checker.Sometimes {
		text += ": it never happens"
	}
	text += because(f.why)
	if f.trace != "" {
		text += "; canvass replay " + f.trace
	}
	return text
}

// explained describes the violation of a property to a reader who may be new to the property. Where
// other violations are unexpected, it says if this one is expected.
func (r *result) explained(f *finding) string {
	text := f.Property.Name + " is violated"
	if f.expected && r.has(unexpected) {
		text += " as expected"
	}
	if n, ok := f.steps(); ok {
		text += " in " + english.Count(n, "step")
	} else if f.Property.Shape == checker.Sometimes {
		text += ": it never happens"
	}
	if doc := cli.OneLine(strings.TrimSuffix(f.Property.Doc, ".")); doc != "" {
		text += fmt.Sprintf(": %q (%s)", doc, f.Property.Shape)
	} else {
		text += " (" + f.Property.Shape.String() + ")"
	}
	return text
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return " (" + why + ")"
}
