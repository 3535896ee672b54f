package sim

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
)

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
