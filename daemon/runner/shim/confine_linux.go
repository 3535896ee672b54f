package shim

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/runner/veil"
)

// confine changes the shim so that its children inherit the restrictions. Some of them belong to
// the calling thread, so that the same thread must start the command.
func confine(o Order) error {
	unix.Umask(0o077)
	for _, step := range []func(Order) error{closeOnExec, limit, holdTogether, dropCapabilities, forbidPrivileges} {
		if err := step(o); err != nil {
			return err
		}
	}
	return nil
}

// holdTogether makes the shim the parent that reaps each orphan of the task.
func holdTogether(o Order) error {
	if o.Isolation != PIDNamespace {
		return prctl("become the reaper of orphans", unix.PR_SET_CHILD_SUBREAPER, 1)
	}
	// Some containers forbid that; then the task sees /proc of the daemon, which is not dumpable.
	if err := veil.OwnMounts(); err != nil && o.Veil == veil.Mounts && unix.Geteuid() == 0 {
		return err
	}
	return nil
}

func forbidPrivileges(Order) error {
	return prctl("forbid new privileges", unix.PR_SET_NO_NEW_PRIVS, 1)
}

// prctl changes the calling thread or its process.
func prctl(what string, option int, value uintptr) error {
	if err := unix.Prctl(option, value, 0, 0, 0); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// dropCapabilities makes sure that a command has no capabilities, even as root. The thread keeps
// its own, to hide folders.
func dropCapabilities(Order) error {
	err := prctl("drop ambient capabilities", unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL)
	if err != nil || unix.Geteuid() != 0 {
		return err // another user does not gain any by starting a command
	}
	for c := uintptr(0); ; c++ {
		there, err := unix.PrctlRetInt(unix.PR_CAPBSET_READ, c, 0, 0, 0)
		if err != nil {
			break // it was the last one
		}
		if there == 0 {
			continue // without CAP_SETPCAP nothing can be dropped, not even this
		}
		if err := prctl(fmt.Sprintf("drop capability %d of tasks", c), unix.PR_CAPBSET_DROP, c); err != nil {
			return err
		}
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData // of 32 capabilities each
	if err = unix.Capget(&header, &sets[0]); err == nil {
		for i := range sets {
			sets[i].Inheritable = 0
		}
		err = unix.Capset(&header, &sets[0])
	}
	if err != nil {
		return fmt.Errorf("drop inheritable capabilities: %w", err)
	}
	return nil
}

// The limits of a task. Limits of the daemon itself are divided: see Share.
const (
	filesLimit    = 1 << 16 // files that a process has open
	fileSizeLimit = 1 << 40 // bytes; no less than an output can have, which the shim writes
)

// ProcessesLimit is how many processes the user of a task may have, including processes outside of
// tasks, unless another limit is lower. The kernel does not count those of root.
const ProcessesLimit = 1 << 14

// Share is the part of a daemon's limit that its tasks get: the daemon goes on when they use all of
// it.
func Share(most uint64) uint64 { return most - most/4 }

// limit sets the limits of the shim and its children. They are for mistakes of tasks: a loop that
// starts processes, or a file of a wrong length. No job needs as much.
func limit(o Order) error {
	for _, l := range []struct {
		name     string
		resource int
		most     uint64
		share    func(uint64) uint64
	}{
		{"core files", unix.RLIMIT_CORE, 0, nil},
		{"open files", unix.RLIMIT_NOFILE, filesLimit, Share},
		{"processes", unix.RLIMIT_NPROC, cmp.Or(o.Processes, ProcessesLimit), Share},
		{"sizes of files", unix.RLIMIT_FSIZE, fileSizeLimit, nil},
	} {
		var now unix.Rlimit
		err := unix.Getrlimit(l.resource, &now)
		most := now.Max
		if l.share != nil {
			most = l.share(most)
		}
		most = min(l.most, most)
		if err == nil {
			err = unix.Setrlimit(l.resource, &unix.Rlimit{Cur: min(now.Cur, most), Max: most})
		}
		if err != nil {
			return fmt.Errorf("limit %s: %w", l.name, err)
		}
	}
	return nil
}

// closeOnExec keeps from the command what the shim has inherited from the daemon's own parents.
func closeOnExec(Order) error {
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return fmt.Errorf("list open descriptors: %w", err)
	}
	for _, entry := range open {
		if fd, _ := strconv.Atoi(entry.Name()); fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
	return nil
}

// commandError is an error of the command itself: it can never be started on such a machine.
type commandError struct{ error }

func (e commandError) Unwrap() error { return e.error }

// isOfCommand reports whether exec has failed since the command cannot be executed. All other
// errors say that the machine lacks something.
func isOfCommand(err error) bool {
	for _, errno := range []unix.Errno{
		unix.ENOENT, unix.EACCES, unix.EPERM, unix.ENOEXEC, unix.E2BIG, unix.ENOTDIR, unix.EISDIR, unix.ELOOP,
		unix.ENAMETOOLONG, unix.EINVAL, unix.ELIBBAD,
	} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

// startCommand starts the command of a task with these three descriptors, and returns its process.
func startCommand(o Order, files []uintptr) (pid int, err error) {
	t := o.Task
	path, err := lookUp(t)
	if err != nil {
		return 0, err
	}
	if err := veil.Hide(o.Veil, o.Hide, cmp.Or(t.Shown, t.Dir)); err != nil {
		return 0, fmt.Errorf("hide the files of the daemon: %w", err)
	}
	env := t.Env
	if o.Mark != "" {
		env = append(env, o.Mark)
	}
	attr := &syscall.SysProcAttr{Setsid: true}
	dir := t.Dir
	if t.User != 0 {
		attr.Credential = &syscall.Credential{Uid: t.User, Gid: t.User}
		if err := unix.Chdir(dir); err != nil { // the user may have no way to it
			return 0, fmt.Errorf("enter the working directory: %w", err)
		}
		dir = ""
	}
	if o.Isolation != PIDNamespace {
		attr.Pdeathsig = syscall.SIGKILL // of the calling thread, which is locked
	}
	if o.Isolation == Cgroup {
		folder, err := os.Open(o.Cgroup)
		if err != nil {
			return 0, fmt.Errorf("open the cgroup: %w", err)
		}
		defer folder.Close()
		attr.UseCgroupFD, attr.CgroupFD = true, int(folder.Fd())
	}
	pid, _, err = syscall.StartProcess(path, t.Command, &syscall.ProcAttr{Dir: dir, Env: env, Files: files, Sys: attr})
	switch {
	case err == nil:
		return pid, nil
	case errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("start %q in %s: there is no such file, or no interpreter that its first line names: %w",
			t.Command[0], t.Dir, err)
	default:
		err = fmt.Errorf("start %q: %w", t.Command[0], err)
	}
	if isOfCommand(err) {
		err = commandError{err}
	}
	return 0, err
}
