package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

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

// processesOf is how many processes a task may have: a share of what the daemon's own cgroup may
// have, so that the daemon goes on when they are used up. Each folder above can say less.
func processesOf() uint64 {
	most := uint64(shim.ProcessesLimit)
	folder, err := cgroupFolder()
	for err == nil && len(folder) > 1 {
		text, failed := os.ReadFile(filepath.Join(folder, "pids.max"))
		if n, bad := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); failed == nil && bad == nil {
			most = min(most, shim.Share(n))
		}
		folder = filepath.Dir(folder)
	}
	return most
}

// cgroupFolder returns the folder of this process's cgroup of version 2.
func cgroupFolder() (string, error) {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", err
	}
	mine, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	path := ""
	for line := range strings.Lines(string(mine)) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok {
			path = rest
		}
	}
	for line := range strings.Lines(string(mounts)) {
		// 36 35 98:0 ROOT MOUNTPOINT OPTIONS ... - TYPE SOURCE OPTIONS
		before, after, _ := strings.Cut(line, " - ")
		fields := strings.Fields(before)
		if path == "" || len(fields) < 5 || !strings.HasPrefix(after, "cgroup2 ") {
			continue
		}
		below, err := filepath.Rel(fields[3], path)
		if err != nil || strings.HasPrefix(below, "..") {
			continue
		}
		return filepath.Join(fields[4], below), nil
	}
	return "", errors.New("no cgroup of version 2 is mounted")
}

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

// memory is the cgroup in which the memory of tasks and their shims is counted. The cgroup of a
// task has no count of its own, as long as the daemon is in the one above.
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
	text, err := os.ReadFile(m.events)
	if err != nil {
		return m.kills
	}
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
	return !m.rose.IsZero() && time.Since(m.rose) < oomMoment
}

// blame names the OOM killer where it is known: at the end of a task that was killed, by nobody who
// may, and of a shim that was.
func (m *memory) blame(exit *Exit, shimEnded bool) {
	switch struck := m.struck(); {
	case !struck || exit.Code != 128+int(unix.SIGKILL):
	case exit.Lost && shimEnded:
		exit.Error += ", as the kernel's OOM killer ended a process of its cgroup for want of memory"
	case !exit.Killed && !exit.Lost:
		exit.OOM = true
	}
}
