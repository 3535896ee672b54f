package observe

import (
	"fmt"
	"time"
)

// ClockEvery is the interval between comparisons of the clocks.
const ClockEvery = 10 * time.Second

// clockJump is above what two readings of clocks can differ by chance.
const clockJump = 100 * time.Millisecond

// clocks are readings of the clocks of the machine.
type clocks struct {
	boot time.Duration // of leases and timers; goes on while the machine is suspended
	mono time.Duration // stops then, and has the rate of boot
	raw  time.Duration // has the rate of the hardware: no time service changes it
	wall time.Duration // is set by time services
}

// ClockWatch compares the clocks of the machine with each other. A time service can change the rate
// of the clock that leases use. Errors of the hardware's own rate cannot be detected here.
type ClockWatch struct {
	last     clocks
	rate     float64 // of the clock of leases, beside that of the hardware: 0 is equal
	rapid    uint64  // intervals in which the rates differed by more than half of the assumed drift
	jumps    uint64  // of the time of day
	suspends uint64
	asleep   time.Duration
}

// Look reads the clocks, and returns what people should know. The rates may differ by a half of a
// drift, as 0.001.
func (w *ClockWatch) Look(drift float64) (warnings []string) { return w.take(readClocks(), drift) }

// take compares readings with the last ones.
func (w *ClockWatch) take(now clocks, drift float64) (warnings []string) {
	if now == (clocks{}) {
		return nil
	}
	last := w.last
	w.last = now
	mono, raw := now.mono-last.mono, now.raw-last.raw
	if last.raw == 0 || raw <= 0 {
		return nil
	}
	w.rate = float64(mono-raw) / float64(raw)
	if w.rate > drift/2 || w.rate < -drift/2 {
		w.rapid++
		warnings = append(warnings, fmt.Sprintf("the clock of leases runs %+.3f %% beside the hardware's, and leases "+
			"allow for %.1f %%: a time service changes its rate; limit what it may do", 100*w.rate, 100*drift))
	}
	if asleep := now.boot - last.boot - mono; asleep > clockJump {
		w.suspends++
		w.asleep += asleep
		warnings = append(warnings, fmt.Sprintf("the machine was suspended for %v", asleep.Round(time.Millisecond)))
	}
	if jump := now.wall - last.wall - (now.boot - last.boot); jump > clockJump || jump < -clockJump {
		w.jumps++
		warnings = append(warnings, fmt.Sprintf("the time of day was changed by %v", jump.Round(time.Millisecond)))
	}
	return warnings
}

// Show writes the observations.
func (w *ClockWatch) Show(s Scrape) {
	s.Gauge("canvass_clock_rate_ratio",
		"How much faster the clock of leases ran than the hardware's in the last 10 s; 0 is equal.", w.rate)
	s.Counter("canvass_clock_rapid_total",
		"Intervals of 10 s in which those rates differed by more than half of the drift that leases allow for.", w.rapid)
	s.Counter("canvass_clock_jumps_total", "Changes of the time of day by more than 100 ms.", w.jumps)
	s.Counter("canvass_clock_suspends_total", "Times that the machine was suspended.", w.suspends)
	s.Gauge("canvass_clock_suspended_seconds", "Suspension of the machine in this incarnation.", w.asleep.Seconds())
}
