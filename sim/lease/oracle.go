package lease

import (
	"fmt"

	leasemodel "github.com/canvass-grid/canvass/model/lease"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
	"github.com/canvass-grid/canvass/sim"
)

// oracle checks a run against the properties.
type oracle struct {
	sim.Violation
	run       *run
	chronicle *leasemodel.Chronicle
	seen      map[string]int
}

// step is called after each step that changed a node or had events.
func (o *oracle) step(node int, events []protocol.Event) {
	for _, e := range events {
		o.seen[e.Name]++
	}
	if !o.run.Live(node) {
		return
	}
	s := o.run.State(node)
	o.chronicle.Observe(node, s, events)
	if property := o.chronicle.Broken(o.run.sites()); property != "" {
		o.Violate(property, "%s", sim.InStep(s.Core.Self, events))
	}
}

// isOpen reports whether a node that is in the grid of a generation runs.
func (o *oracle) isOpen(generation uint32) bool {
	for _, s := range o.run.sites() {
		if s.Core.Phase == lease.Leased && s.Core.Entered && s.Core.Generation == generation {
			return true
		}
	}
	return false
}

// Quiescent implements [sim.Oracle].
func (o *oracle) Quiescent() (property, where string) {
	for _, s := range o.run.sites() {
		if s.Core.Phase != lease.Leased || !s.Core.Entered {
			return "Settles", fmt.Sprintf("%v is in no grid", s.Core.Self)
		}
	}
	return "", ""
}
