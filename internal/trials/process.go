package trials

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

// BootTime is CLOCK_BOOTTIME, which all processes of a machine share.
func BootTime() time.Duration { return shim.Boottime() }

// Process is a process as /proc shows it. PID and start together name one process forever.
type Process struct {
	PID     int
	Command []string

	parent int
	start  string
	state  string
}

// IsShim reports whether the process is the shim of a task.
func (p Process) IsShim() bool { return len(p.Command) == 2 && p.Command[1] == shim.Argument }

// IsTask reports whether the process runs the program of [Bed.Job].
func (p Process) IsTask() bool { return len(p.Command) > 1 && p.Command[1] == taskWord }

// IsThere reports that the process has not ended. A zombie has ended.
func (p Process) IsThere() bool {
	now, ok := ReadProcess(p.PID)
	return ok && now.start == p.start && now.state != "Z" && now.state != "X"
}

// Variable is a variable of the environment that the process began with.
func (p Process) Variable(name string) string {
	all, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.PID))
	for v := range bytes.SplitSeq(all, []byte{0}) {
		if value, is := strings.CutPrefix(string(v), name+"="); is {
			return value
		}
	}
	return ""
}

// statOf is /proc/PID/stat of a process from its state on, or nothing if it has ended.
func statOf(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	// The name, in brackets, can hold anything.
	words := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(words) < 20 {
		return nil
	}
	return words
}

// ReadProcess reads a process.
func ReadProcess(pid int) (Process, bool) {
	words := statOf(pid)
	if words == nil {
		return Process{}, false
	}
	p := Process{PID: pid, state: words[0], start: words[19]}
	p.parent, _ = strconv.Atoi(words[1])
	line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	p.Command = strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
	return p, true
}

// Processes reads all processes.
func Processes() (all []Process) {
	names, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range names {
		pid, _ := strconv.Atoi(filepath.Base(name))
		if p, ok := ReadProcess(pid); ok {
			all = append(all, p)
		}
	}
	return all
}

// Below lists the descendants of a process.
func Below(all []Process, pid int) (found []Process) {
	for _, p := range all {
		if p.parent == pid {
			found = append(append(found, p), Below(all, p.PID)...)
		}
	}
	return found
}

// InFolder lists the processes whose program is in a folder.
func InFolder(folder string) (found []Process) {
	for _, p := range Processes() {
		exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", p.PID))
		if err == nil && strings.HasPrefix(exe, folder+"/") {
			found = append(found, p)
		}
	}
	return found
}

// WithText lists the processes, other than this one, whose command line contains a text.
func WithText(text string) (found []Process) {
	for _, p := range Processes() {
		if p.PID != os.Getpid() && strings.Contains(strings.Join(p.Command, " "), text) {
			found = append(found, p)
		}
	}
	return found
}

// Usage is the memory and the descriptors of a process.
type Usage struct {
	RSSBytes    int64 `json:"rss_bytes"`
	Descriptors int   `json:"descriptors"`
}

// UsageOf reads the usage of a process. It reports false if the process has ended.
func UsageOf(pid int) (u Usage, ok bool) {
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
	return Usage{RSSBytes: pages * int64(os.Getpagesize()), Descriptors: len(names)}, err == nil
}

// LastLine is the last line of a text.
func LastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndex(text, "\n")+1:]
}
