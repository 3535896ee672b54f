//go:build linux

package runner

import (
	"time"

	"github.com/canvass-grid/canvass/daemon/runner/shim"
	"github.com/canvass-grid/canvass/daemon/runner/veil"
)

// Stick makes a task that does not end. It ends when it is released.
func Stick(r *Runner) (release func()) {
	r.running.Add(1)
	return r.running.Done
}

// Sweep kills until enough looks in a row have found nothing.
var Sweep = sweep

// CountMemory has a runner count the kills of the OOM killer in a folder, as in that of a cgroup,
// or in the first one above that counts.
func CountMemory(r *Runner, folder string) { r.memory = memoryOf(folder) }

// The parsers of kernel files, for tests with other contents.
var (
	CgroupIn    = cgroupIn
	ProcessesIn = processesIn
	ProbeCgroup = probeCgroup
	InTaskAbove = inTask
	Resolved    = resolved
)

// EndCgroup ends what is in a cgroup.
func EndCgroup(folder string, limit time.Duration) error {
	return (&tree{Isolation: Cgroup, Cgroup: folder}).end(limit)
}

// EndMarked ends the processes that have a variable.
func EndMarked(variable string, limit time.Duration) error {
	return (&tree{Isolation: Subreaper, Mark: variable}).end(limit)
}

// Blame returns the end of a task, some time after the OOM killer has struck.
func Blame(exit Exit, shimEnded bool, ago time.Duration) Exit {
	m := &memory{rose: time.Now().Add(-ago)}
	m.blame(&exit, shimEnded)
	return exit
}

// Struck returns a function that reports whether the OOM killer has just struck in a folder.
func Struck(folder string) func() bool { return memoryOf(folder).struck }

// ExposedBy lists the things that tasks could reach under an isolation, with files hidden or not,
// and with an error of the memory of the deadline.
func ExposedBy(isolation string, hidden bool, open error) []string {
	w := way{isolation: isolation, veil: veil.None}
	if hidden {
		w.veil = veil.Landlock
	}
	return (&Runner{way: w, deadline: &shim.Deadline{Open: open}}).Exposed()
}

// EmptySweep is how many looks in a row must find nothing.
const EmptySweep = emptySweep
