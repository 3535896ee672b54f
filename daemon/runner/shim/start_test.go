//go:build linux

package shim_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/daemon/runner/shim"
)

// A shim does not wait for packages that it does not need. This binary has some: testify's.
func TestAShimStartsBeforeLargePackages(t *testing.T) {
	cmd := exec.Command(self(), shim.Argument)
	cmd.Env = []string{shim.Variable + "=1", "GODEBUG=inittrace=1"}
	out, err := cmd.CombinedOutput()
	assert.ErrorContains(t, err, "exit status 2")
	assert.Contains(t, string(out), "init syscall ")
	assert.Contains(t, string(out), "a shim is started by the daemon, for each task")
	assert.NotContains(t, string(out), "init path/filepath ")
	assert.NotContains(t, string(out), "init net ")
}
