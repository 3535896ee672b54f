package observe

import (
	"time"

	"golang.org/x/sys/unix"
)

// readClocks reads the clocks of the machine, one after the other.
func readClocks() clocks {
	read := func(clock int32) time.Duration {
		var t unix.Timespec
		if unix.ClockGettime(clock, &t) != nil {
			return 0
		}
		return time.Duration(t.Nano())
	}
	return clocks{
		boot: read(unix.CLOCK_BOOTTIME), mono: read(unix.CLOCK_MONOTONIC), raw: read(unix.CLOCK_MONOTONIC_RAW),
		wall: read(unix.CLOCK_REALTIME),
	}
}
