package main

import (
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

// stop is a time in which a daemon, or its shims, were stopped.
type stop struct {
	letter        string // of the node
	daemon, shims bool
	from, to      time.Duration
}

// stopSlack is how long a shim takes to end its task once it goes on.
const stopSlack = 250 * milli

// outlives reports whether a task on a host may have run until last, although it was to end at end:
// daemon and shim were both stopped, and the runner assumes that they are not.
func outlives(stops []stop, host string, end, last time.Duration) bool {
	letter := trials.LetterOf(host)
	for _, d := range stops {
		for _, s := range stops {
			if !d.daemon || !s.shims || d.letter != letter || s.letter != letter {
				continue
			}
			from, to := max(d.from, s.from), min(d.to, s.to)
			if from < to && from <= end && last <= to+stopSlack {
				return true
			}
		}
	}
	return false
}
