package shim

import (
	"os"
	"syscall"
)

// From here on a process that was started as a shim is one: see the documentation of the package.
// It does not wait for the race detector, as os.Exit would.
func init() {
	if len(os.Args) != 2 || os.Args[1] != Argument {
		return
	}
	if _, named := os.LookupEnv(Variable); named {
		syscall.Exit(serve())
	}
}
