package runner

import (
	"errors"
	"log/slog"

	"github.com/canvass-grid/canvass/daemon/runner/shim"
)

// Task is the order to a runner and Exit its report.
type (
	Task = shim.Task
	Exit = shim.Exit
)

// The ways to hold the processes of a task together, the best first.
const (
	PIDNamespace = shim.PIDNamespace
	Cgroup       = shim.Cgroup
	Subreaper    = shim.Subreaper
)

// ErrCopied says that the folder is a copy of that of a daemon which runs.
var ErrCopied = errors.New("the folder is a copy, and a daemon runs with the original")

// Config has the settings of a runner.
type Config struct {
	Binary    string       // which imports package shim, and so can be one
	Dir       string       // used by the runner alone: records that it needs after a crash
	Isolation string       // one of the three, or "" for the best that works here
	Veil      string       // see package veil, or "" for the best that works here
	Logger    *slog.Logger // nil: no log

	// Hide lists the folders that tasks must not see, but for their working directories. It is called
	// before each task. Nil hides no folder.
	Hide func() []string
}
