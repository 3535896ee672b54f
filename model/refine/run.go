package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// RunMonitor checks a whole run against the properties that no single state shows, for drivers
// other than the checker: Measured and RemovedIsGone.
type RunMonitor struct {
	history history
	rule    pairing
}

// NewRunMonitor returns the monitor of a run that has not begun.
func NewRunMonitor(diameterMicros uint32) *RunMonitor {
	return &RunMonitor{rule: pairing{diameter: diameterMicros}}
}

// Observe takes the events of a step and the view of the node at that address after it; of a crash,
// it takes the event "crash" alone.
func (c *RunMonitor) Observe(address int, v *View, events []protocol.Event) {
	c.history.observe(address, c.rule, func() *View { return v }, events)
}

// Broken returns the property that a live node breaks, or "".
func (c *RunMonitor) Broken(v *View) string {
	if slices.Contains(c.history.gone, v.ID) {
		return "RemovedIsGone"
	}
	uncovered := func(k Cluster) bool { return !c.history.covers(k) }
	if c.history.broken&brokenPair != 0 || slices.ContainsFunc(v.clusters(), uncovered) {
		return "Measured"
	}
	return ""
}
