package main

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

// compare holds the head of a trace to what the model says of itself. What makes up the claim must
// agree, or the trace no longer fits. Words for the reader may have been put better since: they are
// returned as a note, and the header gets the model's.
func compare(system model.Checkable, h *traces.Header) (note string, err error) {
	p, ok := propertyOf(system, h.Property)
	if !ok {
		p = checker.Property{Name: h.Property, Shape: checker.DeadlockFree, Doc: h.Description} // the one that no model lists
	}
	own := model.TraceHeader(system.Info(), p)
	for _, fact := range []struct{ name, file, model string }{
		{"shape", h.Shape, own.Shape}, {"bounds", h.Bounds, own.Bounds}, {"nodes", fmt.Sprint(h.Nodes), fmt.Sprint(own.Nodes)},
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
