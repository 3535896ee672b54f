package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// figuresBroken compares the stages of candidates and suitors before and after the step.
func (s *transition) figuresBroken() string {
	if !s.lives() {
		return ""
	}
	b, a := s.before, s.after
	begins := s.fires(refine.CollectTimer) || s.fires(refine.RetryTimer)
	switch {
	case a.Round != b.Round && a.Round != b.Round+1, a.Round != b.Round && !begins:
		return "its rounds are not counted one by one, or begin without a reason"
	case a.Round == b.Round && begins && (b.Head == refine.Collect || b.Head == refine.HeadSteady):
		return "it begins no round"
	case s.concludes() && a.ClusterRound != a.Round:
		return "its cluster is of another round"
	case s.filters() && (a.Again || !s.surveysAll()):
		return "it does not measure all that take part"
	case a.Head == refine.Filter && !s.waitsForReadings():
		return "it waits for nothing more in FILTER"
	case a.Head == refine.HeadSteady && s.room(a) && number(a, with(refine.Fresh)) > 0:
		return "it has room and does not ask a new candidate"
	case a.Head == refine.Collect && b.Head != refine.Collect && !s.collects():
		return "it collects without a reason"
	}
	for _, why := range []string{s.candidatesBroken(), s.clusterBroken(), s.suitorsBroken(), s.readingsBroken()} {
		if why != "" {
			return why
		}
	}
	return ""
}

// collects reports whether a head needs another round: members are out of date, or it has room for
// a new candidate. Before its first round any news of candidates will do.
func (s *transition) collects() bool {
	a := s.after
	return s.before.Head == refine.HeadIdle || a.Again || number(a, with(refine.Dropped)) > 0 ||
		s.room(a) && number(a, with(refine.Fresh)) > 0
}

// surveysAll reports whether a head measures all its members and all that accepted.
func (s *transition) surveysAll() bool {
	part := together(s.after, func(c refine.Candidate) bool {
		return c.Status == refine.Accepted || c.Status == refine.Member
	})
	self := func(id protocol.NodeID) bool { return id == s.after.ID }
	return slices.Equal(peersOf(s.after.Survey), slices.DeleteFunc(part, self))
}

// waitsForReadings reports whether a reading or a report is missing at a head.
func (s *transition) waitsForReadings() bool {
	return open(s.after.Survey) || slices.ContainsFunc(s.after.Candidates, func(c refine.Candidate) bool {
		return measuredBy(s.after, c) && c.Report == nil
	})
}

// candidatesBroken checks the statuses of the candidates. Where a member is lost there is room, and
// rejected candidates get another chance.
func (s *transition) candidatesBroken() string {
	b, a := s.before, s.after
	lost := slices.ContainsFunc(b.Candidates, func(c refine.Candidate) bool {
		now, _ := candidateOf(a, c.ID)
		return c.Status == refine.Member && now.Status != refine.Member
	})
	for _, c := range b.Candidates {
		now, still := candidateOf(a, c.ID)
		named := s.in.Kind == protocol.Command && slices.Contains(s.in.Command.Nodes, c.ID)
		asks := c.Status == refine.Fresh || c.Status == refine.Deferred || b.Again && !inside(c)
		switch {
		case s.solicits() && asks != (now.Status == refine.Asked):
			return "a round asks other candidates than it should"
		case lost && rejected(c) && still && rejected(now):
			return "a candidate that was turned down gets no chance when a member goes"
		case named && s.commands(refine.CommandAdd) && (rejected(now) || now.Status == refine.Dropped):
			return "a candidate that is named again gets no chance"
		case named && s.commands(refine.CommandDrop) && still && now.Status != refine.Dropped:
			return "a candidate that is dropped stays"
		case still && concerned(c) && s.goes(c):
			return "a candidate that has left or failed stays"
		case !still && concerned(c) && !inside(c) && !s.withdrawn(c.ID) && !(named && s.commands(refine.CommandDrop)):
			return "a candidate disappears"
		}
	}
	if m, ok := s.message().(refine.Accept); ok && m.Round == b.Round {
		was, _ := candidateOf(b, s.in.From)
		now, _ := candidateOf(a, s.in.From)
		if was.Status == refine.Asked && now.Status != refine.Accepted {
			return "a candidate that accepts does not count"
		}
	}
	if s.commands(refine.CommandAdd) {
		for _, id := range s.in.Command.Nodes {
			_, known := candidateOf(a, id)
			if !known && id != a.ID && !id.IsNobody() && len(a.Candidates) < s.cfg.CandidateLimit {
				return "a node that is named is no candidate"
			}
		}
	}
	return ""
}

