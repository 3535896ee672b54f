package shim

import (
	"os"
	"syscall"
)

// A process that is to be a shim is one from here on: see the documentation of the package. It does
// not wait for the race detector, as os.Exit would.
func init() {
	if len(os.Args) != 2 || os.Args[1] != Argument {
		return
	}
	if _, named := os.LookupEnv(Variable); named {
		syscall.Exit(serve())
	}
}
