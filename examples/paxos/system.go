package paxos

import (
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

type state = model.GlobalState[State, Message]

// New returns the system with that many clients. More nodes than a system can have is an error that
// wraps [model.ErrNodes].
func New(clients int) (model.Checkable, error) {
	sys := &model.System[State, Message, struct{}]{
		Info: model.Info{
			Name: "paxos", Doc: "single-decree Paxos: each client writes, then reads", Nodes: servers + clients,
			Bounds: fmt.Sprintf("%d servers, %d clients", servers, clients),
		},
		Core:         model.Plain(step),
		Identity:     func(s State) protocol.NodeID { return s.Self },
		KeepIgnored:  true,
		QuiescentEnd: func(*state) bool { return true },
		Properties: []model.Property[State, Message]{
			{
				Property: checker.Property{Name: "Agreement", Doc: "no two servers decide differently", Shape: checker.Always},
				Holds:    agreement,
			},
			{
				Property: checker.Property{Name: "Read", Doc: "a client reads the decision", Shape: checker.Sometimes},
				Holds:    read,
			},
		},
	}
	for i := range servers + clients {
		node := model.Node[State, struct{}]{
			Name:  fmt.Sprintf("S%d", i),
			State: State{Self: protocol.NodeID{Address: protocol.Address(i)}},
		}
		if i >= servers {
			node.Name, node.State.Phase = fmt.Sprintf("C%d", i), Writing
		}
		sys.Nodes = append(sys.Nodes, node)
	}
	return sys.Compile()
}

func agreement(g *state) bool {
	decided := uint8(0)
	for _, slot := range g.Slots[:servers] {
		if !slot.State.Decided {
			continue
		}
		if decided != 0 && decided != slot.State.Accepted.Value {
			return false
		}
		decided = slot.State.Accepted.Value
	}
	return true
}

func read(g *state) bool {
	for _, slot := range g.Slots[servers:] {
		if slot.State.Phase == Done {
			return true
		}
	}
	return false
}
