package observe

import (
	"log/slog"
	"time"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/protocol"
)

// WatchdogFor returns one with a clock, a time between its looks, and what it does.
func WatchdogFor(clock func() time.Duration, patience time.Duration, hung func()) *Watchdog {
	return &Watchdog{clock: clock, patience: patience, hung: func(string) { hung() }}
}

// Watch looks until the life has stopped or is over.
func (w *Watchdog) Watch(stopped <-chan struct{}) { w.watch(stopped) }

// Timed is what takes the steps of the lease core, on a node with this log and clock.
func Timed(log *slog.Logger, clock func() time.Duration) func(protocol.InputKind, func()) {
	s := NewSlowSteps(clock, log, nil, func(driver.CoreID) string { return "lease" })
	return func(kind protocol.InputKind, step func()) { s.Measured(driver.CoreID{Kind: 3}, kind, step) }
}
