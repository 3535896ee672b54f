package host

import (
	"log/slog"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
)

// Looks at files that may never answer.
var (
	NewLooks = func() looks { return make(looks, looksLimit) }
	DoLook   = looks.do
)

// in is the host of a daemon with this folder, without a runner.
func in(folder string) *Machine {
	return &Machine{config: Config{
		Folder: folder, Log: slog.Default(), Self: func() (nobody protocol.NodeID) { return nobody },
	}}
}

// LastLines are the last lines of the error stream of an attempt.
func LastLines(folder string) string { return in(folder).LastLines("A-1") }

// Misfit says why a job cannot start here.
func Misfit(s *jobs.Spec) string { return in("").misfit(s) }
