package node

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/protocol"
)

// watchdog notices that a life is over whose goroutine does not end it. That is after the time that
// its tasks were given, and their shims have ended them. Then only the process is left: it keeps
// connections, and the folder from the next life.
type watchdog struct {
	clock    func() time.Duration
	patience time.Duration    // between two looks
	hung     func(why string) // nil: nobody looks
	until    atomic.Int64     // when the life is over; 0: it has not had a lease
}

// extend lets the life go on.
func (w *watchdog) extend(until time.Duration) { w.until.Store(int64(until)) }

// guarded is a host whose processes live as long as its life, which a watchdog ends.
type guarded struct {
	host.Host
	watchdog *watchdog
}

// Extend lets the processes run until a time, and the life.
func (g guarded) Extend(deadline time.Duration) {
	g.Host.Extend(deadline)
	g.watchdog.extend(deadline)
}

// watch looks until the life has stopped, or has been over at two looks in a row. A daemon that was
// stopped (SIGSTOP) and goes on has the time between these looks to end by itself.
func (w *watchdog) watch(stopped <-chan struct{}) {
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

// newWatchdog returns the watchdog of a life. Two looks, and what the program needs to end, fit
// into the kill budget.
func newWatchdog(r *life.Runtime, s *config.Settings, f *life.Fences) *watchdog {
	w := &watchdog{clock: r.Clock, patience: s.Config.KillBudget() / 3}
	if s.Options.Hung != nil {
		w.hung = func(why string) { hung(r.Fenced(life.FenceHung, why), s.Options, f) }
	}
	return w
}

// guard begins to watch over a life, and returns what ends that: after all else of the life has
// ended.
func (w *watchdog) guard(stopped <-chan struct{}) (end func()) {
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

// endLimit is how long a life that has stopped may take to end its tasks and to close its files.
const endLimit = 15 * time.Second

// hung ends the process. Nothing that changes may be touched: it belongs to the goroutine that
// hangs. The disk may be what it waits for.
func hung(end error, o config.Options, f *life.Fences) {
	go func() {
		_ = os.Remove(config.Socket(o.Folder)) // nobody answers there any more
		f.Note(end)
	}()
	o.Hung(end)
}

const (
	slowStep  = 20 * time.Millisecond // of a step that is logged
	slowPause = 10 * time.Second      // between two lines about slow steps
)

// slowSteps logs steps that take long.
type slowSteps struct {
	*life.Runtime
	again   time.Duration // when the next line may come
	skipped int           // steps since the last line
}

// measured takes a step, and logs it if it took long. A step also takes long when the daemon is
// stopped meanwhile, or does not get a processor.
func (s *slowSteps) measured(core driver.CoreID, kind protocol.InputKind, step func()) {
	began := s.Clock()
	step()
	now := s.Clock()
	s.Meter.Stepped(coreName(core), kind, now-began)
	if now-began <= slowStep {
		return
	}
	if now < s.again {
		s.skipped++
		return
	}
	s.Log.Warn("a step took long", "core", flight.CoreID(core).Text(coreName(core)), "input", kind.String(),
		"took", now-began, "skipped", s.skipped)
	s.again, s.skipped = now+slowPause, 0
}