// goes reports whether a candidate must be removed: it has failed, or has left the cluster or the
// round that counts on it.
func (s *transition) goes(c refine.Candidate) bool {
	m, left := s.message().(refine.Leave)
	now := inside(c) && m.Round >= s.before.ClusterRound || !inside(c) && m.Round == s.before.Round
	return left && c.ID == s.in.From && now || s.fires(refine.MissedTimer) && c.ID == s.in.Timer.Peer
}

// suitorsBroken checks the prospects that a client knows, and that it turns down only the least
// desirable suitor, and only if it has too many.
func (s *transition) suitorsBroken() string {
	turned, all := s.turnedDown(), s.suitors()
	free := s.cfg.MembershipBound - 1 - len(stages(s.after, refine.Promised)) - len(stages(s.after, refine.Committed))
	if len(turned) != max(0, len(all)-free) {
		return "it turns down too many suitors, or too few"
	}
	for _, t := range turned {
		for _, other := range all {
			if other.Head != t.Head && !s.rather(other, t) {
				return "it turns down a suitor that is more desirable than another"
			}
		}
	}
	for _, t := range stages(s.after, refine.Suitor) {
		old, known := slotOf(s.before, t.Head)
		switch m := s.message().(type) {
		case refine.Solicitation:
			if t.Head == s.in.From && t.Round == m.Round && !(known && old.Round == m.Round) {
				old.Ceiling, old.Sure = m.Ceiling, m.Sure
			}
		case refine.Update:
			if t.Head == s.in.From && t.Round == m.Round {
				old.Ceiling, old.Sure = min(old.Ceiling, m.Ceiling), max(old.Sure, m.Sure)
			}
		}
		if t.Ceiling != old.Ceiling || t.Sure != old.Sure {
			return "it misjudges the prospects of a suitor"
		}
	}
	return ""
}

// rather reports whether a client prefers one suitor to another (section 5.1.1).
func (s *transition) rather(a, b refine.Slot) bool {
	switch {
	case s.cfg.Criterion == refine.FirstCome:
		return b.Head == s.in.From
	case s.cfg.Criterion == refine.Greedy && a.Ceiling != b.Ceiling:
		return a.Ceiling > b.Ceiling
	case s.cfg.Criterion == refine.Greedy && a.Sure != b.Sure:
		return a.Sure > b.Sure
	}
	return before(a.Head, b.Head)
}

// readingsBroken checks that a measurement fills all readings that wait for it, and no other, that
// the timer fills all with Far, and that a report is kept as it came first.
func (s *transition) readingsBroken() string {
	if !s.readOnly(s.before.Survey, s.after.Survey) {
		return "a reading of the head changes without a measurement"
	}
	for _, t := range s.after.Slots {
		if old, known := slotOf(s.before, t.Head); known && t.Round == old.Round && !s.readOnly(old.Survey, t.Survey) {
			return "a reading of the client changes without a measurement"
		}
	}
	for _, c := range s.after.Candidates {
		old, _ := candidateOf(s.before, c.ID)
		m, _ := s.message().(refine.Report)
		if old.Report == nil && c.ID == s.in.From {
			old.Report = m.Readings
		}
		if c.Report != nil && !slices.Equal(c.Report, old.Report) {
			return "a report is not as it came"
		}
	}
	return ""
}

// readOnly reports whether readings changed only as the input says. A survey that has begun or
// ended in the step says nothing.
func (s *transition) readOnly(old, now []refine.Reading) bool {
	if len(old) == 0 || len(now) == 0 {
		return true
	}
	for i, r := range old {
		switch {
		case r.Micros > 0:
		case s.fires(refine.MeasureTimer):
			r.Micros = refine.Far
		case s.in.Kind == protocol.Measured && r.Peer == s.in.From:
			r.Micros = max(1, s.in.Measure)
		}
		if i >= len(now) || now[i] != r {
			return false
		}
	}
	return true
}
