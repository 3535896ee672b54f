package custody

import (
	"slices"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// The timers of the world. The first is one of the grid. Each of the others stands for something
// that reaches the driver of a custodian, which then gives the core a command. Those of an attempt
// have its number as the address of their peer.
const (
	EndsTimer    protocol.TimerKind = iota + 32 // nothing of an attempt runs any more at its host Incarnation
	AskTimer                                    // an attempt asks for the permit
	CloseTimer                                  // its host Incarnation says that nothing of it runs there
	OutcomeTimer                                // an attempt deposits its outcome
	GiveUpTimer                                 // the task layer gives the first try up
	DeadTimer                                   // a certificate: the incarnation Peer is over
	HostTimer                                   // a certificate for the host of an attempt
	CancelTimer                                 // the client cancels
	ForgetTimer                                 // the record is no longer wanted
	ToldTimer                                   // another custodian says that it has forgotten the job
	LossTimer                                   // the operator accepts the loss of the other disk
)

// EventEnds is the event of the grid when nothing of an attempt runs any more at a host. Peer: as
// that of the timer.
const EventEnds = "ends"

// Input and Output are those of a site.
type (
	Input  = protocol.Input[custody.Message, custody.Command]
	Output = protocol.Output[custody.Message]
)

// Agent is the core with the world around it.
type Agent struct {
	*custody.Core
	Custodians []protocol.Address
	Lives      uint16    // of a custodian, at most
	Attempts   []Attempt // by number, from 1
	GivesUp    bool      // the task layer may give the first try up
	Powercuts  bool      // hosts may die
	Cancels    bool      // the client cancels
	Afterwards bool      // but only once a custodian has crashed
	Forgets    bool      // the record may be forgotten once it has ended
	Loses      bool      // the operator accepts the loss of a disk that he cannot see
	WrongDead  bool      // certificates may be false
	Views      uint32    // a bound: custodians that have promised a later view do nothing more; 0: none
}

// Attempt is an attempt of a try. Its number is its epoch.
type Attempt struct {
	Try   uint32
	Hosts int
}

// New returns the state of a custodian in its first incarnation, and its persisted bytes.
func (a *Agent) New(address protocol.Address) (s Site, persisted []byte) {
	return Site{Core: custody.New(id(address), a.Custodians)}, keep(1, nil)
}

// NewGrid returns the state of the grid.
func NewGrid(address protocol.Address) (s Site) {
	s.Grid, s.Core.Self = true, id(address)
	return s
}

// owner is the node in the task layer that grants all attempts.
var owner = protocol.NodeID{Address: 25, Incarnation: 1}

// name returns the name of the attempt of a number, and its hosts.
func (a *Agent) name(number protocol.Address) (name custody.Attempt, hosts []protocol.NodeID) {
	for host := range a.Attempts[number-1].Hosts {
		hosts = append(hosts, a.host(number, host))
	}
	return custody.Attempt{By: owner, Epoch: uint32(number)}, hosts
}

// host returns a host of an attempt. No two attempts share one.
func (a *Agent) host(number protocol.Address, host int) protocol.NodeID {
	return protocol.NodeID{Address: 10*number + protocol.Address(host), Incarnation: 1}
}

// outcome returns the outcome of an attempt.
func outcome(number protocol.Address) custody.Digest { return custody.Digest('a' + rune(number) - 1) }

// timers lists the timers of the world at each site. They are always pending: the facts decide
// which may fire.
func (a *Agent) timers(s *Site) (all []protocol.Timer) {
	add := func(wanted bool, kind protocol.TimerKind, peer protocol.NodeID) {
		if wanted {
			all = append(all, protocol.Timer{Kind: kind, Peer: peer})
		}
	}
	for i, attempt := range a.Attempts {
		peer := protocol.NodeID{Address: protocol.Address(i + 1)}
		for host := range attempt.Hosts {
			at := protocol.NodeID{Address: peer.Address, Incarnation: uint16(host)}
			add(s.Grid, EndsTimer, at)
			add(!s.Grid, CloseTimer, at)
			add(!s.Grid && a.Powercuts, HostTimer, at)
		}
		add(!s.Grid, AskTimer, peer)
		add(!s.Grid, OutcomeTimer, peer)
	}
	if s.Grid {
		return all
	}
	nobody := protocol.NodeID{}
	add(a.GivesUp, GiveUpTimer, nobody)
	for _, address := range a.Custodians {
		for life := uint16(1); life <= a.Lives && address != s.Core.Self.Address; life++ {
			add(true, DeadTimer, protocol.NodeID{Address: address, Incarnation: life})
		}
	}
	add(a.Cancels, CancelTimer, nobody)
	add(a.Forgets, ForgetTimer, nobody)
	add(a.Forgets, ToldTimer, nobody)
	add(a.Loses, LossTimer, nobody)
	return all
}

// Pending returns the timers of the world at a site, with their times, for drivers with a clock.
func (a *Agent) Pending(s *Site) (all []protocol.SetTimer) {
	for _, t := range a.timers(s) {
		all = append(all, protocol.SetTimer{Timer: t, MaxTicks: 500})
	}
	return all
}

// Step is that of the core. If something reaches the driver, the core receives its command. An
// incarnation begins with the number that follows the persisted one.
func (a *Agent) Step(s Site, in Input) (Site, Output) {
	if s.Grid {
		return s, a.grid(in)
	}
	inner, disk := in, []byte(nil)
	switch {
	case in.Kind == protocol.Restart:
		var life uint16
		life, disk = kept(in.Persisted)
		s.Core = custody.New(protocol.NodeID{Address: s.Core.Self.Address, Incarnation: life + 1}, a.Custodians)
		inner.Persisted = disk
	case in.Kind == protocol.Timeout && in.Timer.Kind >= AskTimer:
		inner = Input{Kind: protocol.Command, Command: a.command(in.Timer)}
	}
	core, out := a.Core.Step(s.Core, inner)
	out.Events = append(out.Events, contract.Check(rules, &transition{
		cfg: &a.Config, in: &inner, before: &s.Core, after: &core, out: &out,
	})...)
	if in.Kind == protocol.Restart && out.Persist == nil {
		out.Persist = disk
	}
	if out.Persist != nil {
		out.Persist = keep(core.Self.Incarnation, out.Persist)
	}
	out.Send = slices.Clone(out.Send)
	for i := range out.Send {
		out.Send[i].To = id(out.Send[i].To.Address) // any incarnation of it may receive it
	}
	s.Core = core
	out.Set = append(out.Set, a.again(&s, in)...)
	return s, out
}

// grid is a step of the grid.
func (a *Agent) grid(in Input) (out Output) {
	if in.Kind == protocol.Timeout {
		out.Events = []protocol.Event{{Name: EventEnds, Peer: in.Timer.Peer}}
	}
	return out
}

// again returns the timers of the world that a step sets: all in a new incarnation, and a timer
// that fired.
func (a *Agent) again(s *Site, in Input) (all []protocol.SetTimer) {
	for _, set := range a.Pending(s) {
		if in.Kind == protocol.Restart || in.Kind == protocol.Timeout && set.Timer == in.Timer {
			all = append(all, set)
		}
	}
	return all
}

// command is the command of the driver to the core for an event of the world.
func (a *Agent) command(t protocol.Timer) custody.Command {
	number := t.Peer.Address
	var c custody.Command
	switch t.Kind {
	case AskTimer, CloseTimer, OutcomeTimer, HostTimer:
		c.Attempt, c.Hosts = a.name(number)
		c.Try = a.Attempts[number-1].Try
	}
	switch t.Kind {
	case AskTimer:
		c.Kind = custody.CommandPermit
	case CloseTimer:
		c.Kind, c.Life = custody.CommandClosed, a.host(number, int(t.Peer.Incarnation))
	case OutcomeTimer:
		c.Kind, c.Outcome = custody.CommandOutcome, outcome(number)
	case GiveUpTimer:
		c.Kind, c.Try = custody.CommandTryOver, 1
	case HostTimer:
		c = custody.Command{Kind: custody.CommandDead, Life: a.host(number, int(t.Peer.Incarnation))}
	case DeadTimer:
		c.Kind, c.Life = custody.CommandDead, t.Peer
	case CancelTimer:
		c.Kind, c.Requested = custody.CommandCancel, custody.Cancelled
	case ForgetTimer:
		c.Kind = custody.CommandForget
	case ToldTimer:
		c.Kind = custody.CommandForgotten
	default:
		c.Kind = custody.CommandAcceptLoss
	}
	return c
}

// TimerText implements [protocol.Core].
func (a *Agent) TimerText(t protocol.Timer) string {
	switch {
	case t.Kind == EndsTimer:
		return "ends at " + a.host(t.Peer.Address, int(t.Peer.Incarnation)).String()
	case t.Kind > EndsTimer && t.Kind <= LossTimer:
		return custody.CommandText(a.command(t))
	}
	return custody.TimerText(t)
}

// EventNames lists the names of all events.
func (a *Agent) EventNames() []string { return append(a.Core.EventNames(), EventEnds, contract.Event) }
