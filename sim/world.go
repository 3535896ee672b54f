package sim

import (
	"errors"

	"github.com/canvass-grid/canvass/traces"
)

// World is a kind of run: who is in it, what is done to it, and what must hold. Its methods may be called from
// several goroutines at once, so it keeps nothing between calls.
type World interface {
	// Name is family/kind, unique.
	Name() string
	// Doc says in a line what happens in it.
	Doc() string
	// Draw makes the plan of a seed. Equal seeds give equal plans.
	Draw(seed uint64) *Plan
	// Run makes the run of a plan. Equal plans give equal results. A plan that makes no sense in this world is an error
	// that wraps [ErrPlan].
	Run(p *Plan, o RunOptions) (*Result, error)
	// Shape is the shape of a property of this world, by the names of package traces, or "" if it has no such property.
	Shape(property string) string
	// Declared says why a property is declared to be violated in this world, or "" if it must hold: a world may show
	// what a protocol cannot do.
	Declared(property string) string
	// Declares reports whether any property is.
	Declares() bool
}

// RunOptions say what else a run should do than come to a verdict. They change nothing in it.
type RunOptions struct {
	Record Recorder    // if set, is told everything
	Stop   func() bool // if set, is asked now and then whether to give up
	Faults bool        // list the faults that messages suffered, and steps
	Twice  bool        // make every step twice; the second counts
}

// ErrStopped is returned by runs that were given up.
var ErrStopped = errors.New("the run was given up")

// Recorder is told what happens in a run, in the vocabulary of traces.
type Recorder interface {
	// Begin comes first.
	Begin(state func() []traces.Variable)
	// Before comes before an action.
	Before(a traces.Action)
	// After comes after it, with what it led to. State may be called until the next Before.
	After(effects []string, state func() []traces.Variable)
}

// Result is what came of a run.
type Result struct {
	Verdict  Verdict
	Property string // that is violated
	Where    string // what was seen, for people
	AtMicros int64  // when the run ended
	Digest   Digest
	Stats    Stats
	Faults   []Fault        // if asked for
	Steps    []Op           // if asked for: what a plan without a list of faults left to chance besides, as operations to add to it
	Counts   map[string]int // how often what happened; for witnesses
	// Page, if not nil, writes a page (HTML) that shows what was violated to a file.
	Page func(path string) error
}

// Verdict is how a run ended.
type Verdict uint8

// The verdicts. What is not decided is not a pass.
const (
	Inconclusive Verdict = iota
	Holds
	Violated
)

// String names the verdict as reports do.
func (v Verdict) String() string { return [...]string{"inconclusive", "holds", "violated"}[v] }
