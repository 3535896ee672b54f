package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/cmd/canvass/daemon"
	"github.com/canvass-grid/canvass/scheduler/experiment"
)

// The exit codes. Those from 10 to 13 are TLC's.
const (
	exitOK           = 0  // every verdict is the expected one; a trace still replays
	exitError        = 1  // the tool failed: a file, a panic of a core, a trace that no longer replays
	exitUsage        = 2  // the command line makes no sense
	exitExpectation  = 10 // an expected violation or a witness (sometimes) did not occur, or no state tests a property
	exitDeadlock     = 11 // an unexpected deadlock
	exitSafety       = 12 // an unexpected violation: always, quiescent
	exitLiveness     = 13 // an unexpected violation: leads to, reaches, almost surely
	exitInconclusive = 20 // a check ended before everything was decided, or never began; a log is not there
)

// worst lists the codes, the one that outranks all others first.
var worst = []int{exitError, exitSafety, exitDeadlock, exitLiveness, exitExpectation, exitInconclusive}

// worse returns the one of two codes that outranks the other.
func worse(a, b int) int {
	for _, code := range worst {
		if a == code || b == code {
			return code
		}
	}
	return exitOK
}

// violationCode is the exit code of an unexpected violation.
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

// exitCode ends a command with this code and no further message.
type exitCode int

// ExitCode is the code.
func (c exitCode) ExitCode() int { return int(c) }

// Error is never printed.
func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// usageError is a mistake on the command line.
type usageError struct{ text string }

// Error names the mistake and the remedy.
func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// codeOf returns the exit code of a command that ended with an error, and the message to print.
func codeOf(err error) (int, string) {
	if err == nil {
		return exitOK, ""
	}
	if coded := (interface{ ExitCode() int })(nil); errors.As(err, &coded) {
		return coded.ExitCode(), ""
	}
	text := "canvass: " + strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", " ")
	if usage := (*usageError)(nil); errors.As(err, &usage) {
		return exitUsage, text
	}
	if usage := (*daemon.UsageError)(nil); errors.As(err, &usage) {
		return exitUsage, text
	}
	if usage := (*experiment.UsageError)(nil); errors.As(err, &usage) {
		return exitUsage, text
	}
	if errors.Is(err, experiment.ErrNoData) {
		return exitInconclusive, text
	}
	return exitError, text
}
