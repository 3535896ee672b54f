package procs

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// ErrEnded says that a process has ended, or that there never was one of that number.
var ErrEnded = errors.New("the process has ended")

// Process is a process as /proc shows it. A number alone proves nothing, since numbers are used
// again: number and start time together name a process.
type Process struct {
	PID    int
	Start  string // in clock ticks since boot
	parent int
	ended  bool // and its parent has not noticed yet
}

// Read reads one process. The error is ErrEnded if there is none of that number. Any other one
// proves nothing: this process may have no descriptor left to look with.
func Read(pid int) (Process, error) {
	text, err := read(pid, "stat")
	if err != nil {
		return Process{}, err
	}
	return parse(pid, text)
}

// read reads a file of a process.
func read(pid int, name string) ([]byte, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, name))
	return text, meaning(err)
}

// meaning is the meaning of an error of /proc/PID.
func meaning(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH) {
		return ErrEnded
	}
	return err
}

// The fields of /proc/PID/stat behind the name that are read.
const (
	stateField   = 0
	parentField  = 1
	threadsField = 17
	startField   = 19
)

// parse reads the text of /proc/PID/stat. A process whose first thread has ended is shown as a
// zombie, even if its other threads go on.
func parse(pid int, text []byte) (Process, error) {
	// The second field is a name in parentheses, which may itself contain some.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) <= startField {
		return Process{}, fmt.Errorf("/proc/%d/stat has only %d fields behind the name", pid, len(fields))
	}
	parent, err := strconv.Atoi(fields[parentField])
	if err != nil {
		return Process{}, fmt.Errorf("/proc/%d/stat: %w", pid, err)
	}
	threads, err := strconv.Atoi(fields[threadsField])
	if err != nil {
		return Process{}, fmt.Errorf("/proc/%d/stat: %w", pid, err)
	}
	zombie := fields[stateField] == "Z" || fields[stateField] == "X"
	return Process{PID: pid, Start: fields[startField], parent: parent, ended: zombie && threads <= 1}, nil
}

// pids lists all processes that /proc shows.
func pids() ([]int, error) {
	names, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var all []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name.Name()); err == nil {
			all = append(all, pid)
		}
	}
	return all, nil
}

// Descendants lists the living processes below a process, as far as they can be read.
func Descendants(of int) []Process {
	children := map[int][]Process{}
	there, _ := pids() // the caller looks until the kernel says that the cgroup is empty
	for _, pid := range there {
		if p, err := Read(pid); err == nil {
			children[p.parent] = append(children[p.parent], p)
		}
	}
	var all []Process
	for queue := []int{of}; len(queue) > 0; {
		below := children[queue[0]]
		delete(children, queue[0])
		queue = queue[1:]
		for _, p := range below {
			queue = append(queue, p.PID)
			if !p.ended {
				all = append(all, p)
			}
		}
	}
	return all
}

// Lineage lists a process and those above it, the nearest first. It ends where one has ended or
// cannot be read.
func Lineage(of int) (all []Process) {
	for range depthLimit {
		p, err := Read(of)
		if err != nil {
			break // there is no process 0
		}
		all, of = append(all, p), p.parent
	}
	return all
}

// depthLimit bounds a lineage that changes while it is read.
const depthLimit = 1 << 16

// IsTop reports that no process is above this one, in the PID namespace of the caller.
func (p Process) IsTop() bool { return p.parent == 0 }

// Command is the program of a process and its arguments.
func Command(pid int) ([]string, error) {
	text, err := read(pid, "cmdline")
	if len(text) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00"), nil
}

// Open opens a descriptor of exactly this process, which led its thread group. The error is
// ErrEnded if it has ended. A thread of another process may have its number by now, which is no
// process to open.
func Open(pid int, start string) (fd int, err error) {
	fd, err = unix.PidfdOpen(pid, 0)
	switch {
	case errors.Is(err, unix.ESRCH), errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOENT):
		return -1, ErrEnded
	case err != nil:
		return -1, fmt.Errorf("open process %d: %w", pid, err)
	}
	// As long as the process lives, nothing else had its number a moment ago.
	p, err := Read(pid)
	if err == nil && p.Start == start && !p.ended {
		return fd, nil
	}
	unix.Close(fd)
	return -1, cmp.Or(err, ErrEnded)
}

// Kill kills this process and no later one of the same number.
func (p Process) Kill() {
	if fd, err := Open(p.PID, p.Start); err == nil {
		unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
		unix.Close(fd)
	}
}

// Ended waits until the process of the descriptor has ended, and reports whether it has.
func Ended(fd int, limit time.Duration) bool {
	for end := time.Now().Add(limit); ; {
		left := max(0, time.Until(end))
		n, _ := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(left.Milliseconds()))
		if n > 0 {
			return true
		}
		if left == 0 {
			return false
		}
	}
}

// Marked lists the processes whose first environment has the variable. An error says that there may
// be others. Processes whose environment is closed to this one do not have it.
func Marked(variable string) (all []Process, err error) {
	there, err := pids()
	for _, pid := range there {
		p, unread := Read(pid)
		marked, closed := isMarked(pid, variable)
		if marked {
			all = append(all, p)
		}
		for _, failed := range []error{unread, closed} {
			if !errors.Is(failed, ErrEnded) && !errors.Is(failed, fs.ErrPermission) {
				err = errors.Join(err, failed)
			}
		}
	}
	return all, err
}

// isMarked reports whether the first environment of a process has the variable. Each of its threads
// shows it, except ended ones.
func isMarked(pid int, variable string) (marked bool, err error) {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	err = meaning(err)
	for _, thread := range threads {
		var environment []byte
		if environment, err = read(pid, "task/"+thread.Name()+"/environ"); err == nil {
			return bytes.Contains(append([]byte{0}, environment...), []byte("\x00"+variable+"\x00")), nil
		}
	}
	return false, err
}
