package sim

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/traces"
)

// Scene is a [World] that is described by functions, which keep nothing between calls.
type Scene struct {
	Title, Line string // its name, family/kind, and what happens in it, in a line
	// SeedName is mixed into seeds in place of the name, if it is set. A scenario that was renamed
	// keeps its former name here, so that a seed still draws the run that it drew before.
	SeedName string
	// Fill draws all of a plan but its world, its seed and its shape. Operations need be in no order.
	Fill func(p *Plan, c *Chance)
	// Play makes the run of a plan.
	Play func(p *Plan, o RunOptions) (*Result, error)
	// Held lists what runs are held to. It is called often.
	Held func() []checker.Property
	// Terms explain the texts of runs; nil explains nothing.
	Terms func() []traces.Term
	// Bounds say what bounds the run of a plan, for people; nil or "" is what the plan itself says
	// ([Plan.Brief]).
	Bounds func(p *Plan) string
	// Excuses say of properties that are declared to be violated why; nil declares none.
	Excuses map[string]string
}

var _ World = Scene{}

// Name implements [World].
func (s Scene) Name() string { return s.Title }

// Doc implements [World].
func (s Scene) Doc() string { return s.Line }

// Draw implements [World].
func (s Scene) Draw(seed uint64) *Plan {
	c := NewChance(seed, protocol.Hash([]byte(cmp.Or(s.SeedName, s.Title))))
	p := &Plan{World: s.Title, Seed: c.Below(1 << 53), Shape: c.Below(1 << 53)}
	s.Fill(p, c)
	slices.SortStableFunc(p.Ops, func(a, b Op) int { return int(a.AtMicros - b.AtMicros) })
	return p
}

// Run implements [World].
func (s Scene) Run(p *Plan, o RunOptions) (*Result, error) { return s.Play(p, o) }

// Properties implements [World].
func (s Scene) Properties() []checker.Property { return s.Held() }

// Words implements [World].
func (s Scene) Words() []traces.Term {
	if s.Terms == nil {
		return nil
	}
	return s.Terms()
}

// Within implements [World].
func (s Scene) Within(p *Plan) string {
	if s.Bounds == nil {
		return p.Brief()
	}
	return cmp.Or(s.Bounds(p), p.Brief())
}

// Declared implements [World].
func (s Scene) Declared(property string) string { return s.Excuses[property] }

// Declares implements [World].
func (s Scene) Declares() bool { return len(s.Excuses) > 0 }
