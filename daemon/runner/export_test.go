//go:build linux

package runner

// Stick makes a task that does not end. It ends when it is released.
func Stick(r *Runner) (release func()) {
	r.running.Add(1)
	return r.running.Done
}

// Sweep kills until enough looks in a row have found nothing.
var Sweep = sweep

// EmptySweep is how many looks in a row must find nothing.
const EmptySweep = emptySweep
