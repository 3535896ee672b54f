//go:build linux

package runner_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/runner"
)

// A tree that forks while it is looked for is missed now and then: only empty looks in a row count.
func TestATreeHasEndedWhenLooksInARowAreEmpty(t *testing.T) {
	for name, finds := range map[string][]int{
		"nothing was there":            {0, 0, 0},
		"ended at once":                {2, 0, 0, 0},
		"missed once":                  {2, 0, 1, 0, 0, 0},
		"missed twice":                 {2, 0, 0, 1, 0, 0, 0},
		"missed once, then once again": {2, 0, 1, 0, 0, 1, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			looks := 0
			require.NoError(t, runner.Sweep(func() []int {
				found := make([]int, finds[looks])
				looks++
				return found
			}, time.Minute))
			assert.Equal(t, len(finds), looks)
			assert.Equal(t, 3, runner.EmptySweep)
		})
	}
}

// A tree that does not end is reported by a process that was found last.
func TestATreeThatDoesNotEnd(t *testing.T) {
	require.ErrorContains(t, runner.Sweep(func() []int { return []int{7, 8} }, 0),
		"process 7 and 1 more do not end")
}
