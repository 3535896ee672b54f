package lease

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// The timers of the driver. Each stands for a command that it gives.
const (
	MournTimer  protocol.TimerKind = iota + 32 // it asks for Peer until its death is certified
	EnterTimer                                 // the node has entered the grid
	ReturnTimer                                // the next incarnation begins after a fence
)

// The events of the driver.
const (
	EventBegin   = "begin"   // an incarnation begins
	EventEntered = "in"      // the node is in the grid that another founded
	EventElected = "elected" // a majority has promised the generation Number to the node
	EventSaid    = "said"    // a witness has answered a question for Peer: Number is 1 if it is over
)

// Input and Output are those of a node with its driver.
type (
	Input  = protocol.Input[Wire, lease.Command]
	Output = protocol.Output[Wire]
)

// Site is a node at its place in the network.
type Site struct {
	Place uint8
	Core  lease.State
	Disk  []byte // the last persisted bytes, if fenced nodes return
}

// Agent is the core with a driver around it. The driver addresses messages, and delivers messages
// to the present incarnation or to any. It answers Choose at once with the number of the place, so
// that no two processes draw the same nonce.
type Agent struct {
	*lease.Core
	Addresses []protocol.Address // by place: two may be the same, if a data directory was copied
	Silent    []bool             // by place: the node is a witness only
	Mourned   []protocol.NodeID  // by place: the incarnation for which the driver asks, or none
	Enters    bool               // nodes enter the grid
	Returns   bool               // an incarnation that was fenced is followed by another
}

// Identity is the network's name of a place. It is 0 before the first incarnation.
func Identity(s Site) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(s.Place), Incarnation: min(1, s.Core.Self.Incarnation)}
}

// New returns the state of the process at a place before its first incarnation.
func (a *Agent) New(place int) Site {
	return Site{Place: uint8(place), Core: lease.New(a.Addresses[place])}
}

// Step is that of the core. When a timer of the driver fires, the core receives the command.
func (a *Agent) Step(s Site, in Input) (Site, Output) {
	before, given := s, in
	switch {
	case in.Kind == protocol.Timeout && in.Timer.Kind == MournTimer:
		given = Input{Kind: protocol.Command, Command: lease.Command{Kind: lease.CommandAsk, Node: in.Timer.Peer}}
	case in.Kind == protocol.Timeout && in.Timer.Kind == EnterTimer:
		given = Input{Kind: protocol.Command, Command: lease.Command{Kind: lease.CommandEntered}}
	case in.Kind == protocol.Timeout && in.Timer.Kind == ReturnTimer:
		given = Input{Kind: protocol.Restart, Persisted: s.Disk}
		s = a.New(int(s.Place))
	}
	s, out := a.step(s, given)
	if a.Returns && out.Persist != nil {
		s.Disk = out.Persist
	}
	if s.Core.Entered && !before.Core.Entered && !isFounder(&s.Core) {
		out.Events = append(out.Events, protocol.Event{Name: EventEntered})
	}
	if given.Kind == protocol.Restart && in.Kind != protocol.Restart {
		out.Cancel = append(out.Cancel, pendingIn(&before.Core)...)
	}
	out.Retime(in.Kind, a.Timers(&before), a.Timers(&s), func(t protocol.Timer) bool {
		return in.Kind == protocol.Timeout && t == in.Timer
	}, func(t protocol.Timer) protocol.SetTimer {
		if t.Kind == MournTimer {
			return protocol.SetTimer{Timer: t, MinTicks: 25, MaxTicks: 25}
		}
		return protocol.SetTimer{Timer: t, MinTicks: 1, MaxTicks: 300}
	})
	return s, out
}

// Timers returns the timers of the driver that are pending at a site.
func (a *Agent) Timers(s *Site) (all []protocol.Timer) {
	c := &s.Core
	if id := a.Mourned[s.Place]; !id.IsNobody() && c.Phase > lease.Drawing && c.Phase < lease.Fenced && !c.IsDead(id) {
		all = append(all, protocol.Timer{Kind: MournTimer, Peer: id})
	}
	if a.Enters && c.Phase == lease.Leased && !c.Entered {
		all = append(all, protocol.Timer{Kind: EnterTimer})
	}
	if a.Returns && c.Phase == lease.Fenced && !a.Silent[s.Place] {
		all = append(all, protocol.Timer{Kind: ReturnTimer})
	}
	return all
}

