//go:build linux

package runner

// Stick makes a task that does not end. It ends when it is released.
func Stick(r *Runner) (release func()) {
	r.running.Add(1)
	return r.running.Done
}

// Sweep kills until enough looks in a row have found nothing.
var Sweep = sweep

// CountMemory has a runner count the kills of the OOM killer in a folder, as in that of a cgroup,
// or in the first one above that counts.
func CountMemory(r *Runner, folder string) { r.memory = memoryOf(folder) }

// EmptySweep is how many looks in a row must find nothing.
const EmptySweep = emptySweep
