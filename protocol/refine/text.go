package refine

import (
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
)

type text struct{ strings.Builder }

func (t *text) num(label string, v uint32) { t.WriteString(label + strconv.FormatUint(uint64(v), 10)) }

func (t *text) ids(label string, ids []protocol.NodeID) {
	t.WriteString(label + "{")
	for i, id := range ids {
		if i > 0 {
			t.WriteString(" ")
		}
		t.WriteString(id.String())
	}
	t.WriteString("}")
}

// readings writes latencies in microseconds: {B 10, C far, D ?}
func (t *text) readings(label string, readings []Reading) {
	t.WriteString(label + "{")
	for i, r := range readings {
		if i > 0 {
			t.WriteString(", ")
		}
		t.WriteString(r.Peer.String())
		switch r.Micros {
		case 0:
			t.WriteString(" ?")
		case Far:
			t.WriteString(" far")
		default:
			t.num(" ", r.Micros)
		}
	}
	t.WriteString("}")
}

func (t *text) prospects(round, ceiling, sure uint32) {
	t.num(" ", round)
	t.num(" ceiling ", ceiling)
	t.num(" sure ", sure)
}

// MessageText describes a message in one line.
func MessageText(m Message) string {
	t := text{}
	switch m := m.(type) {
	case Solicitation:
		t.WriteString("Solicitation")
		t.prospects(m.Round, m.Ceiling, m.Sure)
	case Update:
		t.WriteString("Update")
		t.prospects(m.Round, m.Ceiling, m.Sure)
	case List:
		t.num("List ", m.Round)
		t.ids(" ", m.Members)
	case Confirm:
		t.num("Confirm ", m.Round)
		t.ids(" ", m.Members)
	case Dismiss:
		t.num("Dismiss ", m.Round)
	case Accept:
		t.num("Accept ", m.Round)
	case Deny:
		t.num("Deny ", m.Round)
	case Defer:
		t.num("Defer ", m.Round)
	case Report:
		t.num("Report ", m.Round)
		t.readings(" ", m.Readings)
	case Leave:
		t.num("Leave ", m.Round)
	case Alive:
		t.WriteString("Alive")
	}
	return t.String()
}

// StateText describes a state in one line.
func StateText(s State) string {
	t := text{}
	t.WriteString(s.ID.String() + " " + s.Client().String() + "/" + s.Head.String())
	if s.Departed {
		t.WriteString(" departed")
	}
	t.num(" round ", s.Round)
	if s.ClusterRound > 0 {
		t.num(" cluster of ", s.ClusterRound)
	}
	if s.Again {
		t.WriteString(" again")
	}
	for _, c := range s.Candidates {
		t.WriteString("; " + c.ID.String() + " " + c.Status.String())
		if len(c.Report) > 0 {
			t.readings(" ", c.Report)
		}
	}
	if len(s.Survey) > 0 {
		t.readings("; survey ", s.Survey)
	}
	for i := range s.Slots {
		t.slot(&s.Slots[i])
	}
	return t.String()
}

func (t *text) slot(s *Slot) {
	t.WriteString("; at " + s.Head.String() + " " + s.Stage.String())
	if s.Ceiling > 0 || s.Sure > 0 {
		t.prospects(s.Round, s.Ceiling, s.Sure)
	} else {
		t.num(" ", s.Round)
	}
	if len(s.Survey) > 0 {
		t.readings(" ", s.Survey)
	}
	if s.ClusterRound > 0 || len(s.Members) > 0 {
		t.num(" in ", s.ClusterRound)
		t.ids(" ", s.Members)
	}
}

// String names the state as the paper does.
func (h HeadState) String() string {
	return [...]string{"IDLE", "COLLECT", "SOLICIT", "FILTER", "STEADY"}[h]
}

// String names the state as the paper does.
func (c ClientState) String() string {
	return [...]string{"IDLE", "WAIT", "MEASURE", "STEADY"}[c]
}

// String names the status.
func (s Status) String() string {
	return [...]string{"fresh", "asked", "accepted", "denied", "deferred", "filtered", "member", "dropped"}[s]
}

// String names the stage.
func (s Stage) String() string {
	return [...]string{"?", "suitor", "promised", "committed"}[s]
}

// CommandText describes a command in one line.
func CommandText(c Command) string {
	names := [...]string{"?", "add", "drop", "measure", "leave"}
	t := text{}
	t.WriteString(names[c.Kind])
	if len(c.Nodes) > 0 {
		t.ids(" ", c.Nodes)
	}
	return t.String()
}

// TimerText names a timer.
func TimerText(timer protocol.Timer) string {
	names := [...]string{"?", "collect", "wait", "measure", "keep", "retry", "missed"}
	if timer.Kind >= protocol.TimerKind(len(names)) {
		return "?"
	}
	name := names[timer.Kind]
	if timer.Kind == MissedTimer {
		name += " " + timer.Peer.String()
	}
	return name
}
