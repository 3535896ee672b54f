package main

import (
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/sim"
)

// simulated is how far a simulation has come.
func simulated(now sim.Progress) string {
	runs := english.Grouped(now.Runs)
	if now.Of > 0 {
		runs += " of " + english.Grouped(now.Of)
	}
	messages := ""
	if now.Messages > 0 { // walks count none
		speed := english.Grouped(uint64(cli.Rate(now.Messages, now.Elapsed)))
		messages = fmt.Sprintf("%s messages, %s messages/s, ", english.Grouped(now.Messages), speed)
	}
	return fmt.Sprintf("%s runs, %s violated, %s%s", runs, english.Grouped(now.Violations), messages,
		now.Elapsed.Truncate(time.Second))
}

// status is how far the check of a model has come.
func status(name string, p checker.Progress) string {
	return fmt.Sprintf("%s %s: %s states, queue %s, depth %d, %s states/s, %s, %s", name, p.Phase,
		english.Grouped(p.States), english.Grouped(p.Queue), p.Depth,
		english.Grouped(uint64(cli.Rate(p.States, p.Elapsed))), size(p.MemoryBytes), p.Elapsed.Truncate(time.Second))
}
