package observe

import (
	"time"

	"golang.org/x/sys/unix"
)

const (
	clockTries = 10
	clockPause = time.Millisecond // between the first and the last of readings that belong together
)

// readClocks reads the clocks of the machine, one after the other. Readings between which the
// program did not run for a while say nothing: then, after some tries, all are 0.
func readClocks() clocks {
	for range clockTries {
		c, took := readOnce()
		if took < clockPause {
			return c
		}
	}
	return clocks{}
}

func readOnce() (c clocks, took time.Duration) {
	read := func(clock int32) time.Duration {
		var t unix.Timespec
		if unix.ClockGettime(clock, &t) != nil {
			return 0
		}
		return time.Duration(t.Nano())
	}
	c = clocks{
		boot: read(unix.CLOCK_BOOTTIME), mono: read(unix.CLOCK_MONOTONIC), raw: read(unix.CLOCK_MONOTONIC_RAW),
		wall: read(unix.CLOCK_REALTIME),
	}
	return c, read(unix.CLOCK_BOOTTIME) - c.boot
}
