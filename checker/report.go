package checker

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/canvass-grid/canvass/checker/english"
)

// Verdict is the answer to one property.
type Verdict uint8

const (
	// Inconclusive: the check ended before the property was decided. It is not a pass.
	Inconclusive Verdict = iota
	// Holds: the property is true of the whole model (for Sometimes: its witness was found).
	Holds
	// Violated: the property is false.
	Violated
)

// String returns the verdict in one lower-case word.
func (v Verdict) String() string {
	switch v {
	case Inconclusive:
		return "inconclusive"
	case Holds:
		return "holds"
	case Violated:
		return "violated"
	}
	return fmt.Sprintf("verdict(%d)", uint8(v))
}

// Reason is why a check ended before it had decided everything.
type Reason uint8

const (
	// NotStopped: every property was decided on the whole state space.
	NotStopped Reason = iota
	// StoppedByViolation: a violation was found and the options did not ask to continue, or every
	// property was decided before all states were known.
	StoppedByViolation
	// StoppedByInterrupt: the context was cancelled.
	StoppedByInterrupt
	// StoppedByTimeout: the deadline of the context passed.
	StoppedByTimeout
	// StoppedByMemory: the tables would have outgrown Options.MemoryLimitBytes.
	StoppedByMemory
	// StoppedByStates: more than Options.MaxStates states were found, or 2^32-2, which is all that
	// an index can name.
	StoppedByStates
	// StoppedByDepth: states at Options.MaxDepth were not expanded.
	StoppedByDepth
	// StoppedByOmission: the search is complete, but its storage was Bitstate, which omits states.
	StoppedByOmission
	// StoppedBySampling: as many states were visited at random as the options ask for. That proves
	// nothing about the others.
	StoppedBySampling
)

var reasonNames = [...]string{
	"none", "violation", "interrupted", "timeout", "memory", "states", "depth", "omission",
	"sampling",
}

// String returns the reason in one lower-case word.
func (r Reason) String() string {
	if int(r) >= len(reasonNames) {
		return fmt.Sprintf("reason(%d)", uint8(r))
	}
	return reasonNames[r]
}

// Hint is what to look at first when a check ends for this reason unexpectedly; "" if there is
// nothing to say.
func (r Reason) Hint() string {
	if r != StoppedByMemory {
		return ""
	}
	return "the states may be infinitely many, if a queue or a counter is unbounded"
}

// Report has the results of a check, and its bounds. [Report.WriteTo] writes it as text.
type Report struct {
	States      uint64        // distinct states found; for orders RandomWalk and PCT all visits
	Transitions uint64        // successors of all expanded states, including those found before
	Depth       int           // steps to the deepest state found, or of the longest walk
	Elapsed     time.Duration // including the runs before a resume

	// Order is the order of the search, and Walks the number of random walks.
	Order Order
	Walks uint64
	// Searches is how many searches were merged: see [Merge]. 0 means that this is the report of
	// one search.
	Searches uint64

	// MemoryBytes is the most that the tables of the engine held at once. ModelBytes is the size of
	// the model's tables in its last report.
	MemoryBytes, ModelBytes uint64
	// BytesPerState is the permanent memory of the search for each state: the visited set, and the
	// states that are not on disk.
	BytesPerState float64
	// DiskBytes is the number of bytes on disk.
	DiskBytes uint64

	// Storage is the state storage that was used. CollisionBound bounds the probability that a
	// state was missed because it has the fingerprint of another. It is 0 if the storage is Exact,
	// and 1 if the storage is Bitstate or the order is one of random walks, which miss states in
	// any case. It counts the pairs of states found, and assumes that fingerprints are random
	// numbers.
	Storage        Storage
	CollisionBound float64
	// Coverage is 1, or for storage Bitstate an estimate of the share of states found among the
	// generated ones. States that only omitted states lead to were never generated. 0 means that there
	// is no estimate, as for random walks.
	Coverage float64
	// IndependentCoverage is the coverage of all searches of a merged report together, if they omit
	// states independently.
	IndependentCoverage float64

	// Audited is in how many of the expanded states the functions of the model were called once
	// more and their results compared: in the first 256 states, and in one of 256 others. It is the
	// same with any number of workers and after a resume.
	Audited uint64

	// CheckpointStates is how many states the search in the file of Options.Checkpoint has: the last
	// file of this check, or the file that it was resumed from. 0 means that there is no file.
	CheckpointStates uint64
	// CheckpointError is why the last checkpoint could not be written; nil if it was, or if it was not
	// due.
	CheckpointError error

	// Reductions names the reductions in use: then States and Transitions are those of the reduced
	// system, and paths are shortest among its paths. Declined names the others, each with the
	// reason.
	Reductions, Declined []string

	// Complete reports that every reachable state was found and expanded, up to CollisionBound.
	Complete bool
	Stopped  Reason

	// Outcomes has one entry for each property in the order of the model, and a last one, of shape
	// DeadlockFree, for the deadlock check.
	Outcomes []Outcome
	// Classes are those of the model, and ClassCounts is the number of transitions of each. A zero
	// in a complete report means that the action never happens; under symmetry, that it does not
	// happen in the states that stand for orbits, while the same action of another part may. By
	// name: [Report.Actions] and [Report.ActionCount].
	Classes     []Class
	ClassCounts []uint64
}

