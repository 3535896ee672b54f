package reptask

import (
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// due says when the corrected core's timers fire. A process ends at any time. A repetition is early, and so a fault
// (spurious), as long as a message to or from the node is on its way. To hold a live peer for failed is a fault against
// the assumptions (suspect), and so is to regrant a job before the hosts have noticed that its representative failed.
func due(w *model.World[reptask.State, reptask.Message], node int, t protocol.Timer) model.Due {
	switch t.Kind {
	case reptask.RunTimer:
		return model.Now
	case reptask.BeatTimer:
		return model.Never // leases are modelled by what they tell, not by what renews them
	case reptask.LeaseTimer:
		if w.Running(t.Peer) {
			return model.Suspect
		}
		return model.Useful
	case reptask.RegrantTimer:
		if w.Running(t.Peer) || leased(w, t.Peer) {
			return model.Suspect
		}
		return model.Useful
	}
	if w.Touches(node) {
		return model.Spurious
	}
	return model.Useful
}

// leased reports whether a live node still holds a task of a representative.
func leased(w *model.World[reptask.State, reptask.Message], representative protocol.NodeID) bool {
	for _, v := range views(w) {
		for _, t := range v.Tasks {
			if t.Representative == representative {
				return true
			}
		}
	}
	return false
}
