package checker

import (
	"os"
	"runtime/debug"
)

// heapGrowth is by how many percent the heap may grow between two collections.
const heapGrowth = 30

// TuneCollector sets the garbage collector of the whole process for checks, and returns what sets it back. What a check
// allocates it keeps to its end; to wait until the heap has doubled, as programs do otherwise, takes memory and gains little. It is for
// programs that do nothing else; the results of a check are the same without. Who sets GOGC in the environment gets that.
func TuneCollector() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(heapGrowth)
	return func() { debug.SetGCPercent(before) }
}
