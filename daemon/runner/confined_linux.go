package runner

import (
	"os"
	"path/filepath"
	"time"

	"github.com/canvass-grid/canvass/daemon/runner/procs"
	"github.com/canvass-grid/canvass/daemon/runner/shim"
	"github.com/canvass-grid/canvass/daemon/runner/veil"
)

// InTask reports whether a process belongs to a task of this user's daemons, whose shim is among
// the processes above it. A process that has ended meanwhile may have. If this process itself runs
// in a task, what is above it says nothing.
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
		if command := procs.Command(p.PID); len(command) == 2 && command[1] == shim.Argument {
			return true, true
		}
	}
	return false, len(above) > 0 && above[len(above)-1].IsTop()
}

// Exposed are what tasks could reach or move, in sentences. On a machine with all that the runner
// uses there are none.
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

// Chown gives a folder, and all that is in it, to a user. Links are not followed. No task may run
// in it.
func Chown(folder string, user uint32) error {
	return filepath.WalkDir(folder, func(name string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(name, int(user), int(user))
	})
}

// Users of tasks are drawn from numbers that no distribution gives to people, services or
// containers. There are so many that a number does not come twice, and what a former task has left
// belongs to nobody.
const (
	firstUser = 0x7000_0000
	lastUser  = 0x7FFD_FFFF
)

// NewUser draws the user of a task.
func NewUser(between func(low, high uint32) uint32) uint32 { return between(firstUser, lastUser) }
