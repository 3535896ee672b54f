package can

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

type text struct{ space.Text }

func newText(cfg *Config) text { return text{space.Text{Dims: cfg.Space.Dims}} }

func (t *text) id(label string, id protocol.NodeID) { t.Str(label + id.String()) }

func (t *text) ids(label string, ids []protocol.NodeID) {
	t.Str(label + "{")
	for i, id := range ids {
		if i > 0 {
			t.Str(" ")
		}
		t.Str(id.String())
	}
	t.Str("}")
}

// record writes identity, version, zone, coordinate and split list: A.v2 [0,4)x[0,8) @(1,3)
// /0<4/1>=0
func (t *text) record(r Record) {
	t.id("", r.ID)
	t.Num(" v", int64(r.Version))
	if r.Epoch > 0 {
		t.Num(" e", int64(r.Epoch))
	}
	t.Str(" ")
	t.Zone(r.Zone)
	t.Str(" @")
	t.Point(r.Coord)
	for _, h := range r.Splits {
		t.Str(" ")
		t.HalfSpace(h)
	}
}

func (t *text) records(label string, rs []Record) {
	t.Str(label + "{")
	for i, r := range rs {
		if i > 0 {
			t.Str("; ")
		}
		t.record(r)
	}
	t.Str("}")
}

func (t *text) commit(c Commit) {
	t.Num("", int64(c.Round))
	t.Str(" " + c.Kind.String())
	if len(c.Changed) > 0 {
		t.records(" changed", c.Changed)
	}
	if !c.Gone.IsNobody() {
		t.id(" gone ", c.Gone)
	}
	if len(c.View) > 0 {
		t.records(" view", c.View)
	}
}

// MessageText describes a message in one line.
func MessageText(cfg *Config, m Message) string {
	t := newText(cfg)
	switch m := m.(type) {
	case Join:
		t.id("Join ", m.Joiner)
		t.Str(" @")
		t.Point(m.Coord)
		t.Num(" hops ", int64(m.Hops))
	case Refuse:
		t.Str("Refuse")
		if m.Occupied {
			t.Str(" occupied")
		}
	case Propose:
		t.Num("Propose ", int64(m.Round))
		t.Str(" " + m.Kind.String())
		t.id(" ", m.Subject)
		t.Num(" to v", int64(m.Version))
	case ProposeOK:
		t.Num("ProposeOK ", int64(m.Round))
		if m.Yes {
			t.Str(" YES")
		} else {
			t.Str(" NO")
		}
		if m.Epoch > 0 {
			t.Num(" e", int64(m.Epoch))
		}
		if !m.Self.ID.IsNobody() {
			t.records(" self", []Record{m.Self})
		}
	case Release:
		t.Num("Release ", int64(m.Round))
	case Commit:
		t.Str("Commit ")
		t.commit(m)
	case CommitOK:
		t.Num("CommitOK ", int64(m.Round))
		if len(m.Neighbours) > 0 {
			t.records(" neighbours", m.Neighbours)
		}
	case Update:
		t.records("Update self", []Record{m.Self})
		t.records(" neighbours", m.Neighbours)
		t.ids(" dead", m.Dead)
	case Query:
		t.id("Query ", m.Proposer)
		t.Num(" ", int64(m.Round))
	case Answer:
		t.id("Answer ", m.Proposer)
		t.Num(" ", int64(m.Round))
		t.records(" known", m.Records)
	}
	return string(t.Dst)
}

// StateText describes a state in one line.
func StateText(cfg *Config, s State) string {
	t := newText(cfg)
	t.Str(s.Phase.String() + " ")
	t.record(s.Self)
	if s.Phase == Joining || !s.Contact.IsNobody() {
		t.id(" contact ", s.Contact)
	}
	if s.Leave {
		t.Str(" wants to leave")
	}
	t.Num(" round ", int64(s.Round))
	if p := s.Promise; !p.Proposer.IsNobody() {
		t.id(" promise ", p.Proposer)
		t.Num(" ", int64(p.Round))
		t.Str(" " + p.Kind.String())
		t.id(" ", p.Subject)
		if p.Orphan {
			t.Str(" orphan")
		}
	}
	if c := s.Change; c.Stage != Stable {
		t.Str(" " + c.Stage.String())
		t.id(" ", c.Subject)
		t.ids(" waiting", c.Waiting)
		t.ids(" later", c.Later)
		t.Str(" commit ")
		t.commit(c.Commit)
	}
	t.records(" known", s.Known)
	t.ids(" dead", s.Dead)
	return string(t.Dst)
}

// String names the phase.
func (p Phase) String() string {
	names := [...]string{"outside", "drawing", "joining", "member", "leaving", "departed"}
	return names[p]
}

// String names the stage as the paper's state variable, refined.
func (s Stage) String() string {
	names := [...]string{"STABLE", "PROPOSING", "GRANTING", "COMMITTING"}
	return names[s]
}

// CommandText describes a command in one line.
func CommandText(c Command) string {
	switch c.Kind {
	case CommandCreate:
		return "create"
	case CommandJoin:
		return "join via " + c.Contact.String()
	}
	return "leave"
}

// TimerText names a timer.
func TimerText(timer protocol.Timer) string {
	names := [...]string{"?", "retry", "propose", "resend", "update", "missed"}
	if timer.Kind >= protocol.TimerKind(len(names)) {
		return "?"
	}
	name := names[timer.Kind]
	if timer.Kind == MissedTimer {
		name += " " + timer.Peer.String()
	}
	return name
}
