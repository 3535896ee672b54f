package traces

// Version is the version of the format that this package writes, and the only version that it
// reads.
const Version = 1

// The shapes of properties, by the names that the checker gives them.
const (
	Always       = "always"        // true in every state: violated in the last one
	Sometimes    = "sometimes"     // true in some state: a witness ends in one
	Quiescent    = "quiescent"     // true in every quiescent state: violated in the last one
	LeadsTo      = "leads to"      // triggered, and never true afterwards: a loop or an end without it
	Reaches      = "reaches"       // from the trigger, the goal can no longer be reached
	AlmostSurely = "almost surely" // after the trigger, the goal was lost
	DeadlockFree = "deadlock free" // no action is enabled in the last state
)

// The verdicts that a trace can show.
const (
	Violated = "violated" // the run is a counterexample
	Holds    = "holds"    // the run is a witness: shape Sometimes only
)

// Init is the kind of the action of the first step, which led to the initial state.
const Init = "init"

// Header names the model of a run and the claim that the run proves.
type Header struct {
	Model       string
	Property    string
	Shape       string // Always, Sometimes, ...
	Verdict     string // Violated or Holds
	Trigger     int    // the step that opens the obligation: LeadsTo, Reaches, AlmostSurely; else -1
	Bounds      string // bounds of the check apart from the faults
	Nodes       int    // how many processes, if the model was resized; else 0
	Budget      Budget
	Commit      string // of the source of the model
	Go          string // version of Go
	Description string // one line for the reader
}

// Budget bounds how often each fault may happen in the run.
type Budget struct {
	Drop      int
	Duplicate int
	Spurious  int
	Crash     int
	Restart   int
	Suspect   int
	Repeat    bool // unbounded duplication: an arrived message may arrive again

	// Adversarial delivery: any message ever sent may arrive at any time, at any later incarnation.
	Adversarial bool
	Late        int // number of messages that arrive like that
}

// Step is an action and its effects.
type Step struct {
	Action  Action     // of the first step: only the kind, Init
	State   []Variable // after the action
	Effects []string   // messages and events of the node, one line each
}

// Trace is a run.
type Trace struct {
	Header Header
	// Steps starts with the initial state.
	Steps []Step
	// Loop is -1 for a finite run. Otherwise the last state is that of Steps[Loop] again.
	Loop int
}

// stops reports whether the run shows its claim by going no further: nothing more has to happen.
func (t *Trace) stops() bool { return t.Header.Shape == LeadsTo && t.Loop < 0 }

// faults lists the numbers of a budget with their names, in the order of the format.
func (b *Budget) faults() []fault {
	return []fault{
		{"drop", &b.Drop}, {"duplicate", &b.Duplicate}, {"spurious", &b.Spurious},
		{"crash", &b.Crash}, {"restart", &b.Restart}, {"suspect", &b.Suspect},
	}
}

// optional lists the numbers of a budget that the format leaves out if they are 0.
func (b *Budget) optional() []fault { return []fault{{"late", &b.Late}} }

type fault struct {
	name  string
	count *int
}

// triggered reports whether runs of a shape have a step that opens an obligation.
func triggered(shape string) bool {
	return shape == LeadsTo || shape == Reaches || shape == AlmostSurely
}

func knownShape(shape string) bool {
	switch shape {
	case Always, Sometimes, Quiescent, LeadsTo, Reaches, AlmostSurely, DeadlockFree:
		return true
	}
	return false
}
