package walks

import (
	"fmt"
	"sync"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/traces"
)

// World describes a world whose seeds walk through systems.
type World struct {
	Title, Line string // its name, family/kind, and what happens in it, in a line
	SeedName    string // see [sim.Scene]
	// Fill draws who is there and what may happen.
	Fill func(p *sim.Plan, c *sim.Chance)
	// System makes the system of a plan from its operations. Those that are steps are not its
	// business. An error that wraps [model.ErrBudget] or [model.ErrSystem] says that the plan is none.
	System func(p *sim.Plan) (model.Checkable, error)
	// Least is a plan that has a system, with all properties.
	Least *sim.Plan
}

// Scene returns the world.
func (w World) Scene() sim.World {
	return sim.Scene{
		Title: w.Title, Line: w.Line, SeedName: w.SeedName,
		Fill: func(p *sim.Plan, c *sim.Chance) {
			p.Latency = "constant 50000" // a plan has one, though nobody asks
			w.Fill(p, c)
		},
		Play:  func(p *sim.Plan, o sim.RunOptions) (*sim.Result, error) { return play(w.System, p, o) },
		Held:  sync.OnceValue(func() []checker.Property { return rulesOf(w.least()) }),
		Terms: func() []traces.Term { return w.least().Info().Words },
		Bounds: func(p *sim.Plan) string {
			system, err := w.System(p)
			if err != nil {
				return ""
			}
			return system.Info().Bounds
		},
	}
}

// least is the system of the least plan.
func (w World) least() model.Checkable {
	system, err := w.System(w.Least)
	if err != nil {
		panic(fmt.Sprintf("world %s: its least plan is none: %v", w.Title, err))
	}
	return system
}
