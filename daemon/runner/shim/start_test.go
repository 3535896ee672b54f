//go:build linux

package shim_test

import (
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/runner/shim"
)

// A shim does not wait for packages that it does not need. This binary has some: testify's.
func TestAShimStartsBeforeLargePackages(t *testing.T) {
	cmd := exec.Command(self(), shim.Argument)
	cmd.Env = append(os.Environ(), shim.Variable+"=1", "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	assert.ErrorContains(t, err, "exit status 2")
	assert.Contains(t, string(out), "init syscall ")
	assert.Contains(t, string(out), "a shim is started by the daemon, for each task")
	assert.NotContains(t, string(out), "init path/filepath ")
	assert.NotContains(t, string(out), "init net ")
}

// A command whose process was reaped is asked no more: its number may be that of another group.
func TestNoOtherGroupIsSignalled(t *testing.T) {
	other := exec.Command("sleep", "60")
	other.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(t, other.Start())
	shim.SignalAfterItsEnd(other.Process.Pid)
	require.NoError(t, other.Process.Kill())
	require.Error(t, other.Wait())
	assert.Equal(t, syscall.SIGKILL, other.ProcessState.Sys().(syscall.WaitStatus).Signal(), "nothing has ended it before")
}
