package traces

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrFormat is wrapped by every error about the form of a trace. Each is a *FormatError.
	ErrFormat = errors.New("not a trace of Canvass")
	// ErrVersion is wrapped as well if the file is of a version that this package does not read.
	ErrVersion = errors.New("unknown version")
	// ErrTooLarge is wrapped as well if the file has more than MaxBytes.
	ErrTooLarge = errors.New("too large")
	// ErrStale is wrapped by the errors of Replay about a trace that does not match the machine: a
	// *NotEnabledError, a *DifferenceError or a *UnconfirmedError. A *HeaderError of a caller wraps it
	// too.
	ErrStale = errors.New("the trace no longer fits")
)

// FormatError says where a trace is malformed, why, and what to do.
type FormatError struct {
	Place   string // a line of the file, or a path in it: states[3].mbt::actionTaken
	Problem string
	Also    error // ErrVersion, ErrTooLarge or nil
}

// Error says all of it in one line.
func (e *FormatError) Error() string { return fmt.Sprintf("%v: %s: %s", ErrFormat, e.Place, e.Problem) }

// Unwrap returns ErrFormat and the wrapped error.
func (e *FormatError) Unwrap() []error {
	if e.Also == nil {
		return []error{ErrFormat}
	}
	return []error{ErrFormat, e.Also}
}

func misfit(place, problem string) error { return &FormatError{Place: place, Problem: problem} }

// NotEnabledError says that an action of a trace cannot be taken where the trace takes it.
type NotEnabledError struct {
	Step    int
	Action  Action
	Nearest []Action // the enabled actions, the most similar first; at most three
	Enabled int      // how many actions are enabled
}

// Error names the action and the nearest alternatives.
func (e *NotEnabledError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "step %d: %q is not enabled", e.Step, e.Action)
	if e.Enabled == 0 {
		b.WriteString("; nothing is")
		return b.String()
	}
	b.WriteString("; enabled:")
	for i, a := range e.Nearest {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %q", a)
	}
	if more := e.Enabled - len(e.Nearest); more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}

// Unwrap returns ErrStale.
func (e *NotEnabledError) Unwrap() error { return ErrStale }

// DifferenceError says that an action had a different result than the recorded one.
type DifferenceError struct {
	Step     int
	Action   Action
	Variable string
	Was, Is  string // recorded and recomputed, in full
}

// Error shows the variable around the first difference.
func (e *DifferenceError) Error() string {
	was, is := excerpts(e.Was, e.Is)
	return fmt.Sprintf("step %d: after %q the variable %s is %q, recorded was %q",
		e.Step, e.Action, e.Variable, is, was)
}

// Unwrap returns ErrStale.
func (e *DifferenceError) Unwrap() error { return ErrStale }

// UnconfirmedError says that a run still replays but does not prove the claim of its header.
type UnconfirmedError struct {
	Property string
	Shape    string
	Step     int // where this was seen
	Reason   string
}

// Error gives property, step and reason.
func (e *UnconfirmedError) Error() string {
	return fmt.Sprintf("step %d: the run does not prove its claim about %s (%s): %s",
		e.Step, e.Property, e.Shape, e.Reason)
}

// Unwrap returns ErrStale.
func (e *UnconfirmedError) Unwrap() error { return ErrStale }

// HeaderError says that the header of a trace contradicts the model. A caller that has the model
// returns it; this package does not.
type HeaderError struct {
	Field   string
	Was, Is string // in the file and of the model
}

// Error gives field and both values.
func (e *HeaderError) Error() string {
	return fmt.Sprintf("in the header, %s: of the model %q, recorded was %q", e.Field, e.Is, e.Was)
}

// Unwrap returns ErrStale.
func (e *HeaderError) Unwrap() error { return ErrStale }
