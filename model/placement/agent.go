package placement

import (
	"slices"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/placement"
)

// The timers of the world. Each stands for something that custodians or the grid do; the driver
// then gives the core a command. The address of Peer is a job, or the ticket of a submission.
const (
	LeadTimer    protocol.TimerKind = iota + 32 // the node decides about the job from now on
	YieldTimer                                  // another custodian decides about it
	HoldTimer                                   // its user holds it
	ReleaseTimer                                // and releases it
	CloseTimer                                  // its attempt ends without an outcome, and another try follows
	EndTimer                                    // its attempt ends with an outcome
	FoundTimer                                  // a search finds an owner
	VainTimer                                   // a search finds none
	OwnedTimer                                  // the owner reports itself
	SilentTimer                                 // a submission comes to nothing, and nobody says so
	LapseTimer                                  // an attempt is refused the permit, and its owner says so
	CancelTimer                                 // the owner cancels a submission, and says so
	PermitTimer                                 // an attempt of the submission has the permit
	AnswerTimer                                 // the owner answers that it does not have the submission
	RepeatTimer                                 // a report arrives a second time
	DieTimer                                    // the owner of submissions dies
)

// Input and Output are those of a node with its world.
type (
	Input  = protocol.Input[placement.Message, placement.Command]
	Output = protocol.Output[placement.Message]
)

// Agent is the core with the world around it: the custodians of its jobs, and the grid.
type Agent struct {
	*placement.Core
	Jobs    []Job // job 1 is the first, and the oldest
	Yields  uint8 // how often another custodian decides about a job for a while
	Holds   uint8 // how often users hold a job
	Silent  uint8 // how many submissions come to nothing without a word
	Vain    uint8 // how many searches for jobs that nodes can hold are in vain
	Repeats uint8 // how many reports arrive twice
	Deaths  uint8 // how many owners die
	Mute    bool  // no owner answers
	Compact bool  // number tickets and rounds again after each step: only their order counts
}

// Job describes a job: which nodes can hold it, and its tries.
type Job struct {
	Impossible bool   // no node can hold it
	Endless    bool   // and searches for one have no end
	Tries      uint32 // how many attempts there are at most; 0: one
	Rest       uint32 // ticks before each further try
}

// New returns the state of a node that decides about no job yet.
func (a *Agent) New(self protocol.NodeID) Site {
	return Site{Core: placement.New(self), World: World{Wishes: make([]Wish, len(a.Jobs))}}
}

// Pending returns the timers that are pending at such a node, for drivers with a clock.
func (a *Agent) Pending(s *Site) (all []protocol.SetTimer) {
	for _, t := range a.timers(s) {
		all = append(all, span(t))
	}
	return all
}

// Step is that of the core. If the world does something, the core receives the driver's command.
func (a *Agent) Step(s Site, in Input) (Site, Output) {
	before, inner := s, in
	s.World = s.World.clone()
	given := true
	switch {
	case in.Kind == protocol.Restart:
		s = a.New(protocol.NodeID{Address: s.Core.Self.Address, Incarnation: s.Core.Self.Incarnation + 1})
		before = s
	case in.Kind == protocol.Timeout && in.Timer.Kind >= LeadTimer:
		inner = Input{Kind: protocol.Command}
		inner.Command, given = a.happens(&s, in.Timer)
	}
	var out Output
	if given {
		var core placement.State
		core, out = a.Core.Step(s.Core, inner)
		out.Events = append(out.Events, contract.Check(rules, &transition{
			cfg: &a.Config, in: &inner, before: &s.Core, after: &core, out: &out,
		})...)
		s.Core = core
	}
	for _, e := range out.Events {
		a.follow(&s, e)
	}
	if a.Compact {
		compact(&s)
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
	set := protocol.SetTimer{Timer: t, MinTicks: 1, MaxTicks: 200}
	switch t.Kind {
	case YieldTimer, HoldTimer, DieTimer, SilentTimer:
		set.MaxTicks = 3000
	case CloseTimer, EndTimer:
		set.MinTicks, set.MaxTicks = 100, 1000
	}
	return set
}

// owner is the node that owns all submissions. After each death its next incarnation does.
func owner(w *World) protocol.NodeID {
	return protocol.NodeID{Address: 9, Incarnation: 1 + uint16(w.Deaths)}
}

// follow carries out an event of the core.
func (a *Agent) follow(s *Site, e protocol.Event) {
	w := &s.World
	switch e.Name {
	case placement.EventSubmit:
		j := s.Core.Of(e.Number)
		if a.Jobs[j.Number-1].Endless { // a search without end is over, for the grid, when the next begins
			w.Submissions = slices.DeleteFunc(w.Submissions, func(s Submission) bool { return s.Job == j.Number })
		}
		w.Submissions = append(w.Submissions, Submission{Ticket: e.Number, Job: j.Number, Try: j.Try})
	case placement.EventRevoke:
		if sub := w.submission(e.Number); sub != nil && e.Peer == owner(w) {
			sub.Revoked = true
		}
	case placement.EventAsk:
		if w.submission(e.Number) == nil && e.Peer == owner(w) && !slices.Contains(w.Asked, e.Number) && !a.Mute {
			w.Asked = append(w.Asked, e.Number)
		}
	}
}

// TimerText implements [protocol.Core].
func (a *Agent) TimerText(t protocol.Timer) string {
	if t.Kind < LeadTimer || t.Kind > DieTimer {
		return placement.TimerText(t)
	}
	return timerText(t)
}

// EventNames lists the names of all events.
func (a *Agent) EventNames() []string { return append(a.Core.EventNames(), contract.Event) }
