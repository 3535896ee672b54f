package dtm

import (
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// witness is a set of events that must happen in some run of a scenario; without them it shows
// nothing.
type witness uint16

const (
	seesJoin witness = 1 << iota
	seesLeave
	seesTwoLeaves
	seesRefusal
	seesHealing
	seesForgetting
	seesNear
)

// witnesses lists them as properties.
func (o *oracle) witnesses() []property {
	var all []property
	for _, w := range []struct {
		bit       witness
		name, doc string
		holds     func(*globalState) bool
	}{
		{seesJoin, "Joined", "a host has joined", some(o.joined)},
		{seesLeave, "Departs", "a host has left", some(func(_ *globalState, s *dtm.State) bool {
			return s.Phase == dtm.Departed
		})},
		{seesTwoLeaves, "TwoLeave", "two hosts leave at once", twoLeave},
		{seesRefusal, "Retries", "an attachment is refused and tried again", some(func(_ *globalState, s *dtm.State) bool {
			return s.Search.Refusals > 0 && !s.Search.Anchor.IsNobody()
		})},
		{seesHealing, "Heals", "an heir has taken the place of a crashed anchor", o.healed},
		{seesForgetting, "Forgets", "a crashed host is no longer a child of its anchor", o.forgotten},
		{seesNear, "Knows", "a host knows a near one that is no neighbour", some(knows)},
	} {
		if o.sees&w.bit != 0 {
			all = append(all, property{
				Property: checker.Property{Name: w.name, Doc: w.doc, Shape: checker.Sometimes}, Holds: w.holds,
			})
		}
	}
	return all
}

// some reports whether something holds of a node.
func some(holds func(*globalState, *dtm.State) bool) func(*globalState) bool {
	return func(g *globalState) bool {
		for i := range g.Slots {
			if holds(g, &g.Slots[i].State) {
				return true
			}
		}
		return false
	}
}

func (o *oracle) joined(g *globalState, s *dtm.State) bool {
	return int(s.ID.Address) >= o.members && g.Running(s.ID) && inTree(s) && s.Heard > 0
}

func twoLeave(g *globalState) bool {
	count := 0
	for i := range g.Slots {
		stage := g.Slots[i].State.Departure.Stage
		if g.Live(i) && (stage == dtm.Asking || stage == dtm.Committed) {
			count++
		}
	}
	return count > 1
}

func (o *oracle) healed(g *globalState) bool {
	crashed := slices.ContainsFunc(g.Slots, func(s *slot) bool { return !s.Up })
	return crashed && g.NetworkEmpty() && allLive(g, idle) && !allLive(g, func(s *dtm.State) bool {
		return s.Anchor == o.tree[s.ID.Address].Anchor
	})
}

func (o *oracle) forgotten(g *globalState) bool {
	for i, s := range g.Slots {
		anchor, runs := running(checked{g}, o.tree[i].Anchor)
		if s.Up || !runs {
			continue
		}
		if _, known := listed(anchor, id('A'+byte(i))); !known {
			return true
		}
	}
	return false
}

func knows(g *globalState, s *dtm.State) bool {
	return g.Running(s.ID) && slices.ContainsFunc(s.Links, func(l dtm.Link) bool {
		return slices.ContainsFunc(l.Heard, func(h dtm.Label) bool { return h[0].Host != l.Peer })
	})
}
