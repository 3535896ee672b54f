package metric

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
)

// Formula is a measure that a user writes over the table of counted jobs, such as
// "p99(wait/requested)". The package comment has its language.
type Formula struct{ root *term }

// term is a part of a formula.
type term struct {
	kind      kind
	name      string // of a field, a function or an operator
	number    float64
	parts     []*term
	where     *term // of a statistic; nil for all jobs
	condition bool  // it holds or does not; otherwise it is a number
	ofJobs    bool  // it has a value for each job
	column    int   // in the text, from 1
}

// kind is the kind of a term.
type kind uint8

const (
	constant kind = iota
	field
	statistic // of all jobs
	pointwise // a function of the values of one job
	operation
)

// IsFormula reports whether a text is a formula rather than the name of a number of a row.
func IsFormula(text string) bool {
	return strings.ContainsFunc(strings.TrimSpace(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_'
	})
}

// OfJobs reports whether the formula has a value for each job, rather than one for the run.
func (f *Formula) OfJobs() bool { return f.root.ofJobs }

// OfRun returns an error unless the formula has one value for the run.
func (f *Formula) OfRun() error {
	if !f.OfJobs() {
		return nil
	}
	return &FormulaError{f.String(), 1, "it has a value for each job, not one for the run: use a statistic " +
		"of it, such as mean(" + f.String() + ")"}
}

// String writes the formula with the fewest parentheses and with single spaces. Formulas that are
// written alike are equal.
func (f *Formula) String() string { return f.root.text(0) }

// precedence orders operators. An operand of a higher one needs no parentheses.
var precedence = map[string]int{
	"or": 1, "and": 2, "not": 3, "<": 4, "<=": 4, ">": 4, ">=": 4, "==": 4, "!=": 4, "+": 5, "-": 5, "*": 6, "/": 6,
	negative: 7,
}

// negative is the operator of one operand that is written "-".
const negative = "negative"

// text writes a term as an operand of an operator of some precedence.
func (t *term) text(outer int) string {
	switch t.kind {
	case constant:
		return strconv.FormatFloat(t.number, 'f', -1, 64)
	case field:
		return t.name
	case statistic, pointwise:
		var parts []string
		for _, p := range t.parts {
			parts = append(parts, p.text(0))
		}
		inside := strings.Join(parts, ", ")
		if t.where != nil {
			inside = strings.TrimSpace(inside + " where " + t.where.text(0))
		}
		return t.name + "(" + inside + ")"
	}
	own := precedence[t.name]
	var text string
	switch t.name {
	case "not":
		text = "not " + t.parts[0].text(own)
	case negative:
		text = "-" + t.parts[0].text(own)
	case "*", "/":
		text = t.parts[0].text(own) + t.name + t.parts[1].text(own+1)
	case "+", "-", "and", "or":
		text = t.parts[0].text(own) + " " + t.name + " " + t.parts[1].text(own+1)
	default: // comparisons cannot be operands of comparisons
		text = t.parts[0].text(own+1) + " " + t.name + " " + t.parts[1].text(own+1)
	}
	if own < outer {
		return "(" + text + ")"
	}
	return text
}

// Of computes a formula that has one value for the run. The value is NaN if it is undefined, as the
// mean of no jobs is. The error is that of [Summarise].
func (f *Formula) Of(
	w *scheduler.Workload, p *scheduler.Platform, records []scheduler.Record, o Options,
) (float64, error) {
	if err := f.OfRun(); err != nil {
		return 0, err
	}
	jobs, err := countedJobs(w, p, records, o)
	if err != nil {
		return 0, err
	}
	return (&jobTable{w, jobs}).values(f.root)[0], nil
}

// Values computes a formula that has a value for each counted job, in order of submission. Jobs
// without a value are left out. The error is that of [Summarise].
func (f *Formula) Values(
	w *scheduler.Workload, p *scheduler.Platform, records []scheduler.Record, o Options,
) ([]float64, error) {
	if !f.OfJobs() || f.root.condition {
		return nil, &FormulaError{f.String(), 1, "it needs a value for each job, as wait/requested has"}
	}
	jobs, err := countedJobs(w, p, records, o)
	if err != nil {
		return nil, err
	}
	var known []float64
	for _, x := range (&jobTable{w, jobs}).values(f.root) {
		if !math.IsNaN(x) {
			known = append(known, x)
		}
	}
	if len(known) == 0 {
		return nil, &FormulaError{f.String(), 1, "no job has a value for it"}
	}
	return known, nil
}

// FormulaError describes a mistake in a formula, with its place.
type FormulaError struct {
	Formula string
	Column  int // from 1, in characters
	Problem string
}

// Error names the formula and the place.
func (e *FormulaError) Error() string {
	return fmt.Sprintf("metric %q: column %d: %s", e.Formula, e.Column, e.Problem)
}
