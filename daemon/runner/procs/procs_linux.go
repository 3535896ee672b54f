package procs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Process is a process as /proc shows it. A number alone proves nothing, since numbers are used
// again: number and start time together name a process.
type Process struct {
	PID    int
	Start  string // in clock ticks since boot
	parent int
	zombie bool
}

// Read reads one process; false means that there is none of that number.
func Read(pid int) (Process, bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return Process{}, false
	}
	// The second field is a name in parentheses, which may itself contain some.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 20 {
		return Process{}, false
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return Process{}, false
	}
	return Process{pid, fields[19], parent, fields[0] == "Z" || fields[0] == "X"}, true
}

// pids lists all processes that /proc shows.
func pids() []int {
	folder, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(-1)
	var all []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			all = append(all, pid)
		}
	}
	return all
}

// Descendants lists the living processes below a process.
func Descendants(of int) []Process {
	children := map[int][]Process{}
	for _, pid := range pids() {
		if p, ok := Read(pid); ok {
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
			if !p.zombie {
				all = append(all, p)
			}
		}
	}
	return all
}

// Lineage lists a process and those above it, the nearest first. It ends where one has ended.
func Lineage(of int) (all []Process) {
	for {
		p, ok := Read(of)
		if !ok || len(all) > depthLimit {
			return all
		}
		all = append(all, p)
		if of = p.parent; of == 0 {
			return all
		}
	}
}

// depthLimit bounds a lineage that changes while it is read.
const depthLimit = 1 << 16

// IsTop reports that no process is above this one, in the PID namespace of the caller.
func (p Process) IsTop() bool { return p.parent == 0 }

// Command is the program of a process and its arguments.
func Command(pid int) []string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil || len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
}

// Open opens a descriptor of exactly this process, which led its thread group; -1 means that it
// has ended. A thread of another process may have its number by now, which is no process to open.
func Open(pid int, start string) (fd int, err error) {
	if !lives(pid, start) {
		return -1, nil
	}
	fd, err = unix.PidfdOpen(pid, 0)
	switch {
	case errors.Is(err, unix.ESRCH), errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOENT):
		return -1, nil
	case err != nil:
		return -1, fmt.Errorf("open process %d: %w", pid, err)
	case !lives(pid, start): // it ended in between, and the descriptor may be of a later one
		unix.Close(fd)
		return -1, nil
	}
	return fd, nil
}

// lives reports whether the number is still that of the process which started then.
func lives(pid int, start string) bool {
	p, ok := Read(pid)
	return ok && p.Start == start && !p.zombie
}

// Kill kills this process and no later one of the same number.
func (p Process) Kill() {
	if fd, err := Open(p.PID, p.Start); err == nil && fd >= 0 {
		unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
		unix.Close(fd)
	}
}

// Ended waits until the process of the descriptor has ended, and reports whether it has.
func Ended(fd int, limit time.Duration) bool {
	for end := time.Now().Add(limit); ; {
		left := max(0, time.Until(end))
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(left.Milliseconds()))
		if n > 0 {
			return true
		}
		if left == 0 || err != nil && !errors.Is(err, unix.EINTR) {
			return false
		}
	}
}

// Marked lists the processes whose first environment has the variable.
func Marked(variable string) []Process {
	var all []Process
	for _, pid := range pids() {
		p, ok := Read(pid)
		if !ok || p.zombie {
			continue
		}
		environment, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
		if err == nil && bytes.Contains(append([]byte{0}, environment...), []byte("\x00"+variable+"\x00")) {
			all = append(all, p)
		}
	}
	return all
}
