package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/traces"
)

// Oracle checks a run against properties.
type Oracle interface {
	// Broken returns the property that was violated first and the observation, for people, or "".
	Broken() (property, where string)
	// Violate reports a violation. Only the first one counts.
	Violate(property, format string, args ...any)
	// Quiescent is called after faults have stopped. It returns a property of quiescent states that
	// does not hold yet, and where, or "" if all hold.
	Quiescent() (property, where string)
}

// Sketcher is an [Oracle] that adds what it knows to pictures of a run: a map, for example.
type Sketcher interface {
	Sketch(p *traces.Picture)
}

// Choose returns the properties with the given names, which are separated by spaces, from several
// lists. It panics if no list has one of them.
func Choose(names string, from ...[]checker.Property) []checker.Property {
	var chosen []checker.Property
	all := slices.Concat(from...)
	for _, name := range strings.Fields(names) {
		i := slices.IndexFunc(all, func(p checker.Property) bool { return p.Name == name })
		if i < 0 {
			panic(fmt.Sprintf("sim: there is no property %s", name))
		}
		chosen = append(chosen, all[i])
	}
	return chosen
}

// Violation is the first violation of a run, if any. Oracles embed it.
type Violation struct{ property, where string }

// Broken implements [Oracle].
func (v *Violation) Broken() (property, where string) { return v.property, v.where }

// Violate implements [Oracle].
func (v *Violation) Violate(property, format string, args ...any) {
	if v.property == "" {
		v.property, v.where = property, fmt.Sprintf(format, args...)
	}
}

// InStep says for people at which node a step happened, and which events it had.
func InStep(node protocol.NodeID, events []protocol.Event) string {
	texts := make([]string, len(events))
	for i, e := range events {
		texts[i] = e.String()
	}
	return strings.TrimSuffix(fmt.Sprintf("in the step of %v: %s", node, strings.Join(texts, ", ")), ": ")
}
