//go:build unix && !linux

package local

import "syscall"

// ownGroup gives a daemon its own group of processes, since Ctrl-C is for this program, which ends
// it.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
