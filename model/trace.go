package model

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/traces"
)

// TraceHeader returns the header of a trace that shows a violation of a property. The caller fills
// in the build.
func TraceHeader(info Info, p checker.Property) traces.Header {
	h := traces.Header{
		Model: info.Name, Property: p.Name, Shape: p.Shape.String(), Verdict: traces.Violated, Trigger: -1,
		Bounds: info.Bounds, Budget: traces.Budget(info.Budget), Description: strings.Join(strings.Fields(p.Doc), " "),
	}
	if info.Resized {
		h.Nodes = info.Nodes
	}
	return h
}

// Trace records the run that a check found, from an outcome with a Path. It then replays the trace:
// a trace that does not replay here would not replay anywhere. Package traces writes it in several
// formats and replays it with traces.Replay.
func Trace(system Checkable, o checker.Outcome) (*traces.Trace, error) {
	switch {
	case o.Path == nil:
		return nil, fmt.Errorf("model %s: %s is %v, and no run shows that", system.Info().Name, o.Property.Name, o.Verdict)
	case o.Path.Initial != 0:
		return nil, fmt.Errorf("the run starts in initial state %d, and a machine has only one", o.Path.Initial)
	}
	header := TraceHeader(system.Info(), o.Property)
	header.Trigger = o.Path.Trigger
	var choices []int
	for _, step := range o.Path.Steps[1:] {
		choices = append(choices, step.Action)
	}
	machine := system.Machine()
	t, err := traces.Record(machine, choices, o.Path.Loop, header)
	if err != nil {
		return nil, err
	}
	return t, traces.Replay(machine, t, nil)
}
