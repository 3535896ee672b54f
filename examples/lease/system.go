package lease

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

type state = model.GlobalState[State, Message]

// New returns the system of a server and clients. Each client asks for the lock that many times.
// Late clients count their lease from the Grant.
func New(clients, requests int, late bool) (model.Checkable, error) {
	sys := &model.System[State, Message, Acquire]{
		Info: model.Info{
			Name: "lease", Doc: "a lock is lent for a limited time", Nodes: 1 + clients,
			Bounds: fmt.Sprintf("%d clients, %d requests each", clients, requests),
		},
		Core:         model.Plain(step),
		Identity:     func(s State) protocol.NodeID { return s.Self },
		Crashable:    func(_ *state, node int) bool { return node != 0 },
		Due:          due,
		QuiescentEnd: func(g *state) bool { return true },
		Properties: []model.Property[State, Message]{
			{
				Property: checker.Property{Name: "OneHolder", Doc: "no two clients hold the lock", Shape: checker.Always},
				Holds:    func(g *state) bool { return holders(g) < 2 },
			},
			{
				Property: checker.Property{Name: "Lends", Doc: "a client holds the lock", Shape: checker.Sometimes},
				Holds:    func(g *state) bool { return holders(g) > 0 },
			},
			{
				Property: checker.Property{Name: "Returns", Doc: "the lock is free again in the end", Shape: checker.LeadsTo},
				Triggers: func(g *state) bool { return holders(g) > 0 },
				Holds:    func(g *state) bool { return holders(g) == 0 },
			},
		},
	}
	sys.Nodes = []model.Node[State, Acquire]{{Name: "S"}}
	var interchangeable []int
	for i := 1; i <= clients; i++ {
		sys.Nodes = append(sys.Nodes, model.Node[State, Acquire]{
			Name:     fmt.Sprintf("C%d", i),
			State:    State{Self: protocol.NodeID{Address: protocol.Address(i)}, Late: late},
			Commands: [][]Acquire{make([]Acquire, requests)},
		})
		interchangeable = append(interchangeable, i)
	}
	sys.Symmetry = &model.Symmetry[State, Message, Acquire]{Groups: [][]int{interchangeable}}
	return sys.Compile()
}

// due says when a timer may fire. A client's timer may fire at any time. The server's timer fires
// after the timer of the client that has the lock, if that runs for the same loan: it was started
// earlier. Otherwise it is premature, because a clock runs too fast.
func due(g *state, node int, t protocol.Timer) model.Due {
	if t.Kind == Lapse {
		return model.Now
	}
	loan := g.Slots[node].State.Lent
	client := g.Slots[loan.To.Address]
	counting := slices.ContainsFunc(client.Timers, func(t protocol.Timer) bool { return t.Kind == Lapse })
	if counting && client.State.Serial == loan.Serial {
		return model.Spurious
	}
	return model.Now
}

func holders(g *state) int {
	count := 0
	for _, slot := range g.Slots {
		if slot.State.Holds {
			count++
		}
	}
	return count
}
