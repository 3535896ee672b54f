package sim

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/traces"
)

// Scenario is a kind of run: its nodes, its operations, and its properties. Its functions may be
// called from several goroutines at once, so they keep nothing between calls. All fields but Bounds
// and Expected must be set.
type Scenario struct {
	Name string // family/kind, unique
	Doc  string // the events of a run, in one line
	// Draw makes the plan of a seed; see [DrawFrom]. Equal seeds give equal plans.
	Draw func(seed uint64) *Plan
	// Run makes the run of a plan. Equal plans give equal results. A plan that is impossible in this
	// scenario is an error that wraps [ErrPlan].
	Run func(p *Plan, o RunOptions) (*Result, error)
	// Properties lists the properties of runs. It is called often.
	Properties func() []checker.Property
	// Words explain the texts of runs to readers of pages.
	Words func() []traces.Term
	// Bounds names the bounds of the run of a plan. If it is nil or returns "", the plan's own text is
	// used: [Plan.Brief].
	Bounds func(p *Plan) string
	// Expected are the violations that the scenario exists to show: by property, why it breaks. All
	// other properties must hold.
	Expected map[string]string
}

// DrawFrom returns a [Scenario.Draw] for the scenario of that name. It draws the seed and the shape
// of the plan itself; fill draws the rest, with operations in any order. The seed name is mixed
// into seeds. Usually the scenario's name; if the scenario was renamed, its first name, so that a
// seed still draws the same run.
func DrawFrom(seedName, name string, fill func(p *Plan, c *Chance)) func(seed uint64) *Plan {
	stream := protocol.Hash([]byte(seedName))
	return func(seed uint64) *Plan {
		c := NewChance(seed, stream)
		p := &Plan{Scenario: name, Seed: c.Below(1 << 53), Shape: c.Below(1 << 53)}
		fill(p, c)
		slices.SortStableFunc(p.Ops, func(a, b Op) int { return int(a.AtMicros - b.AtMicros) })
		return p
	}
}

// BoundsOf names the bounds of the run of a plan, for people.
func (s *Scenario) BoundsOf(p *Plan) string {
	if s.Bounds == nil {
		return p.Brief()
	}
	return cmp.Or(s.Bounds(p), p.Brief())
}

// PropertyOf returns the property of that name.
func (s *Scenario) PropertyOf(name string) (p checker.Property, ok bool) {
	all := s.Properties()
	i := slices.IndexFunc(all, func(p checker.Property) bool { return p.Name == name })
	if i < 0 {
		return p, false
	}
	return all[i], true
}

// ShapeOf is the shape of the property of that name, in the words of package traces, or "" if the
// scenario has no such property.
func (s *Scenario) ShapeOf(name string) string {
	if p, ok := s.PropertyOf(name); ok {
		return p.Shape.String()
	}
	return ""
}

// Result is the outcome of a run.
type Result struct {
	Verdict  Verdict
	Property string // the violated property
	Where    string // observation, for people
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
