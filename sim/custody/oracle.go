package custody

import (
	custodymodel "github.com/canvass-grid/canvass/model/custody"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// oracle checks a run against the properties.
type oracle struct {
	sim.Violation
	chronicle *custodymodel.Chronicle
	seen      map[string]int
}

// step is called after each step that changed a node or had events.
func (o *oracle) step(node int, after custodymodel.Site, events []protocol.Event) {
	for _, e := range events {
		o.seen[e.Name]++
	}
	o.chronicle.Observe(node, after, events)
	if property := o.chronicle.Broken(); property != "" {
		o.Violate(property, "%s", sim.InStep(after.Core.Self, events))
	}
}

// Quiescent implements [sim.Oracle].
func (o *oracle) Quiescent() (property, where string) {
	if !o.chronicle.Ended() {
		return "NobodyWaits", "the job is open"
	}
	return "", ""
}
