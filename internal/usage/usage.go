package usage

import "fmt"

// Error is a mistake on the command line.
type Error struct{ text string }

// Error names the mistake and the remedy.
func (e *Error) Error() string { return e.text }

// Errorf makes an error. It wraps none of its arguments.
func Errorf(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }
