package can

import (
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	published "github.com/canvass-grid/canvass/protocol/published/can"
)

// dueCan determines when the timers of the corrected core fire. A timeout that fires while an
// answer is in flight is a fault (spurious), and so is the suspicion of a live peer (suspect).
func dueCan(g *model.GlobalState[can.State, can.Message], node int, t protocol.Timer) model.Due {
	s := &g.Slots[node].State
	switch t.Kind {
	case can.MissedTimer:
		if g.Running(t.Peer) {
			return model.Suspect
		}
		return model.Useful
	case can.UpdateTimer:
		return unless(!g.NetworkEmpty(), model.Useful)
	case can.RetryTimer:
		// The delay is drawn from a range that is long compared with a round.
		return unless(!g.NetworkEmpty() || busyAnywhere(g), model.Useful)
	case can.ResendTimer:
		if p := s.Promise; s.Change.Stage < can.Granting && !p.Orphan {
			return unless(!g.NetworkEmpty() || holds(g, p), model.Useful)
		}
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

func busyAnywhere[S, M any](g *model.GlobalState[S, M]) bool {
	for _, v := range views(g) {
		if v.Busy {
			return true
		}
	}
	return false
}

// holds reports whether a promise's proposer is still in that round.
func holds(g *model.GlobalState[can.State, can.Message], p can.Promise) bool {
	if !g.Running(p.Proposer) {
		return false
	}
	s := &g.Slots[p.Proposer.Address].State
	return s.Change.Stage != can.Stable && s.Round == p.Round
}

// publishedRounds bounds the rounds of a run of the published core, which may retry forever.
const publishedRounds = 6

// duePublished does the same for the timers of the published core. It is more lenient: a failure is
// noticed only when nothing from the failed node is in flight.
func duePublished(g *model.GlobalState[published.State, published.Message], node int, t protocol.Timer) model.Due {
	switch t.Kind {
	case published.MissedTimer:
		if g.Running(t.Peer) {
			return model.Suspect
		}
		if g.Touches(int(t.Peer.Address)) {
			return model.Spurious
		}
		return model.Now
	case published.UpdateTimer:
		return unless(!g.NetworkEmpty(), model.Useful)
	case published.RetryTimer:
		if len(past(g).decided) >= publishedRounds {
			return model.Never
		}
		return unless(!g.NetworkEmpty() || busyAnywhere(g), model.Useful)
	}
	return unless(g.Touches(node), model.Useful)
}
