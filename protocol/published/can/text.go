package can

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

type text struct{ space.Text }

func newText(cfg *Config) text { return text{space.Text{Dims: cfg.Space.Dims}} }

// each writes a list in braces.
func each[T any](t *text, label string, items []T, item func(T)) {
	t.Str(label + "{")
	for i, v := range items {
		if i > 0 {
			t.Str("; ")
		}
		item(v)
	}
	t.Str("}")
}

// record writes identity, instance, zone, coordinate and split list: B.i1 [4,8) @(5) /0>=4
func (t *text) record(r Record) {
	t.Str(r.ID.String())
	t.Num(" i", int64(r.Instance))
	t.Str(" ")
	t.Zone(r.Zone)
	t.Str(" @")
	t.Point(r.Coord)
	for _, h := range r.Splits {
		t.Str(" ")
		t.HalfSpace(h)
	}
}

func (t *text) entry(e Entry) {
	t.record(e.Record)
	if e.Status == Busy {
		t.Str(" BUSY")
	}
}

func (t *text) gamma(g Gamma) {
	t.Str(g.Kind.String())
	if g.Kind == Split {
		t.Str(" for " + g.Joiner.String() + " @")
		t.Point(g.Coord)
		t.Str(" keep ")
		t.HalfSpace(g.Keep)
	}
}

// MessageText describes a message in one line.
func MessageText(cfg *Config, m Message) string {
	t := newText(cfg)
	switch m := m.(type) {
	case Join:
		t.Str("Join " + m.Joiner.String() + " @")
		t.Point(m.Coord)
		t.Num(" hops ", int64(m.Hops))
	case Refuse:
		t.Str("Refuse")
	case Handover:
		t.Str("Handover ")
		t.record(m.Joined)
		each(&t, " nodes ", m.Nodes, t.record)
	case Propose:
		t.Num("Propose ", int64(m.Instance))
	case ProposeOK:
		t.Str("ProposeOK ")
		if m.Yes {
			t.Num("YES ", int64(m.Instance))
		} else {
			t.Num("NO ", int64(m.Instance))
		}
	case Commit:
		t.Num("Commit ", int64(m.Instance))
		t.Str(" ")
		t.gamma(m.Gamma)
	case Update:
		t.Str("Update ")
		t.record(m.Self)
		each(&t, " neighbours ", m.Neighbours, t.record)
	}
	return string(t.Dst)
}

// StateText describes a state in one line.
func StateText(cfg *Config, s State) string {
	t := newText(cfg)
	t.Str(s.Phase.String() + " ")
	t.entry(s.Self)
	if !s.Contact.IsNobody() {
		t.Str(" contact " + s.Contact.String())
	}
	if s.Leave {
		t.Str(" wants to leave")
	}
	if s.Gamma.Kind != NoOp {
		t.Str(" γ ")
		t.gamma(s.Gamma)
	}
	if len(s.Replies) > 0 {
		each(&t, " reply ", s.Replies, func(r Reply) { t.Str(r.From.String() + " " + r.Answer.String()) })
	}
	each(&t, " nodes ", s.Nodes, t.entry)
	if len(s.Gone) > 0 {
		each(&t, " gone ", s.Gone, func(d Tombstone) {
			t.Str(d.ID.String())
			t.Num(" i", int64(d.Instance))
		})
	}
	return string(t.Dst)
}

// CommandText describes a command in one line.
func CommandText(c Command) string {
	name := "invalid"
	switch c.Kind {
	case CommandCreate:
		name = "create"
	case CommandJoin:
		name = "join"
	case CommandLeave:
		name = "leave"
	}
	if !c.Contact.IsNobody() {
		name += " via " + c.Contact.String()
	}
	return name
}

// TimerText names a timer.
func TimerText(timer protocol.Timer) string {
	switch timer.Kind {
	case RetryTimer:
		return "retry"
	case ProposeTimer:
		return "propose " + timer.Peer.String()
	case UpdateTimer:
		return "update"
	case MissedTimer:
		return "missed " + timer.Peer.String()
	}
	return "?"
}
