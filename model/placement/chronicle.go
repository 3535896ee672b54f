package placement

import (
	"math/bits"

	"github.com/canvass-grid/canvass/protocol"
)

// Chronicle checks the run of another driver, step by step, with the predicates and the monitor of
// the models.
type Chronicle struct {
	monitor monitor
	past    []byte
	broken  string
}

// MostJobs is the number of jobs that a Chronicle can tell apart.
const MostJobs = 64

// NewChronicle returns the chronicle of one node of an agent.
func NewChronicle(a *Agent) *Chronicle {
	m := monitor{len(a.Jobs)}
	return &Chronicle{monitor: m, past: m.Initial()}
}

// Observe notes a step of the node, with the state and the pending timers after it; the event of a
// crash is "crash" alone, and the state is not looked at.
func (c *Chronicle) Observe(after *Site, pending []protocol.Timer, events []protocol.Event) {
	c.past = c.monitor.Observe(c.past, 0, *after, events)
	if len(events) > 0 && events[0].Name == "crash" {
		return
	}
	if broken := after.Broken(pending); c.broken == "" {
		c.broken = broken
	}
}

// Broken returns the property that was broken, or "".
func (c *Chronicle) Broken() string {
	switch p := decodePast(c.past); {
	case c.broken != "":
		return c.broken
	case p.unfair:
		return fairTurns.name
	case p.rules != 0:
		return rules[bits.TrailingZeros32(p.rules)].Name
	}
	return ""
}
