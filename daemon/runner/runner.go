package runner

import "time"

// Runner starts tasks and ends them.
type Runner struct{}

// New ends what a former life of the daemon has left, waits until it is gone, and returns a runner.
func New(c Config) (*Runner, error) { return &Runner{}, nil }

// Start starts a task. It returns when the shim has started. A command that cannot be started is no
// error of Start: Done reports it.
func (r *Runner) Start(t Task) (*Process, error) { return nil, nil }

// Extend moves the deadline of all tasks, in time since boot (CLOCK_BOOTTIME). Until the first call
// there is none. A deadline never moves back: an earlier one is ignored.
func (r *Runner) Extend(deadline time.Duration) {}

// Isolation names which of the three ways is in force.
func (r *Runner) Isolation() string { return "" }

// Close ends all tasks, waits until they are gone, and frees what the runner holds.
func (r *Runner) Close() error { return nil }

// Process is a task that was started.
type Process struct{}

// Kill ends the task. With grace, its process group gets SIGTERM first, and the rest SIGKILL after
// the task's Grace. Without grace all get SIGKILL now.
func (p *Process) Kill(grace bool) {}

// Done fires once, when all processes of the task have ended.
func (p *Process) Done() <-chan Exit { return nil }

// Shim is the main function of the shim. It returns the exit code of the process.
func Shim() int { return 0 }
