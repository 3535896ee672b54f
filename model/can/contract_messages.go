package can

import (
	"bytes"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// messagesBroken compares the messages of the step with the required ones.
func (s *transition) messagesBroken() string {
	sent := slices.Clone(s.out.Send)
	demanded := mail{s}.all()
	for _, want := range demanded {
		at := slices.IndexFunc(sent, func(e can.Envelope) bool {
			return e.From == s.after.Self.ID && e.To == want.To && mail{s}.equal(e.Message, want.Message)
		})
		if at < 0 {
			return "it does not send to " + want.To.String() + ": " + can.MessageText(s.cfg, want.Message)
		}
		sent = slices.Delete(sent, at, at+1)
	}
	if len(sent) > 0 {
		return "it should not send to " + sent[0].To.String() + ": " + can.MessageText(s.cfg, sent[0].Message)
	}
	return ""
}

// mail works out which messages a step must send, and compares them with the sent ones.
type mail struct{ *transition }

func (s mail) all() letters { return slices.Concat(s.answers(), s.repeats(), s.notices()) }

// equal compares messages. An answer to a Query may contain data that the node has forgotten by the
// end of the step.
func (s mail) equal(a, b can.Message) bool {
	if first, ok := a.(can.Answer); ok {
		first.Records = slices.DeleteFunc(slices.Clone(first.Records), func(r can.Record) bool {
			_, known := recordOf(s.after.Known, r.ID)
			return !known && r.ID != s.after.Self.ID
		})
		a = first
	}
	return bytes.Equal(can.AppendMessage(s.cfg, nil, a), can.AppendMessage(s.cfg, nil, b))
}

// letters collects what one node sends.
type letters []can.Envelope

func (l *letters) add(to protocol.NodeID, m can.Message) {
	*l = append(*l, can.Envelope{To: to, Message: m})
}

// answers lists the answers to a message. They go to its sender, but for those to a join request.
func (s mail) answers() (all letters) {
	from, b, a := s.in.From, s.before, s.after
	if m, ok := s.in.Message.(can.Commit); ok && s.in.Kind == protocol.Deliver && b.Phase == can.Departed {
		all.add(from, can.CommitOK{Round: m.Round})
	}
	accuse := can.Update{Self: can.Record{ID: a.Self.ID}, Dead: []protocol.NodeID{from}}
	switch m := s.message().(type) {
	case can.Join:
		return s.routes(m)
	case can.Propose:
		switch no := (can.ProposeOK{Round: m.Round}); {
		case dead(b, from):
			all.add(from, accuse)
		case s.outdated(m):
		case s.promises(m):
			all.add(from, can.ProposeOK{Round: m.Round, Yes: true, Epoch: a.Self.Epoch})
		case shows(a):
			no.Self = a.Self
			fallthrough
		default:
			all.add(from, no)
		}
	case can.ProposeOK:
		if m.Yes && !s.awaits(m) {
			all.add(from, can.Release{Round: m.Round})
		}
	case can.Commit:
		ok := can.CommitOK{Round: m.Round}
		if m.Kind == can.Takeover && shows(a) {
			ok.Neighbours = adjacent(a)
		}
		all.add(from, ok)
	case can.Query:
		answer := can.Answer{Proposer: m.Proposer, Round: m.Round}
		if a.Phase == can.Member {
			answer.Records = append(slices.Clone(a.Known), a.Self)
			slices.SortFunc(answer.Records, func(x, y can.Record) int { return x.ID.Compare(y.ID) })
		}
		all.add(from, answer)
	case can.Update:
		if b.Phase == can.Member && m.Self.ID == from && dead(b, from) && m.Self.Version > 0 {
			all.add(from, accuse)
		}
	}
	return all
}

// awaits reports whether the node's round still needs an answer to a Propose, or has counted it.
func (s mail) awaits(m can.ProposeOK) bool {
	c := &s.before.Change
	waits := slices.Contains(c.Waiting, s.in.From)
	part := waits || slices.Contains(c.Later, s.in.From)
	return m.Round == s.before.Round && (c.Stage == can.Proposing && waits || part && c.Commit.Kind != can.NoOp)
}

// adjacent lists the records of the nodes and holes beside a node.
func adjacent(n *can.State) (all []can.Record) {
	for _, r := range n.Known {
		if abuts(n.Self.Zone, r.Zone) {
			all = append(all, r)
		}
	}
	return all
}

// routes lists the possible fates of a join request: it is refused, it begins a round, or it goes
// to the direct neighbour that is nearest to the point.
func (s mail) routes(m can.Join) (all letters) {
	b := s.before
	sensible := bound(m.Joiner) && m.Joiner != b.Self.ID && s.cfg.Space.Whole().Contains(m.Coord)
	switch {
	case !sensible:
	case b.Self.Zone.Contains(m.Coord):
		_, known := recordOf(b.Known, m.Joiner)
		if s.admits(m) && !s.requests() && !known && !dead(b, m.Joiner) {
			all.add(m.Joiner, can.Refuse{Occupied: !s.splits(m)})
		}
	default:
		next, nearest := protocol.NodeID{}, b.Self.Zone.Distance(m.Coord)
		for _, r := range adjacent(b) {
			if d := r.Zone.Distance(m.Coord); !dead(b, r.ID) && d < nearest {
				next, nearest = r.ID, d
			}
		}
		if next.IsNobody() || m.Hops >= s.cfg.HopLimit {
			all.add(m.Joiner, can.Refuse{})
			return all
		}
		all.add(next, can.Join{Joiner: m.Joiner, Coord: m.Coord, Hops: m.Hops + 1})
	}
	return all
}

// repeats lists the messages that a timer repeats, and join requests.
func (s mail) repeats() (all letters) {
	b, a := s.before, s.after
	enters := s.in.Kind == protocol.Chosen && b.Phase == can.Drawing ||
		s.fires(can.RetryTimer) && !bound(b.Promise.Proposer) ||
		s.commands(can.CommandJoin) && (b.Phase == can.Outside || b.Phase == can.Joining)
	if a.Phase == can.Joining && enters {
		all.add(a.Contact, can.Join{Joiner: a.Self.ID, Coord: a.Self.Coord})
	}
	p := &b.Promise
	switch {
	case !s.fires(can.ResendTimer):
	case b.Change.Stage == can.Granting || b.Change.Stage == can.Committing:
		for _, id := range b.Change.Waiting {
			all.add(id, b.Change.Commit)
		}
	case p.Orphan:
		all.add(p.Subject, can.Query{Proposer: p.Proposer, Round: p.Round})
	case bound(p.Proposer):
		all.add(p.Proposer, can.ProposeOK{Round: p.Round, Yes: true, Epoch: b.Self.Epoch})
	}
	if s.fires(can.UpdateTimer) {
		m := can.Update{Self: b.Self, Neighbours: adjacent(b), Dead: b.Dead}
		if b.Change.Stage != can.Stable {
			m = can.Update{Self: can.Record{ID: b.Self.ID}}
		}
		for _, id := range readers(b) {
			all.add(id, m)
		}
	}
	return all
}

// readers lists the nodes that get a node's updates: the live nodes beside it or beside a hole
// beside it, and the participants of its round.
func readers(n *can.State) []protocol.NodeID {
	var holes []space.Zone
	for _, r := range n.Known {
		if dead(n, r.ID) && beside(r.Zone, n.Self.Zone) {
			holes = append(holes, r.Zone)
		}
	}
	ids := slices.Concat(n.Change.Waiting, n.Change.Later)
	for _, r := range n.Known {
		across := slices.ContainsFunc(holes, func(z space.Zone) bool { return beside(z, r.Zone) })
		if !dead(n, r.ID) && (across || beside(r.Zone, n.Self.Zone)) {
			ids = append(ids, r.ID)
		}
	}
	slices.SortFunc(ids, protocol.NodeID.Compare)
	return slices.Compact(ids)
}

// notices lists the messages that the changes of a step demand: a round that begins is proposed to
// all participants, an outcome goes to those whose turn it is, and a joiner is asked when the
// proposer of its split fails.
func (s mail) notices() (all letters) {
	b, a, c := s.before, s.after, &s.after.Change
	if p := &a.Promise; p.Orphan && !b.Promise.Orphan {
		all.add(p.Subject, can.Query{Proposer: p.Proposer, Round: p.Round})
	}
	if s.requests() && c.Stage == can.Proposing {
		for _, id := range s.participants() {
			r, _ := recordOf(a.Known, id)
			all.add(id, can.Propose{Round: a.Round, Kind: c.Commit.Kind, Subject: c.Subject, Version: r.Version})
		}
		return all
	}
	advances := !s.begins() && c.Stage != b.Change.Stage
	if advances && c.Stage != can.Stable {
		for _, id := range c.Waiting {
			all.add(id, c.Commit)
		}
	}
	return all
}

// participants lists the nodes that must agree to the node's round: all live nodes that it knows,
// and the joiner.
func (s mail) participants() (all []protocol.NodeID) {
	for _, r := range s.after.Known {
		if !dead(s.after, r.ID) {
			all = append(all, r.ID)
		}
	}
	if s.after.Change.Commit.Kind == can.Split {
		all = append(all, s.after.Change.Subject)
	}
	return all
}
