package lease

import (
	"math/bits"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// Chronicle checks the run of another driver, step by step, with the monitor of the models.
type Chronicle struct {
	monitor monitor
	past    []byte
}

// NewChronicle returns the chronicle of a run that has not begun.
func NewChronicle(a *Agent) *Chronicle {
	m := monitor{agent: a}
	return &Chronicle{m, m.Initial()}
}

// Observe notes a step of the node at a place, with the state after it.
func (c *Chronicle) Observe(place int, after *Site, events []protocol.Event) {
	c.past = c.monitor.Observe(c.past, place, *after, events)
}

// Broken returns a property of all states that the run has broken, or "". The sites are those of
// the nodes that run.
func (c *Chronicle) Broken(sites []*Site) string {
	p := decodePast(c.past)
	var leased []*lease.State
	for _, s := range sites {
		if holds(*s) {
			leased = append(leased, &s.Core)
		}
	}
	for _, i := range invariants {
		if !i.kept(p, leased) {
			return i.name
		}
	}
	for _, b := range breaches() {
		if p.broken&b.bit != 0 {
			return b.name
		}
	}
	if p.rules != 0 {
		return rules[bits.TrailingZeros32(p.rules)].Name
	}
	return ""
}
