//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// group gives the process a group of its own, which has its children too: an interrupt from the
// terminal reaches only this program then, which ends the group.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		killGroup(cmd)
		return nil
	}
}

// killGroup ends the processes of the group that are left.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
