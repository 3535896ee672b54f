package muster

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// String names the cause, as events do.
func (c Cause) String() string {
	return [...]string{"none", "exited", "unfit", "unrun", "lost", "unkept", "?", "?"}[c&7]
}

// String names the reason, as events do.
func (r Reason) String() string {
	return [...]string{
		"none", "refused", "no-start", "failure", "cancelled", "timed-out", "leaving", "task-lost",
	}[r&7]
}

// String names the kind of a message.
func (k MessageKind) String() string {
	return [...]string{
		"?", "Here", "Go", "Going", "Exit", "Noted", "Halt", "Finish", "Closed", "?", "?", "?", "?", "?", "?", "?",
	}[k&15]
}

func (p HostPhase) String() string {
	return [...]string{"absent", "waiting", "running", "ended", "closed", "keeping", "?", "?"}[p&7]
}

func (p RepPhase) String() string {
	return [...]string{
		"absent", "gathering", "asking", "started", "called-off", "depositing", "finishing", "closed",
	}[p&7]
}

func (s MemberState) String() string {
	return [...]string{"awaited", "here", "going", "ended", "closed", "?", "?", "?"}[s&7]
}

type text struct{ space.Text }

func (t *text) ports(ports []uint16) {
	for _, p := range ports {
		t.Num(":", int64(p))
	}
}

func (t *text) places(places []Place) {
	for _, p := range places {
		t.Str(" " + p.Host.String())
		t.ports(p.Ports)
	}
}

// status writes cause, code and signal: exited 3, exited 0 signal 9 halted
func (t *text) status(s Status) {
	t.Str(s.Cause.String())
	if s.Cause == Exited || s.Code != 0 {
		t.Num(" ", int64(s.Code))
	}
	if s.Signal != 0 {
		t.Num(" signal ", int64(s.Signal))
	}
	if s.Halted {
		t.Str(" halted")
	}
}

func (t *text) host(h *Host) {
	if h.Phase == HostAbsent {
		return
	}
	t.Str(" host " + h.Phase.String() + " of " + h.Rep.String())
	t.ports(h.Ports)
	t.Num(" rank ", int64(h.Rank))
	if len(h.Places) > 0 {
		t.Str(" among")
		t.places(h.Places)
	}
	if h.Halted != 0 {
		t.Str(" halt: " + h.Halted.String())
	}
	if h.Status != (Status{}) {
		t.Str(" status ")
		t.status(h.Status)
	}
	if h.Noted {
		t.Str(" noted")
	}
}

func (t *text) rep(r *Rep) {
	if r.Phase == RepAbsent {
		return
	}
	t.Str(" | represents, " + r.Phase.String())
	if r.HaltOnFailure {
		t.Str(" halt-on-failure")
	}
	if r.Reason != 0 {
		t.Str(" halts: " + r.Reason.String())
	}
	for _, m := range r.Members {
		t.Str(" {" + m.Host.String())
		t.ports(m.Ports)
		t.Str(" " + m.State.String())
		if m.Status != (Status{}) {
			t.Str(" ")
			t.status(m.Status)
		}
		t.Str("}")
	}
}

// StateText describes a state in one line.
func StateText(s State) string {
	var t text
	t.Str(s.Self.String())
	if s.Ended {
		t.Str(" over")
	}
	t.host(&s.Host)
	t.rep(&s.Rep)
	return string(t.Dst)
}

// MessageText describes a message in one line.
func MessageText(m Message) string {
	var t text
	t.Str(m.Kind.String())
	switch m.Kind {
	case Here:
		if len(m.Ports) > 0 {
			t.Str(" ")
			t.ports(m.Ports)
		}
	case Go:
		t.Num(" rank ", int64(m.Rank))
		t.places(m.Places)
	case Exit:
		t.Str(" ")
		t.status(m.Status)
	case Halt:
		t.Str(" " + m.Reason.String())
	}
	return string(t.Dst)
}

// CommandText describes a command in one line.
func CommandText(c Command) string {
	var t text
	switch c.Kind {
	case CommandHost:
		t.Str("host of " + c.Rep.String())
		t.ports(c.Ports)
	case CommandUnfit:
		t.Str("unfit")
	case CommandLost:
		t.Str("lost")
	case CommandExited, CommandKeep:
		t.status(Status{Cause: Exited, Code: c.Code, Signal: c.Signal})
		if c.Kind == CommandKeep {
			t.Str(", with outputs")
		}
	case CommandKept:
		if c.Kept {
			t.Str("outputs kept")
		} else {
			t.Str("outputs not kept")
		}
	case CommandRepresent:
		t.Str("represent")
		for _, id := range c.Hosts {
			t.Str(" " + id.String())
		}
		if c.HaltOnFailure {
			t.Str(" halt-on-failure")
		}
	case CommandPermit:
		if c.Granted {
			t.Str("granted")
		} else {
			t.Str("refused")
		}
	case CommandHalt:
		t.Str("halt " + c.Reason.String())
	case CommandDeposited:
		t.Str("deposited")
	case CommandEnd:
		t.Str("end")
	}
	return string(t.Dst)
}

// TimerText names a timer.
func TimerText(timer protocol.Timer) string {
	if timer.Kind != ResendTimer {
		return "no timer"
	}
	return "resend"
}
