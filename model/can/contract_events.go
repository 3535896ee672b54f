package can

import (
	"bytes"
	"slices"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// eventsBroken compares the events of the step with its changes. The reason of a refusal and that
// of an ignored input are for people.
func (s *transition) eventsBroken() string {
	var announced []protocol.Event
	for _, e := range s.out.Events {
		if e.Name == can.EventRefuse {
			e.Detail = ""
		}
		announced = append(announced, e)
	}
	if s.ignores() {
		same := bytes.Equal(can.AppendState(s.cfg, nil, *s.before), can.AppendState(s.cfg, nil, *s.after))
		switch {
		case !same || len(announced) > 1:
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
	if s.in.Kind == protocol.Deliver && !s.inNetwork() {
		_, late := s.in.Message.(can.Commit)
		return !(late && b.Phase == can.Departed)
	}
	if s.in.Kind == protocol.Command {
		enters := b.Phase == can.Outside || b.Phase == can.Joining && s.commands(can.CommandJoin)
		return !(s.commands(can.CommandLeave) && b.Phase == can.Member || !s.commands(can.CommandLeave) && enters)
	}
	switch m := s.message().(type) {
	case can.Refuse:
		return b.Phase != can.Joining || bound(b.Promise.Proposer)
	case can.Release:
		return b.Promise.Proposer != s.in.From || b.Promise.Round != m.Round
	case can.Answer:
		return !b.Promise.Orphan || b.Promise.Proposer != m.Proposer || b.Promise.Round != m.Round
	case can.Commit:
		_, right := s.executes()
		return !right
	case can.CommitOK:
		return m.Round != b.Round || b.Change.Stage != can.Granting && b.Change.Stage != can.Committing
	case can.Propose:
		return dead(b, s.in.From)
	case can.Update:
		r, known := recordOf(b.Known, s.in.From)
		older := known && m.Self.Version > 0 && (r.Version > m.Self.Version || r.Epoch > m.Self.Epoch)
		return b.Phase != can.Member || m.Self.ID != s.in.From || dead(b, s.in.From) || older
	}
	return false
}

// announcements works out which events a step must announce.
type announcements struct{ *transition }

func (s announcements) all() []protocol.Event {
	return slices.Concat(s.ofRounds(), s.ofLife(), s.ofDelays())
}

// ofRounds lists the events of rounds and promises.
func (s announcements) ofRounds() (all []protocol.Event) {
	add := func(happened bool, name string, peer protocol.NodeID, round uint32, kind can.ChangeKind) {
		if happened {
			all = append(all, protocol.Event{Name: name, Peer: peer, Number: round, Detail: kind.String()})
		}
	}
	own, p, q := &s.before.Change, &s.before.Promise, &s.after.Promise
	kind, outcome := own.Commit.Kind, can.NoOp
	if s.grants() {
		outcome = kind
	}
	add(s.decides(), can.EventDecide, own.Subject, s.before.Round, outcome)
	add(s.decides() && outcome == can.NoOp, can.EventRetry, own.Subject, s.before.Round, kind)
	if s.requests() {
		subject, change := s.after.Change.Subject, s.after.Change.Commit.Kind
		if s.after.Change.Stage == can.Stable { // a takeover by a node without neighbours
			for _, e := range s.out.Events {
				if e.Name == can.EventRequest {
					subject, change = e.Peer, can.Takeover
				}
			}
			add(true, can.EventDecide, subject, s.after.Round, change)
		}
		add(true, can.EventRequest, subject, s.after.Round, change)
	}
	m, executes := s.executes()
	add(executes, can.EventExecute, s.in.From, m.Round, m.Kind)
	other := p.Proposer != q.Proposer || p.Round != q.Round
	add(other && bound(q.Proposer), can.EventPromise, q.Proposer, q.Round, q.Kind)
	ended := other && bound(p.Proposer) && !executes && !s.fenced() && !s.begins()
	add(ended, can.EventRelease, p.Proposer, p.Round, p.Kind)
	if m, ok := s.message().(can.Propose); ok && !s.promises(m) && !s.outdated(m) && !dead(s.before, s.in.From) {
		all = append(all, protocol.Event{Name: can.EventRefuse, Peer: s.in.From, Number: m.Round})
	}
	return all
}

// outdated reports whether a Propose is of an earlier round than the promised one.
func (s *transition) outdated(m can.Propose) bool {
	p := &s.before.Promise
	return p.Proposer == s.in.From && m.Round < p.Round
}

// promises reports whether the node must promise to a Propose, or has: it is free, it has the part
// that the change needs, and the proposer has its present zone.
func (s *transition) promises(m can.Propose) bool {
	b, p := s.before, &s.before.Promise
	if p.Proposer == s.in.From && p.Round == m.Round {
		return true
	}
	free := b.Change.Stage == can.Stable && (!bound(p.Proposer) || p.Proposer == s.in.From && p.Round < m.Round)
	phase := can.Member
	if m.Kind == can.Split && m.Subject == b.Self.ID {
		phase = can.Joining
	}
	return free && b.Phase == phase && m.Version == b.Self.Version
}

// ofLife lists the events of the node's phases, and of failures.
func (s announcements) ofLife() (all []protocol.Event) {
	b, a, self := s.before.Phase, s.after.Phase, s.after.Self.ID
	add := func(happened bool, name string, peer protocol.NodeID, number uint32) {
		if happened {
			all = append(all, protocol.Event{Name: name, Peer: peer, Number: number})
		}
	}
	ends := a == can.Departed && b != can.Departed
	add(ends && s.fenced(), can.EventFenced, self, 0)
	add(ends && !s.fenced(), can.EventLeft, self, s.after.Round)
	add(a == can.Member && b == can.Joining, can.EventJoined, s.in.From, 0)
	add(a == can.Member && (b == can.Outside || b == can.Drawing), can.EventCreate, self, 0)
	add(s.fires(can.MissedTimer), can.EventFailed, s.in.Timer.Peer, 0)
	return all
}

// ofDelays lists the events of requests that are delayed, other than those of a round that the node
// itself has cancelled.
func (s announcements) ofDelays() (all []protocol.Event) {
	add := func(happened bool, peer protocol.NodeID, round uint32, detail string) {
		if happened {
			all = append(all, protocol.Event{Name: can.EventRetry, Peer: peer, Number: round, Detail: detail})
		}
	}
	b, joining := s.before, s.before.Phase == can.Joining
	commit, executes := s.executes()
	add(executes && joining && commit.Kind == can.NoOp, s.in.From, commit.Round, can.Split.String())
	if m, ok := s.message().(can.Refuse); ok && joining && !bound(b.Promise.Proposer) {
		detail := can.Split.String()
		if m.Occupied {
			detail = can.DetailOccupied
		}
		add(true, s.in.From, 0, detail)
	}
	if s.requests() {
		return all
	}
	failed, duty := hole(b)
	switch tries := b.Phase == can.Member && (s.fires(can.RetryTimer) || s.commands(can.CommandLeave)); {
	case tries && duty:
		add(true, failed.ID, 0, can.Takeover.String())
	case tries && !occupied(b) && len(b.Known) == 0:
		add(true, b.Self.ID, 0, can.DetailLast)
	case tries:
		add(true, b.Self.ID, 0, can.Merge.String())
	}
	if s.fires(can.MissedTimer) {
		failed, duty = hole(s.after)
		add(duty && !occupied(s.after), failed.ID, 0, can.Takeover.String())
	}
	if m, ok := s.message().(can.Join); ok && s.admits(m) && s.splits(m) {
		add(true, m.Joiner, 0, can.Split.String())
	}
	return all
}

// admits reports whether the node is the owner that a join request is for, and does not ignore it.
func (s *transition) admits(m can.Join) bool {
	c := &s.before.Change
	copied := c.Stage != can.Stable && c.Commit.Kind == can.Split && c.Subject == m.Joiner
	return s.before.Self.Zone.Contains(m.Coord) && !copied && !s.ignores()
}

// splits reports whether the node's zone can be split for a join request.
func (s *transition) splits(m can.Join) bool {
	_, ok := s.cfg.Space.Split(s.before.Self.Splits, s.before.Self.Coord, m.Coord)
	return ok
}
