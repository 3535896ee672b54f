package main

import (
	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/cli"
)

// violationCode is the exit code of an unexpected violation.
func violationCode(shape checker.Shape) int {
	switch {
	case shape == checker.DeadlockFree:
		return cli.CodeDeadlock
	case shape.Live():
		return cli.CodeLiveness
	case shape == checker.Sometimes:
		return cli.CodeExpectation
	}
	return cli.CodeSafety
}
