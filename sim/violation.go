package sim

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
)

// Violation is the first violation of a property that a run was found guilty of, if any. Judges
// embed it.
type Violation struct{ property, where string }

// Broken implements [Judge].
func (v *Violation) Broken() (property, where string) { return v.property, v.where }

// Violated implements [Judge].
func (v *Violation) Violate(property, format string, args ...any) {
	if v.property == "" {
		v.property, v.where = property, fmt.Sprintf(format, args...)
	}
}

// InStep says for people in whose step something happened, and what that step told its application.
func InStep(who protocol.NodeID, events []protocol.Event) string {
	texts := make([]string, len(events))
	for i, e := range events {
		texts[i] = e.String()
	}
	return strings.TrimSuffix(fmt.Sprintf("in the step of %v: %s", who, strings.Join(texts, ", ")), ": ")
}
