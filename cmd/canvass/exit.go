package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/checker"
)

// The exit codes. Those from 10 to 13 are TLC's.
const (
	exitOK           = 0  // every verdict is the declared one; a trace still fits
	exitError        = 1  // the tool failed: a file, a panic of a core, a trace that no longer fits
	exitUsage        = 2  // the command line makes no sense
	exitExpectation  = 10 // a declared violation or a witness (sometimes) did not occur
	exitDeadlock     = 11 // a deadlock that is not declared
	exitSafety       = 12 // a violation that is not declared: always, quiescent
	exitLiveness     = 13 // a violation that is not declared: leads to, reaches, almost surely
	exitInconclusive = 20 // a check ended before everything was decided, or never began
)

const exitHelp = `Exit codes:
  0   every verdict is the declared one; a replayed trace still fits
  1   the tool failed: a file, a panic in a core, a trace that no longer fits
  2   the command line makes no sense
  10  a violation that is declared, or a witness, did not occur
  11  a deadlock that is not declared
  12  a violation of a safety property (always, quiescent) that is not declared
  13  a violation of a liveness property (leads to, reaches, almost surely) that is not declared
  20  inconclusive: stopped by a limit or a signal before everything was decided; or replay --against cannot take
      the run to its end, or has no such property there
If several apply, the first of 1, 12, 11, 13, 10, 20 counts.`

// worst is the order in which codes outrank each other.
var worst = []int{exitError, exitSafety, exitDeadlock, exitLiveness, exitExpectation, exitInconclusive}

// worse returns the code that counts of two.
func worse(a, b int) int {
	for _, code := range worst {
		if a == code || b == code {
			return code
		}
	}
	return exitOK
}

// violationCode is the exit code of a violation that nobody declared.
func violationCode(shape checker.Shape) int {
	switch {
	case shape == checker.DeadlockFree:
		return exitDeadlock
	case shape.Live():
		return exitLiveness
	case shape == checker.Sometimes:
		return exitExpectation
	}
	return exitSafety
}

// exitCode ends a command with a code and without a word: everything was said.
type exitCode int

// Error is never shown.
func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// usageError is a mistake on the command line.
type usageError struct{ text string }

// Error says what the mistake is and how to avoid it.
func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// codeOf turns the end of a command into an exit code and into what is to be said, if anything.
func codeOf(err error) (int, string) {
	if err == nil {
		return exitOK, ""
	}
	if code := exitCode(0); errors.As(err, &code) {
		return int(code), ""
	}
	text := "canvass: " + strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", " ")
	if usage := (*usageError)(nil); errors.As(err, &usage) {
		return exitUsage, text
	}
	return exitError, text
}
