package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// due determines when the timers of the corrected core fire. A process ends at any time. Resending
// is premature, and so a fault (spurious), while a message to or from the node is in flight. The
// suspicion of a live peer that sends to the node breaks an assumption (suspect).
func due(g *model.GlobalState[reptask.State, reptask.Message], node int, t protocol.Timer) model.Due {
	switch t.Kind {
	case reptask.RunTimer:
		return model.Now
	case reptask.BeatTimer:
		return model.Never // leases are modelled by their effect, not by their renewal
	case reptask.LeaseTimer:
		switch {
		case !g.Running(t.Peer):
			return model.Useful
		case wantsOwner(g, node, t.Peer):
			return model.Never // it is live, and answers
		case !speaks(g, t.Peer, node):
			return unless(g.Touches(node), model.Useful)
		}
		return model.Suspect
	case reptask.RegrantTimer:
		return regrant(g, node, t.Peer)
	}
	return unless(g.Touches(node), model.Useful)
}

// unless turns a premature timeout into a fault.
func unless(early bool, due model.Due) model.Due {
	if early {
		return model.Spurious
	}
	return due
}

// wantsOwner reports whether a node asks a peer to own a job. The model assumes that a live peer
// answers within a lease, since it is asked more than once.
func wantsOwner(g *model.GlobalState[reptask.State, reptask.Message], node int, peer protocol.NodeID) bool {
	return slices.ContainsFunc(
		g.Slots[node].State.Roles,
		func(r reptask.Role) bool { return r.Bond == reptask.Asking && r.Owner == peer },
	)
}

// speaks reports whether a live peer renews the leases that a node has of it. A peer that holds
// nothing of the node has no reason to, but may get one.
func speaks(g *model.GlobalState[reptask.State, reptask.Message], peer protocol.NodeID, node int) bool {
	return !slices.Contains(g.Slots[peer.Address].State.Silent, g.Slots[node].State.Self)
}

// regrant orders the leases: the silent peer's lease of the node, and those of the peer's hosts,
// have expired before. If the peer is live, the messages between them have arrived by then.
// Messages of a failed peer may be delayed without bound.
func regrant(g *model.GlobalState[reptask.State, reptask.Message], node int, peer protocol.NodeID) model.Due {
	if g.Running(peer) && g.Touches(int(peer.Address)) {
		return model.Never
	}
	self := g.Slots[node].State.Self
	for i, v := range views(g) {
		for _, t := range v.Tasks {
			if t.Representative == peer && !mute(g, peer, t.Job) ||
				i == int(peer.Address) && v.ID == peer && t.Representative == self {
				return model.Never
			}
		}
		for _, r := range v.Roles {
			if v.ID == peer && r.Owner == self && r.Phase != Ending && !mute(g, peer, r.Job) {
				return model.Never
			}
		}
	}
	return model.Useful
}

// mute reports whether a live representative has noticed that its owner is silent and does not ask
// it again and again. A representative that does ask has an answer, or another owner, before the
// owner grants again.
func mute(g *model.GlobalState[reptask.State, reptask.Message], representative protocol.NodeID, job reptask.Job) bool {
	s := g.Slots[representative.Address]
	return g.Running(representative) && !slices.Contains(s.Timers, protocol.Timer{Kind: reptask.ResendTimer}) &&
		slices.ContainsFunc(s.State.Roles, func(r reptask.Role) bool { return r.Job == job && r.Bond != reptask.Bound })
}
