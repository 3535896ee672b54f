package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// newsBroken compares a node's records before and after the step with the data that the step gives
// it.
func (s *transition) newsBroken() string {
	if s.begins() {
		return ""
	}
	b, a := s.before, s.after
	if _, older := OlderNews(b.Known, a.Known); older {
		return "an older record replaces a newer one"
	}
	switch {
	case a.Self.Epoch != b.Self.Epoch+s.epochs():
		return "its epoch does not count the rounds around it"
	case a.Round < b.Round || a.Round > b.Round+1:
		return "its rounds are not counted one by one"
	case a.Self.Version < b.Self.Version,
		a.Self.Version == b.Self.Version && a.Phase == can.Member && a.Self.Zone != b.Self.Zone:
		return "its version does not count the changes of its zone"
	}
	if why := s.deathsBroken(); why != "" {
		return why
	}
	return s.shownBroken()
}

// epochs is by how much the step increases the node's epoch: it has executed the round of another
// node that changes the map, or has given up a promise because a node failed.
func (s *transition) epochs() uint32 {
	if m, executes := s.executes(); executes {
		if m.Kind == can.NoOp {
			return 0
		}
		return 1
	}
	over := bound(s.before.Promise.Proposer) && !bound(s.after.Promise.Proposer)
	switch s.message().(type) {
	case can.Propose, can.Release, can.Update:
		return 0
	case can.Query:
		over = over && !s.fenced()
	}
	if over {
		return 1
	}
	return 0
}

// deathsBroken checks the list of dead nodes: it has the nodes that the step shows to be dead, and
// no dead node returns.
func (s *transition) deathsBroken() string {
	b, a := s.before, s.after
	var shown []protocol.NodeID
	if s.fires(can.MissedTimer) {
		shown = append(shown, s.in.Timer.Peer)
	}
	if m, ok := s.message().(can.Query); ok {
		shown = append(shown, m.Proposer)
	}
	if m, ok := s.counts(); ok {
		shown = append(shown, m.Dead...)
	}
	if m, ok := s.outcome(); ok {
		shown = append(shown, m.Gone)
	}
	shown = slices.DeleteFunc(shown, func(id protocol.NodeID) bool { return id.IsNobody() || id == a.Self.ID })
	remembered := func(id protocol.NodeID) bool { return dead(a, id) }
	reasoned := func(id protocol.NodeID) bool { return dead(b, id) || slices.Contains(shown, id) }
	if len(a.Dead) < s.cfg.DeadLimit && !allOf(slices.Concat(b.Dead, shown), remembered) {
		return "it does not remember a dead node"
	}
	if !s.decides() && !s.requests() && !allOf(a.Dead, reasoned) {
		return "it considers a node dead without a reason"
	}
	return ""
}

// outcome returns the outcome that takes effect at the node in the step, its own or another's.
func (s *transition) outcome() (can.Commit, bool) {
	if m, executes := s.executes(); executes {
		return m, true
	}
	if s.decides() && s.grants() {
		return s.before.Change.Commit, true
	}
	return can.Commit{}, false
}

// shownBroken checks the records after an outcome or an update.
func (s *transition) shownBroken() string {
	if s.after.Phase != can.Member {
		return ""
	}
	if m, ok := s.outcome(); ok {
		self := &s.after.Self
		if r, mine := recordOf(m.Changed, self.ID); mine && (r.Version != self.Version || r.Zone != self.Zone) {
			return "its zone differs from the granted one"
		}
		if why := s.takesOver(slices.Concat(m.Changed, m.View)); why != "" {
			return why
		}
		return s.displaced(m.Changed, m.Changed)
	}
	m, ok := s.counts()
	if !ok || m.Self.Version == 0 {
		return ""
	}
	reported := append([]can.Record{m.Self}, m.Neighbours...)
	if why := s.takesOver(reported); why != "" {
		return why
	}
	if why := s.discovers(reported); why != "" {
		return why
	}
	if why := s.reclaims(m.Neighbours); why != "" {
		return why
	}
	var current []can.Record
	for _, r := range reported {
		if now, known := recordOf(s.after.Known, r.ID); known && !dead(s.after, r.ID) {
			current = append(current, now)
		}
	}
	return s.displaced(current, reported)
}

// takesOver checks that the node's records are as new as the records that the step shows, and that
// it has the live ones beside it.
func (s *transition) takesOver(shown []can.Record) string {
	for _, r := range shown {
		now, known := recordOf(s.after.Known, r.ID)
		if known && (now.Version < r.Version || now.Epoch < r.Epoch) {
			return "it does not take a newer record over"
		}
		if _, known = recordOf(s.before.Known, r.ID); !known {
			continue
		}
		if _, still := recordOf(s.after.Known, r.ID); !still && !dead(s.after, r.ID) && abuts(r.Zone, s.after.Self.Zone) {
			return "it forgets a neighbour that the step shows"
		}
	}
	return ""
}

// displaced checks that no indirect neighbour is left where the step shows others.
func (s *transition) displaced(by, listed []can.Record) string {
	self := s.after.Self.Zone
	for _, r := range s.after.Known {
		if _, there := recordOf(listed, r.ID); there || dead(s.after, r.ID) || abuts(r.Zone, self) {
			continue
		}
		other := func(q can.Record) bool { return q.ID != s.after.Self.ID && q.Zone.Overlaps(r.Zone) }
		if slices.ContainsFunc(by, other) {
			return "it remembers a node where the step shows another"
		}
	}
	return ""
}

// discovers checks the additions and omissions of an update: no node where the node itself or a
// direct neighbour is, no hole beside it that it did not know, and no indirect neighbour that its
// sender would have to list.
func (s *transition) discovers(reported []can.Record) string {
	self, sender := s.after.Self.Zone, reported[0].Zone
	for _, r := range s.after.Known {
		_, old := recordOf(s.before.Known, r.ID)
		_, listed := recordOf(reported, r.ID)
		taken := slices.ContainsFunc(s.after.Known, func(q can.Record) bool {
			_, before := recordOf(s.before.Known, q.ID)
			return before && !dead(s.after, q.ID) && abuts(q.Zone, self) && q.Zone.Overlaps(r.Zone)
		})
		switch {
		case !old && (taken || r.Zone.Overlaps(self)):
			return "it adds a node where it knows another"
		case !old && dead(s.after, r.ID) && abuts(r.Zone, self):
			return "it adds a hole beside itself"
		case !listed && abuts(sender, self) && abuts(sender, r.Zone) && !abuts(r.Zone, self):
			return "it keeps a node that its neighbour does not list"
		}
	}
	return ""
}

// reclaims checks that a node that is not in a round takes a share over that an update shows, and
// that an update changes its zone in no other way.
func (s *transition) reclaims(reported []can.Record) string {
	b, a := &s.before.Self, &s.after.Self
	r, listed := recordOf(reported, b.ID)
	granted := listed && !occupied(s.before) && r.Version > b.Version
	switch {
	case granted && (a.Version != r.Version || a.Zone != r.Zone):
		return "it does not take a share over that was granted"
	case !granted && a.Version != b.Version:
		return "an update changes its zone"
	}
	return ""
}
