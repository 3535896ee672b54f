package observe

import (
	"log/slog"
	"time"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/protocol"
)

const (
	slowStep  = 20 * time.Millisecond // of a step that is logged
	slowPause = 10 * time.Second      // between two lines about slow steps
)

// slowSteps logs steps that take long.
type slowSteps struct {
	clock   func() time.Duration
	log     *slog.Logger
	meter   *Metrics
	nameOf  func(driver.CoreID) string
	again   time.Duration // when the next line may come
	skipped int           // steps since the last line
}

// MeasureSteps returns a function that takes the steps of a loop, measures them, and logs slow
// ones.
func MeasureSteps(
	clock func() time.Duration, log *slog.Logger, meter *Metrics, nameOf func(driver.CoreID) string,
) func(core driver.CoreID, kind protocol.InputKind, step func()) {
	s := &slowSteps{clock: clock, log: log, meter: meter, nameOf: nameOf}
	return s.take
}

// take takes a step, and logs it if it took long. A step also takes long when the daemon is
// stopped meanwhile, or does not get a processor.
func (s *slowSteps) take(core driver.CoreID, kind protocol.InputKind, step func()) {
	began := s.clock()
	step()
	now := s.clock()
	s.meter.Stepped(s.nameOf(core), kind, now-began)
	if now-began <= slowStep {
		return
	}
	if now < s.again {
		s.skipped++
		return
	}
	s.log.Warn("a step took long", "core", flight.CoreID(core).Text(s.nameOf(core)), "input", kind.String(),
		"took", now-began, "skipped", s.skipped)
	s.again, s.skipped = now+slowPause, 0
}
