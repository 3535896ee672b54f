package custody

import (
	"math/bits"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// Chronicle checks the run of another driver, step by step, with the monitor and the predicates of
// the models.
type Chronicle struct {
	agent   *Agent
	monitor monitor
	past    []byte
	look    look
}

// NewChronicle returns the chronicle of a job that was not submitted. Site returns the custodian of
// a number, or nil if it is down, and persisted what is on its disk.
func NewChronicle(a *Agent, site func(int) *Site, persisted func(int) []byte) *Chronicle {
	m := monitor{a}
	core := func(i int) *custody.State {
		if s := site(i); s != nil {
			return &s.Core
		}
		return nil
	}
	return &Chronicle{a, m, m.Initial(), look{core, persisted}}
}

// Observe notes a step of a node, with the state after it.
func (c *Chronicle) Observe(node int, after Site, events []protocol.Event) {
	c.past = c.monitor.Observe(c.past, node, after, events)
}

// Broken returns a property of all states that does not hold, or "".
func (c *Chronicle) Broken() string {
	p := decodePast(c.past)
	for _, b := range breaches() {
		if p.broken&b.bit != 0 {
			return b.name
		}
	}
	for _, each := range c.agent.predicates() {
		if !each.holds(p, c.look) {
			return each.name
		}
	}
	if p.rules != 0 {
		return rules[bits.TrailingZeros64(p.rules)].Name
	}
	return ""
}

// May reports whether something may reach a driver: whether a timer of the world is due.
func (c *Chronicle) May(s *Site, t protocol.Timer) bool {
	return t.Kind == custody.ResendTimer || c.agent.may(decodePast(c.past), s, t)
}

// Ended reports whether the end of the job was announced, or no custodian has the job.
func (c *Chronicle) Ended() bool { return c.agent.nobodyWaits(decodePast(c.past), c.look) }
