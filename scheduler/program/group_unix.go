//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// group makes the process the leader of a process group, which its children join. An interrupt from
// the terminal then reaches only this program, which ends the group.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		killGroup(cmd)
		return nil
	}
}

// killGroup ends the processes of the group that are left.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
