package workload

import (
	"fmt"

	"github.com/canvass-grid/canvass/internal/usage"
)

// Error says which step of a selection, or which estimate, cannot be had, and what to do.
type Error struct {
	Task   string // "select" or "estimate"
	Step   string // as it was given: "window:densest:30000"
	Jobs   int    // that the step was applied to; 0 if the text of a step is at fault
	What   string // is wrong
	Remedy string
}

// Error is one line.
func (e *Error) Error() string {
	return fmt.Sprintf("%s %q: %s; %s", e.Task, e.Step, e.What, e.Remedy)
}

// wrong makes an error whose task, step and jobs are filled in by [Select] or [Estimate].
func wrong(remedy, format string, arguments ...any) *Error {
	return &Error{What: fmt.Sprintf(format, arguments...), Remedy: remedy}
}

// near proposes the name that was probably meant, or nothing.
func near(word string, names ...string) string {
	best, least := "", 1+max(2, len(word)/3)
	for _, n := range names {
		if d := usage.Distance(word, n); d < least {
			best, least = n, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %q? ", best)
}