// Outcome is the answer to one property.
type Outcome struct {
	Property Property
	Verdict  Verdict
	// Path leads to the violation or, for Sometimes, to the witness. It is nil if there is nothing
	// to show: a violated Sometimes is one whose witness does not exist, and other verdicts have no
	// path.
	Path *Path
	// Cases counts the states that put the property to the test: all states for Always and Sometimes,
	// the quiescent ones for Quiescent, states that open an obligation for LeadsTo, Reaches and
	// AlmostSurely, those without successors for DeadlockFree. A property without cases holds
	// vacuously. The count is exact only if the verdict is Holds and the shape is not Sometimes. Until
	// a property is decided it is the number of cases so far.
	Cases uint64
	// Walk is the number, from 0, of the walk that decided the property, for orders RandomWalk and
	// PCT.
	Walk uint64
	// Forced names the classes without a mark on which a LeadsTo that holds depends: a run that
	// stopped before their actions would violate it. If nothing forces these actions in reality,
	// mark the classes Optional, or set Spec.Stutters. If there are none, the property holds even
	// so. States that a reduction leaves out are not considered.
	Forced []string
}

// Vacuous says why a property that holds was not put to the test: no state is a case of it, or an
// initial state is already the witness of a Sometimes. It is "" if the property was tested, or does
// not hold. The deadlock check needs no case: a model may run forever.
func (o *Outcome) Vacuous() string {
	switch {
	case o.Verdict != Holds || o.Property.Shape == DeadlockFree:
		return ""
	case o.Property.Shape == Sometimes && o.Path != nil && len(o.Path.Steps) == 1:
		return "an initial state is the witness"
	case o.Cases == 0:
		return "no state puts it to the test"
	}
	return ""
}

// Verdict combines the outcomes: Violated if any is, Holds if all do, and Inconclusive otherwise.
func (r *Report) Verdict() Verdict {
	sum := Holds
	for _, o := range r.Outcomes {
		switch o.Verdict {
		case Violated:
			return Violated
		case Inconclusive:
			sum = Inconclusive
		}
	}
	return sum
}

// Outcome returns the outcome of the named property, and whether there is one. The deadlock check
// is named [Deadlock].
func (r *Report) Outcome(name string) (Outcome, bool) {
	for _, o := range r.Outcomes {
		if o.Property.Name == name {
			return o, true
		}
	}
	return Outcome{}, false
}

// Deadlock is the name of the outcome of the deadlock check.
const Deadlock = "deadlock"

// Path is a run of the model from an initial state.
//
// Each step but the first is a transition of the model: expanding the state of the step before
// yields the state of this one at index Action. A replay needs nothing but Initial and the actions:
// unlike the words of the states, they are the same in every run.
type Path struct {
	// Initial is the index of the first state among the states that [Model] adds in Initial.
	Initial int

	Steps []PathStep

	// Loop is -1 for a finite path. Otherwise the path is a lasso: the state of the last step
	// equals that of Steps[Loop], and the run repeats the steps from there forever. The loop has at
	// least one step. For every class that is Fair, it passes through a state where the class is
	// disabled or takes a step of the class. For every class that is Strong and enabled in any of
	// its states, it takes a step of the class. None of its steps is of a class that is Finite.
	Loop int

	// Trigger is the step whose state opens the obligation that is never met, for LeadsTo, Reaches
	// and AlmostSurely; -1 for all other shapes. A path of LeadsTo without a loop ends in a state
	// without successors but those of Finite or Optional classes: the run stops there. A path of
	// Reaches or AlmostSurely ends in the first state from which no goal can be reached.
	Trigger int
}

// PathStep is a state and how it was reached.
type PathStep struct {
	State []uint32
	// Action is the index of the transition in the Expand order of the step before, -1 for the
	// first step.
	Action int
	// Class is the class of that transition; -1 for the first step.
	Class int
}

// String returns what [Report.WriteTo] writes.
func (r *Report) String() string {
	var b strings.Builder
	_, _ = r.WriteTo(&b) // a Builder takes everything
	return b.String()
}

// WriteTo writes the report for a person to read: the verdict and the size of the model, a line for
// each property, events that never happened, and why the check stopped, if it stopped early. It
// implements [io.WriterTo].
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

// evidence describes the basis of the verdict on a property.
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
			lines = append(lines, fmt.Sprintf("%s holds only because runs may not stop before these actions: %s (a "+
				"class without a mark must be taken; mark it Optional, or set Spec.Stutters, if it need not happen)",
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
		return "random walks visit only some of the states, so undiscovered violations may exist"
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
