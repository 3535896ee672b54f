package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// due says when the corrected core's timers fire. A process ends at any time. A repetition is early, and so a fault
// (spurious), as long as a message to or from the node is on its way. To hold a live peer that speaks to the node for failed
// is a fault against the assumptions (suspect).
func due(w *model.World[reptask.State, reptask.Message], node int, t protocol.Timer) model.Due {
	switch t.Kind {
	case reptask.RunTimer:
		return model.Now
	case reptask.BeatTimer:
		return model.Never // leases are modelled by what they tell, not by what renews them
	case reptask.LeaseTimer:
		switch {
		case !w.Running(t.Peer):
			return model.Useful
		case !speaks(w, t.Peer, node):
			return unless(w.Touches(node), model.Useful)
		}
		return model.Suspect
	case reptask.RegrantTimer:
		return regrant(w, node, t.Peer)
	}
	return unless(w.Touches(node), model.Useful)
}

// unless makes an early timer a fault.
func unless(early bool, due model.Due) model.Due {
	if early {
		return model.Spurious
	}
	return due
}

// speaks reports whether a live peer renews the leases that a node has of it. Whoever holds nothing of the node has no
// reason to, but may yet come to it. Who is silent to the node ends that when it is asked to own a job, and is asked more
// than once within a lease.
func speaks(w *model.World[reptask.State, reptask.Message], peer protocol.NodeID, node int) bool {
	s := &w.Slots[node].State
	asked := slices.ContainsFunc(s.Roles, func(r reptask.Role) bool { return r.Bond == reptask.Asking && r.Owner == peer })
	return asked && !slices.Contains(s.Silent, peer) || !slices.Contains(w.Slots[peer.Address].State.Silent, s.Self)
}

// regrant orders the leases: the silent peer's of the node, and those of its own hosts, have run out before. If the peer
// lives, what was on its way between them has arrived by then; whatever a failed one sent may come as late as it likes.
func regrant(w *model.World[reptask.State, reptask.Message], node int, peer protocol.NodeID) model.Due {
	if w.Running(peer) && w.Touches(int(peer.Address)) {
		return model.Never
	}
	self := w.Slots[node].State.Self
	for i, v := range views(w) {
		for _, t := range v.Tasks {
			if t.Representative == peer || i == int(peer.Address) && v.ID == peer && t.Representative == self {
				return model.Never
			}
		}
		for _, r := range v.Roles {
			if v.ID == peer && r.Owner == self && r.Phase != Ending {
				return model.Never
			}
		}
	}
	return model.Useful
}
