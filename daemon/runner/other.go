//go:build !linux

package runner

import (
	"errors"
	"time"
)

// Runner starts tasks and ends them. It needs Linux.
type Runner struct{}

// Process is a task that was started.
type Process struct{}

// New fails: the guarantees of this package rest on PID namespaces, cgroups and pidfd.
func New(Config) (*Runner, error) { return nil, errors.New("run tasks: only Linux can do that") }

// Start is never called.
func (r *Runner) Start(Task) (*Process, error) { return nil, errors.ErrUnsupported }

// Extend is never called.
func (r *Runner) Extend(time.Duration) {}

// Isolation is never called.
func (r *Runner) Isolation() string { return "" }

// Veil is never called.
func (r *Runner) Veil() string { return "" }

// Exposed is never called.
func (r *Runner) Exposed() []string { return nil }

// Try is never called.
func (r *Runner) Try() error { return errors.ErrUnsupported }

// InTask returns false, since tasks are never started on this system.
func InTask(int) bool { return false }

// Close is never called.
func (r *Runner) Close() error { return nil }

// Kill is never called.
func (p *Process) Kill(bool) {}

// Gone is never called.
func (p *Process) Gone() bool { return false }

// Done is never called.
func (p *Process) Done() <-chan Exit { return nil }
