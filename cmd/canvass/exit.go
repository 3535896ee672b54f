package main

import (
	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/cli"
)

// worst lists the codes, the one that outranks all others first.
var worst = []int{
	cli.CodeError, cli.CodeSafety, cli.CodeDeadlock, cli.CodeLiveness, cli.CodeExpectation, cli.CodeInconclusive,
	cli.CodeSampled,
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

// isOpen reports whether a code says that something was not decided.
func isOpen(code int) bool { return code == cli.CodeInconclusive || code == cli.CodeSampled }

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