func (a *Agent) step(s Site, in Input) (Site, Output) {
	inner := lease.Input{
		Kind: in.Kind, From: in.Message.From, Message: in.Message.Message, Timer: in.Timer, Command: in.Command,
		Persisted: in.Persisted,
	}
	if to := in.Message.To; in.Kind == protocol.Deliver && to.Incarnation != 0 && to != s.Core.Self {
		return s, Output{} // for another incarnation
	}
	core, step := a.Core.Step(s.Core, inner)
	broken := contract.Check(rules, &transition{
		cfg: &a.Config, in: &inner, before: &s.Core, after: &core, out: &step,
	})
	out := a.addressed(&s, &in, &step)
	out.Events = append(out.Events, broken...)
	if step.Choose > 0 {
		out.Events = append(out.Events, protocol.Event{Name: EventBegin})
		core = a.choose(&s, core, &out)
	}
	if isFounder(&core) && !(isFounder(&s.Core) && core.Generation == s.Core.Generation) {
		out.Events = append(out.Events, protocol.Event{Name: EventElected, Number: core.Generation})
	}
	s.Core = core
	return s, out
}

// isFounder reports whether a majority has promised the generation of a node to it.
func isFounder(s *lease.State) bool {
	return s.Founder == s.Self && (s.Phase == lease.Joining || s.Phase == lease.Leased)
}

// choose answers the core's question for a nonce. At a node that is a witness only the holder's
// part ends here.
func (a *Agent) choose(s *Site, core lease.State, out *Output) lease.State {
	if a.Silent[s.Place] {
		core.Phase = lease.Fenced
		return core
	}
	before := core
	in := lease.Input{Kind: protocol.Chosen, Choice: uint32(s.Place)}
	core, step := a.Core.Step(core, in)
	out.Events = append(out.Events, contract.Check(rules, &transition{
		cfg: &a.Config, in: &in, before: &before, after: &core, out: &step,
	})...)
	more := a.addressed(s, &Input{}, &step)
	if more.Persist != nil {
		out.Persist = more.Persist
	}
	out.Send, out.Events = append(out.Send, more.Send...), append(out.Events, more.Events...)
	out.Cancel, out.Set = append(out.Cancel, more.Cancel...), append(out.Set, more.Set...)
	return core
}

// addressed gives what a core sends to the network. An answer goes to the process that asked, any
// other message to all places with its address.
func (a *Agent) addressed(s *Site, in *Input, step *lease.Output) Output {
	out := Output{Persist: step.Persist, Cancel: step.Cancel, Set: step.Set, Events: slices.Clone(step.Events)}
	self := protocol.NodeID{Address: protocol.Address(s.Place), Incarnation: 1}
	for _, e := range step.Send {
		for place, address := range a.Addresses {
			to := protocol.NodeID{Address: protocol.Address(place), Incarnation: 1}
			answers := in.Kind == protocol.Deliver && e.To == in.Message.From
			if answers && to == in.From || !answers && address == e.To.Address {
				out.Send = append(out.Send, protocol.Envelope[Wire]{
					From: self, To: to, Message: Wire{From: e.From, To: e.To, Message: e.Message},
				})
			}
		}
		if e.Message.Kind == lease.Verdict {
			said := protocol.Event{Name: EventSaid, Peer: e.Message.Peer}
			if e.Message.Condemned {
				said.Number = 1
			}
			out.Events = append(out.Events, said)
		}
	}
	return out
}

// AppendState implements [protocol.Core].
func (a *Agent) AppendState(dst []byte, s Site) []byte {
	dst = protocol.AppendUint(protocol.AppendUint(dst, uint64(s.Place)), uint64(len(s.Disk)))
	return lease.AppendState(append(dst, s.Disk...), s.Core)
}

// DecodeState implements [protocol.Core].
func (a *Agent) DecodeState(src []byte) (Site, error) {
	r := protocol.NewReader(src)
	s := Site{Place: uint8(r.Uint(1<<8 - 1))}
	if disk := r.Bytes(int(r.Uint(uint64(r.Left())))); len(disk) > 0 {
		s.Disk = disk
	}
	inner := r.Bytes(r.Left())
	if err := r.Close(); err != nil {
		return Site{}, err
	}
	var err error
	s.Core, err = lease.DecodeState(inner)
	return s, err
}

// StateText implements [protocol.Core].
func (a *Agent) StateText(s Site) string {
	text := lease.StateText(s.Core)
	if protocol.Address(s.Place) != s.Core.Self.Address {
		text += " +copy"
	}
	if len(s.Disk) > 0 {
		text += fmt.Sprintf(" +disk %x", s.Disk)
	}
	return text
}

// TimerText implements [protocol.Core].
func (a *Agent) TimerText(t protocol.Timer) string {
	switch t.Kind {
	case MournTimer:
		return "asks for " + t.Peer.String()
	case EnterTimer:
		return "enters"
	case ReturnTimer:
		return "next life"
	}
	return lease.TimerText(t)
}

// EventNames lists the names of all events.
func (a *Agent) EventNames() []string {
	return append(a.Core.EventNames(), EventBegin, EventEntered, EventElected, EventSaid, contract.Event)
}
