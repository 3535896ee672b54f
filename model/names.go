package model

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/traces"
)

// NodeName returns the conventional name of the node with this index: A, B, C and so on.
func NodeName(node int) string { return string(rune('A' + node)) }

// NodeNames joins the names of some nodes. A node that is listed twice is named once.
func NodeNames(nodes []int) (names string) {
	for _, node := range nodes {
		if name := NodeName(node); !strings.Contains(names, name) {
			names += name
		}
	}
	return names
}

// ValidateName checks that a model can have this name. Reports, commands and file names need a
// single printable word. The error wraps [ErrSystem].
func ValidateName(name string) error {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		return fmt.Errorf("%w: the name %q; it must be a word", ErrSystem, name)
	}
	return nil
}

// ValidateNodes checks that each index names one of that many nodes. The error wraps [ErrSystem].
func ValidateNodes(nodes int, indexes ...int) error {
	for _, i := range indexes {
		if i < 0 || i >= nodes {
			return fmt.Errorf("%w: there is no node %d among %d", ErrSystem, i, nodes)
		}
	}
	return nil
}

// StateProperties lists the properties of some systems that concern single states: those of shape
// Always or Quiescent. A property of several systems is listed once, with the documentation of the
// first. A simulator can check a running system against them.
func StateProperties(systems []Checkable) []checker.Property {
	var all []checker.Property
	for _, s := range systems {
		for _, p := range s.Model().Properties() {
			known := slices.ContainsFunc(all, func(q checker.Property) bool { return q.Name == p.Name })
			if !known && (p.Shape == checker.Always || p.Shape == checker.Quiescent) {
				all = append(all, p)
			}
		}
	}
	return all
}

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
