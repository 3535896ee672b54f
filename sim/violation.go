package sim

import "fmt"

// Violation is the first violation of a property that a run was found guilty of, if any. Judges embed it.
type Violation struct{ property, where string }

// Broken implements [Judge].
func (v *Violation) Broken() (property, where string) { return v.property, v.where }

// Violated implements [Judge].
func (v *Violation) Violated(property, format string, args ...any) {
	if v.property == "" {
		v.property, v.where = property, fmt.Sprintf(format, args...)
	}
}
