package muster

import (
	"fmt"

	mustermodel "github.com/canvass-grid/canvass/model/muster"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// oracle checks a run against the properties.
type oracle struct {
	sim.Violation
	run       *run
	chronicle *mustermodel.Chronicle
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
}

// Quiescent implements [sim.Oracle].
func (o *oracle) Quiescent() (property, where string) {
	for i := range o.run.Len() {
		if s := o.run.site(i); s != nil {
			if property = s.Unsettled(); property != "" {
				return property, fmt.Sprintf("the attempt has not ended at %v", s.Core.Self)
			}
		}
	}
	return "", ""
}
