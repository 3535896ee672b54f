package main

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/canvass-grid/canvass/model/catalog"
	scenarios "github.com/canvass-grid/canvass/sim/catalog"
)

func main() {
	// A closed pipe is an error of a write then, and does not end the process: there may be a job to
	// cancel. The channel has no receiver; a signal that does not fit is dropped.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	os.Exit(run(catalog.All, scenarios.All, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
