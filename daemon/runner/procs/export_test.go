//go:build linux

package procs

// Parse reads the text of /proc/PID/stat.
func Parse(pid int, text string) (Process, error) { return parse(pid, []byte(text)) }

// IsMarked reports whether the first environment of a process has a variable.
var IsMarked = isMarked

// HasEnded reports whether a process had ended when it was read.
func HasEnded(p Process) bool { return p.ended }
