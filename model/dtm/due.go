package dtm

import (
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// due determines when timers fire. A timeout that fires while the awaited message is in flight is a
// fault (spurious), and so is the suspicion of a live peer (suspect).
func (s *scenario) due(g *globalState, node int, t protocol.Timer) model.Due {
	switch t.Kind {
	case dtm.AnswerTimer:
		return unless(g.Touches(node) || measuresLive(g, node), model.Useful)
	case dtm.RetryTimer:
		// The delay is drawn, and long compared with any round.
		return unless(!g.NetworkEmpty() || busy(g), model.Now)
	case dtm.MissedTimer:
		if g.Running(t.Peer) {
			return model.Suspect
		}
		return model.Useful
	case dtm.HealTimer:
		if mourned(g, t.Peer) && !s.anytime {
			return model.Never
		}
		return unless(mourned(g, t.Peer), model.Useful)
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
func measuresLive(g *globalState, node int) bool {
	for _, id := range g.Slots[node].Measuring {
		if g.Running(id) {
			return true
		}
	}
	return false
}

// busy reports whether any node is in the middle of a search, a leave or a healing. A host that
// wants to leave while it joins is in the middle of its search alone.
func busy(g *globalState) bool {
	for i := range g.Slots {
		s := &g.Slots[i].State
		if !g.Live(i) {
			continue
		}
		asks := len(s.Search.Awaits) > 0 || !s.Search.Look.IsNobody() || !s.Search.Anchor.IsNobody()
		waits := s.Phase == dtm.Joining && asks
		leaves := s.Phase == dtm.Member && s.Departure.Stage != dtm.Staying && s.Departure.Stage != dtm.Resting
		if waits || leaves || !s.Lock.Holder.IsNobody() || s.Phase == dtm.Member && !current(s) {
			return true
		}
	}
	return false
}

// current reports whether a member has its anchor's position, and its children have its own.
func current(s *dtm.State) bool {
	for _, b := range s.Branches {
		if b.Gone || b.Acked != s.Version {
			return false
		}
	}
	return s.Anchor.IsNobody() || s.Heard > 0
}

// mourned reports whether a running node has yet to take or claim the place of a failed one.
func mourned(g *globalState, gone protocol.NodeID) bool {
	for i := range g.Slots {
		if g.Live(i) && Awaits(&g.Slots[i].State, gone) {
			return true
		}
	}
	return false
}
