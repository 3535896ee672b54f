//go:build !unix

package program

import "os/exec"

// group leaves the process as it is: there are no groups to signal.
func group(*exec.Cmd) {}

// killGroup does nothing: the context ends the process itself.
func killGroup(*exec.Cmd) {}
