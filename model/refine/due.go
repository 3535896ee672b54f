package refine

import (
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// due determines when the timers of the corrected core fire. The timers of COLLECT and WAIT guess
// that no more nodes will come, so they may fire at any time. A timeout that fires while the
// awaited message is in flight is a fault (spurious), and so is the suspicion of a live peer
// (suspect).
func due(g *globalState[refine.State, refine.Message], node int, t protocol.Timer) model.Due {
	switch t.Kind {
	case refine.CollectTimer, refine.WaitTimer:
		return model.Now
	case refine.MeasureTimer:
		return unless(measuresLive(g, node), model.Useful)
	case refine.RetryTimer:
		// The delay is long compared with any round.
		return unless(!g.NetworkEmpty() || !converged(g), model.Now)
	case refine.MissedTimer:
		if g.Running(t.Peer) {
			return model.Suspect
		}
		return model.Useful
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

// measuresLive reports whether a node is measuring a running peer.
func measuresLive(g *globalState[refine.State, refine.Message], node int) bool {
	s := &g.Slots[node].State
	surveys := [][]refine.Reading{s.Survey}
	for _, t := range s.Slots {
		surveys = append(surveys, t.Survey)
	}
	for _, survey := range surveys {
		for _, r := range survey {
			if r.Micros == 0 && g.Running(r.Peer) {
				return true
			}
		}
	}
	return false
}

// converged reports whether no round is in progress, no head waits for a client, and no client
// waits for a head.
func converged[S, M any](g *globalState[S, M]) bool {
	for v := range views(g) {
		if !headConverged(v) {
			return false
		}
		for _, s := range v.Slots {
			if s.Stage != Committed {
				return false
			}
		}
	}
	return true
}
