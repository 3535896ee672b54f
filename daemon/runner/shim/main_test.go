//go:build linux

package shim_test

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/canvass-grid/canvass/daemon/runner/shim"
)

// The test binary is also a process that waits, in a time namespace.
func TestMain(m *testing.M) {
	if os.Getenv(noTests) != "" {
		os.Exit(otherwise)
	}
	if len(os.Args) == 2 && os.Args[1] == "clock" {
		readClock()
		os.Exit(0)
	}
	if len(os.Args) > 1 && os.Args[1] == "confine" {
		confined(os.Args[2], os.Args[3:])
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// With the variable noTests the binary does nothing if it is not a shim, and ends with a code.
const (
	noTests   = "CANVASS_NO_TESTS"
	otherwise = 3
)

// readClock prints the time, waits for a deadline, and prints the time again.
func readClock() {
	now := shim.Boottime()
	fmt.Println(int64(now))
	if err := shim.WaitUntil(now + clockWait); err != nil {
		panic(err)
	}
	fmt.Println(int64(shim.Boottime()))
}

func self() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}
