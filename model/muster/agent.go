package muster

import (
	"slices"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
)

// The timers of the world. Each stands for something that the task layer, the process or the
// custodian does at a node; the driver then gives the core a command.
const (
	HostTimer      protocol.TimerKind = iota + 32 // the task layer starts the task
	RepresentTimer                                // the task layer decides
	PermitTimer                                   // the custodian grants the permit
	RefuseTimer                                   // the custodian refuses it
	ExitTimer                                     // the process exits with 0
	FailTimer                                     // the process exits with another code
	KillTimer                                     // the process ends because it was halted
	UnfitTimer                                    // the process cannot be started
	DepositTimer                                  // the outcome is safe
	EndTimer                                      // the task layer ends the attempt
	LoseTimer                                     // the host loses the task
	KeepTimer                                     // the outputs of the task are safe
	UnkeepTimer                                   // they cannot be kept
)

// EventGiven is the event of a step in which the driver gives a command. Number: its kind.
const EventGiven = "given"

// Fate is the set of possible ends of the process at a host. Without any it runs until it is ended.
type Fate uint8

// The possible ends of a process.
const (
	Ends    Fate = 1 << iota // exits with 0
	Fails                    // exits with a code of its host
	Unfits                   // cannot be started
	Loses                    // is lost by its host, before or after its start
	Keeps                    // has outputs, which can be kept
	Unkeeps                  // has outputs, which cannot be kept
)

// Input and Output are those of a node with its world.
type (
	Input  = protocol.Input[muster.Message, muster.Command]
	Output = protocol.Output[muster.Message]
)

// Agent is the core with the world around it.
type Agent struct {
	*muster.Core
	Rep           protocol.NodeID
	Hosts         []protocol.NodeID // sorted
	HaltOnFailure bool
	Refusable     bool   // the custodian may refuse
	Fates         []Fate // by address
}

// New returns the state of a node before it has a role.
func New(self protocol.NodeID) Site { return Site{Core: muster.New(self)} }

// Pending returns the timers that are pending at a node without a role, with their times, for
// drivers with a clock.
func (a *Agent) Pending(s *Site) (all []protocol.SetTimer) {
	for _, t := range a.timers(s) {
		all = append(all, span(t))
	}
	return all
}

// Step is that of the core. If the world does something, the core receives the driver's command.
func (a *Agent) Step(s Site, in Input) (Site, Output) {
	before, inner := s, in
	if in.Kind == protocol.Timeout && in.Timer.Kind >= HostTimer {
		inner = Input{Kind: protocol.Command, Command: a.happens(&s, in.Timer.Kind)}
	}
	core, out := a.Core.Step(s.Core, inner)
	out.Events = append(out.Events, contract.Check(rules, &transition{
		cfg: &a.Config, in: &inner, before: &s.Core, after: &core, out: &out,
	})...)
	s.Core = core
	if inner.Kind == protocol.Command {
		out.Events = append(out.Events, protocol.Event{Name: EventGiven, Number: uint32(inner.Command.Kind)})
	}
	for _, e := range out.Events {
		s.World.follow(e)
	}
	var world Output
	world.Retime(in.Kind, a.timers(&before), a.timers(&s), func(t protocol.Timer) bool {
		return in.Kind == protocol.Timeout && t == in.Timer
	}, span)
	out.Cancel, out.Set = append(out.Cancel, world.Cancel...), append(out.Set, world.Set...)
	return s, out
}

// span is the time after which something happens, for drivers with a clock.
func span(t protocol.Timer) protocol.SetTimer {
	set := protocol.SetTimer{Timer: t, MinTicks: 0, MaxTicks: 300}
	switch t.Kind {
	case ExitTimer, FailTimer:
		set.MaxTicks = 1500
	case EndTimer:
		set.MinTicks, set.MaxTicks = 50, 500
	}
	return set
}

