package dtm

import (
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
)

type text struct{ strings.Builder }

func (t *text) num(label string, v uint32) { t.WriteString(label + strconv.FormatUint(uint64(v), 10)) }

func (t *text) length(label string, v int64) { t.WriteString(label + strconv.FormatInt(v, 10)) }

func writeList[T any](t *text, label string, list []T, item func(T)) {
	t.WriteString(label + "{")
	for i, x := range list {
		if i > 0 {
			t.WriteString(" ")
		}
		item(x)
	}
	t.WriteString("}")
}

func (t *text) id(id protocol.NodeID) { t.WriteString(id.String()) }

func (t *text) ids(label string, ids []protocol.NodeID) { writeList(t, label, ids, t.id) }

// label writes a label from the host to the root: C/2@4-B/6@0-A/0 is host C with a segment of 2,
// which ends at 4 on the segment of B.
func (t *text) label(l Label) {
	if len(l) == 0 {
		t.WriteString("?")
	}
	for i, h := range l {
		if i > 0 {
			t.WriteString("-")
		}
		t.child(Child{h.Host, h.At, h.Length})
	}
}

func (t *text) labels(label string, all []Label) { writeList(t, label, all, t.label) }

func (t *text) child(c Child) {
	t.id(c.Host)
	t.length("/", c.Length)
	t.length("@", c.At)
}

func (t *text) children(label string, all []Child) { writeList(t, label, all, t.child) }

func (t *text) view(v View) {
	t.WriteString(" ")
	t.label(v.Label)
	t.children(" children ", v.Children)
	t.children(" siblings ", v.Siblings)
}

func (t *text) attach(m Attach) {
	t.num(" version ", m.Version)
	t.length(" at ", m.At)
	t.length(" length ", m.Length)
}

// MessageText describes a message in one line.
func MessageText(m Message) string {
	t := text{}
	switch m := m.(type) {
	case Look:
		t.WriteString("Look")
	case Report:
		t.num("Report ", m.Version)
		t.view(m.View)
	case Attach:
		t.WriteString("Attach")
		t.attach(m)
	case Refuse:
		t.num("Refuse ", m.Version)
	case Position:
		t.num("Position ", m.Version)
		t.WriteString(" ")
		t.label(m.Label)
		t.children(" children ", m.Children)
	case PositionOK:
		t.num("PositionOK ", m.Version)
	case Leaving:
		t.num("Leaving ", m.Round)
	case Consent:
		t.num("Consent ", m.Round)
	case Object:
		t.num("Object ", m.Round)
	case Release:
		t.num("Release ", m.Round)
	case Left:
		t.num("Left ", m.Round)
	case LeftOK:
		t.num("LeftOK ", m.Round)
	case Claim:
		t.WriteString("Claim ")
		t.child(Child{m.Former, m.At, m.Length})
	case Aggregate:
		t.num("Aggregate ", m.Version)
		t.labels(" ", m.Labels)
	case AggregateOK:
		t.num("AggregateOK ", m.Version)
	case Beat:
		t.WriteString("Beat")
	}
	return t.String()
}

// StateText describes a state in one line.
func StateText(s State) string {
	t := text{}
	t.WriteString(s.ID.String() + " " + s.Phase.String())
	if d := s.Departure; d.Stage != Staying || d.Round > 0 || len(d.Waiting) > 0 {
		t.num(" "+d.Stage.String()+" ", d.Round)
		t.ids(" ", d.Waiting)
	}
	t.search(&s.Search)
	t.length(" at ", s.At)
	t.length(" length ", s.Length)
	t.WriteString(" on " + s.Anchor.String() + " ")
	t.label(s.Above)
	t.num(" heard ", s.Heard)
	t.children(" siblings ", s.Siblings)
	if !s.Former.IsNobody() {
		t.WriteString(" claims " + s.Former.String())
	}
	t.num(" version ", s.Version)
	writeList(&t, " children ", s.Branches, func(b Branch) {
		t.child(b.Child)
		t.num("!", b.Acked)
		if b.Gone {
			t.WriteString("x")
		}
	})
	if s.Lock != (Lock{}) {
		t.num(" consents to "+s.Lock.Holder.String()+" ", s.Lock.Round)
	}
	for _, l := range s.Links {
		t.link(l)
	}
	return t.String()
}

func (t *text) link(l Link) {
	t.num("; from "+l.Peer.String()+" ", l.HeardVersion)
	t.labels(" ", l.Heard)
	t.num(" to it ", l.SentVersion)
	t.labels(" ", l.Sent)
	if l.Acked {
		t.WriteString("!")
	}
}

func (t *text) search(s *Search) {
	if !s.began() {
		return
	}
	t.ids(" among ", s.Members)
	writeList(t, " measured ", s.Latencies, func(l Latency) {
		t.id(l.Host)
		t.length(" ", l.Length)
	})
	t.num(" refusals ", uint32(s.Refusals))
	t.num(" tries ", uint32(s.Tries))
	writeList(t, " answers ", s.Answers, t.answer)
	writeList(t, " awaits ", s.Awaits, func(a Await) {
		t.id(a.Host)
		t.WriteString("=")
		t.label(a.Label)
	})
	t.WriteString(" looks at " + s.Look.String() + " asks " + s.Anchor.String())
	t.attach(s.Asked)
	t.WriteString(";")
}

// began reports whether there is anything to say of a search.
func (s *Search) began() bool {
	return len(s.Members)+len(s.Latencies)+len(s.Answers)+len(s.Awaits)+s.Refusals+s.Tries > 0 ||
		s.Look != (protocol.NodeID{}) || s.Anchor != (protocol.NodeID{}) || s.Asked != (Attach{})
}

func (t *text) answer(a Answer) {
	switch a.Kind {
	case AnswerDrawn:
		t.ids("drawn ", a.Drawn)
	case AnswerView:
		t.num("view ", a.Version)
		t.view(a.View)
	case AnswerReadings:
		writeList(t, "readings ", a.Readings, func(r Reading) {
			t.label(r.Label)
			t.length("=", r.Measured)
		})
	}
}

// String names the phase.
func (p Phase) String() string {
	return [...]string{"outside", "joining", "member", "departed"}[p]
}

// String names the stage.
func (s LeaveStage) String() string {
	return [...]string{"stays", "wants to leave", "asks", "rests", "has left"}[s]
}

// String names the manner.
func (m Manner) String() string { return [...]string{"both", "fit", "walk"}[m] }

// CommandText describes a command in one line.
func CommandText(c Command) string {
	names := [...]string{"?", "join", "leave"}
	t := text{}
	t.WriteString(names[c.Kind])
	if len(c.Nodes) > 0 {
		t.ids(" ", c.Nodes)
	}
	return t.String()
}

// TimerText names a timer.
func TimerText(timer protocol.Timer) string {
	names := [...]string{"?", "answer", "retry", "keep", "missed", "heal"}
	if timer.Kind >= protocol.TimerKind(len(names)) {
		return "?"
	}
	name := names[timer.Kind]
	if timer.Kind == MissedTimer || timer.Kind == HealTimer {
		name += " " + timer.Peer.String()
	}
	return name
}
