package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// The timers of this core. Which of them are pending is a function of the state (wanted).
const (
	// RunTimer is the process of the task that runs: to set it is to start the process, to cancel it
	// is to kill the process, and it fires when the process has ended. Its duration means nothing.
	RunTimer protocol.TimerKind = iota + 1

	ResendTimer  // resends unanswered messages
	BeatTimer    // the period of signs of life
	LeaseTimer   // per peer: it was silent for a lease
	RegrantTimer // per silent peer: its own leases have run out, and those of its hosts
)

// Timers returns the timers that are pending at a node in this state, in a fixed order.
func (s *State) Timers() []protocol.Timer { return s.wanted() }

// wanted returns the timers that a node in this state waits for, in a fixed order.
func (s *State) wanted() []protocol.Timer {
	var timers []protocol.Timer
	if _, runs := s.Runs(); runs {
		timers = append(timers, protocol.Timer{Kind: RunTimer})
	}
	resends := slices.ContainsFunc(s.Roles, func(r Role) bool { return r.Bond == Seeking })
	if !resends {
		s.eachUnanswered(func(protocol.NodeID, Message) bool {
			resends = true
			return false
		})
	}
	if resends {
		timers = append(timers, protocol.Timer{Kind: ResendTimer})
	}
	watched := s.watched()
	if len(watched) > 0 {
		timers = append(timers, protocol.Timer{Kind: BeatTimer})
	}
	for _, id := range watched {
		timers = append(timers, protocol.Timer{Kind: LeaseTimer, Peer: id})
	}
	for _, id := range s.Silent {
		timers = append(timers, protocol.Timer{Kind: RegrantTimer, Peer: id})
	}
	return timers
}

// unanswered returns the messages that are resent until they are answered, and their receivers.
func (s *State) unanswered() []Envelope {
	var all []Envelope
	s.eachUnanswered(func(to protocol.NodeID, m Message) bool {
		all = append(all, Envelope{To: to, Message: m})
		return true
	})
	return all
}

// eachUnanswered calls yield for each such message, until yield returns false.
func (s *State) eachUnanswered(yield func(to protocol.NodeID, m Message) bool) {
	more := func(to protocol.NodeID, m Message) bool {
		return to == s.Self || s.isMute(to, m) || yield(to, m)
	}
	for i := range s.Owned {
		if o := &s.Owned[i]; o.State <= JobRevoking && !more(o.Rep, o.grantMessage()) {
			return
		}
	}
	for i := range s.Roles {
		r := &s.Roles[i]
		if m, open := r.reportMessage(); open && !more(r.Owner, m) {
			return
		}
		for k := range r.Members {
			if repeat, open := r.memberMessage(&r.Members[k]); open && !more(r.Members[k].Host, repeat) {
				return
			}
		}
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		m := Message{Attempt: t.Attempt(), Vote: t.Vote}
		switch t.State {
		case TaskReady:
			m.Kind = Ready
		case TaskWithdrawing:
			m.Kind = Withdraw
		case TaskDone:
			m.Kind, m.Vote = Finish, 0
		default:
			continue
		}
		if !more(t.Rep, m) {
			return
		}
	}
}

// memberMessage returns the message that a representative resends to a member: Dispatch until it
// has a vote, Start until the member has ended, Cancel until the member has stopped.
func (r *Role) memberMessage(m *Member) (Message, bool) {
	switch {
	case r.Phase == Stopping:
		return Message{Kind: Cancel, Attempt: r.Attempt(), Confirm: true}, true
	case m.State == MemberDispatched && m.Vote == 0:
		return Message{Kind: Dispatch, Attempt: r.Attempt()}, true
	case m.State == MemberStarting:
		return Message{Kind: Start, Attempt: r.Attempt(), Vote: m.Vote}, true
	}
	return Message{}, false
}

// watched returns, sorted, the nodes that this node watches in any of its roles. These nodes watch
// this node, too.
func (s *State) watched() []protocol.NodeID {
	var keys []uint64 // as a number, an identity is sorted several times as fast
	add := func(id protocol.NodeID) { keys = append(keys, uint64(id.Address)<<16|uint64(id.Incarnation)) }
	for i := range s.Owned {
		if o := &s.Owned[i]; o.State <= JobRevoking {
			add(o.Rep)
		}
	}
	for i := range s.Tasks {
		add(s.Tasks[i].Rep)
	}
	for i := range s.Roles {
		r := &s.Roles[i]
		if r.Bond != Seeking {
			add(r.Owner)
		}
		for k := range r.Members {
			if m := &r.Members[k]; m.State <= MemberStarting {
				add(m.Host)
			}
		}
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	ids := make([]protocol.NodeID, 0, len(keys))
	for _, key := range keys {
		id := protocol.NodeID{Address: protocol.Address(key >> 16), Incarnation: uint16(key)}
		if id != s.Self && !slices.Contains(s.Silent, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// setTimers outputs the difference between the timers pending before the step and those wanted
// after it. The timer that fired is no longer pending. A message restarts the lease of its sender.
// Another task to run is another process.
func (n *node) setTimers(before *State, in Input) {
	was, ran := before.Runs()
	is, runs := n.Runs()
	other := was.Attempt() != is.Attempt()
	if ran && runs && other {
		n.Out.Cancel = append(n.Out.Cancel, protocol.Timer{Kind: RunTimer})
	}
	n.Out.Retime(in.Kind, before.wanted(), n.wanted(), func(t protocol.Timer) bool {
		fired := in.Kind == protocol.Timeout && t == in.Timer
		alive := in.Kind == protocol.Deliver && t.Peer == in.From
		return fired || alive || t.Kind == RunTimer && other
	}, n.duration)
}

func (n *node) duration(t protocol.Timer) protocol.SetTimer {
	ticks := [...]uint32{
		RunTimer: 0, ResendTimer: n.cfg.ResendTicks, BeatTimer: n.cfg.BeatTicks, LeaseTimer: n.cfg.LeaseTicks,
		RegrantTimer: n.cfg.RegrantTicks,
	}[t.Kind]
	return protocol.SetTimer{Timer: t, MinTicks: ticks, MaxTicks: ticks}
}
