package shim

import (
	"os"
	"syscall"
)

// A process becomes a shim by the one argument Argument, with the name of its task in the variable
// Variable.
const (
	Argument = "shim"
	Variable = "CANVASS_TASK"
)

// A process that is to be a shim is one from here on: see the documentation of the package. It does
// not wait for the race detector, as os.Exit would.
func init() {
	if _, named := os.LookupEnv(Variable); named && len(os.Args) == 2 && os.Args[1] == Argument {
		syscall.Exit(serve())
	}
}
