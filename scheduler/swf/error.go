package swf

import (
	"fmt"
	"strings"
)

// Error says where a log is not in its format, and what to do.
type Error struct {
	File     string
	Line     int    // from 1; 0 if the file as a whole is meant
	Field    int    // from 1; 0 if the line as a whole is meant
	Name     string // of the field: "requested processors"
	Text     string // the text of the field, or "17 fields"
	Expected string // "a whole number", "18 fields"
	Remedy   string
	Err      error // of unpacking, or nil
}

// Error is one line: file, line, field, problem, and what to do.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Field > 0 {
		fmt.Fprintf(&b, ": field %d (%s): %q is not %s", e.Field, e.Name, e.Text, e.Expected)
	} else {
		fmt.Fprintf(&b, ": %s, expected %s", e.Text, e.Expected)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, " (%v)", e.Err)
	}
	return b.String() + "; " + e.Remedy
}

// Unwrap returns the error of unpacking.
func (e *Error) Unwrap() error { return e.Err }

const (
	remedySkip = "--skip-bad counts and skips such lines"
	remedyLog  = "give a log in the Standard Workload Format, plain or compressed with gzip"
)

// clipped shortens a text that an error quotes.
func clipped(text []byte) string {
	const most = 40
	if len(text) <= most {
		return string(text)
	}
	return string(text[:most]) + "…"
}
