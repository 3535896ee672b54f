package can

import (
	"slices"

	model "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/traces"
)

// Map is the part of a world that is about the map: it holds what nodes know of the map to the
// properties of this core, and keeps failures apart as the world allows. Worlds of cores that stand
// on the map have one, too.
type Map struct {
	oracle *oracle
	state  func(node int) *can.State
	guard  Guard
	failed []failure // see MayCrash
}

// Guard says which failures a world allows.
type Guard struct {
	Apart int  // those that are not overcome are more than so many steps apart
	Stay  int  // each leaves so many members who stay, a request to leave at least one fewer
	Soon  bool // all are overcome as soon as the map is whole again, though some have yet to hear of that
}

// NewMap returns the map of a world of so many places, where nobody is yet. State tells what a node
// that runs knows of the map.
func NewMap(cfg *can.Config, nodes int, g Guard, state func(node int) *can.State) *Map {
	return &Map{oracle: newOracle(cfg, nodes), state: state, guard: g}
}

// Place notes that a node is a member from the beginning.
func (m *Map) Place(node int) {
	m.oracle.history.joined[node] = true
	m.Step(node, true, nil)
}

// Step is called after each step that changed a node or told its application something.
func (m *Map) Step(node int, live bool, events []protocol.Event) {
	m.oracle.step(node, live, m.state(node), events)
}

// Sketch implements [sim.Sketcher].
func (m *Map) Sketch(p *traces.Picture) { model.Sketch(m.oracle.cfg.Space, m.oracle.views, p) }

// Broken implements [sim.Judge].
func (m *Map) Broken() (property, where string) { return m.oracle.Broken() }

// Busy says who keeps the map from resting, if anybody does, and which property that violates if it
// does not end.
func (m *Map) Busy() (property, where string) { return m.oracle.busy() }

// Whole returns the first property of a map at rest that does not hold, and what to say of who
// breaks it, since it is nobody's in particular.
func (m *Map) Whole() (property, where string) {
	if property = m.oracle.quiescent(); property != "" {
		where = "all is quiet, and it does not hold"
	}
	return property, where
}

// Violated implements [sim.Judge].
func (m *Map) Violate(property, format string, args ...any) {
	m.oracle.Violate(property, format, args...)
}

// AtRest implements [sim.Judge].
func (m *Map) Quiescent() (property, where string) {
	if property, where = m.Busy(); property != "" {
		return property, where
	}
	return m.Whole()
}

// Counts tells how often what happened.
func (m *Map) Counts() map[string]int { return m.oracle.history.counts }

// Members lists the live nodes that own a zone.
func (m *Map) Members() []protocol.NodeID {
	var ids []protocol.NodeID
	for _, v := range m.oracle.owners() {
		ids = append(ids, v.Self.ID)
	}
	return ids
}

// Redirect gives joiners whose contact is gone another one, as their applications would.
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

// stayingBeside counts the members that do not want to leave, without one node.
func (m *Map) stayingBeside(node int) int {
	n := 0
	for i, v := range m.oracle.views {
		if v != nil && i != node && v.Member && !v.WantsLeave {
			n++
		}
	}
	return n
}

// MayLeave reports whether a node is a member, and enough others are left if it leaves.
func (m *Map) MayLeave(node int) bool {
	v := m.oracle.views[node]
	return v != nil && v.Member && !v.WantsLeave && m.stayingBeside(node) >= m.guard.Stay-1
}
