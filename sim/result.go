package sim

// Result is the outcome of a run.
type Result struct {
	Verdict  Verdict
	Property string // the violated property
	Where    string // what was seen, for people
	Stack    string // where the goroutine was, if a function did not return
	AtMicros int64  // when the run ended
	Digest   Digest
	Stats    Stats
	// Length counts the steps to the end or to the violation. Of several findings the shortest are
	// shrunk.
	Length uint64
	Faults []Fault // if asked for
	// Steps, if asked for, are the choices that a plan without a list of faults left to chance, as
	// operations that can be added to the plan.
	Steps  []Op
	Counts map[string]int // events by name; for witnesses
	// Page, if not nil, writes an HTML page that shows the violation to a file.
	Page func(path string) error
}

// Verdict is how a run ended.
type Verdict uint8

// The verdicts. An undecided run is not a pass.
const (
	Inconclusive Verdict = iota
	Holds
	Violated
)

// String names the verdict as reports do.
func (v Verdict) String() string { return [...]string{"inconclusive", "holds", "violated"}[v] }
