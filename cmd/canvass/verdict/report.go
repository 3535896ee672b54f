package verdict

import (
	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/cli"
)

// Report is the result of one shard for a model or a scenario.
type Report interface {
	About() string
	Shard() *Shards
	Add(other Report)
	Code() int
}

// ViolationCode is the exit code of an unexpected violation.
func ViolationCode(shape checker.Shape) int {
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

// ShapeNamed returns the shape of a name, and Always for an unknown name.
func ShapeNamed(name string) checker.Shape {
	for s := checker.Always; s <= checker.DeadlockFree; s++ {
		if s.String() == name {
			return s
		}
	}
	return checker.Always
}
