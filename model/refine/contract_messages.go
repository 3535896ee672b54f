package refine

import (
	"bytes"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// messagesBroken compares the messages and measurements of the step with the required ones.
func (s *transition) messagesBroken() string {
	sent := slices.Clone(s.out.Send)
	demanded := mail{s}.all()
	for _, want := range demanded {
		at := slices.IndexFunc(sent, func(e refine.Envelope) bool {
			return e.From == s.before.ID && e.To == want.To && mail{s}.equal(e.Message, want.Message)
		})
		if at < 0 {
			return "it does not send to " + want.To.String() + ": " + refine.MessageText(want.Message)
		}
		sent = slices.Delete(sent, at, at+1)
	}
	if len(sent) > 0 {
		return "it should not send to " + sent[0].To.String() + ": " + refine.MessageText(sent[0].Message)
	}
	var measure []protocol.NodeID
	if t, client := s.surveys(); client {
		measure = append(measure, peersOf(t.Survey)...)
	}
	if s.filters() {
		measure = append(measure, peersOf(s.after.Survey)...)
	}
	if !slices.Equal(measure, s.out.Measure) {
		return "it does not measure the nodes of the list"
	}
	return ""
}

func peersOf(survey []refine.Reading) (all []protocol.NodeID) {
	for _, r := range survey {
		all = append(all, r.Peer)
	}
	return all
}

// mail works out which messages a step must send, and compares them with the sent ones.
type mail struct{ *transition }

func (s mail) all() letters { return slices.Concat(s.answers(), s.notices(), s.signs()) }

func (s mail) equal(a, b refine.Message) bool {
	return bytes.Equal(refine.AppendMessage(nil, a), refine.AppendMessage(nil, b))
}

// letters collects what one node sends.
type letters []refine.Envelope

func (l *letters) add(wanted bool, to protocol.NodeID, m refine.Message) {
	if wanted {
		*l = append(*l, refine.Envelope{To: to, Message: m})
	}
}

// answers lists the answers to a message. All but those to a solicitation go to its sender.
func (s mail) answers() (all letters) {
	b, from := s.before, s.in.From
	if b.Departed && s.in.Kind == protocol.Deliver {
		return s.farewell()
	}
	t, known := slotOf(b, from)
	c, _ := candidateOf(b, from)
	stray := func(round uint32) bool {
		counted := inside(c) || c.Status == refine.Accepted && round == b.Round
		return round <= b.Round && !counted
	}
	switch m := s.message().(type) {
	case refine.Solicitation:
		for _, t := range s.turnedDown() {
			full := len(stages(s.after, refine.Committed)) >= s.cfg.MembershipBound-1
			all.add(full, t.Head, refine.Deny{Round: t.Round})
			all.add(!full, t.Head, refine.Defer{Round: t.Round})
		}
	case refine.List:
		all.add(!known, from, refine.Leave{Round: m.Round})
		again := known && m.Round == t.Round && m.Round != t.ClusterRound && len(t.Survey) > 0 && !open(t.Survey)
		all.add(again, from, refine.Report{Round: t.Round, Readings: t.Survey})
	case refine.Confirm:
		all.add(!known, from, refine.Leave{Round: m.Round})
	case refine.Accept:
		expected := c.Status == refine.Asked && m.Round == b.Round
		all.add(!expected && stray(m.Round), from, refine.Dismiss{Round: m.Round})
	case refine.Report:
		expected := m.Round == b.Round && measuredBy(b, c)
		all.add(!expected && stray(m.Round), from, refine.Dismiss{Round: m.Round})
	}
	return all
}

// farewell lists the answers of a node that has left: its peers must not count on it.
func (s mail) farewell() (all letters) {
	switch m := s.in.Message.(type) {
	case refine.Solicitation:
		all.add(true, s.in.From, refine.Leave{Round: m.Round})
	case refine.List:
		all.add(true, s.in.From, refine.Leave{Round: m.Round})
	case refine.Confirm:
		all.add(true, s.in.From, refine.Leave{Round: m.Round})
	case refine.Accept:
		all.add(true, s.in.From, refine.Dismiss{Round: m.Round})
	case refine.Report:
		all.add(true, s.in.From, refine.Dismiss{Round: m.Round})
	}
	return all
}

// prospects returns how large a head's cluster can become, and how many are sure to take part.
func prospects(n *refine.State) (ceiling, sure uint32) {
	sure = 1 + number(n, with(refine.Member)) + number(n, with(refine.Accepted))
	return sure + number(n, with(refine.Asked)), sure
}

// notices lists the messages that the changes of the step demand.
func (s mail) notices() (all letters) {
	b, a := s.before, s.after
	ceiling, sure := prospects(a)
	for _, c := range a.Candidates {
		asked := c.Status == refine.Asked
		all.add(s.solicits() && asked, c.ID, refine.Solicitation{Round: a.Round, Ceiling: ceiling, Sure: sure})
		all.add(s.answered() && asked, c.ID, refine.Update{Round: a.Round, Ceiling: ceiling, Sure: sure})
		if part := func(c refine.Candidate) bool { return measuredBy(a, c) }; s.filters() && part(c) {
			all.add(true, c.ID, refine.List{Round: a.Round, Members: together(a, part)})
		}
		found := s.concludes() && inside(c)
		all.add(found, c.ID, refine.Confirm{Round: a.ClusterRound, Members: together(a, inside)})
	}
	round := max(a.Round, b.Round) // nothing is left of the round if the node leaves
	for _, c := range b.Candidates {
		now, _ := candidateOf(a, c.ID)
		over := concerned(c) && (s.leaves() || !concerned(now)) && !s.begins()
		all.add(over && !s.withdrawn(c.ID), c.ID, refine.Dismiss{Round: round})
	}
	for _, t := range b.Slots {
		now, _ := slotOf(a, t.Head)
		all.add(s.leaves(), t.Head, refine.Leave{Round: t.Round})
		all.add(s.fires(refine.WaitTimer) && t.Stage == refine.Suitor, t.Head, refine.Accept{Round: t.Round})
		complete := open(t.Survey) && !open(now.Survey) && now.Round == t.Round && len(now.Survey) > 0
		all.add(complete, t.Head, refine.Report{Round: t.Round, Readings: now.Survey})
	}
	return all
}

// answered reports whether a greedy head counts the answer to a solicitation: the candidates that
// still consider theirs must know.
func (s mail) answered() bool {
	c, _ := candidateOf(s.before, s.in.From)
	round := uint32(0)
	switch m := s.message().(type) {
	case refine.Accept:
		round = m.Round
	case refine.Deny:
		round = m.Round
	case refine.Defer:
		round = m.Round
	default:
		return false
	}
	return s.cfg.Criterion == refine.Greedy && c.Status == refine.Asked && round == s.before.Round
}

// withdrawn reports whether a candidate itself ends its part, or has failed.
func (s *transition) withdrawn(id protocol.NodeID) bool {
	switch s.message().(type) {
	case refine.Leave, refine.Deny, refine.Defer:
		return s.in.From == id
	}
	return s.fires(refine.MissedTimer) && s.in.Timer.Peer == id
}

// signs lists the signs of life, which repeat what may have been dropped.
func (s mail) signs() (all letters) {
	n := s.before
	if !s.fires(refine.KeepTimer) {
		return nil
	}
	ceiling, sure := prospects(n)
	measures := func(c refine.Candidate) bool { return measuredBy(n, c) }
	for _, c := range n.Candidates {
		busy := c.Status == refine.Accepted || c.Status == refine.Member && n.Head == refine.Filter
		switch {
		case c.Status == refine.Asked:
			all.add(true, c.ID, refine.Solicitation{Round: n.Round, Ceiling: ceiling, Sure: sure})
		case measures(c) && c.Report == nil:
			all.add(true, c.ID, refine.List{Round: n.Round, Members: together(n, measures)})
		case busy:
			all.add(true, c.ID, refine.Alive{})
		default:
			all.add(inside(c), c.ID, refine.Confirm{Round: n.ClusterRound, Members: together(n, inside)})
		}
	}
	for _, t := range n.Slots {
		suitor, ready := t.Stage == refine.Suitor, len(t.Survey) > 0 && !open(t.Survey)
		all.add(suitor, t.Head, refine.Alive{})
		all.add(!suitor && ready, t.Head, refine.Report{Round: t.Round, Readings: t.Survey})
		all.add(!suitor && !ready, t.Head, refine.Accept{Round: t.Round})
	}
	return all
}
