package peer

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// State is one node of the grid. It is a value: Step never changes its argument.
type State struct {
	Can     can.State
	Refine  refine.State
	Tasks   reptask.State
	Leaving bool       // the application wants to leave
	Clients []Client   // of the open jobs that were submitted to this node as their owner, by number
	Tree    *dtm.State // of the tree that predicts, from the first incarnation on; nil without Config.Predicts
}

// New returns the state of a process before its first incarnation.
func New(address protocol.Address, coord space.Point) State {
	return State{Can: can.New(address, coord), Refine: refine.New(address), Tasks: reptask.New(address)}
}

// ID is the identity of the node.
func (s *State) ID() protocol.NodeID { return s.Can.Self.ID }

// Gone reports whether the node has left for good.
func (s *State) Gone() bool { return s.Can.Phase == can.Departed }
