package abd

import (
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

type state = model.GlobalState[State, Message]

// Read is the operation that reads.
func Read() Operation { return Operation{} }

// Write is the operation that writes a value, which must not be 0.
func Write(value uint8) Operation { return Operation{value} }

// New returns a system with a client for each list of operations. Careless clients read in one
// phase.
func New(careless bool, clients ...[]Operation) (model.Checkable, error) {
	sys := &model.System[State, Message, Begin]{
		Info: model.Info{
			Name: "abd", Doc: "a replicated register: clients write and read", Nodes: replicas + len(clients),
			Bounds: fmt.Sprintf("%d replicas, operations %v", replicas, clients),
		},
		Core:         model.Plain(step),
		Identity:     func(s State) protocol.NodeID { return s.Self },
		KeepIgnored:  true,
		Symmetry:     &model.Symmetry[State, Message, Begin]{Groups: [][]int{{0, 1, 2}}, State: renamed},
		Monitor:      history{},
		QuiescentEnd: done,
		Properties: []model.Property[State, Message]{
			{
				Property: checker.Property{
					Name:  "Linearizable",
					Doc:   "every history is one of a single register",
					Shape: checker.Always,
				},
				Holds: func(g *state) bool { return g.MonitorView.(past).linearizable },
			},
			{
				Property: checker.Property{Name: "ReadsNew", Doc: "a read returns what was written", Shape: checker.Sometimes},
				Holds:    func(g *state) bool { return g.MonitorView.(past).readNew },
			},
		},
	}
	for i := range replicas + len(clients) {
		node := model.Node[State, Begin]{
			Name:  fmt.Sprintf("R%d", i),
			State: State{Self: protocol.NodeID{Address: protocol.Address(i), Incarnation: 1}},
		}
		if i >= replicas {
			node.Name, node.State.Todo, node.State.Careless = fmt.Sprintf("C%d", i), clients[i-replicas], careless
			node.Commands = [][]Begin{{{}}}
		}
		sys.Nodes = append(sys.Nodes, node)
	}
	return sys.Compile()
}

// done reports whether all operations have returned.
func done(g *state) bool {
	for _, slot := range g.Slots[replicas:] {
		if len(slot.State.Todo) > 0 {
			return false
		}
	}
	return true
}

// renamed is a state after replicas have changed their places.
func renamed(s State, to model.Renaming) State {
	heard := s.Heard
	for i := range s.Heard {
		heard[to.Node(i)] = s.Heard[i]
	}
	s.Self, s.Heard = to.ID(s.Self), heard
	return s
}
