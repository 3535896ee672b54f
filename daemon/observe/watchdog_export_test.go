package observe

import (
	"log/slog"
	"time"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/protocol"
)

// Watch looks until the life has stopped or is over.
func (w *Watchdog) Watch(stopped <-chan struct{}) { w.watch(stopped) }

// Timed returns the function that takes the steps of the lease core, on a node with this log and
// clock.
func Timed(log *slog.Logger, clock func() time.Duration) func(protocol.InputKind, func()) {
	take := MeasureSteps(clock, log, nil, func(driver.CoreID) string { return "lease" })
	return func(kind protocol.InputKind, step func()) { take(driver.CoreID{Kind: 3}, kind, step) }
}
