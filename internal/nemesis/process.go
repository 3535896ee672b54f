package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/runner/shim"
)

// bootTime is CLOCK_BOOTTIME.
func bootTime() time.Duration { return shim.Boottime() }

// process is a process as /proc shows it. PID and start together name one process forever.
type process struct {
	pid, parent int
	start       string
	state       string
	command     []string
}

func (p process) shim() bool { return len(p.command) == 2 && p.command[1] == shim.Argument }
func (p process) task() bool { return len(p.command) > 1 && p.command[1] == taskWord }

// there reports that the process has not ended. One that only waits to be reaped has.
func (p process) there() bool {
	now, ok := readProcess(p.pid)
	return ok && now.start == p.start && now.state != "Z" && now.state != "X"
}

// variable is a variable of the environment that the process began with.
func (p process) variable(name string) string {
	all, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.pid))
	for v := range bytes.SplitSeq(all, []byte{0}) {
		if value, is := strings.CutPrefix(string(v), name+"="); is {
			return value
		}
	}
	return ""
}

// readProcess reads a process.
func readProcess(pid int) (process, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return process{}, false
	}
	// The name, in brackets, can hold anything.
	words := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(words) < 20 {
		return process{}, false
	}
	p := process{pid: pid, state: words[0], start: words[19]}
	p.parent, _ = strconv.Atoi(words[1])
	line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	p.command = strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
	return p, true
}

// processes reads all processes.
func processes() (all []process) {
	names, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range names {
		pid, _ := strconv.Atoi(filepath.Base(name))
		if p, ok := readProcess(pid); ok {
			all = append(all, p)
		}
	}
	return all
}

// below lists the processes that descend from one.
func below(all []process, pid int) (found []process) {
	for _, p := range all {
		if p.parent == pid {
			found = append(append(found, p), below(all, p.pid)...)
		}
	}
	return found
}

// ofFolder lists the processes whose program is in a folder.
func ofFolder(folder string) (found []process) {
	for _, p := range processes() {
		exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", p.pid))
		if err == nil && strings.HasPrefix(exe, folder+"/") {
			found = append(found, p)
		}
	}
	return found
}

// usage is what a process holds.
type usage struct {
	RSSBytes    int64 `json:"rss_bytes"`
	Descriptors int   `json:"descriptors"`
}

func usageOf(pid int) (u usage, ok bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return u, false
	}
	words := strings.Fields(string(text))
	if len(words) < 2 {
		return u, false
	}
	pages, _ := strconv.ParseInt(words[1], 10, 64)
	names, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	return usage{RSSBytes: pages * int64(os.Getpagesize()), Descriptors: len(names)}, err == nil
}
