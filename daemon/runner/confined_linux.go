package runner

import (
	"os"
	"time"

	"github.com/canvass-grid/canvass/daemon/runner/procs"
	"github.com/canvass-grid/canvass/daemon/runner/shim"
	"github.com/canvass-grid/canvass/daemon/runner/veil"
)

// InTask reports whether a process belongs to a task of this user's daemons, whose shim is among
// the processes above it. For a process that has ended meanwhile the answer is true if it may have
// belonged to one. If this process itself runs in a task, processes above it say nothing.
func InTask(pid int) bool {
	own := map[int]bool{}
	for _, p := range procs.Lineage(os.Getpid()) {
		own[p.PID] = true
	}
	for range lineageLooks {
		in, known := inTask(procs.Lineage(pid), own)
		if known {
			return in
		}
		time.Sleep(time.Millisecond)
	}
	return true
}

// lineageLooks is how often the processes above another one are read: one may end meanwhile.
const lineageLooks = 5

func inTask(above []procs.Process, own map[int]bool) (in, known bool) {
	for _, p := range above {
		if own[p.PID] {
			return false, true
		}
		command, err := procs.Command(p.PID)
		if err != nil {
			return false, false
		}
		if len(command) == 2 && command[1] == shim.Argument {
			return true, true
		}
	}
	return false, len(above) > 0 && above[len(above)-1].IsTop()
}

// Exposed lists, in sentences, the things of the daemon that tasks could reach or move. On a
// machine with all that the runner uses the list is empty.
func (r *Runner) Exposed() (all []string) {
	if r.way.veil == veil.None {
		all = append(all, "tasks can read the folder of the daemon, its keys too: neither a mount namespace nor Landlock "+
			"works here")
	}
	if err := r.deadline.Open; err != nil && r.way.isolation != PIDNamespace {
		all = append(all, "only the protection of its processes keeps tasks from moving the deadlines of others: the "+
			"kernel is older than 5.1")
	}
	return all
}
