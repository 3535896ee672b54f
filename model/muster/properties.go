package muster

import (
	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol/muster"
)

type property = model.Property[Site, muster.Message]

func pastOf(g *globalState) *past { return g.MonitorView.(*past) }

// running counts the processes of nodes that run.
func running(g *globalState) (count int) {
	for i, s := range g.Slots {
		if g.Live(i) && s.State.runs() {
			count++
		}
	}
	return count
}

func (s *Site) runs() bool { return s.World.Process == Runs }

// ended reports whether the attempt has ended at all nodes that run.
func ended(g *globalState) bool {
	return allLive(g, func(s *Site) bool { return s.Core.Ended })
}

func allLive(g *globalState, holds func(*Site) bool) bool {
	for i, s := range g.Slots {
		if g.Live(i) && !holds(&s.State) {
			return false
		}
	}
	return true
}

// nobodyWaits reports whether the attempt has ended, or goes on because a process runs.
func nobodyWaits(g *globalState) bool { return ended(g) || running(g) > 0 }

// haltReached reports whether all processes that must end have ended.
func haltReached(g *globalState) bool { return !pastOf(g).halted || running(g) == 0 }

// endKills reports whether no process runs at a node where the attempt has ended.
func (s *Site) endKills() bool { return !s.Core.Ended || !s.runs() }

// The names of the properties of single nodes.
const (
	endKillsName    = "EndKills"
	haltReachesName = "HaltReaches"
	nobodyWaitsName = "NobodyWaits"
)

// Unsettled returns the property of quiescent states that a node breaks where the attempt must end,
// or "".
func (s *Site) Unsettled() string {
	switch {
	case s.Core.Ended:
		return ""
	case s.runs():
		return haltReachesName
	}
	return nobodyWaitsName
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
		{allOrNone, "AllOrNone", "a process starts only if all hosts were here, it was permitted and not called off"},
		{askedOnce, "AskedOnce", "the custodian is asked once, when all hosts are here and nothing was called off"},
		{goUnpermitted, "NoGoWithoutPermit", "nothing goes unless the custodian granted the permit before it was called off"},
		{ranksOnce, "RanksOnce", "each rank is given once, in the order of the hosts, with the same places"},
		{startsOnce, "StartsOnce", "a host starts at most one process, and none after it was halted or unfit"},
		{statusesTrue, "StatusesTrue", "an outcome has the status that the driver of each rank gave"},
		{outcomeFirst, "OutcomeBeforeFinish", "no host finishes before the outcome is safe"},
		{reasonTrue, "ReasonTrue", "an outcome is called a failure only if a task failed, and lost only if a host lost one"},
		{outputsKept, "OutputsKept", "an outcome says that a task ended with 0 only if its outputs are safe"},
		{outcomeOnce, "OutcomeOnce", "there is one outcome, and it never changes"},
	}
}

func (s *scenario) properties() (all []property) {
	for _, b := range breaches() {
		all = append(all, property{
			Property: checker.Property{Name: b.name, Doc: b.doc, Shape: checker.Always},
			Holds:    func(g *globalState) bool { return pastOf(g).broken&b.bit == 0 },
		})
	}
	all = append(all, contract.Properties(rules, func(g *globalState) uint32 { return pastOf(g).rules })...)
	all = append(all, property{
		Property: checker.Property{
			Name: endKillsName, Doc: "no process runs where the task layer has ended the attempt", Shape: checker.Always,
		},
		Holds: func(g *globalState) bool { return allLive(g, (*Site).endKills) },
	}, property{
		Property: checker.Property{
			Name: haltReachesName, Doc: "when quiescent, no process of a halted attempt runs", Shape: checker.Quiescent,
		},
		Holds: haltReached,
	}, property{
		Property: checker.Property{
			Name: nobodyWaitsName, Doc: "when quiescent, the attempt has ended everywhere, or a process runs",
			Shape: checker.Quiescent,
		},
		Holds: nobodyWaits,
	})
	all = append(all, s.witnesses()...)
	if s.safety {
		return all
	}
	if s.witness&endedByHalt != 0 { // otherwise nothing runs that could be halted
		all = append(all, property{
			Property: checker.Property{Name: "Halts", Doc: "once halted, no process runs any more", Shape: checker.LeadsTo},
			Triggers: func(g *globalState) bool { return pastOf(g).halted },
			Holds:    func(g *globalState) bool { return running(g) == 0 },
		})
	}
	if s.endless {
		return all
	}
	return append(all, property{
		Property: checker.Property{Name: "Finishes", Doc: "the attempt ends everywhere", Shape: checker.LeadsTo},
		Triggers: func(g *globalState) bool { return !ended(g) },
		Holds:    ended,
	})
}

func (s *scenario) witnesses() (all []property) {
	for _, each := range []struct {
		bit       witness
		name, doc string
	}{
		{completed, "Completes", "all processes exit with 0, and the outcome is announced"},
		{failed, "Fails", "the outcome has a failed task"},
		{endedByHalt, "HaltsRunning", "a process is halted while it runs"},
		{unrun, "HaltsWaiting", "a host receives Halt instead of Go"},
		{unfit, "IsUnfit", "a task cannot be started"},
		{lost, "IsLost", "a host loses its task"},
		{lostRunning, "LosesRunning", "a host loses a task whose process ran"},
		{unkept, "IsUnkept", "a process exits with 0, and the outputs of its task cannot be kept"},
		{refused, "IsRefused", "the permit is refused"},
		{killed, "KillsRunning", "the task layer ends the attempt while its process runs"},
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
