package replay

import (
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/traces"
)

// propertyOf finds a property of a model.
func propertyOf(system model.Checkable, name string) (checker.Property, bool) {
	for _, p := range system.Model().Properties() {
		if p.Name == name {
			return p, true
		}
	}
	return checker.Property{}, false
}

// compare compares the header of a trace with its model. The parts of the claim must agree, or the
// trace is stale. The description may have been reworded since: then the header gets the model's,
// and a note says so.
func compare(system model.Checkable, h *traces.Header) (note string, err error) {
	p, ok := propertyOf(system, h.Property)
	if !ok {
		p = checker.Property{Name: h.Property, Shape: checker.DeadlockFree, Doc: h.Description} // which no model lists
	}
	own := model.TraceHeader(system.Info(), p)
	for _, fact := range []struct{ name, file, model string }{
		{"shape", h.Shape, own.Shape}, {"bounds", h.Bounds, own.Bounds},
		{"nodes", fmt.Sprint(h.Nodes), fmt.Sprint(own.Nodes)},
	} {
		if fact.file != fact.model {
			return "", &traces.HeaderError{Field: fact.name, Was: fact.file, Is: fact.model}
		}
	}
	if h.Description != own.Description {
		note = fmt.Sprintf("the file describes %s as %q, the model as %q", h.Property, h.Description, own.Description)
		h.Description = own.Description
	}
	return note, nil
}
