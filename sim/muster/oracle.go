package muster

import (
	"fmt"

	attempts "github.com/canvass-grid/canvass/model/muster"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// oracle checks a run against the properties.
type oracle struct {
	sim.Violation
	run       *run
	chronicle *attempts.Chronicle
	seen      map[string]int
}

// step is called after each step that changed a node or had events.
func (o *oracle) step(node int, events []protocol.Event) {
	for _, e := range events {
		o.seen[e.Name]++
	}
	s := o.run.site(node)
	if s == nil {
		return
	}
	o.chronicle.Observe(node, s, events)
	if property := o.chronicle.Broken(); property != "" {
		o.Violate(property, "%s", sim.InStep(s.Core.Self, events))
	}
	if s.Core.Ended && s.World.Process == attempts.Runs {
		o.Violate("EndKills", "the process of %v runs after the end", s.Core.Self)
	}
}

// Quiescent implements [sim.Oracle].
func (o *oracle) Quiescent() (property, where string) {
	for i := range o.run.Len() {
		s := o.run.site(i)
		switch {
		case s == nil || s.Core.Ended:
		case s.World.Process == attempts.Runs:
			return "HaltReaches", fmt.Sprintf("the process of %v runs", s.Core.Self)
		default:
			return "NobodyWaits", fmt.Sprintf("the attempt has not ended at %v", s.Core.Self)
		}
	}
	return "", ""
}
