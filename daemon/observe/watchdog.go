package observe

import (
	"fmt"
	"sync/atomic"
	"time"
)

// Watchdog notices that an incarnation is over whose goroutine does not end it. That is after the
// end of the time of its tasks, which their shims have ended. Then only the process is left: it
// keeps connections, and keeps the folder from the next incarnation.
type Watchdog struct {
	clock    func() time.Duration
	patience time.Duration    // between two looks
	hung     func(why string) // nil: nobody looks
	until    atomic.Int64     // when the life is over; 0: it has not had a lease
}

// NewWatchdog returns the watchdog of an incarnation, which looks twice before it calls a function.
func NewWatchdog(clock func() time.Duration, patience time.Duration, hung func(why string)) *Watchdog {
	return &Watchdog{clock: clock, patience: patience, hung: hung}
}

// Extend sets the time at which the incarnation is over.
func (w *Watchdog) Extend(until time.Duration) { w.until.Store(int64(until)) }

// watch looks until the incarnation has stopped, or was over at two looks in a row. A daemon that
// was stopped (SIGSTOP) and continues has the time between these looks to end by itself.
func (w *Watchdog) watch(stopped <-chan struct{}) {
	for over := 0; over < 2; over++ {
		select {
		case <-stopped:
			return
		case <-time.After(w.patience):
		}
		if until := w.until.Load(); until == 0 || w.clock() < time.Duration(until) {
			over = -1
		}
	}
	w.hung("expired, and its goroutine hangs")
}

// Guard begins to watch over an incarnation, and returns a function that ends the watch. It is
// called after everything else has ended.
func (w *Watchdog) Guard(stopped <-chan struct{}) (end func()) {
	if w.hung == nil {
		return func() {}
	}
	ended := make(chan struct{})
	go func() {
		w.watch(stopped)
		select {
		case <-ended:
		case <-time.After(endLimit):
			w.hung(fmt.Sprintf("it has stopped, and has not ended after %v", endLimit))
		}
	}()
	return func() { close(ended) }
}

// endLimit is how long a stopped incarnation may take to end its tasks and to close its files.
const endLimit = 15 * time.Second
