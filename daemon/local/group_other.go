//go:build unix && !linux

package local

import "syscall"

// ownGroup gives a daemon a group of processes of its own, since Ctrl-C is for this program, which
// ends it.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
