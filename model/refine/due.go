package refine

import (
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// due says when the corrected core's timers fire. The timers of COLLECT and WAIT are guesses that
// everybody has been heard of, so they may fire at any time. One that fires although what it waits
// for is on its way is a fault (spurious), and so is the failure of a peer that is alive (suspect).
func due(g *globalState[refine.State, refine.Message], node int, t protocol.Timer) model.Due {
	switch t.Kind {
	case refine.CollectTimer, refine.WaitTimer:
		return model.Now
	case refine.MeasureTimer:
		return unless(measuresLive(g, node), model.Useful)
	case refine.RetryTimer:
		// It is long against a round of anybody.
		return unless(!g.NetworkEmpty() || !converged(g), model.Now)
	case refine.MissedTimer:
		if g.Running(t.Peer) {
			return model.Suspect
		}
		return model.Useful
	}
	return unless(g.Touches(node), model.Useful)
}

// unless makes an early timer a fault.
func unless(early bool, due model.Due) model.Due {
	if early {
		return model.Spurious
	}
	return due
}

// measuresLive reports whether a node is measuring somebody who runs.
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

// converged reports whether no round is under way and no head waits for a client's word or a client
// for a head's.
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
