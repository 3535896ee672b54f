package host

import (
	"errors"
	"fmt"
	"time"
)

// looks are looks at files that a job names. Their file system may never answer, as that of a
// server which is down. So they are beside the goroutine of the node, and so many at most: each
// holds a thread as long as it lasts.
type looks chan struct{}

// How many looks there are at once, and how long each may take before the host is not awaited.
const (
	looksLimit   = 8
	lookPatience = 5 * time.Second
)

// errLook says that a host could not find out whether a task could start.
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
