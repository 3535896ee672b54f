package main

import (
	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/cli"
)

// worst lists the codes, the one that outranks all others first.
var worst = []int{
	cli.CodeError, cli.CodeSafety, cli.CodeDeadlock, cli.CodeLiveness, cli.CodeExpectation, cli.CodeInconclusive,
}

// worse returns the one of two codes that outranks the other.
func worse(a, b int) int {
	for _, code := range worst {
		if a == code || b == code {
			return code
		}
	}
	return cli.CodeOK
}

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

// usagef is a mistake on the command line.
func usagef(format string, args ...any) error { return cli.Usagef(format, args...) }
