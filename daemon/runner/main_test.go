//go:build linux

package runner_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/daemon/runner/shim"
)

// The test binary is also the daemon that the tests kill and stop.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "daemon" {
		daemon(os.Args[2], os.Args[3], os.Args[4:])
	}
	goleak.VerifyTestMain(m)
}

// daemon runs a command until the process is killed. It prints a line when the task has begun: the
// isolation, or why there is none. Then it reads times until the deadline.
func daemon(dir, isolation string, command []string) {
	r, err := runner.New(runner.Config{Binary: self(), Dir: dir, Isolation: isolation})
	if err != nil {
		fmt.Println("no isolation:", strings.ReplaceAll(err.Error(), "\n", " "))
		os.Exit(0)
	}
	if _, err := r.Start(runner.Task{ID: "1", Command: command, Dir: "/", Stdout: dir + "/out"}); err != nil {
		panic(err)
	}
	fmt.Println(r.Isolation())
	for {
		var in time.Duration // of the deadline, in nanoseconds
		if _, err := fmt.Scanln(&in); err != nil {
			select {}
		}
		r.Extend(shim.Boottime() + in)
		fmt.Println("extended")
	}
}

func self() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}
