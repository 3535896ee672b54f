package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// eventsBroken compares the events of the step with its changes. The reason why an input is ignored
// is for people.
func (s *transition) eventsBroken() string {
	announced := slices.Clone(s.out.Events)
	if s.ignores() {
		full := s.commands(refine.CommandAdd) && len(s.before.Candidates)+len(s.in.Command.Nodes) > s.cfg.CandidateLimit
		switch {
		case full:
		case !s.same() || len(announced) > 1:
			return "it ignores its input and does something"
		case len(announcements{s}.all()) > 0:
			return "it ignores what concerns it"
		}
		return ""
	}
	if s.mustIgnore() {
		return "it does not ignore what does not concern it"
	}
	return contract.EventsBroken(announced, announcements{s}.all())
}

// mustIgnore reports whether the input cannot concern the node.
func (s *transition) mustIgnore() bool {
	b := s.before
	t, known := slotOf(b, s.in.From)
	c, _ := candidateOf(b, s.in.From)
	switch {
	case s.in.Kind == protocol.Command && !up(b):
		return true
	case s.in.Kind == protocol.Measured:
		return up(b) && !s.missing(s.in.From)
	}
	switch m := s.message().(type) {
	case refine.Solicitation:
		return known && m.Round <= t.Round
	case refine.Update:
		return !known || t.Stage != refine.Suitor || t.Round != m.Round
	case refine.Confirm:
		return known && t.Stage == refine.Suitor
	case refine.List:
		return known && (t.Stage == refine.Suitor || m.Round < t.Round || m.Round == t.ClusterRound ||
			m.Round == t.Round && open(t.Survey))
	case refine.Dismiss:
		return !known || m.Round < t.Round
	case refine.Deny:
		return c.Status != refine.Asked || m.Round != b.Round
	case refine.Defer:
		return c.Status != refine.Asked || m.Round != b.Round
	case refine.Leave:
		return !(inside(c) && m.Round >= b.ClusterRound || concerned(c) && !inside(c) && m.Round == b.Round)
	case refine.Accept:
		return m.Round > b.Round || inside(c) || c.Status == refine.Accepted && m.Round == b.Round
	}
	return false
}

// missing reports whether the node waits for a measurement of a peer.
func (s *transition) missing(peer protocol.NodeID) bool {
	waits := func(survey []refine.Reading) bool { return slices.Contains(survey, refine.Reading{Peer: peer}) }
	client := slices.ContainsFunc(s.before.Slots, func(t refine.Slot) bool { return waits(t.Survey) })
	return client || waits(s.before.Survey)
}

// announcements works out which events a step must announce.
type announcements struct{ *transition }

func (s announcements) all() []protocol.Event {
	return slices.Concat(s.ofHeads(), s.ofClients())
}

// ofHeads lists the events of the head's rounds and members.
func (s announcements) ofHeads() (all []protocol.Event) {
	b, a := s.before, s.after
	add := func(happened bool, e protocol.Event) {
		if happened {
			all = append(all, e)
		}
	}
	add(s.solicits(), protocol.Event{Name: refine.EventRound, Number: a.Round})
	add(s.concludes(), protocol.Event{Name: refine.EventSteady, Number: a.ClusterRound})
	add(s.fires(refine.MissedTimer), protocol.Event{Name: refine.EventFailed, Peer: s.in.Timer.Peer})
	add(s.leaves(), protocol.Event{Name: refine.EventLeft})
	peer, why := s.in.Timer.Peer, "failed"
	if _, ok := s.message().(refine.Leave); ok {
		peer, why = s.in.From, "left"
	}
	was, _ := candidateOf(b, peer)
	_, still := candidateOf(a, peer)
	gone := s.lives() && inside(was) && !still && (s.fires(refine.MissedTimer) || why == "left")
	add(gone, protocol.Event{Name: refine.EventRemoved, Peer: peer, Number: b.ClusterRound, Detail: why})
	return all
}

// ofClients lists the events of the client's slots and measurements.
func (s announcements) ofClients() (all []protocol.Event) {
	b, a := s.before, s.after
	add := func(happened bool, name string, peer protocol.NodeID, number uint32, detail string) {
		if happened {
			all = append(all, protocol.Event{Name: name, Peer: peer, Number: number, Detail: detail})
		}
	}
	add(s.in.Kind == protocol.Measured && s.missing(s.in.From), refine.EventMeasured, s.in.From, s.in.Measure, "")
	why := "failed"
	switch s.message().(type) {
	case refine.Solicitation:
		why = "asked anew"
	case refine.Dismiss:
		why = "dismissed"
	}
	for _, t := range b.Slots {
		now, still := slotOf(a, t.Head)
		add(s.fires(refine.WaitTimer) && t.Stage == refine.Suitor, refine.EventAccept, t.Head, t.Round, "")
		over := t.Stage == refine.Committed && (!still || now.Stage != refine.Committed)
		add(over && s.lives(), refine.EventReleased, t.Head, t.ClusterRound, why)
	}
	for _, t := range stages(a, refine.Committed) {
		old, _ := slotOf(b, t.Head)
		add(t.ClusterRound != old.ClusterRound, refine.EventCommitted, t.Head, t.ClusterRound, "")
	}
	for _, t := range s.turnedDown() {
		name := refine.EventDefer
		if len(stages(a, refine.Committed)) >= s.cfg.MembershipBound-1 {
			name = refine.EventDeny
		}
		add(true, name, t.Head, t.Round, "")
	}
	return all
}

// suitors returns the suitors among which a client must choose when a head asks: the present ones,
// and the new one.
func (s *transition) suitors() (all []refine.Slot) {
	m, ok := s.message().(refine.Solicitation)
	old, known := slotOf(s.before, s.in.From)
	if !ok || known && m.Round <= old.Round {
		return nil
	}
	for _, t := range stages(s.before, refine.Suitor) {
		if t.Head != s.in.From {
			all = append(all, t)
		}
	}
	return append(all, refine.Slot{
		Head: s.in.From, Stage: refine.Suitor, Round: m.Round, Ceiling: m.Ceiling, Sure: m.Sure,
	})
}

// turnedDown returns the suitors to which the client says no: more have come than it has places.
func (s *transition) turnedDown() []refine.Slot {
	return slices.DeleteFunc(s.suitors(), func(t refine.Slot) bool {
		now, kept := slotOf(s.after, t.Head)
		return kept && now.Round == t.Round
	})
}
