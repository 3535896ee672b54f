package shim

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/verbatim"
)

// A process becomes a shim by the one argument Argument, with the name of its task in the variable
// Variable.
const (
	Argument = "shim"
	Variable = "CANVASS_TASK"
)

// SearchPath is where a command is looked up if its task has no PATH.
const SearchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// Path is where a command with this environment is looked up: the last PATH, or SearchPath.
func Path(env []string) string {
	path := SearchPath
	for _, variable := range env {
		if value, ok := strings.CutPrefix(variable, "PATH="); ok {
			path = value
		}
	}
	return path
}

// The ways to hold the processes of a task together, the best first.
const (
	PIDNamespace = "pid-namespace" // the shim is the init of a PID namespace; the kernel ends all with it
	Cgroup       = "cgroup"        // a cgroup of version 2, ended by cgroup.kill
	Subreaper    = "subreaper"     // orphans become children of the shim, which kills all that it finds
)

// Task is a command to run.
type Task struct {
	ID      string        // for logs, and Variable of the shim
	Command verbatim.List // never empty; the first is looked up in PATH of Env, if it has no slash
	Env     verbatim.List // NAME=value; the command gets no other variables
	Dir     string        // working directory, which must exist
	Shown   string        // folder that it sees although it is in a hidden one; "": Dir

	// A runner makes Dir and the names of files absolute, from its own working directory.

	Stdin string // file to read; "" is /dev/null

	Stdout, Stderr string // files, truncated first; the same name joins the streams; "" discards

	// OutputLimit is how many bytes each of the two files may have, apart from a line that marks
	// the gap. Of longer output the first and the last half are kept. While the task runs, the
	// output after the first half is in FILE.0 and FILE.1, the newest in FILE.1. 0 means no limit.
	OutputLimit int64

	Grace  time.Duration // between Signal and SIGKILL, see KillGently
	Signal int           // that ends the task; 0: SIGTERM

	User uint32 // as which it runs, with a group of the same number; 0: that of the daemon
}

// plainTask is a Task without its methods.
type plainTask Task

// wireTask is a Task in an order: names of files keep their bytes, too.
type wireTask struct {
	plainTask
	Dir, Shown, Stdin, Stdout, Stderr verbatim.Text
}

// MarshalJSON writes a task as orders have it.
func (t Task) MarshalJSON() ([]byte, error) {
	return json.Marshal(wireTask{
		plainTask(t), verbatim.Text(t.Dir), verbatim.Text(t.Shown), verbatim.Text(t.Stdin),
		verbatim.Text(t.Stdout), verbatim.Text(t.Stderr),
	})
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (t *Task) UnmarshalJSON(src []byte) error {
	var w wireTask
	err := json.Unmarshal(src, &w)
	*t = Task(w.plainTask)
	t.Dir, t.Shown, t.Stdin = string(w.Dir), string(w.Shown), string(w.Stdin)
	t.Stdout, t.Stderr = string(w.Stdout), string(w.Stderr)
	return err
}

// Exit says how a task has ended.
type Exit struct {
	Code    int    // as a shell reports it: 0 to 255; 128 plus the signal; 126 or 127 if it did not start
	Signal  int    // that ended the command; 0: none
	Error   string // why the command could not be started, or the task was lost; "" if it ran to its end
	Lost    bool   // Error is a failure of the host, not of the command
	Killed  bool   // before it ended, it was to be killed, the deadline passed, or its shim was gone
	Dropped int64  // bytes of output that are in no file
	OOM     bool   // it was killed as the kernel's OOM killer ended a process of its cgroup
}

// The exit codes of a shell for a command that did not start.
const (
	codeNotStarted = 126
	codeNotFound   = 127
)

// lost is the end of a task that its host has lost.
func lost(err error) Exit { return Exit{Code: codeNotStarted, Error: err.Error(), Lost: true} }
