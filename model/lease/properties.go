package lease

import (
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

type property = model.Property[Site, Wire]

func pastOf(g *globalState) *past { return g.MonitorView.(*past) }

// holders returns the states of the nodes that run and hold a lease.
func holders(g *globalState) (all []*lease.State) {
	for i, slot := range g.Slots {
		if g.Live(i) && holds(slot.State) {
			all = append(all, &slot.State.Core)
		}
	}
	return all
}

// invariant is a property of the nodes that hold leases, and of the incarnations whose death is
// certified.
type invariant struct {
	name, doc string
	kept      func(p *past, holders []*lease.State) bool
}

var invariants = []invariant{
	{"NoFalseDeath", "a life whose death is certified holds no lease", func(p *past, holders []*lease.State) bool {
		return !slices.ContainsFunc(holders, func(s *lease.State) bool { return slices.Contains(p.dead, s.Self) })
	}},
	{"OneLife", "no two processes at one address hold a lease", func(_ *past, holders []*lease.State) bool {
		return pairwise(holders, func(a, b *lease.State) bool { return a.Self.Address != b.Self.Address })
	}},
	{"OneGeneration", "no two nodes hold leases in different generations", func(_ *past, holders []*lease.State) bool {
		return pairwise(holders, func(a, b *lease.State) bool { return a.Generation == b.Generation })
	}},
}

func pairwise(all []*lease.State, fits func(a, b *lease.State) bool) bool {
	for i, a := range all {
		for _, b := range all[:i] {
			if !fits(a, b) {
				return false
			}
		}
	}
	return true
}

// breaches lists the properties of all states that the monitor checks, with their descriptions.
func breaches() []struct {
	bit       breach
	name, doc string
} {
	return []struct {
		bit       breach
		name, doc string
	}{
		{deadStays, "DeadStays", "a witness that said that a life is over never grants to it, and never says otherwise"},
		{closedStays, "ClosedStays",
			"a witness that closed a generation neither grants in it or an older one, nor promises such a one"},
		{oneFounder, "OneFounder", "a generation has at most one founder"},
		{entersThroughMembers, "EntersThroughMembers",
			"a node that enters a generation does so through a node that has held a lease in it"},
	}
}

func (s *scenario) properties(a *Agent) (all []property) {
	always := func(name, doc string, holds func(*globalState) bool) {
		all = append(all, property{
			Property: checker.Property{Name: name, Doc: doc, Shape: checker.Always}, Holds: holds,
		})
	}
	for _, i := range invariants {
		always(i.name, i.doc, func(g *globalState) bool { return i.kept(pastOf(g), holders(g)) })
	}
	for _, b := range breaches() {
		always(b.name, b.doc, func(g *globalState) bool { return pastOf(g).broken&b.bit == 0 })
	}
	all = append(all, contract.Properties(rules, func(g *globalState) uint32 { return pastOf(g).rules })...)
	all = append(all, property{
		Property: checker.Property{
			Name: "Answered", Doc: "when quiescent, no question is open, if all witnesses run", Shape: checker.Quiescent,
		},
		Holds: s.answered,
	}, property{
		Property: checker.Property{
			Name: "RoundsEnd", Doc: "when quiescent, no round is open, if all witnesses run, or in some models a majority",
			Shape: checker.Quiescent,
		},
		Holds: s.roundsEnd,
	})
	if s.lives {
		always("Lives", "no life is fenced while a majority of witnesses runs",
			func(g *globalState) bool { return pastOf(g).seen&(expired|outlawed|copied) == 0 })
	}
	return slices.Concat(all, s.liveness(a), s.happenings())
}

func (s *scenario) liveness(a *Agent) (all []property) {
	if s.mourns != "" {
		all = append(all, property{
			Property: checker.Property{
				Name: "Mourned", Doc: "a life that is over and asked for is certified dead", Shape: checker.LeadsTo,
			},
			Triggers: func(g *globalState) bool { return s.unmourned(g, a.Mourned) },
			Holds:    func(g *globalState) bool { return !s.unmourned(g, a.Mourned) },
		})
	}
	if s.founds {
		all = append(all, property{
			Property: checker.Property{
				Name: "Founds", Doc: "where no node is in a grid and a majority of witnesses runs, a grid can be founded",
				Shape: checker.Reaches,
			},
			Triggers: func(g *globalState) bool { return !someEntered(g) && s.majorityRuns(g) && !s.spent(g) },
			Holds:    someEntered,
		})
	}
	return all
}

// unmourned reports whether a node asks for an incarnation that is over, and could know by now.
func (s *scenario) unmourned(g *globalState, mourned []protocol.NodeID) bool {
	for place, id := range mourned {
		asks := !id.IsNobody() && g.Live(place) && !g.Slots[place].State.Core.IsDead(id)
		if asks && !runs(g, id) && (s.alone || s.majorityRuns(g)) {
			return true
		}
	}
	return false
}

// answered reports whether no question is open, or a witness does not run.
func (s *scenario) answered(g *globalState) bool {
	return s.none(g, s.witnesses, func(c *lease.State) bool { return len(c.Asks) > 0 })
}

// roundsEnd reports whether no node waits for grants, or a witness does not run. A majority
// suffices for nodes in the grid, if the model says so.
func (s *scenario) roundsEnd(g *globalState) bool {
	renews := func(c *lease.State) bool { return c.Phase == lease.Leased && !c.Settled }
	if s.suffices {
		return s.none(g, s.witnesses/2+1, func(c *lease.State) bool { return c.Entered && renews(c) })
	}
	return s.none(g, s.witnesses, func(c *lease.State) bool { return c.Phase == lease.Joining || renews(c) })
}

// none reports whether no node that runs waits for the witnesses, unless fewer of them run than are
// needed.
func (s *scenario) none(g *globalState, need int, waits func(*lease.State) bool) bool {
	if s.witnessesUp(g) < need {
		return true
	}
	for i, slot := range g.Slots {
		if g.Live(i) && waits(&slot.State.Core) {
			return false
		}
	}
	return true
}

// spent reports whether the bounds of the model may keep every node from founding a grid. An answer
// that is out of date may cost a node one generation and one round.
func (s *scenario) spent(g *globalState) bool {
	able := false
	for i, slot := range g.Slots {
		c := &slot.State.Core
		if !g.Live(i) {
			continue
		}
		if max(c.Witness.Generation, c.Witness.Promised)+2 > s.most {
			return true
		}
		returns := s.nodes[i] != 'w' && int(c.Self.Incarnation) <= s.returns
		begins := s.nodes[i] != 's' && c.Phase >= lease.Looking && c.Phase < lease.Leased && !s.exhausted(c) &&
			c.Round+1 < s.rounds
		able = able || begins || returns && (c.Phase == lease.Fenced || c.Phase == lease.Leased && !c.Entered)
	}
	return !able
}

// happenings must each come about in some run.
func (s *scenario) happenings() (all []property) {
	if s.witness == 0 {
		all = append(all, property{
			Property: checker.Property{Name: "Renews", Doc: "a lease is renewed", Shape: checker.Sometimes},
			Holds: func(g *globalState) bool {
				return slices.ContainsFunc(holders(g), func(c *lease.State) bool { return c.Settled && c.Round > 1 })
			},
		})
	}
	for _, each := range []struct {
		bit       witness
		name, doc string
	}{
		{leased, "Enters", "a node enters a generation that another founded"},
		{founded, "FoundsOnce", "a node founds a generation"},
		{refounded, "FoundsAgain", "a generation after the first is founded"},
		{certified, "Certifies", "a death is certified"},
		{spared, "Spares", "a question ends without a certificate"},
		{expired, "Expires", "a lease expires, and its holder ends"},
		{outlawed, "Outlaws", "a majority refuses a life for good"},
		{copied, "FindsCopy", "a process learns that another has its identity"},
		{outvoted, "GoesOn", "a witness grants in a generation older than one that it promised"},
	} {
		if s.witness&each.bit != 0 {
			all = append(all, property{
				Property: checker.Property{Name: each.name, Doc: each.doc, Shape: checker.Sometimes},
				Holds:    func(g *globalState) bool { return pastOf(g).seen&each.bit != 0 },
			})
		}
	}
	return all
}

// someEntered reports whether a node that runs is in a grid.
func someEntered(g *globalState) bool {
	return slices.ContainsFunc(holders(g), func(c *lease.State) bool { return c.Entered })
}
