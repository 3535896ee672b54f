package can

import (
	"math/bits"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// RunMonitor checks a whole run against the properties that no single state shows, for drivers
// other than the checker: NoConflict, CancelledStays and OneCommand. It also remembers what nodes
// have reported, for Truthful.
type RunMonitor struct {
	history history
	lives   map[protocol.NodeID]int // the number of each incarnation
}

// NewRunMonitor returns the monitor of a run that has not begun.
func NewRunMonitor() *RunMonitor { return &RunMonitor{lives: map[protocol.NodeID]int{}} }

// number numbers incarnations in the order of their first appearance.
func (m *RunMonitor) number(id protocol.NodeID) int {
	n, known := m.lives[id]
	if !known {
		n = len(m.lives)
		m.lives[id] = n
	}
	return n
}

// Place notes that a node is a member from the beginning.
func (m *RunMonitor) Place(id protocol.NodeID) { m.history.joined.add(m.number(id)) }

// Observe takes the events of a step and the state of the node after it. After a crash the only
// event is "crash".
func (m *RunMonitor) Observe(after *can.State, events []protocol.Event) {
	if len(events) == 0 {
		return
	}
	id := after.Self.ID
	if events[0].Name == "crash" {
		id = events[0].Peer
	}
	m.history.observe(m.number(id), func() *View { return ViewOf(*after) }, m.number, events)
}

// Broken returns the property that the run has broken, or "".
func (m *RunMonitor) Broken() string {
	if at := bits.TrailingZeros32(m.history.broken); at < len(ofRuns) {
		return ofRuns[at].name
	}
	return ""
}

// Untrue describes a false report of a node to its application, if there is one.
func (m *RunMonitor) Untrue(v *View) string { return m.history.untrue(m.number(v.Self.ID), v) }
