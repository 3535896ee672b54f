package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/english"
	"github.com/canvass-grid/canvass/model"
)

// result is what came of one model.
type result struct {
	info     model.Info
	report   *checker.Report // nil if the check never began or failed
	err      error           // why it failed
	coverage *model.Coverage // nil if the model does not tell
	kept     string          // the checkpoint to resume from, "" if there is none
	dead     bool            // something that the model provides for never happens
	findings []finding       // one for each property, the deadlock check included
}

// finding is the answer to one property, held against what was declared.
type finding struct {
	checker.Outcome
	declared bool   // the declaration is that the property is violated
	why      string // and why
	excused  bool   // the budget is not the one that the declaration was made for
	trace    string // file of the counterexample, "" if none was written
}

// standing is how an answer stands to its declaration.
type standing uint8

const (
	asDeclared standing = iota
	undeclared          // violated, and nobody said so
	unmet               // declared violated, but holds
	undecided
)

func (f *finding) standing() standing {
	switch {
	case f.Verdict == checker.Inconclusive:
		return undecided
	case f.Verdict == checker.Violated && !f.declared:
		return undeclared
	case f.Verdict == checker.Holds && f.declared && !f.excused:
		return unmet
	}
	return asDeclared
}

func (f *finding) code() int {
	switch f.standing() {
	case undecided:
		return exitInconclusive
	case undeclared:
		return violationCode(f.Property.Shape)
	case unmet:
		return exitExpectation
	}
	return exitOK
}

// steps is the length of the counterexample; false if there is none to count.
func (f *finding) steps() (int, bool) {
	if f.Verdict != checker.Violated || f.Path == nil {
		return 0, false
	}
	return len(f.Path.Steps) - 1, true
}

func (f *finding) name() string { return fmt.Sprintf("%s (%s)", f.Property.Name, f.Property.Shape) }

// vacuous reports whether the property holds of no case at all, which is worth a word.
func (f *finding) vacuous() bool {
	return f.Verdict == checker.Holds && f.Cases == 0 && f.Property.Shape != checker.DeadlockFree
}

// judge holds a report against the declarations of the model. Under another budget than the model's
// own a declared violation need not occur.
func judge(info model.Info, report *checker.Report, excused bool) (*result, error) {
	r := &result{info: info, report: report}
	for _, o := range report.Outcomes {
		f := finding{Outcome: o, excused: excused}
		for _, e := range info.Expected {
			if e.Property == o.Property.Name {
				f.declared, f.why = e.Violated, e.Why
			}
		}
		r.findings = append(r.findings, f)
	}
	for _, e := range info.Expected {
		if _, ok := report.Outcome(e.Property); !ok {
			return nil, fmt.Errorf("%s declares a verdict on %q, but has no such property; correct the declaration",
				info.Name, e.Property)
		}
	}
	return r, nil
}

// code is the exit code that the model calls for.
func (r *result) code() int {
	if r.err != nil {
		return exitError
	}
	if r.report == nil {
		return exitInconclusive
	}
	code := exitOK
	if r.dead {
		code = exitExpectation
	}
	for i := range r.findings {
		code = worse(code, r.findings[i].code())
	}
	return code
}

func (r *result) asDeclared() bool { return r.code() == exitOK }

// verdict is holds, violated or inconclusive.
func (r *result) verdict() string {
	if r.report == nil {
		return checker.Inconclusive.String()
	}
	return r.report.Verdict().String()
}

// label is the verdict as the table shows it: capitals demand attention.
func (r *result) label() string {
	switch code := r.code(); {
	case r.err != nil:
		return "ERROR"
	case r.report == nil:
		return "not run"
	case code == exitInconclusive:
		return "inconclusive"
	case code == exitOK && r.verdict() == "violated":
		return "violated as declared"
	case code == exitOK:
		return "holds"
	case r.has(undeclared):
		return "VIOLATED"
	case r.dead:
		return "DEAD"
	}
	return "NOT VIOLATED"
}

func (r *result) has(s standing) bool {
	return slices.ContainsFunc(r.findings, func(f finding) bool { return f.standing() == s })
}

// first is the violated property that matters most: one that nobody declared, else any. Nil if none
// is.
func (r *result) first() *finding {
	var best *finding
	for i := range r.findings {
		f := &r.findings[i]
		if f.Verdict == checker.Violated && (best == nil || best.standing() == asDeclared && f.standing() == undeclared) {
			best = f
		}
	}
	return best
}

// stopped says why the check ended before everything was decided: "none" if it did not.
func (r *result) stopped() string {
	switch {
	case r.err != nil:
		return "error"
	case r.report == nil:
		return "not run"
	}
	return r.report.Stopped.String()
}

// notes says in one line each what is to be said about single properties.
func (r *result) notes() []string {
	var notes, open []string
	for i := range r.findings {
		f := &r.findings[i]
		switch {
		case f.standing() == undecided:
			open = append(open, f.Property.Name)
		case f.Verdict == checker.Violated:
			notes = append(notes, f.violation())
		case f.standing() == unmet:
			notes = append(notes, f.name()+": declared violated, but holds"+because(f.why))
		case f.vacuous():
			notes = append(notes, f.name()+": holds, but nothing ever put it to the test")
		}
	}
	if r.report != nil {
		for _, why := range r.report.Declined {
			notes = append(notes, "not reduced by "+why)
		}
	}
	if r.has(undeclared) && r.findings[0].excused {
		notes = append(
			notes,
			"the budget is not the model's own: nothing was declared for it; what no such protocol can do, see canvass models '*limit*'",
		)
	}
	if r.dead {
		for _, never := range r.coverage.Never {
			notes = append(notes, "DEAD: "+never)
		}
	}
	if len(open) > 0 {
		notes = append(notes, fmt.Sprintf("not decided (%s): %s", r.stopped(), strings.Join(open, ", ")))
		if r.report != nil && r.report.Stopped == checker.StoppedByMemory {
			notes = append(notes, "the memory limit was reached: "+r.report.Stopped.Hint()+
				"; if they are only many, see --memory-limit, --reduce, --storage and --swarm")
		}
	}
	if r.report != nil && r.report.Storage != checker.Exact {
		notes = append(notes, r.report.Assurance())
	}
	if r.kept != "" {
		notes = append(
			notes,
			fmt.Sprintf(
				"kept as far as it came: canvass check %s --checkpoint %s --resume",
				r.info.Name,
				filepath.ToSlash(filepath.Dir(r.kept)),
			),
		)
	}
	if r.err != nil {
		notes = append(notes, r.err.Error())
	}
	return notes
}

func (f *finding) violation() string {
	text := f.name() + ": "
	if f.declared {
		text += "violated as declared"
	} else {
		text += "VIOLATED"
	}
	if n, ok := f.steps(); ok {
		text += ", " + english.Count(n, "step")
	} else if f.Property.Shape == checker.Sometimes {
		text += ", it never happens"
	}
	text += because(f.why)
	if f.trace != "" {
		text += "; canvass replay " + f.trace
	}
	return text
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return " (" + why + ")"
}
