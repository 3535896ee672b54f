package lease

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

type world = model.GlobalState[State, Message]

// New returns the system of a server and clients, each of which asks for the lock so many times.
// Late clients count their time from the Grant.
func New(clients, requests int, late bool) (model.Checkable, error) {
	sys := &model.System[State, Message, Acquire]{
		Info: model.Info{
			Name: "lease", Doc: "a lock is lent for a time", Nodes: 1 + clients,
			Bounds: fmt.Sprintf("%d clients, %d requests each", clients, requests),
		},
		Core:         model.Plain(step),
		Identity:     func(s State) protocol.NodeID { return s.Self },
		Crashable:    func(_ *world, node int) bool { return node != 0 },
		Due:          due,
		QuiescentEnd: func(w *world) bool { return true },
		Properties: []model.Property[State, Message]{
			{
				Property: checker.Property{Name: "OneHolder", Doc: "no two clients hold the lock", Shape: checker.Always},
				Holds:    func(w *world) bool { return holders(w) < 2 },
			},
			{
				Property: checker.Property{Name: "Lends", Doc: "somebody holds the lock", Shape: checker.Sometimes},
				Holds:    func(w *world) bool { return holders(w) > 0 },
			},
			{
				Property: checker.Property{Name: "Returns", Doc: "the lock is free again in the end", Shape: checker.LeadsTo},
				Triggers: func(w *world) bool { return holders(w) > 0 },
				Holds:    func(w *world) bool { return holders(w) == 0 },
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

// due says when a timer may fire: a client's at any time; the server's not before that of the
// client to whom the lock is lent, if that one's is running for this very loan, since it was
// started earlier. A clock that runs too fast is a fault.
func due(w *world, node int, t protocol.Timer) model.Due {
	if t.Kind == Lapse {
		return model.Now
	}
	loan := w.Slots[node].State.Lent
	client := w.Slots[loan.To.Address]
	counting := slices.ContainsFunc(client.Timers, func(t protocol.Timer) bool { return t.Kind == Lapse })
	if counting && client.State.Serial == loan.Serial {
		return model.Spurious
	}
	return model.Now
}

func holders(w *world) int {
	count := 0
	for _, slot := range w.Slots {
		if slot.State.Holds {
			count++
		}
	}
	return count
}
