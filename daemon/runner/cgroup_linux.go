package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/runner/procs"
	"github.com/canvass-grid/canvass/daemon/runner/shim"
)

// ownCgroup returns the folder of this process's cgroup of version 2, if cgroups can be made in it
// and processes can be moved there.
func ownCgroup() (string, error) {
	folder, err := cgroupFolder()
	if err != nil {
		return "", err
	}
	return folder, probeCgroup(folder)
}

// processesIn is how many processes a task may have: a share of the limit of the daemon's own
// cgroup, so that the daemon goes on when they are used up. Each folder above can have a lower
// limit.
func processesIn(folder string) uint64 {
	most := uint64(shim.ProcessesLimit)
	for ; len(folder) > 1; folder = filepath.Dir(folder) {
		text, _ := os.ReadFile(filepath.Join(folder, "pids.max")) // without a controller there is no limit
		if n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil {
			most = min(most, shim.Share(n))
		}
	}
	return most
}

// cgroupFolder returns the folder of this process's cgroup of version 2.
func cgroupFolder() (string, error) {
	mounts, first := os.ReadFile("/proc/self/mountinfo")
	own, second := os.ReadFile("/proc/self/cgroup")
	folder, found := cgroupIn(string(mounts), string(own))
	if !found {
		return "", errors.Join(errors.New("no cgroup of version 2 is mounted"), first, second)
	}
	return folder, nil
}

// cgroupIn finds the folder of a cgroup in the texts of /proc/PID/mountinfo and /proc/PID/cgroup.
func cgroupIn(mounts, own string) (folder string, found bool) {
	path := ""
	for line := range strings.Lines(own) {
		if rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "0::"); ok {
			path = rest
		}
	}
	if path == "" || isAbove(strings.TrimPrefix(path, "/")) { // of a cgroup namespace that does not show it
		return "", false
	}
	for line := range strings.Lines(mounts) {
		// 36 35 98:0 ROOT MOUNTPOINT OPTIONS ... - TYPE SOURCE OPTIONS
		before, after, _ := strings.Cut(line, " - ")
		if !strings.HasPrefix(after, "cgroup2 ") {
			continue
		}
		fields := strings.Fields(before)
		if below, err := filepath.Rel(fields[3], path); err == nil && !isAbove(below) {
			return filepath.Join(fields[4], below), true
		}
	}
	return "", false
}

// isAbove reports whether a relative name leads out of its folder.
func isAbove(name string) bool { return name == ".." || strings.HasPrefix(name, "../") }

// probeCgroup tries whether tasks can get cgroups of their own in a folder.
func probeCgroup(folder string) error {
	if err := unix.Access(filepath.Join(folder, "cgroup.procs"), unix.W_OK); err != nil {
		return fmt.Errorf("move processes between cgroups of %s: %w", folder, err)
	}
	probe, err := os.MkdirTemp(folder, "canvass-")
	if err != nil {
		return fmt.Errorf("make a cgroup: %w", err)
	}
	defer os.Remove(probe)
	if err := shim.KillCgroup(probe); err != nil {
		return fmt.Errorf("this kernel cannot kill a cgroup: %w", err)
	}
	return nil
}

// emptyCgroup reports whether no process is in a cgroup, or there is none of that name.
func emptyCgroup(folder string) bool {
	events, err := os.ReadFile(filepath.Join(folder, "cgroup.events"))
	return errors.Is(err, fs.ErrNotExist) || err == nil && strings.Contains(string(events), "populated 0")
}

// cgroupsIn lists a cgroup and the cgroups that a task has made below it, parents first.
func cgroupsIn(folder string) (all []string) {
	// An unreadable folder is gone already, or its removal fails with an error.
	_ = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			all = append(all, name)
		}
		return nil
	})
	return all
}

// killEach kills the processes of a cgroup one by one. The kernel's own kill passes over a process
// whose first thread has ended.
func killEach(folder string) {
	for _, below := range cgroupsIn(folder) {
		var found []procs.Process
		for _, pid := range members(below) {
			if p, err := procs.Read(pid); err == nil {
				found = append(found, p)
			}
		}
		still := members(below) // a number of the first look may have become another process's
		for _, p := range found {
			if slices.Contains(still, p.PID) {
				p.Kill()
			}
		}
	}
}

// members lists the processes in a cgroup.
func members(folder string) (pids []int) {
	text, _ := os.ReadFile(filepath.Join(folder, "cgroup.procs"))
	for line := range strings.Lines(string(text)) {
		if pid, err := strconv.Atoi(strings.TrimSpace(line)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// removeCgroup removes an empty cgroup and those in it.
func removeCgroup(folder string) error {
	for _, below := range slices.Backward(cgroupsIn(folder)) {
		if err := os.Remove(below); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// memory is the cgroup in which the memory of tasks and their shims is counted. The cgroup of a
// task has no separate count, as long as the daemon is in the one above.
type memory struct {
	mu     sync.Mutex
	events string    // its memory.events; "": no kernel counts there, and nothing is known
	kills  uint64    // how many processes the OOM killer had ended there at the last look
	rose   time.Time // when there were more than at the look before
}

// oomMoment is how long after the OOM killer has struck a task that is killed is taken for its
// victim.
const oomMoment = 5 * time.Second

// memoryOf is the cgroup in which the memory of processes in a folder is counted: the first on the
// way up that counts.
func memoryOf(folder string) *memory {
	m := &memory{}
	for ; len(folder) > 1; folder = filepath.Dir(folder) {
		name := filepath.Join(folder, "memory.events")
		if _, err := os.Stat(name); err == nil {
			m.events = name
			break
		}
	}
	m.kills = m.count()
	return m
}

// count reads how many processes the OOM killer has ended.
func (m *memory) count() uint64 {
	text, _ := os.ReadFile(m.events) // an unreadable file counts as 0
	for line := range strings.Lines(string(text)) {
		if number, ok := strings.CutPrefix(line, "oom_kill "); ok {
			if n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 64); err == nil {
				return n
			}
		}
	}
	return m.kills
}

// struck reports whether the OOM killer has just ended a process there. It is called whenever a
// task begins or ends.
func (m *memory) struck() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if kills := m.count(); kills > m.kills {
		m.kills, m.rose = kills, time.Now()
	}
	return time.Since(m.rose) < oomMoment
}

// blame names the OOM killer if its role is certain: a task was killed, but neither the daemon nor
// the shim did it, or a shim was killed.
func (m *memory) blame(exit *Exit, shimEnded bool) {
	switch struck := m.struck(); {
	case !struck || exit.Code != 128+int(unix.SIGKILL):
	case exit.Lost && shimEnded:
		exit.Error += ", as the kernel's OOM killer ended a process of its cgroup for want of memory"
	case !exit.Killed && !exit.Lost:
		exit.OOM = true
	}
}
