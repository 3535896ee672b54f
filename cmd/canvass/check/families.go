package check

import (
	"fmt"
	"io"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/model"
)

// families is the output of a check unless more is asked for. It writes one line for each family of
// models, as soon as the last model of the family is done, and describes a model in full if its
// verdict is not the expected one. If only a few models are checked it describes all of them.
type families struct {
	w    io.Writer
	each bool // describe every model
	all  []*family
	rows verdict.Rows
	open int // inconclusive models that were described
}

// family has the common data of models whose names begin with the same word.
type family struct {
	name   string
	models int
	totals verdict.Totals
}

// openShown is how many inconclusive models are described: a limit may stop all of them.
const openShown = 5

func newFamilies(w io.Writer, systems []chosen) *families {
	f := &families{w: w, each: len(systems) <= verdict.Few}
	var expected []verdict.Totals
	for _, s := range systems {
		name := verdict.FamilyOf(s.Info().Name)
		i := f.index(name)
		if i == len(f.all) {
			f.all = append(f.all, &family{name: name})
			expected = append(expected, verdict.Totals{})
		}
		f.all[i].models++
		if expectation(s.Info()) == checker.Holds.String() {
			expected[i].Hold++
		} else {
			expected[i].Fail++
		}
	}
	for i, one := range f.all {
		f.rows.Fit(one.name, english.Count(one.models, "model"), expected[i].Verdicts())
	}
	return f
}

func (f *families) index(name string) int {
	for i, one := range f.all {
		if one.name == name {
			return i
		}
	}
	return len(f.all)
}

func (f *families) result(r *result) error {
	var b strings.Builder
	one := f.all[f.index(verdict.FamilyOf(r.info.Name))]
	add(&one.totals, r)
	switch {
	case f.each || !r.isAsExpected() && !cli.IsOpen(r.code()):
		describe(&b, r)
	case r.report != nil && cli.IsOpen(r.code()):
		if f.open++; f.open <= openShown {
			describe(&b, r)
		}
	}
	if !f.each && one.totals.Models == one.models {
		t := &one.totals
		f.rows.Write(&b, one.name, english.Count(one.models, "model"), t.Verdicts(),
			english.Count(int(t.States), "state"), verdict.Seconds(t.Elapsed))
	}
	_, err := io.WriteString(f.w, b.String())
	return err
}

func (f *families) end(all []*result) error {
	text := ""
	if more := f.open - openShown; more > 0 && !f.each {
		text = fmt.Sprintf("%s more inconclusive; --verbose lists them\n", english.Count(more, "model"))
	}
	if len(all) > 1 {
		text += summary(all) + "\n"
	}
	_, err := io.WriteString(f.w, text)
	return err
}

// describe writes the result of one model: the verdict, the bounds, each violated property with the
// command that shows the counterexample, and remarks.
func describe(b *strings.Builder, r *result) {
	fmt.Fprintf(b, "%s: %s\n", r.info.Name, r.label())
	within := "  within " + r.info.Bounds + "; " + faultsText(r.info.Budget)
	if r.report != nil {
		within += fmt.Sprintf("; %s, %s", english.Count(int(r.report.States), "state"),
			verdict.Seconds(r.report.Elapsed.Seconds()))
	}
	b.WriteString(within + "\n")
	for _, f := range r.violated() {
		b.WriteString("  " + r.explained(f) + "\n")
		if f.why != "" {
			b.WriteString("    why: " + cli.OneLine(f.why) + "\n")
		}
		if f.trace != "" {
			b.WriteString("    canvass replay " + f.trace + "\n")
		}
	}
	for _, remark := range r.remarks() {
		b.WriteString("  " + remark + "\n")
	}
}

func faultsText(b model.Budget) string {
	if text := b.String(); text != "none" {
		return "faults: " + text
	}
	return "no faults"
}
