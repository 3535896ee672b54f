package store

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/store"
)

type globalState = model.GlobalState[store.State, store.Message]

// due determines when a timer fires. Those of the map fire as in package model/can.
func due(g *globalState, node int, t protocol.Timer) model.Due {
	switch t.Kind {
	case can.MissedTimer:
		return suspect(g, t.Peer, model.Suspect)
	case store.GoneTimer:
		if handsOver(&g.Slots[node].State, t.Peer) {
			return suspect(g, t.Peer, model.Suspect)
		}
		return suspect(g, t.Peer, model.Spurious) // for a request, the suspicion is only premature
	case can.UpdateTimer:
		return unless(!g.NetworkEmpty(), model.Useful)
	case can.RetryTimer:
		return unless(!g.NetworkEmpty() || busyAnywhere(g), model.Useful)
	case can.ResendTimer:
		if s := &g.Slots[node].State.CAN; s.Change.Stage < can.Granting && !s.Promise.Orphan {
			return unless(!g.NetworkEmpty() || holds(g, s.Promise), model.Useful)
		}
	case store.RetryTimer:
		// The delay is drawn from a range that is long compared with a round and its handovers, and with
		// a takeover.
		return unless(!g.NetworkEmpty() || busyAnywhere(g) || !served(g), model.Useful)
	}
	return unless(g.Touches(node), model.Useful)
}

// suspect turns the suspicion of a running node into a fault.
func suspect(g *globalState, peer protocol.NodeID, wrong model.Due) model.Due {
	if g.Running(peer) {
		return wrong
	}
	return model.Useful
}

// handsOver reports whether the node awaits a handover from the other, or has one for it.
func handsOver(s *store.State, peer protocol.NodeID) bool {
	return slices.ContainsFunc(s.Awaits, func(a store.Await) bool { return a.From == peer }) ||
		slices.ContainsFunc(s.Gifts, func(g store.Gift) bool { return g.To == peer })
}

// unless turns a premature timeout into a fault.
func unless(early bool, due model.Due) model.Due {
	if early {
		return model.Spurious
	}
	return due
}

func busyAnywhere(g *globalState) bool {
	for i := range g.Slots {
		if v, live := g.Slots[i].View.(*view); live && v.busy {
			return true
		}
	}
	return false
}

// served reports whether some node serves each key in use.
func served(g *globalState) bool {
	all := uint64(0)
	wanted := uint64(0)
	for i := range g.Slots {
		if v, live := g.Slots[i].View.(*view); live {
			all |= v.serves
			wanted |= v.wants
		}
	}
	return wanted&^all == 0
}

// holds reports whether a promise's proposer is still in that round.
func holds(g *globalState, p can.Promise) bool {
	if !g.Running(p.Proposer) {
		return false
	}
	s := &g.Slots[p.Proposer.Address].State.CAN
	return s.Change.Stage != can.Stable && s.Round == p.Round
}
