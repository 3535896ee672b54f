package host

import (
	"errors"
	"fmt"
	"time"
)

// looks are accesses to files that a job names. Their file system may hang, like that of a server
// that is down. So they run beside the goroutine of the node, and their number is bounded: each
// holds a thread for as long as it lasts.
type looks chan struct{}

// How many looks there are at once, and how long each may take before the host is not awaited.
const (
	looksLimit   = 8
	lookPatience = 5 * time.Second
)

// errLook reports that the host could not find out whether a task can start.
var errLook = errors.New("a file system does not answer; mend it, or unmount it")

// do looks, and calls done on another goroutine.
func (l looks) do(patience time.Duration, look func() (misfit string, err error), done func(string, error)) {
	type found struct {
		misfit string
		err    error
	}
	answer := make(chan found, 1)
	select {
	case l <- struct{}{}:
		go func() {
			defer func() { <-l }()
			misfit, err := look()
			answer <- found{misfit, err}
		}()
	default:
		answer <- found{err: fmt.Errorf("%w: %d looks for the commands of tasks have not ended", errLook, looksLimit)}
	}
	go func() {
		select {
		case f := <-answer:
			done(f.misfit, f.err)
		case <-time.After(patience):
			done("", fmt.Errorf("%w: the look for the command of a task has taken %v", errLook, patience))
		}
	}()
}
