package election

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

// Ring describes a ring to be checked.
type Ring struct {
	IDs     []uint8       // of the nodes, in the order of the ring
	Network model.Network // the algorithm needs model.FIFO
	KeepAll bool          // a planted bug: nodes forward candidates that cannot win
}

type state = model.GlobalState[State, Message]

// New returns the system of a ring in which each node may begin an election once.
func New(r Ring) (model.Checkable, error) {
	unique := slices.Compact(slices.Sorted(slices.Values(r.IDs)))
	if len(r.IDs) == 0 || len(unique) < len(r.IDs) || unique[0] == 0 {
		return nil, fmt.Errorf("%w: a ring with the IDs %d; give at least one, each once, none 0", model.ErrSystem, r.IDs)
	}
	sys := &model.System[State, Message, Start]{
		Info:         model.Info{Name: "election", Doc: "nodes on a ring elect a leader", Nodes: len(r.IDs)},
		Core:         model.Plain(core(r.KeepAll)),
		Network:      r.Network,
		Identity:     func(s State) protocol.NodeID { return s.Self },
		QuiescentEnd: func(g *state) bool { return leaders(g)[0] != 0 },
		Properties:   properties(slices.Max(r.IDs)),
	}
	node := func(i int) protocol.NodeID {
		return protocol.NodeID{Address: protocol.Address(i % len(r.IDs)), Incarnation: 1}
	}
	for i, id := range r.IDs {
		sys.Nodes = append(sys.Nodes, model.Node[State, Start]{
			Name: model.NodeName(i), State: State{Self: node(i), Next: node(i + 1), ID: id}, Commands: [][]Start{{{}}},
		})
	}
	return sys.Compile()
}

func properties(highest uint8) []model.Property[State, Message] {
	property := func(name, doc string, shape checker.Shape, holds func(*state) bool) model.Property[State, Message] {
		return model.Property[State, Message]{Property: checker.Property{Name: name, Doc: doc, Shape: shape}, Holds: holds}
	}
	elects := property("Elects", "once a node has joined, all nodes learn the leader", checker.LeadsTo,
		func(g *state) bool { return leaders(g)[0] != 0 })
	elects.Triggers = func(g *state) bool {
		return slices.ContainsFunc(g.Slots, func(s *model.Slot[State]) bool { return s.State.Joined })
	}
	return []model.Property[State, Message]{
		property("OneLeader", "no two nodes believe in different leaders", checker.Always, func(g *state) bool {
			known := leaders(g)
			return len(known) == 1 || len(known) == 2 && known[0] == 0
		}),
		property("Highest", "the leader is the node with the highest ID", checker.Always, func(g *state) bool {
			return !slices.ContainsFunc(leaders(g), func(id uint8) bool { return id != 0 && id != highest })
		}),
		property("Swept", "once a leader is known, no candidate is in flight", checker.Always, func(g *state) bool {
			candidates := 0
			g.InFlight(func(e protocol.Envelope[Message]) {
				if !e.Message.Elected {
					candidates++
				}
			})
			return candidates == 0 || slices.Equal(leaders(g), []uint8{0})
		}),
		property("Known", "all nodes know the leader", checker.Sometimes, func(g *state) bool { return leaders(g)[0] != 0 }),
		elects,
	}
}

// leaders lists the IDs that nodes take for the leader's, sorted: first 0 if a node has no leader.
func leaders(g *state) []uint8 {
	var ids []uint8
	for _, slot := range g.Slots {
		ids = append(ids, slot.State.Leader)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
