package peer

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

type globalState = model.GlobalState[peer.State, peer.Message]

// due determines when timers fire, as the models of the layers do, with two differences: a timer
// does not wait for messages of another layer, and the guesses of the refinement (that no more
// nodes will come) are right.
func due(g *globalState, node int, t protocol.Timer) model.Due {
	of, t := peer.LayerOf(t)
	switch of {
	case peer.CanLayer:
		return dueCan(g, node, t)
	case peer.RefineLayer:
		return dueRefine(g, node, t)
	case peer.TreeLayer:
		return dueTree(g, node, t)
	}
	return dueTasks(g, node, t)
}

func dueCan(g *globalState, node int, t protocol.Timer) model.Due {
	switch t.Kind {
	case can.MissedTimer:
		return failure(g, t.Peer)
	case can.UpdateTimer:
		return unless(!noneInFlight(g, peer.CanLayer), model.Useful)
	case can.RetryTimer:
		return unless(!noneInFlight(g, peer.CanLayer) || busy(g), model.Useful)
	case can.ResendTimer:
		s := &g.Slots[node].State.Can
		if s.Change.Stage < can.Granting && !s.Promise.Orphan {
			return unless(!noneInFlight(g, peer.CanLayer) || busyAt(g, s.Promise.Proposer), model.Useful)
		}
	}
	return unless(touches(g, peer.CanLayer, node), model.Useful)
}

func dueRefine(g *globalState, node int, t protocol.Timer) model.Due {
	switch t.Kind {
	case refine.MissedTimer:
		return failure(g, t.Peer)
	case refine.MeasureTimer:
		return unless(slices.ContainsFunc(g.Slots[node].Measuring, g.Running), model.Useful)
	case refine.KeepTimer:
		return unless(touches(g, peer.RefineLayer, node), model.Useful)
	}
	return unless(!noneInFlight(g, peer.RefineLayer), model.Useful)
}

func dueTasks(g *globalState, node int, t protocol.Timer) model.Due {
	switch t.Kind {
	case reptask.RunTimer:
		return model.Now
	case reptask.BeatTimer:
		return model.Never // leases are modelled by their effect, not by their renewal
	case reptask.LeaseTimer:
		return failure(g, t.Peer)
	case reptask.RegrantTimer:
		if leased(g, t.Peer) {
			return model.Suspect
		}
		return failure(g, t.Peer)
	}
	return unless(touches(g, peer.TaskLayer, node), model.Useful)
}

// unless turns a premature timeout into a fault.
func unless(early bool, due model.Due) model.Due {
	if early {
		return model.Spurious
	}
	return due
}

// failure determines when a peer is suspected. To suspect a running peer breaks an assumption.
func failure(g *globalState, peer protocol.NodeID) model.Due {
	if g.Running(peer) {
		return model.Suspect
	}
	return model.Useful
}

// noneInFlight reports whether nothing of a layer is in flight.
func noneInFlight(g *globalState, of peer.Layer) bool {
	for i := range g.Slots {
		if touches(g, of, i) {
			return false
		}
	}
	return true
}

// touches reports whether a message of a layer to or from the node is in flight.
func touches(g *globalState, of peer.Layer, node int) bool {
	found := false
	g.InFlight(func(e protocol.Envelope[peer.Message]) {
		at := protocol.Address(node)
		found = found || (e.To.Address == at || e.From.Address == at) && layerOf(e.Message) == of
	})
	return found
}

// layerOf returns the layer of a message. Jobs on their way to their owner belong to the task
// layer.
func layerOf(m peer.Message) peer.Layer {
	switch m.(type) {
	case peer.CanMessage:
		return peer.CanLayer
	case peer.RefineMessage:
		return peer.RefineLayer
	case peer.TreeMessage:
		return peer.TreeLayer
	}
	return peer.TaskLayer
}

// busy reports whether any node is in a round or holds a promise.
func busy(g *globalState) bool {
	for s := range live(g) {
		if s.Can.Busy() {
			return true
		}
	}
	return false
}

// busyAt reports whether a node is in its own round.
func busyAt(g *globalState, id protocol.NodeID) bool {
	return g.Running(id) && g.Slots[id.Address].State.Can.Change.Stage != can.Stable
}

// leased reports whether a live node still holds a task of a representative.
func leased(g *globalState, representative protocol.NodeID) bool {
	for s := range live(g) {
		for _, t := range s.Tasks.Tasks {
			if t.Rep == representative {
				return true
			}
		}
	}
	return false
}
