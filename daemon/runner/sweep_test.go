//go:build linux

package runner_test

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/runner"
)

// A tree that forks while it is looked for is missed now and then: only empty looks in a row count.
func TestATreeHasEndedWhenLooksInARowAreEmpty(t *testing.T) {
	const failed = -1
	for name, finds := range map[string][]int{
		"nothing was there":            {0, 0, 0},
		"ended at once":                {2, 0, 0, 0},
		"missed once":                  {2, 0, 1, 0, 0, 0},
		"missed twice":                 {2, 0, 0, 1, 0, 0, 0},
		"missed once, then once again": {2, 0, 1, 0, 0, 1, 0, 0, 0},
		"could not look":               {2, 0, 0, failed, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			looks := 0
			require.NoError(t, runner.Sweep(func() ([]int, error) {
				found := finds[looks]
				looks++
				if found == failed {
					return nil, errors.New("too many open files")
				}
				return make([]int, found), nil
			}, time.Minute))
			assert.Equal(t, len(finds), looks)
			assert.Equal(t, 3, runner.EmptySweep)
		})
	}
}

// A tree that does not end is reported by a process that was found last.
func TestATreeThatDoesNotEnd(t *testing.T) {
	require.ErrorContains(t, runner.Sweep(func() ([]int, error) { return []int{7, 8}, nil }, 0),
		"process 7 and 1 more do not end")
	require.ErrorContains(t, runner.Sweep(func() ([]int, error) { return nil, unix.EMFILE }, 0),
		"look for its processes: too many open files")
	require.NoError(t, runner.Sweep(func() ([]int, error) { return nil, nil }, 0), "nothing is there")
}

// All marked processes are ended, and the search repeats until it finds no process.
func TestMarkedProcesses(t *testing.T) {
	mark := fmt.Sprintf("CANVASS_TREE=%d", time.Now().UnixNano())
	command := sleep()
	for _, variables := range [][]string{{mark}, {"A=1", mark}, {"A=1"}} {
		cmd := exec.Command("sleep", strings.Fields(command)[1])
		cmd.Env = variables
		require.NoError(t, cmd.Start())
		t.Cleanup(func() {
			cmd.Process.Kill()
			cmd.Wait()
		})
	}
	becomes(t, command, 3)
	require.ErrorContains(t, runner.EndMarked(mark, 0), "and 1 more do not end")
	require.NoError(t, runner.EndMarked(mark, time.Minute))
	assert.Len(t, alive(command), 1)
}
