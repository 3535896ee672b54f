package checker

import (
	"bytes"
	"os"
	"runtime/debug"
	"strconv"
)

// FreeMemoryBytes is how much memory this process can still take before the machine, or the
// container that it runs in, runs out; 0 if that is unknown, as on systems other than Linux. It
// helps to choose [Options.MemoryLimitBytes].
func FreeMemoryBytes() uint64 {
	free := kibibytes("/proc/meminfo", "MemAvailable:")
	most, limited := number("/sys/fs/cgroup/memory.max")
	if used, ok := number("/sys/fs/cgroup/memory.current"); limited && ok {
		free = min(free, most-min(used, most))
	}
	return free
}

// kibibytes reads a number from a file that has a name, a number and "kB" in each line: 0 if it is
// not there.
func kibibytes(file, name string) uint64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(text) {
		fields := bytes.Fields(line)
		if len(fields) < 2 || string(fields[0]) != name {
			continue
		}
		n, err := strconv.ParseUint(string(fields[1]), 10, 50)
		if err != nil {
			return 0
		}
		return n << 10
	}
	return 0
}

// number reads a file that holds nothing but a number.
func number(file string) (n uint64, ok bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	n, err = strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64)
	return n, err == nil
}

// heapGrowth is by how many percent the heap may grow between two collections.
const heapGrowth = 30

// TuneCollector sets the garbage collector of the whole process for checks, and returns a function
// that restores it. A check retains most of what it allocates, so waiting until the heap has
// doubled, as is the default, takes memory and gains little. It is for programs that do nothing
// else; the results of a check do not depend on it. If GOGC is set in the environment, it has no
// effect.
func TuneCollector() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(heapGrowth)
	return func() { debug.SetGCPercent(before) }
}
