package shim

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// The exit codes of a shell for a command that did not start.
const (
	codeNotStarted = 126
	codeNotFound   = 127
)

// confine changes the shim so that what it starts inherits the restrictions. Some of them belong to
// the calling thread, so that the same thread must start the command.
func confine(isolation string) error {
	if err := closeOnExec(); err != nil {
		return err
	}
	unix.Umask(0o077)
	if err := limit(); err != nil {
		return err
	}
	if isolation == PIDNamespace {
		ownProc()
	} else if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become the reaper of orphans: %w", err)
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("drop ambient capabilities: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("forbid new privileges: %w", err)
	}
	return nil
}

// What a task may use, where the daemon itself may use no less.
const (
	filesLimit     = 1 << 16 // files that a process has open
	processesLimit = 1 << 14 // of the user, whatever has started them; none if the daemon is root's
	fileSizeLimit  = 1 << 40 // bytes; no less than an output can have, which the shim writes
)

// limit sets the limits of the shim and of what it starts. They are for mistakes of tasks: a loop
// that starts processes, or a file of a wrong length. No job needs as much.
func limit() error {
	for _, l := range []struct {
		name     string
		resource int
		most     uint64
	}{
		{"core files", unix.RLIMIT_CORE, 0},
		{"open files", unix.RLIMIT_NOFILE, filesLimit},
		{"processes", unix.RLIMIT_NPROC, processesLimit},
		{"sizes of files", unix.RLIMIT_FSIZE, fileSizeLimit},
	} {
		var now unix.Rlimit
		err := unix.Getrlimit(l.resource, &now)
		if most := min(l.most, now.Max); err == nil {
			err = unix.Setrlimit(l.resource, &unix.Rlimit{Cur: min(now.Cur, most), Max: most})
		}
		if err != nil {
			return fmt.Errorf("limit %s: %w", l.name, err)
		}
	}
	return nil
}

// closeOnExec keeps from the command what the shim has inherited from the daemon's own parents.
func closeOnExec() error {
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return fmt.Errorf("list open descriptors: %w", err)
	}
	for _, entry := range open {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
	return nil
}

// ownProc shows the task the processes of its own namespace. Some containers forbid that; then the
// task sees /proc of the daemon, which harms nobody.
func ownProc() {
	if unix.Mount("", "/", "", unix.MS_REC|unix.MS_SLAVE, "") == nil {
		unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "")
	}
}

// commandError is an error of the command itself: it cannot be started on such a machine, in
// whatever state that is.
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
	env := t.Env
	if o.Mark != "" {
		env = append(env, o.Mark)
	}
	attr := &syscall.SysProcAttr{Setsid: true}
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
	pid, _, err = syscall.StartProcess(path, t.Command, &syscall.ProcAttr{Dir: t.Dir, Env: env, Files: files, Sys: attr})
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
