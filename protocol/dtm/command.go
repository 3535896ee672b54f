package dtm

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// CommandKind is the kind of a command.
type CommandKind uint8

// The kinds of commands.
const (
	CommandJoin  CommandKind = iota + 1 // enter the tree that Nodes are in; without any, begin a tree
	CommandLeave                        // leave the tree
)

// Command is a command of the application. Nodes are random members of the tree, in the order in
// which they were drawn.
type Command struct {
	Kind  CommandKind
	Nodes []protocol.NodeID
}

func (n *node) onCommand(c Command) {
	switch {
	case n.ID.Incarnation == 0 || n.Phase == Departed:
		n.Ignore(protocol.NodeID{}, "not in the network")
	case c.Kind == CommandJoin && n.Phase == Outside:
		n.asJoiner().join(c.Nodes)
	case c.Kind == CommandLeave && n.Phase == Outside:
		n.depart()
	case c.Kind == CommandLeave && n.Departure.Stage == Staying:
		n.Departure.Stage = Wanting
	default:
		n.Ignore(protocol.NodeID{}, "it does so already, or there is no such command")
	}
}

// join begins to look for a place among the hosts of a tree, or begins a tree.
func (n joiner) join(members []protocol.NodeID) {
	if len(members) == 0 {
		n.Phase, n.Version = Member, 1
		n.Event(EventJoined, protocol.NodeID{}, 0, "")
		return
	}
	n.Phase = Joining
	for _, id := range members[:min(len(members), protocol.MaxItems)] {
		if !id.IsNobody() && id != n.ID && !slices.Contains(n.Search.Members, id) {
			n.Search.Members = append(n.Search.Members, id)
		}
	}
	n.advance()
}
