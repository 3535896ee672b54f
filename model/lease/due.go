package lease

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// due determines when a timer fires. An expiry comes at any time, and so does the end of a grant
// once the time for which it was given has passed. To resend while a message to or from the node is
// in flight is premature, and so a fault.
func (s *scenario) due(g *globalState, node int, t protocol.Timer) model.Due {
	c := &g.Slots[node].State.Core
	switch t.Kind {
	case lease.ResendTimer, lease.AskTimer:
		waits := c.Phase == lease.Looking || c.Phase == lease.Founding
		switch {
		case t.Kind == lease.ResendTimer && waits && (s.nodes[node] == 's' || s.exhausted(c)):
			return model.Never
		case g.Touches(node):
			return model.Spurious
		}
		return model.Useful
	case lease.RoundTimer:
		return when(c.Round < s.rounds || !c.Entered && s.abandoned(g))
	case lease.ExpireEvenTimer, lease.ExpireOddTimer:
		switch {
		case s.steady && s.majorityRuns(g), c.Phase == lease.Joining && s.exhausted(c):
			return model.Never
		case c.Phase == lease.Joining && g.Touches(node):
			return model.Spurious
		}
	case lease.GrantTimer:
		return when(s.drift || elapsed(g, granted(c, t.Peer)))
	case lease.GraceTimer:
		for _, m := range pastOf(g).witnesses[node].former {
			if !elapsed(g, m) {
				return model.Never
			}
		}
	case MournTimer:
		return when(!runs(g, t.Peer) && !g.Touches(node))
	case ReturnTimer:
		return when(int(c.Self.Incarnation) <= s.returns)
	case EnterTimer:
		return when(s.canEnter(g, c.Generation))
	}
	return model.Now
}

func when(possible bool) model.Due {
	if possible {
		return model.Now
	}
	return model.Never
}

// exhausted reports whether a node without a lease has used up the rounds or the generations of the
// model.
func (s *scenario) exhausted(c *lease.State) bool {
	return c.Round >= s.rounds || c.Generation >= s.most
}

// elapsed reports whether the time of a grant may have passed: the holder has seen the expiry of
// the round, if it runs and the round is still open. A round that was sent before expires before.
// This is all that the models assume about time.
func elapsed(g *globalState, m mark) bool {
	for i, slot := range g.Slots {
		if !g.Live(i) || slot.State.Core.Self != m.id {
			continue
		}
		if first, last := slot.State.Core.OpenRounds(); last > 0 && first <= m.number {
			return false
		}
	}
	return true
}

// granted returns an incarnation and the round that a witness has granted to it.
func granted(c *lease.State, id protocol.NodeID) mark {
	for _, g := range c.Witness.Grants {
		if g.Holder == id {
			return mark{id, g.Round}
		}
	}
	return mark{id: id}
}

// runs reports whether an incarnation runs and has not ended.
func runs(g *globalState, id protocol.NodeID) bool {
	for i, slot := range g.Slots {
		if g.Live(i) && slot.State.Core.Self == id && slot.State.Core.Phase != lease.Fenced {
			return true
		}
	}
	return false
}

// witnessesUp returns how many witnesses run.
func (s *scenario) witnessesUp(g *globalState) (up int) {
	for w := range s.witnesses {
		if g.Live(w) {
			up++
		}
	}
	return up
}

// majorityRuns reports whether a majority of the witnesses runs.
func (s *scenario) majorityRuns(g *globalState) bool { return s.witnessesUp(g) > s.witnesses/2 }

// canEnter reports whether a node that is in the grid of a generation runs.
func (s *scenario) canEnter(g *globalState, generation uint32) bool {
	return slices.ContainsFunc(holders(g), func(c *lease.State) bool { return c.Entered && c.Generation == generation })
}

// abandoned reports whether no running witness can name a node through which others can enter.
func (s *scenario) abandoned(g *globalState) bool {
	for w := range s.witnesses {
		named := func(x lease.Grant) bool { return x.Member }
		if g.Live(w) && slices.ContainsFunc(g.Slots[w].State.Core.Witness.Grants, named) {
			return false
		}
	}
	return s.enters
}
