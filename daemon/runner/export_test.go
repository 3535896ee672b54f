//go:build linux

package runner

// Stick makes a task that does not end. It ends when it is released.
func Stick(r *Runner) (release func()) {
	r.running.Add(1)
	return r.running.Done
}
