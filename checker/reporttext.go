package checker

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/canvass-grid/canvass/checker/english"
)

// String returns what [Report.WriteTo] writes.
func (r *Report) String() string {
	var b strings.Builder
	_, _ = r.WriteTo(&b) // a Builder takes everything
	return b.String()
}

// WriteTo writes the report for a person to read: the verdict and the size of the model, a line for
// each property, what never happened, and why the check stopped, if it stopped early. It implements
// [io.WriterTo].
//
// Times and figures of memory are left out, so the text is the same in every run, as far as the
// report is. Programs read the fields instead: the text may change.
func (r *Report) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %s, %s, depth %s\n", r.Verdict(), english.Count(int(r.States), "state"),
		english.Count(int(r.Transitions), "transition"), english.Grouped(uint64(r.Depth)))
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, o := range r.Outcomes {
		fmt.Fprintf(table, "  %s\t%v\t%v\t%s\n", o.Property.Name, o.Property.Shape, o.Verdict, o.evidence())
	}
	_ = table.Flush() // into a Builder
	for _, line := range r.remarks() {
		b.WriteString(line + "\n")
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// evidence says what the verdict on a property rests on.
func (o *Outcome) evidence() string {
	cases := english.Count(int(o.Cases), "case")
	switch {
	case o.Vacuous() != "" && o.Path != nil:
		return o.Vacuous()
	case o.Path != nil:
		return o.Path.length(o.Property.Shape)
	case o.Property.Shape == Sometimes && o.Verdict == Violated:
		return "no state is a witness"
	case o.Verdict == Inconclusive:
		return cases + " so far"
	case o.Vacuous() != "":
		return cases + ": holds vacuously"
	}
	return cases
}

// length says how many steps a path has.
func (p *Path) length(shape Shape) string {
	steps := max(len(p.Steps)-1, 0)
	switch {
	case p.Loop >= 0:
		return english.Count(p.Loop, "step") + ", then a loop of " + english.Count(steps-p.Loop, "step")
	case shape == Sometimes:
		return "witness after " + english.Count(steps, "step")
	case shape == LeadsTo:
		return english.Count(steps, "step") + ", then the run stops"
	}
	return english.Count(steps, "step")
}

// remarks are the lines below the table.
func (r *Report) remarks() (lines []string) {
	if never := r.never(); len(never) > 0 {
		lines = append(lines, "never happened: "+listed(never))
	}
	for _, o := range r.Outcomes {
		if len(o.Forced) > 0 {
			lines = append(lines, fmt.Sprintf("%s holds only because nothing lets a run stop before: %s "+
				"(a class without a mark is forced; mark it Optional, or set Spec.Stutters, if it need not happen)",
				o.Property.Name, listed(o.Forced)))
		}
	}
	if len(r.Reductions) > 0 {
		lines = append(lines, "reduced by "+strings.Join(r.Reductions, ", "))
	}
	for _, d := range r.Declined {
		lines = append(lines, "not reduced by "+d)
	}
	if r.Searches > 0 || r.Storage != Exact || r.Order.Samples() {
		lines = append(lines, r.Assurance())
	}
	if few := r.audits(); few != "" {
		lines = append(lines, few)
	}
	if r.CheckpointError != nil {
		lines = append(lines, r.CheckpointError.Error())
	}
	if r.Stopped != NotStopped && r.CheckpointStates > 0 {
		lines = append(lines, "the checkpoint has "+english.Count(int(r.CheckpointStates), "state"))
	}
	if r.Stopped != NotStopped {
		lines = append(lines, "stopped early: "+r.Stopped.explain())
	}
	return lines
}

// audits says in how many states the functions of the model were tested, if not in the first states
// alone.
func (r *Report) audits() string {
	if r.Audited < auditedFirst || r.Audited >= r.States {
		return ""
	}
	return fmt.Sprintf("functions tested in %s: the first %s, and one in %d of the others",
		english.Count(int(r.Audited), "state"), english.Grouped(auditedFirst), auditedShare)
}

// mostListed is how many names a line of the report has. A system of package model has a class for
// each thing that may happen to each node, and its budget rules most of them out.
const mostListed = 6

// listed joins names, and counts those beyond the limit.
func listed(names []string) string {
	if more := len(names) - mostListed; more > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostListed], ", "), more)
	}
	return strings.Join(names, ", ")
}

// never lists the classes without a transition, where that says something: of a model that was seen
// as a whole.
func (r *Report) never() (names []string) {
	for _, c := range r.Actions() {
		if r.Complete && c.Transitions == 0 {
			names = append(names, c.Class)
		}
	}
	return names
}

// explain says in a sentence why a check ended early.
func (r Reason) explain() string {
	switch r {
	case StoppedByViolation:
		return "a violation was found, or every property was decided"
	case StoppedByInterrupt:
		return "the context was cancelled"
	case StoppedByTimeout:
		return "the deadline of the context passed"
	case StoppedByMemory:
		return "the tables would outgrow the memory limit; " + r.Hint()
	case StoppedByStates:
		return "more states were found than the options allow"
	case StoppedByDepth:
		return "states at the greatest depth that the options allow were not expanded"
	case StoppedByOmission:
		return "the state storage omits states, so a search that finds nothing proves nothing"
	case StoppedBySampling:
		return "random walks meet only some of the states, so what they do not find may exist"
	}
	return r.String()
}

// ClassCount is how often actions of one class happen.
type ClassCount struct {
	Class       string
	Transitions uint64
}

// Actions returns the number of transitions of each class by its name, in the order of the model.
func (r *Report) Actions() []ClassCount {
	counts := make([]ClassCount, 0, len(r.Classes))
	for i, c := range r.Classes {
		counts = append(counts, ClassCount{c.Name, r.ClassCounts[i]})
	}
	return counts
}

// ActionCount returns the number of transitions of the named class, and whether the model has it.
func (r *Report) ActionCount(class string) (transitions uint64, ok bool) {
	for i, c := range r.Classes {
		if c.Name == class {
			return r.ClassCounts[i], true
		}
	}
	return 0, false
}
