package random

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/sim"
)

// The first of several violations on a walk is reported. Otherwise a finding would change when it
// becomes a list of steps.
func TestFirstViolationCounts(t *testing.T) {
	outcome := func(name string, shape checker.Shape, walk uint64, steps int) checker.Outcome {
		return checker.Outcome{
			Property: checker.Property{
				Name:  name,
				Shape: shape,
			}, Verdict: checker.Violated, Walk: walk, Path: &checker.Path{Steps: make([]checker.PathStep, steps)},
		}
	}
	report := &checker.Report{Outcomes: []checker.Outcome{
		outcome(
			"Witness",
			checker.Sometimes,
			0,
			1,
		), outcome("Late", checker.Always, 3, 2), outcome("Second", checker.Always, 1, 9), outcome("First",
			checker.Quiescent, 1, 8),
		{Property: checker.Property{Name: "Open", Shape: checker.Always}},
	}}
	r := &sim.Result{}
	assert.Len(t, firstViolation(report, r).Steps, 8)
	assert.Equal(t, "First", r.Property)
	assert.Nil(t, firstViolation(&checker.Report{}, &sim.Result{}))
}
