package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
)

// The exit codes of all commands. Those from 10 to 13 are TLC's. The topic exit-codes of help
// explains them.
const (
	CodeOK           = 0   // success; every verdict is the expected one
	CodeError        = 1   // it failed here: a file, a folder, a socket, the output, a panic of a core
	CodeUsage        = 2   // the command line, or a job file, is not valid
	CodeRefused      = 6   // a daemon refuses what it was asked for
	CodeUnknown      = 7   // no such job, output or node
	CodeLost         = 8   // outputs are lost or damaged
	CodeOver         = 9   // the job has ended already, or the node is dead
	CodeExpectation  = 10  // an expected violation or witness did not occur, or no state tests a property
	CodeDeadlock     = 11  // an unexpected deadlock
	CodeSafety       = 12  // an unexpected violation of a safety property
	CodeLiveness     = 13  // an unexpected violation of a liveness property
	CodeInconclusive = 20  // a limit or a signal ended it before everything was decided
	CodeSampled      = 21  // a search by samples is complete, found nothing, and proves nothing
	CodeCursor       = 30  // the events after a cursor are not kept
	CodeClosed       = 141 // the reader of the output has gone, as if SIGPIPE had ended the command
)

// worst lists the codes, the highest rank first.
var worst = []int{
	CodeError, CodeSafety, CodeDeadlock, CodeLiveness, CodeExpectation, CodeInconclusive,
	CodeSampled,
}

// Worse returns the one of two codes that outranks the other.
func Worse(a, b int) int {
	for _, code := range worst {
		if a == code || b == code {
			return code
		}
	}
	return CodeOK
}

// IsOpen reports whether a code says that something was not decided.
func IsOpen(code int) bool { return code == CodeInconclusive || code == CodeSampled }

// Code ends a command with an exit code and no further message.
type Code int

// Error is never printed.
func (c Code) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// ExitCode is the code.
func (c Code) ExitCode() int { return int(c) }

// coded is an error that has an exit code and is printed.
type coded struct {
	error
	code Code
}

func (c *coded) Unwrap() error { return c.error }
func (c *coded) ExitCode() int { return int(c.code) }

// WithCode gives an error an exit code.
func WithCode(code Code, err error) error { return &coded{err, code} }

// Usagef is a mistake on the command line.
func Usagef(format string, args ...any) error { return usage.Errorf(format, args...) }

// CodeOf is the exit code that an error calls for.
func CodeOf(err error) int {
	has := (interface{ ExitCode() int })(nil)
	mistake := (*usage.Error)(nil)
	switch {
	case err == nil:
		return CodeOK
	case errors.As(err, &has):
		return has.ExitCode()
	case errors.As(err, &mistake):
		return CodeUsage
	}
	return CodeError
}

// Exit prints the error of a command and returns the exit code of the program. Output that was not
// written outranks everything else. A pipe whose reader has gone is no error to speak of, yet no
// success: the code says so alone.
func Exit(err error, out *Output, messages *Messages) int {
	code := CodeOf(err)
	if silent := Code(0); err != nil && !errors.As(err, &silent) && !errors.Is(err, ErrOutput) {
		for _, line := range linesOf(err) {
			messages.Printf("canvass: %s\n", line)
		}
	}
	switch failed := out.Err(); {
	case errors.Is(failed, ErrClosed):
		return CodeClosed
	case failed != nil:
		messages.Printf("canvass: %v\n", failed)
		return CodeError
	}
	return code
}

// linesOf is an error in lines: one, or one for each of several errors that were joined.
func linesOf(err error) []string {
	parts := joined(err)
	if len(parts) == 0 {
		return []string{strings.TrimSpace(flat(err))}
	}
	var lines []string
	for _, part := range parts {
		lines = append(lines, linesOf(part)...)
	}
	return lines
}

// flat is the text of an error, in which the errors that it joins are separated by semicolons.
func flat(err error) string {
	if parts := joined(err); len(parts) > 0 {
		texts := make([]string, len(parts))
		for i, part := range parts {
			texts[i] = flat(part)
		}
		return strings.Join(texts, "; ")
	}
	text := err.Error()
	for _, inner := range wrapped(err) {
		if before := inner.Error(); strings.Contains(before, "\n") {
			text = strings.Replace(text, before, flat(inner), 1)
		}
	}
	return text
}

// joined lists the errors that errors.Join has joined; nothing if an error is not of that kind.
func joined(err error) []error {
	parts := wrapped(err)
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = part.Error()
	}
	if len(parts) < 2 || strings.Join(texts, "\n") != err.Error() {
		return nil
	}
	return parts
}

// wrapped lists the errors that an error wraps.
func wrapped(err error) []error {
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		return e.Unwrap()
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			return []error{inner}
		}
	}
	return nil
}
