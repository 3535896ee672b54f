package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

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
