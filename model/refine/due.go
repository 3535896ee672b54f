package refine

import (
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// due says when the corrected core's timers fire. The timers of COLLECT and WAIT are guesses that
// everybody has been heard of, so they may fire at any time. One that fires although what it waits
// for is on its way is a fault (spurious), and so is the failure of a peer that is alive (suspect).
func due(w *globalState[refine.State, refine.Message], node int, t protocol.Timer) model.Due {
	switch t.Kind {
	case refine.CollectTimer, refine.WaitTimer:
		return model.Now
	case refine.MeasureTimer:
		return unless(measuresLive(w, node), model.Useful)
	case refine.RetryTimer:
		// It is long against a round of anybody.
		return unless(!w.NetworkEmpty() || !settled(w), model.Now)
	case refine.MissedTimer:
		if w.Running(t.Peer) {
			return model.Suspect
		}
		return model.Useful
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

// measuresLive reports whether a node is measuring somebody who runs.
func measuresLive(w *globalState[refine.State, refine.Message], node int) bool {
	s := &w.Slots[node].State
	surveys := [][]refine.Reading{s.Survey}
	for _, t := range s.Slots {
		surveys = append(surveys, t.Survey)
	}
	for _, survey := range surveys {
		for _, r := range survey {
			if r.Micros == 0 && w.Running(r.Peer) {
				return true
			}
		}
	}
	return false
}

// settled reports whether no round is under way and no head waits for a client's word or a client
// for a head's.
func settled[S, M any](w *globalState[S, M]) bool {
	for v := range views(w) {
		if !settledHead(v) {
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
