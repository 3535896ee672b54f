package daemon

import (
	"fmt"
	"slices"
	"sync"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/traces"
)

const (
	second   = 1_000_000
	most     = 6 // nodes of a plan that is drawn
	maxNodes = 9
)

// Scenarios lists the scenarios of this package.
func Scenarios() []*sim.Scenario {
	work := []string{opSubmit, opSubmit, opSubmit, opCancel}
	leaves, crashes := []string{opLeave, opDrain}, []string{opCrash, opCrash, opRestart, opCrashAll, opDisk}
	cuts := []string{opCut, opOneWay, opIsolate, opHeal}
	return []*sim.Scenario{
		scenario("daemon/jobs", "jobs are handed in and cancelled, and nothing fails", 1, work, true),
		scenario("daemon/leaves", "the same, and nodes leave and come back", 1, slices.Concat(work, leaves), true),
		scenario("daemon/forgers", "the same, and members send forged contact cards", 2,
			slices.Concat(work, leaves, []string{opForge, opForge, opForge, opForge, opForge, opForge}), true),
		scenario("daemon/crashes", "jobs, and daemons crash and come back", 1, slices.Concat(work, crashes), false),
		scenario("daemon/losses", "jobs, daemons crash, and a machine is lost with its disk", 4,
			slices.Concat(work, crashes, []string{opLose}), false),
		scenario("daemon/pauses", "jobs, and daemons are stopped for some time", 1,
			slices.Concat(work, []string{opPause}), false),
		scenario("daemon/cuts", "jobs, and the network is cut", 1, slices.Concat(work, cuts), false),
		scenario("daemon/all", "jobs, and all faults but losses", 1,
			slices.Concat(work, work, leaves, crashes, cuts, []string{opPause, opPause}), false),
		drawn("daemon/returns", "jobs, and all daemons crash and come back while links between them are cut",
			drawReturns, false),
		drawn("daemon/removals", "jobs are forgotten soon after their end, and daemons crash and come back",
			drawRemovals, false),
		drawn("daemon/rests", "jobs that need all of four nodes, which are stopped one after the other", drawRests, false),
		drawn("daemon/calendar", "jobs, while two years pass by clocks that jump in both directions", drawCalendar, true),
		scenario("daemon/shims", "jobs, and their shims are killed, and disks have no space for tasks", 2,
			slices.Concat(work, work, []string{opShim, opShim, opShim, opShim, opFull, opFull, opCrash}), false),
		scenario("daemon/files", "jobs with inputs and outputs, whose disks are full, lose files and damage them", 2,
			[]string{opFiles, opFiles, opFiles, opFiles, opFull, opFull, opRot, opSpoil, opShim, opCrash, opPause, opCancel},
			false),
	}
}

// scenario returns a scenario of some nodes to six, in which up to twenty operations of these kinds
// happen.
func scenario(name, doc string, fewest int, kinds []string, faultless bool) *sim.Scenario {
	return drawn(name, doc, func(p *sim.Plan, c *sim.Chance) {
		p.SettleMicros, p.Nodes = 240*second, fewest+int(c.Below(uint64(most-fewest)+1))
		p.Latency = []string{"constant 200", "exponential 1000", "uniform 100 20000", "exponential 30000"}[c.Below(4)]
		p.UntilMicros = c.Between(10, 40) * second
		if !faultless {
			p.Delay, p.DelayMicros = []uint32{0, 1000, 20_000}[c.Below(3)], second
		}
		for range c.Below(20) {
			p.Ops = append(p.Ops, sim.Op{
				AtMicros: c.Between(0, p.UntilMicros), Do: kinds[c.Below(uint64(len(kinds)))],
				Node: int(c.Below(uint64(p.Nodes))), Arg: c.Below(1 << 32),
			})
		}
	}, faultless)
}

// drawn returns a scenario whose plans a function draws.
func drawn(name, doc string, draw func(*sim.Plan, *sim.Chance), faultless bool) *sim.Scenario {
	return &sim.Scenario{
		Name: name, Doc: doc, Properties: properties, Words: words, Draw: sim.DrawFrom(name, name, draw),
		Run: func(p *sim.Plan, o sim.RunOptions) (*sim.Result, error) {
			r, err := newRun(p, o, faultless)
			if err != nil {
				return nil, err
			}
			return r.finish()
		},
	}
}

