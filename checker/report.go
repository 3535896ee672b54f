package checker

import (
	"errors"
	"fmt"
	"time"
)

// Verdict is the answer to one property.
type Verdict uint8

const (
	// Inconclusive: the check ended before the property was decided. It is not a pass.
	Inconclusive Verdict = iota
	// Holds: the property is true of the whole model (or, for Sometimes, its witness was found).
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
	// StoppedByViolation: a violation was found and the options did not ask for more, or every
	// property was decided before the space was exhausted.
	StoppedByViolation
	// StoppedByInterrupt: the context was cancelled.
	StoppedByInterrupt
	// StoppedByTimeout: the deadline of the context passed.
	StoppedByTimeout
	// StoppedByMemory: the tables would have outgrown Options.MemoryLimitBytes.
	StoppedByMemory
	// StoppedByStates: more than Options.MaxStates were found, or the 2^32-2 states that an index can name.
	StoppedByStates
	// StoppedByDepth: states at Options.MaxDepth were left unexpanded.
	StoppedByDepth
	// StoppedByOmission: the search came to its end, but its storage was Bitstate, which omits states.
	StoppedByOmission
	// StoppedBySampling: as many states were met as were asked for, at random, and that proves nothing of those that
	// were not.
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

// Hint is what a person should look at first who did not expect a check to end for this reason; "" if there is nothing to say.
func (r Reason) Hint() string {
	if r != StoppedByMemory {
		return ""
	}
	return "states may have no end, if a queue or a counter has none"
}

// Report is what a check found, and within which bound.
type Report struct {
	States      uint64        // distinct states found; for orders RandomWalk and PCT states met, each time one is
	Transitions uint64        // successors of all expanded states, including those found before
	Depth       int           // steps from the initial states to the deepest state found, or of the longest walk
	Elapsed     time.Duration // with that of the run that a checkpoint was of

	// Order is the one that was used, and Walks the number of random walks.
	Order Order
	Walks uint64
	// Searches is how many searches were merged: see [Merge]. 0 means that this is the report of one.
	Searches uint64

	// MemoryBytes is the most that the tables of the engine held at once, ModelBytes what the model
	// last said its own held.
	MemoryBytes, ModelBytes uint64
	// BytesPerState is what the search keeps in memory for good, for each state: the visited set, and the
	// states that are not on disk.
	BytesPerState float64
	// DiskBytes is what went to disk.
	DiskBytes uint64

	// Storage is the one that was used. CollisionBound bounds the odds that a state was missed because its
	// fingerprint is that of another: 0 if the storage is Exact, 1 if it is Bitstate or if the order is one of walks,
	// which misses states in any case. It counts the pairs of states found, and takes fingerprints for numbers
	// drawn at random.
	Storage        Storage
	CollisionBound float64
	// Coverage is 1, or for storage Bitstate an estimate of the share of states found among those met. States
	// that only omitted states lead to were not met. 0 means that there is no estimate, as of random walks.
	Coverage float64
	// IndependentCoverage is that of all searches of a merged report, if what they omit is independent.
	IndependentCoverage float64

	// CheckpointError says why the last checkpoint could not be written; nil if it was, or none was due.
	CheckpointError error

	// Reductions names those in use: then States and Transitions are those of the reduced system, and paths are
	// shortest among its paths. Declined says of others why they could not be used.
	Reductions, Declined []string

	// Complete says that every reachable state was found and expanded, up to CollisionBound.
	Complete bool
	Stopped  Reason

	// Outcomes has one entry for each property in the order of the model, and a last one, of shape
	// DeadlockFree, for the deadlock check.
	Outcomes []Outcome
	// Classes are those of the model, and ClassCounts is the number of transitions of each. A zero in
	// a complete report means that the action never happens; under symmetry, that it does not happen
	// in the states that stand for orbits, while the same action of another part may. By name:
	// [Report.Actions] and [Report.ActionCount].
	Classes     []Class
	ClassCounts []uint64
}

// Outcome is the answer to one property.
type Outcome struct {
	Property Property
	Verdict  Verdict
	// Path leads to the violation or, for Sometimes, to the witness. Nil if there is nothing to show: a violated Sometimes is one
	// whose witness does not exist, and other verdicts than these have none.
	Path *Path
	// Cases counts the states that put the property to the test: all of them for Always and Sometimes,
	// those at rest for Quiescent, those that open an obligation for LeadsTo, Reaches and AlmostSurely,
	// those without successors for DeadlockFree. A property that holds of no case holds vacuously. The
	// count is exact only if the verdict is Holds and the shape is not Sometimes; until a property is
	// decided it says how much was tried.
	Cases uint64
	// Walk is the number, from 0, of the walk that decided the property, for orders RandomWalk and PCT.
	Walk uint64
}

// Verdict sums the outcomes up: Violated if any is, Holds if all do, and Inconclusive otherwise.
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

// Outcome returns the outcome of the named property, and whether there is one. The deadlock check is
// named [Deadlock].
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
// Each step but the first is a transition of the model: expanding the state of the step before yields
// the state of this one at place Action. A replay needs nothing but Initial and the actions: unlike the
// words of the states, they are the same in every run.
type Path struct {
	// Initial is the place of the first state among those that [Model] adds in Initial.
	Initial int

	Steps []PathStep

	// Loop is -1 for a finite path. Otherwise the path is a lasso: the state of the last step equals
	// that of Steps[Loop], and the run goes round from there for ever. The loop has at least one step
	// and passes, for every class that is Fair, through a state where the class is disabled or a step of the
	// class; and for every class that is Strong and enabled in any of its states, through a step of the class.
	// None of its steps is of a class that is Finite.
	Loop int

	// Trigger is the step whose state opens the obligation that is never met, for LeadsTo, Reaches and
	// AlmostSurely; -1 for all other shapes. A path of LeadsTo without a loop ends in a state without
	// successors but those of Finite classes; one of Reaches or AlmostSurely ends in the first state from which no goal can be
	// reached any more.
	Trigger int
}

// PathStep is a state and how it was reached.
type PathStep struct {
	State []uint32
	// Action is the place of the transition in the Expand order of the step before. For the first step
	// it is -1.
	Action int
	// Class is the class of that transition; -1 for the first step.
	Class int
}

// PanicError is returned by [Check] when the model panicked while a state was being expanded or
// evaluated. Path leads to that state: whatever broke can be replayed. It has no steps if the model panicked while it made its initial states.
// It wraps what was passed to panic, if that is an error.
type PanicError struct {
	Value any    // what was passed to panic
	Stack []byte // of the goroutine that panicked
	Path  *Path
}

// Error says what the model panicked with and how deep.
func (e *PanicError) Error() string {
	what, where := "panicked", fmt.Sprintf("a state %d steps deep", e.Depth())
	if e.Broken() != nil {
		what = "breaks its contract"
	}
	if len(e.Path.Steps) == 0 {
		where = "its initial state"
	}
	return fmt.Sprintf("checker: the model %s in %s: %s", what, where, e.Problem())
}

// Unwrap returns what was passed to panic, if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Depth is how many steps lead to the state.
func (e *PanicError) Depth() int { return max(len(e.Path.Steps)-1, 0) }

// Broken returns the error by which the model told that it breaks its contract, or nil if it panicked with anything else.
func (e *PanicError) Broken() *ContractError {
	var broken *ContractError
	errors.As(e.Unwrap(), &broken)
	return broken
}

// Problem is what the model panicked with, in words.
func (e *PanicError) Problem() string {
	if broken := e.Broken(); broken != nil {
		return broken.Problem
	}
	return fmt.Sprint(e.Value)
}

// ContractError is returned by [Check] when the model breaks its contract in a way that the engine can
// tell: most often an Expand that does not return the same successors for the same state. A model that notices that it is broken may
// panic with one: the [PanicError] that wraps it says so.
type ContractError struct{ Problem string }

// Error says which part of the contract was broken.
func (e *ContractError) Error() string { return "checker: the model breaks its contract: " + e.Problem }
