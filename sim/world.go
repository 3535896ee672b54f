package sim

import (
	"errors"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/traces"
)

// World is a kind of run: who is in it, what is done to it, and what must hold. Its methods may be
// called from several goroutines at once, so it keeps nothing between calls.
type World interface {
	// Name is family/kind, unique.
	Name() string
	// Doc says in a line what happens in it.
	Doc() string
	// Draw makes the plan of a seed. Equal seeds give equal plans.
	Draw(seed uint64) *Plan
	// Run makes the run of a plan. Equal plans give equal results. A plan that makes no sense in this
	// world is an error that wraps [ErrPlan].
	Run(p *Plan, o RunOptions) (*Result, error)
	// Properties are what its runs are held to.
	Properties() []checker.Property
	// Words explain the texts of its runs to readers of pages.
	Words() []traces.Term
	// Within says what bounds the run of a plan, for people.
	Within(p *Plan) string
	// Declared says why a property is declared to be violated in this world, or "" if it must hold: a
	// world may show what a protocol cannot do.
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
	Begin(now View)
	// Before comes before an action.
	Before(a traces.Action)
	// After comes after it, with what it led to. What there is to see may be asked for until the next
	// Before.
	After(effects []string, now View)
}

// View is what can be seen of a run at a moment.
type View interface {
	State() []traces.Variable
	// Draw returns a picture, without nodes if there is none.
	Draw() traces.Picture
	// Holds reports whether a property holds now. Where only the run as a whole says that, the error
	// is [ErrUndecided].
	Holds(property string) (bool, error)
}

// Result is what came of a run.
type Result struct {
	Verdict  Verdict
	Property string // that is violated
	Where    string // what was seen, for people
	AtMicros int64  // when the run ended
	Digest   Digest
	Stats    Stats
	Length   uint64         // steps to the end, or to what is violated: of findings, those of the fewest are shrunk
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
