package random

import (
	"cmp"
	"fmt"
	"sync"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/traces"
)

// Scenario describes a scenario whose seeds walk through closed systems.
type Scenario struct {
	Name     string // family/kind
	Doc      string // the events of a run, in one line
	SeedName string // the first name of a scenario that was renamed; see [sim.DrawFrom]
	// Fill draws the nodes and the events that may happen to them.
	Fill func(p *sim.Plan, c *sim.Chance)
	// System makes the system of a plan from its operations, without the steps among them. An error
	// that wraps [model.ErrBudget] or [model.ErrSystem] says that the plan has no system.
	System func(p *sim.Plan) (model.Checkable, error)
	// Least is a plan that has a system, with all properties.
	Least *sim.Plan
}

// Build returns the scenario as the simulator runs it.
func (s Scenario) Build() *sim.Scenario {
	fill := func(p *sim.Plan, c *sim.Chance) {
		p.Latency = "constant 50000" // a plan must have one, though walks do not use it
		s.Fill(p, c)
	}
	return &sim.Scenario{
		Name: s.Name, Doc: s.Doc,
		Draw:       sim.DrawFrom(cmp.Or(s.SeedName, s.Name), s.Name, fill),
		Run:        func(p *sim.Plan, o sim.RunOptions) (*sim.Result, error) { return runPlan(s.System, p, o) },
		Properties: sync.OnceValue(func() []checker.Property { return propertiesOf(s.least()) }),
		Words:      func() []traces.Term { return s.least().Info().Words },
		Bounds: func(p *sim.Plan) string {
			system, err := s.System(p)
			if err != nil {
				return ""
			}
			return system.Info().Bounds
		},
	}
}

// least is the system of the least plan.
func (s Scenario) least() model.Checkable {
	system, err := s.System(s.Least)
	if err != nil {
		panic(fmt.Sprintf("scenario %s: its least plan has no system: %v", s.Name, err))
	}
	return system
}