// happens changes the world as a timer says, and returns the driver's command.
func (a *Agent) happens(s *Site, kind protocol.TimerKind) muster.Command {
	w := &s.World
	own := uint32(s.Core.Self.Address)
	switch kind {
	case HostTimer:
		w.Hosted = true
		return muster.Command{Kind: muster.CommandHost, Rep: a.Rep, Ports: portsOf(s.Core.Self)}
	case RepresentTimer:
		w.Represented = true
		return muster.Command{Kind: muster.CommandRepresent, Hosts: a.Hosts, HaltOnFailure: a.HaltOnFailure}
	case PermitTimer:
		w.Permit = Granted
		return muster.Command{Kind: muster.CommandPermit, Granted: true}
	case RefuseTimer:
		w.Permit = Denied
		return muster.Command{Kind: muster.CommandPermit}
	case ExitTimer:
		return w.exits(0, 0, a.hasOutputs(s.Core.Self))
	case FailTimer:
		return w.exits(3+own, 0, a.hasOutputs(s.Core.Self))
	case KillTimer:
		return w.exits(0, 9, a.hasOutputs(s.Core.Self))
	case KeepTimer:
		w.Process = Over
		return muster.Command{Kind: muster.CommandKept, Kept: true}
	case UnkeepTimer:
		w.Process = Over
		if w.Report.Code == 0 && w.Report.Signal == 0 {
			w.Report.Cause = muster.Unkept
		}
		return muster.Command{Kind: muster.CommandKept}
	case UnfitTimer:
		if w.Process == Runs {
			w.Process = Over
		}
		w.Report = muster.Status{Cause: muster.Unfit, Halted: w.Halting}
		return muster.Command{Kind: muster.CommandUnfit}
	case LoseTimer:
		if w.Process == Runs {
			w.Process = Over
		}
		w.Report = muster.Status{Cause: muster.Lost, Halted: w.Halting}
		return muster.Command{Kind: muster.CommandLost}
	case DepositTimer:
		w.Deposit = Granted
		return muster.Command{Kind: muster.CommandDeposited}
	}
	return muster.Command{Kind: muster.CommandEnd}
}

// exits ends the process.
func (w *World) exits(code uint32, signal uint8, outputs bool) muster.Command {
	w.Process = Over
	w.Report = muster.Status{Cause: muster.Exited, Code: code, Signal: signal, Halted: w.Halting}
	kind := muster.CommandExited
	if outputs {
		kind = muster.CommandKeep
	}
	return muster.Command{Kind: kind, Code: code, Signal: signal}
}

// hasOutputs reports whether the task of a host has outputs.
func (a *Agent) hasOutputs(host protocol.NodeID) bool {
	return a.Fates[host.Address]&(Keeps|Unkeeps) != 0
}

// follow carries out an event of the core.
func (w *World) follow(e protocol.Event) {
	switch e.Name {
	case muster.EventGo:
		w.Process = Runs
	case muster.EventKeep:
		w.Process = Keeping
	case muster.EventHalt:
		w.Halting = true
	case muster.EventUnrun:
		w.Halting = true
		w.Report = muster.Status{Cause: muster.Unrun, Halted: true}
	case muster.EventKill:
		w.Process = Over
	case muster.EventPermit:
		w.Permit = Asked
	case muster.EventOutcome:
		w.Deposit = Asked
	case muster.EventFinish:
		w.Finished = true
	}
}

// Over reports whether the task layer ends the attempt at a node: a node of the attempt has
// crashed, the attempt was ended at a node before its time, or the task layer was notified of the
// ends of its tasks. Site returns the state of the node at an address, or nil if it has crashed.
func (a *Agent) Over(node int, site func(int) *Site) bool {
	all := true
	for _, id := range append([]protocol.NodeID{a.Rep}, a.Hosts...) {
		switch s := site(int(id.Address)); {
		case s == nil, s.Core.Ended && (id == a.Rep || !s.World.Finished):
			return true
		case id != a.Rep || slices.Contains(a.Hosts, id):
			all = all && s.World.Finished
		}
	}
	return all || node != int(a.Rep.Address) && site(node).World.Finished
}

// TimerText implements [protocol.Core].
func (a *Agent) TimerText(t protocol.Timer) string {
	if t.Kind < HostTimer || t.Kind > UnkeepTimer {
		return muster.TimerText(t)
	}
	return [...]string{
		"task starts", "tasks decided", "permit granted", "permit refused", "process exits", "process fails",
		"process is ended", "process cannot start", "outcome is safe", "attempt ends", "task is lost",
		"outputs are safe", "outputs cannot be kept",
	}[t.Kind-HostTimer]
}

// EventNames lists the names of all events.
func (a *Agent) EventNames() []string { return append(a.Core.EventNames(), EventGiven, contract.Event) }
