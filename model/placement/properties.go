package placement

import (
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol/placement"
)

type property = model.Property[Site, placement.Message]

func pastOf(g *globalState) *past { return g.MonitorView.(*past) }

// all reports whether something holds of all nodes that run.
func all(g *globalState, holds func(node int, s *Site) bool) bool {
	for i := range g.Slots {
		if g.Live(i) && !holds(i, &g.Slots[i].State) {
			return false
		}
	}
	return true
}

func (s *scenario) properties(a *Agent) (list []property) {
	for _, p := range predicates() {
		list = append(list, property{
			Property: checker.Property{Name: p.name, Doc: p.doc, Shape: checker.Always},
			Holds: func(g *globalState) bool {
				return all(g, func(node int, at *Site) bool { return p.holds(at, g.Slots[node].Timers) })
			},
		})
	}
	list = append(list, property{
		Property: checker.Property{Name: fairTurns.name, Doc: fairTurns.doc, Shape: checker.Always},
		Holds:    func(g *globalState) bool { return !pastOf(g).unfair },
	})
	list = append(list, contract.Properties(rules, func(g *globalState) uint32 { return pastOf(g).rules })...)
	if !slices.ContainsFunc(a.Jobs, func(j Job) bool { return !j.fits() }) {
		list = append(list, property{
			Property: checker.Property{
				Name: "AllEnd", Doc: "when quiescent, all jobs have ended and the grid has no submission", Shape: checker.Quiescent,
			},
			Holds: func(g *globalState) bool { return over(a, g) },
		})
	}
	return append(append(list, s.witnesses()...), s.liveness(a)...)
}

func over(a *Agent, g *globalState) bool {
	ended := func(_ int, at *Site) bool { return a.Over(at) }
	left := func(_ int, at *Site) bool { return len(at.World.Submissions) == 0 }
	return all(g, left) && (len(g.Slots) > 1 || all(g, ended))
}

// liveness lists the liveness properties. Where several jobs take turns, they need every step that
// stays possible to be taken in the end.
func (s *scenario) liveness(a *Agent) []property {
	last, shape := len(a.Jobs)-1, checker.LeadsTo
	if last > 0 {
		shape = checker.AlmostSurely
	}
	of := func(name, doc string, pending func(*Site) bool) property {
		waits := func(g *globalState) bool {
			return !all(g, func(_ int, at *Site) bool { return !pending(at) })
		}
		return property{
			Property: checker.Property{Name: name, Doc: doc, Shape: shape},
			Triggers: waits, Holds: func(g *globalState) bool { return !waits(g) },
		}
	}
	orphan := func(g *globalState) bool { return all(g, func(_ int, at *Site) bool { return at.orphan() }) }
	first := a.Jobs[0]
	rests := a.Silent+a.Vain > 0 || !first.fits() || first.Tries > 1
	list := []property{{
		Property: checker.Property{
			Name: "HandedOn", Doc: "a job about which no node decides any more gets another that does", Shape: shape,
		},
		Triggers: orphan, Holds: func(g *globalState) bool { return !orphan(g) },
	}}
	for _, each := range []struct {
		wanted    bool
		name, doc string
		pending   func(*Site) bool
	}{
		{last >= int(a.Config.TurnsLeast), "TurnComes", "the youngest job gets its turn, whatever becomes of older ones",
			func(at *Site) bool { return at.phase(last) == placement.Waiting }},
		{rests, "RestEnds", "a job does not rest forever", func(at *Site) bool { return at.phase(0) == placement.Resting }},
		{a.Jobs[last].fits(), "Runs", "the youngest job gets the permit, if nodes can hold it and the user wants it",
			func(at *Site) bool { return a.Waits(at, last) }},
	} {
		if each.wanted {
			list = append(list, of(each.name, each.doc, each.pending))
		}
	}
	return list
}

func (s *scenario) witnesses() (list []property) {
	for _, each := range []struct {
		bit       witness
		name, doc string
	}{
		{rested, "Rests", "a job rests after a search in vain"},
		{paused, "Pauses", "a job pauses before its next try"},
		{revoked, "Revokes", "a submission is revoked at its owner"},
		{asked, "Asks", "an owner is asked whether it has a submission"},
		{ignored, "Ignores", "a report about a former submission changes nothing"},
	} {
		if s.witness&each.bit != 0 {
			list = append(list, property{
				Property: checker.Property{Name: each.name, Doc: each.doc, Shape: checker.Sometimes},
				Holds:    func(g *globalState) bool { return pastOf(g).seen&each.bit != 0 },
			})
		}
	}
	return append(list, property{
		Property: checker.Property{Name: "IsSubmitted", Doc: "a job is submitted", Shape: checker.Sometimes},
		Holds: func(g *globalState) bool {
			return !all(g, func(_ int, at *Site) bool { return len(at.World.Submissions) == 0 })
		},
	})
}
