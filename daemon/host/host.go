package host

import (
	"context"
	"io"
	"time"

	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/runner"
)

// Host runs the tasks of a node, and keeps their files. All methods are called on the goroutine of
// the node, except where stated.
type Host interface {
	// Look finds out, in the background, whether a job can start here: done is called with the reason
	// why it cannot on any machine like this one, or with an error if that could not be found out.
	Look(s *jobs.Spec, done func(misfit string, err error))
	// Ports takes free ports for a task. Release gives them to its process.
	Ports() (numbers []uint16, release func(), err error)
	// Start starts the process of a task. Ended is called once, on the goroutine of the node, when
	// all that it has started is gone.
	Start(t Task, ended func(runner.Exit)) (Process, error)
	// Ails is the reason why no task could run here now, or empty. It is called often.
	Ails() string
	// Try finds out, in the background, whether a task could run here: it does all but the command.
	Try(done func(error))
	// Extend lets the processes run until a time by the clock; until the first call, without end.
	Extend(deadline time.Duration)
	// Isolation names the mechanism that holds processes together.
	Isolation() string
	// LastLines are the last lines of the error stream of a task.
	LastLines(attempt string) string
	// Clear takes away the working folder of an attempt of which no process runs. It waits for no
	// removal.
	Clear(attempt string)
	// Forget removes the output of an attempt.
	Forget(attempt string) error
	// Tidy removes, in the background, old files and unwanted contents.
	Tidy(wanted map[string]bool)
	Close() error

	// The rest is called beside the goroutine of the node.

	// Room refuses a content of the given size if the disk would be nearly full with it.
	Room(size int64) error
	// Lay puts files into the working folder of an attempt.
	Lay(attempt string, all []blobs.Entry, open func(digest string) (io.ReadCloser, error)) error
	// Collect lists the files that an attempt has left in its working folder.
	Collect(ctx context.Context, attempt string, wanted blobs.Wanted) blobs.Found
	// OpenFile opens one of them.
	OpenFile(attempt, name string) (io.ReadSeekCloser, error)
}

// Process is the process of a task, with all that it has started.
type Process interface {
	// Kill ends it: at once, or with the signal and the time that the task wants.
	Kill(grace bool)

	// Gone reports whether all of it has ended, even if its output is not complete yet.
	Gone() bool
}

// Task is the task of a rank of an attempt. The host chooses its folder and files:
// Dir, Stdin, Stdout and Stderr are empty.
type Task struct {
	runner.Task
	Attempt string // names its files
	Rank    int
	Peers   string // of the peers file: one line a rank
	Reads   bool   // it has a standard input
}

// The files of the daemon in the working folder of a task.
const (
	PeersFile = ".canvass-peers"
	StdinFile = ".canvass-stdin"
)
