package muster

import (
	"math/bits"

	"github.com/canvass-grid/canvass/protocol"
)

// Chronicle checks the run of another driver, step by step, with the monitor of the models.
type Chronicle struct {
	monitor monitor
	past    []byte
	kills   bool // no node has broken EndKills
}

// NewChronicle returns the chronicle of an attempt that has not begun.
func NewChronicle(a *Agent) *Chronicle {
	m := monitor{a}
	return &Chronicle{m, m.Initial(), true}
}

// Observe notes a step of the node at an address, with the state after it.
func (c *Chronicle) Observe(node int, after *Site, events []protocol.Event) {
	c.past = c.monitor.Observe(c.past, node, *after, events)
	c.kills = c.kills && after.endKills()
}

// Broken returns a property of all states that a step has broken, or "".
func (c *Chronicle) Broken() string {
	p := decodePast(c.past)
	for _, b := range breaches() {
		if p.broken&b.bit != 0 {
			return b.name
		}
	}
	if p.rules != 0 {
		return rules[bits.TrailingZeros32(p.rules)].Name
	}
	if !c.kills {
		return endKillsName
	}
	return ""
}

// Halted reports whether the processes must end.
func (c *Chronicle) Halted() bool { return decodePast(c.past).halted }
