package asprinted

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

// each writes a list in braces.
func each[T any](t *text, label string, items []T, item func(T)) {
	t.str(label + "{")
	for i, v := range items {
		if i > 0 {
			t.str("; ")
		}
		item(v)
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

func (t *text) halfSpace(h space.HalfSpace) {
	t.num("/", int64(h.Dim))
	if h.AtLeast {
		t.num(">=", int64(h.At))
	} else {
		t.num("<", int64(h.At))
	}
}

// record writes identity, instance, zone, coordinate and split list: B.i1 [4,8) @(5) /0>=4
func (t *text) record(r Record) {
	t.str(r.ID.String())
	t.num(" i", int64(r.Instance))
	t.str(" ")
	if r.Zone.Empty() {
		t.str("[]")
	} else {
		for k := range t.dims {
			if k > 0 {
				t.str("x")
			}
			t.num("[", int64(r.Zone.Low[k]))
			t.num(",", int64(r.Zone.High[k]))
			t.str(")")
		}
	}
	t.str(" @")
	t.point(r.Coord)
	for _, h := range r.Splits {
		t.str(" ")
		t.halfSpace(h)
	}
}

func (t *text) entry(e Entry) {
	t.record(e.Record)
	if e.Status == Busy {
		t.str(" BUSY")
	}
}

func (t *text) gamma(g Gamma) {
	t.str(g.Command.String())
	if g.Command == Split {
		t.str(" for " + g.Joiner.String() + " @")
		t.point(g.Coord)
		t.str(" keep ")
		t.halfSpace(g.Keep)
	}
}

// MessageText describes a message in one line.
func MessageText(cfg *Config, m Message) string {
	t := text{dims: cfg.Space.Dims}
	switch m := m.(type) {
	case Join:
		t.str("Join " + m.Joiner.String() + " @")
		t.point(m.Coord)
		t.num(" hops ", int64(m.Hops))
	case Refuse:
		t.str("Refuse")
	case Handover:
		t.str("Handover ")
		t.record(m.Joined)
		each(&t, " nodes ", m.Nodes, t.record)
	case Propose:
		t.num("Propose ", int64(m.Instance))
	case ProposeOK:
		t.str("ProposeOK ")
		if m.Yes {
			t.num("YES ", int64(m.Instance))
		} else {
			t.num("NO ", int64(m.Instance))
		}
	case Commit:
		t.num("Commit ", int64(m.Instance))
		t.str(" ")
		t.gamma(m.Gamma)
	case Update:
		t.str("Update ")
		t.record(m.Self)
		each(&t, " neighbours ", m.Neighbours, t.record)
	}
	return string(t.dst)
}

// StateText describes a state in one line.
func StateText(cfg *Config, s State) string {
	t := text{dims: cfg.Space.Dims}
	t.str(s.Phase.String() + " ")
	t.entry(s.Self)
	if !s.Contact.IsNobody() {
		t.str(" contact " + s.Contact.String())
	}
	if s.Leave {
		t.str(" wants to leave")
	}
	if s.Gamma.Command != NoOp {
		t.str(" γ ")
		t.gamma(s.Gamma)
	}
	if len(s.Replies) > 0 {
		each(&t, " reply ", s.Replies, func(r Reply) { t.str(r.From.String() + " " + r.Answer.String()) })
	}
	each(&t, " nodes ", s.Nodes, t.entry)
	if len(s.Gone) > 0 {
		each(&t, " gone ", s.Gone, func(d Tombstone) {
			t.str(d.ID.String())
			t.num(" i", int64(d.Instance))
		})
	}
	return string(t.dst)
}

// OrderText describes an order in one line.
func OrderText(o Order) string {
	name := "invalid"
	switch o.Kind {
	case OrderCreate:
		name = "create"
	case OrderJoin:
		name = "join"
	case OrderLeave:
		name = "leave"
	}
	if !o.Contact.IsNobody() {
		name += " via " + o.Contact.String()
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
