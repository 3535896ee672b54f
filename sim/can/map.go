package can

import (
	"slices"

	canmodel "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/traces"
)

// Map is the oracle for the map. It checks the nodes' views of the map against the properties of
// this core, and keeps failures apart as its guard demands. The oracles of cores that build on the
// map contain one.
type Map struct {
	oracle *oracle
	state  func(node int) *can.State
	guard  Guard
	failed []failure // see MayCrash
}

// Guard says which failures a scenario allows.
type Guard struct {
	Apart int  // minimal distance in steps between failures that are not overcome
	Stay  int  // members that remain after each failure, and at least one fewer after each leave
	Soon  bool // all failures count as overcome once the map is whole, though some nodes may not know yet
}

// NewMap returns the oracle for the given number of nodes, none of them up. State returns a running
// node's view of the map.
func NewMap(cfg *can.Config, nodes int, g Guard, state func(node int) *can.State) *Map {
	return &Map{oracle: newOracle(cfg, nodes), state: state, guard: g}
}

// Place notes that a node is a member from the beginning.
func (m *Map) Place(node int) {
	m.oracle.monitor.Place(m.state(node).Self.ID)
	m.Step(node, true, nil)
}

// Step must be called after each step that changed a node or had events.
func (m *Map) Step(node int, live bool, events []protocol.Event) {
	m.oracle.step(node, live, m.state(node), events)
}

// Sketch implements [sim.Sketcher].
func (m *Map) Sketch(p *traces.Picture) { canmodel.Sketch(m.oracle.cfg.Space, m.oracle.views, p) }

// Broken implements [sim.Oracle].
func (m *Map) Broken() (property, where string) { return m.oracle.Broken() }

// Busy returns which node keeps the map from becoming quiescent, if one does, and the property that
// it violates if that does not end.
func (m *Map) Busy() (property, where string) { return m.oracle.busy() }

// Whole returns the first property of a quiescent map that does not hold, or "".
func (m *Map) Whole() (property, where string) {
	if property = canmodel.BrokenMap(m.oracle.cfg.Space, m.oracle.owners()); property != "" {
		where = "the map is quiescent, and the property does not hold"
	}
	return property, where
}

// Violate implements [sim.Oracle].
func (m *Map) Violate(property, format string, args ...any) {
	m.oracle.Violate(property, format, args...)
}

// Quiescent implements [sim.Oracle].
func (m *Map) Quiescent() (property, where string) {
	if property, where = m.Busy(); property != "" {
		return property, where
	}
	return m.Whole()
}

// Counts counts the events by name.
func (m *Map) Counts() map[string]int { return m.oracle.counts }

// Members lists the live nodes that own a zone.
func (m *Map) Members() []protocol.NodeID {
	var ids []protocol.NodeID
	for _, v := range m.oracle.owners() {
		ids = append(ids, v.Self.ID)
	}
	return ids
}

// Redirect gives joiners whose contact is gone another contact, as their applications would.
func (m *Map) Redirect(now int64, join func(node int, contact protocol.NodeID)) {
	members := m.Members()
	for i, v := range m.oracle.views {
		if v == nil || !v.Joining || len(members) == 0 {
			continue
		}
		if contact := m.state(i).Contact; !slices.Contains(members, contact) {
			join(i, members[(now/redirection+int64(i))%int64(len(members))])
		}
	}
}

// stayingBeside counts the other members that do not want to leave.
func (m *Map) stayingBeside(node int) int {
	n := 0
	for i, v := range m.oracle.views {
		if v != nil && i != node && v.Member && !v.WantsLeave {
			n++
		}
	}
	return n
}

// MayLeave reports whether a node is a member and enough others remain if it leaves.
func (m *Map) MayLeave(node int) bool {
	v := m.oracle.views[node]
	return v != nil && v.Member && !v.WantsLeave && m.stayingBeside(node) >= m.guard.Stay-1
}
