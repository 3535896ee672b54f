package can

import (
	"strconv"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// text builds one line for people. Values that differ give lines that differ.
type text struct {
	dst  []byte
	dims int
}

func (t *text) str(s string) { t.dst = append(t.dst, s...) }

func (t *text) num(label string, v int64) {
	t.str(label)
	t.dst = strconv.AppendInt(t.dst, v, 10)
}

func (t *text) id(label string, id protocol.NodeID) { t.str(label + id.String()) }

func (t *text) ids(label string, ids []protocol.NodeID) {
	t.str(label + "{")
	for i, id := range ids {
		if i > 0 {
			t.str(" ")
		}
		t.str(id.String())
	}
	t.str("}")
}

func (t *text) point(p space.Point) {
	for k := range t.dims {
		sep := ","
		if k == 0 {
			sep = "("
		}
		t.num(sep, int64(p[k]))
	}
	t.str(")")
}

func (t *text) zone(z space.Zone) {
	if z.Empty() {
		t.str("[]")
		return
	}
	for k := range t.dims {
		if k > 0 {
			t.str("x")
		}
		t.num("[", int64(z.Low[k]))
		t.num(",", int64(z.High[k]))
		t.str(")")
	}
}

// record writes identity, version, zone, coordinate and split list: A.v2 [0,4)x[0,8) @(1,3) /0<4/1>=0
func (t *text) record(r Record) {
	t.id("", r.ID)
	t.num(" v", int64(r.Version))
	if r.Epoch > 0 {
		t.num(" e", int64(r.Epoch))
	}
	t.str(" ")
	t.zone(r.Zone)
	t.str(" @")
	t.point(r.Coord)
	for _, h := range r.Splits {
		t.num(" /", int64(h.Dim))
		if h.AtLeast {
			t.num(">=", int64(h.At))
		} else {
			t.num("<", int64(h.At))
		}
	}
}

func (t *text) records(label string, rs []Record) {
	t.str(label + "{")
	for i, r := range rs {
		if i > 0 {
			t.str("; ")
		}
		t.record(r)
	}
	t.str("}")
}

func (t *text) commit(c Commit) {
	t.num("", int64(c.Round))
	t.str(" " + c.Command.String())
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
	t := text{dims: cfg.Space.Dims}
	switch m := m.(type) {
	case Join:
		t.id("Join ", m.Joiner)
		t.str(" @")
		t.point(m.Coord)
		t.num(" hops ", int64(m.Hops))
	case Refuse:
		t.str("Refuse")
		if m.Occupied {
			t.str(" occupied")
		}
	case Propose:
		t.num("Propose ", int64(m.Round))
		t.str(" " + m.Command.String())
		t.id(" ", m.Subject)
		t.num(" to v", int64(m.Version))
	case ProposeOK:
		t.num("ProposeOK ", int64(m.Round))
		if m.Yes {
			t.str(" YES")
		} else {
			t.str(" NO")
		}
		if m.Epoch > 0 {
			t.num(" e", int64(m.Epoch))
		}
		if !m.Self.ID.IsNobody() {
			t.records(" self", []Record{m.Self})
		}
	case Release:
		t.num("Release ", int64(m.Round))
	case Commit:
		t.str("Commit ")
		t.commit(m)
	case CommitOK:
		t.num("CommitOK ", int64(m.Round))
	case Update:
		t.records("Update self", []Record{m.Self})
		t.records(" neighbours", m.Neighbours)
		t.ids(" dead", m.Dead)
	case Query:
		t.id("Query ", m.Proposer)
		t.num(" ", int64(m.Round))
	case Answer:
		t.id("Answer ", m.Proposer)
		t.num(" ", int64(m.Round))
		t.records(" known", m.Records)
	}
	return string(t.dst)
}

// StateText describes a state in one line.
func StateText(cfg *Config, s State) string {
	t := text{dims: cfg.Space.Dims}
	t.str(s.Phase.String() + " ")
	t.record(s.Self)
	if s.Phase == Joining || !s.Contact.IsNobody() {
		t.id(" contact ", s.Contact)
	}
	if s.Leave {
		t.str(" wants to leave")
	}
	t.num(" round ", int64(s.Round))
	if p := s.Promise; !p.Proposer.IsNobody() {
		t.id(" promise ", p.Proposer)
		t.num(" ", int64(p.Round))
		t.str(" " + p.Command.String())
		t.id(" ", p.Subject)
		if p.Orphan {
			t.str(" orphan")
		}
	}
	if c := s.Change; c.Stage != Stable {
		t.str(" " + c.Stage.String())
		t.id(" ", c.Subject)
		t.ids(" waiting", c.Waiting)
		t.ids(" later", c.Later)
		t.str(" commit ")
		t.commit(c.Commit)
	}
	t.records(" known", s.Known)
	t.ids(" dead", s.Dead)
	return string(t.dst)
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

// OrderText describes an order in one line.
func OrderText(o Order) string {
	switch o.Kind {
	case OrderCreate:
		return "create"
	case OrderJoin:
		return "join via " + o.Contact.String()
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
