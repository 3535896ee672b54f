package payments

import (
	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

type state = model.GlobalState[State, Message]

// The nodes, by their indexes in System.Nodes.
const (
	client = iota
	bank
)

// New returns the closed system: a client that pays twice, a bank, the faults that are allowed, and
// the properties that must hold.
func New() (model.Checkable, error) {
	id := func(node int) protocol.NodeID {
		return protocol.NodeID{Address: protocol.Address(node), Incarnation: 1}
	}
	system := model.System[State, Message, Pay]{
		Info: model.Info{Name: "payments", Budget: model.Budget{Drop: 1}},
		Core: model.Plain(step),
		Nodes: []model.Node[State, Pay]{
			// No run has to give a command. Messages that are not dropped arrive and timers fire: name in
			// System.Optional what nothing forces in your protocol.
			client: {Name: "A", State: State{Self: id(client), Peer: id(bank)}, Commands: [][]Pay{{{}, {}}}},
			bank:   {Name: "B", State: State{Self: id(bank)}},
		},
		Identity: func(s State) protocol.NodeID { return s.Self },
		Due: func(g *state, node int, _ protocol.Timer) model.Due {
			if g.Touches(node) { // the request or the answer is still on its way
				return model.Spurious // a premature timeout, only within Budget.Spurious
			}
			return model.Now
		},
		QuiescentEnd: func(g *state) bool { return !g.Slots[client].State.Waiting },
		Properties: []model.Property[State, Message]{{
			Property: checker.Property{Name: "PaidOnce", Doc: "no request is paid twice", Shape: checker.Always},
			Holds: func(g *state) bool {
				return g.Slots[bank].State.Paid <= g.Slots[client].State.Request
			},
		}, {
			Property: checker.Property{Name: "Confirmed", Doc: "both payments are confirmed", Shape: checker.Sometimes},
			Holds: func(g *state) bool {
				s := g.Slots[client].State
				return s.Request == 2 && !s.Waiting
			},
		}, {
			Property: checker.Property{Name: "Answered", Doc: "a request is answered", Shape: checker.LeadsTo},
			Triggers: func(g *state) bool { return g.Slots[client].State.Waiting },
			Holds:    func(g *state) bool { return !g.Slots[client].State.Waiting },
		}},
	}
	return system.Compile()
}