var properties = sync.OnceValue(func() []checker.Property {
	always := func(name, doc string) checker.Property {
		return checker.Property{Name: name, Doc: doc, Shape: checker.Always}
	}
	atEnd := func(name, doc string) checker.Property {
		return checker.Property{Name: name, Doc: doc, Shape: checker.Quiescent}
	}
	return []checker.Property{
		always("OneRun", "two attempts of a job never run at once, and a rank of an attempt runs once"),
		always("EndedStays", "nothing of a job runs, or starts again, when any daemon has said that it has ended"),
		always("Fenced", "nothing runs on a life when any daemon knows its death certificate"),
		always("StaysUp", "a daemon ends by itself only when its life is over, or when it leaves"),
		always("Signed", "no node believes in a life or an endpoint of another one that this has not signed"),
		always("KeepsLease", "no life that is in the map loses its lease while most witnesses run and nothing fails"),
		always("Results", "a job ends as its tasks have ended, or is cancelled by its client"),
		always("InputsLaid", "a task starts with the input of its job"),
		always("OutputsKept", "what the tasks of a job have left is on the disks of its custodians if it has succeeded"),
		atEnd("Converges", "once faults have stopped, all daemons are members and the map is whole"),
		atEnd("Acknowledges", "once faults have stopped, each client's job is acknowledged"),
		atEnd("AckedKept", "each acknowledged job ends"),
		atEnd("Decided", "each job that a daemon keeps has ended, also one that was never acknowledged"),
		atEnd("RemovedStays", "no daemon has a record of a job that was removed"),
		atEnd("Quiet", "no custodian asks about jobs that have ended, and no attempt at one is remembered"),
	}
})

// validate returns an error if a plan is impossible in these scenarios.
func validate(p *sim.Plan) error {
	switch err := p.Validate(); {
	case err != nil:
		return err
	case p.Nodes > maxNodes:
		return fmt.Errorf("%w: %d nodes; it must be from 1 to %d", sim.ErrPlan, p.Nodes, maxNodes)
	case p.DriftPPM != 0:
		return fmt.Errorf("%w: drift_ppm is %d; clocks drift by the shape of the plan here", sim.ErrPlan, p.DriftPPM)
	case p.Drop+p.Duplicate != 0 || slices.ContainsFunc(p.Faults, changes):
		return fmt.Errorf("%w: a message is lost or doubled; connections only delay them", sim.ErrPlan)
	}
	return nil
}

// changes reports whether a fault does more than delay a message.
func changes(f sim.Fault) bool { return f.Kind != sim.FaultDelay }

// words explain the texts of runs.
func words() []traces.Term {
	return []traces.Term{
		{Kind: traces.MessageTerm, Word: "Hello", Meaning: "which life sends it"},
		{Kind: traces.MessageTerm, Word: "Core", Meaning: "a message of a core of the daemon"},
		{Kind: traces.MessageTerm, Word: "Call", Meaning: "a question of one daemon to another, or its answer"},
		{Kind: traces.MessageTerm, Word: "Custody", Meaning: "a message of a custodian, with its copy of a record"},
		{Kind: traces.MessageTerm, Word: "Cards", Meaning: "contact cards that a node passes on, some perhaps forged"},
		{Kind: traces.MessageTerm, Word: "Refusal",
			Meaning: "another life is known at the address of the receiver, with a card that is to prove it"},
		{Kind: traces.EventTerm, Word: "peer", Meaning: "of the map, the clusters, the tasks or the leases, in their words"},
		{Kind: traces.EventTerm, Word: "muster", Meaning: "of an attempt, in the words of package muster"},
		{Kind: traces.EventTerm, Word: "custody", Meaning: "of the custodians of a job, in the words of package custody"},
		{Kind: traces.EventTerm, Word: "job", Meaning: "a copy of the record of a job has changed"},
		{Kind: traces.TimerTerm, Word: "turn", Meaning: "something is due in the daemon"},
		{Kind: traces.CommandTerm, Word: wakeOrder, Meaning: "a task has ended, or the daemon goes on"},
		{Kind: traces.CommandTerm, Word: opSubmit, Meaning: "a client hands in its job"},
		{Kind: traces.CommandTerm, Word: opFiles, Meaning: "a client hands in its job, which has inputs and outputs"},
		{Kind: traces.CommandTerm, Word: opCancel, Meaning: "a client cancels its job"},
		{Kind: traces.CommandTerm, Word: opRemove, Meaning: "a client has its job forgotten"},
		{Kind: traces.CommandTerm, Word: opPause, Meaning: "the daemon is stopped for so many microseconds"},
		{Kind: traces.CommandTerm, Word: opForge, Meaning: "a member sends a forged contact card of another one"},
		{Kind: traces.CommandTerm, Word: opLeave, Meaning: "the daemon is to leave, as by SIGTERM"},
		{Kind: traces.CommandTerm, Word: opDrain, Meaning: "the daemon is to leave when its jobs have ended"},
	}
}
