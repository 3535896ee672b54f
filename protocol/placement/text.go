package placement

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// String names the phase, as states do.
func (p Phase) String() string {
	return [...]string{"?", "waiting", "placed", "resting", "running", "stopped", "?", "?"}[p&7]
}

// StateText describes a state in one line.
func StateText(s State) string {
	var t space.Text
	t.Str(s.Self.String())
	t.Num(" turns ", int64(s.Turns))
	t.Num(" ticket ", int64(s.Ticket))
	t.Num(" round ", int64(s.Round))
	for j := range s.Jobs.All() {
		jobText(&t, j)
	}
	return string(t.Dst)
}

func jobText(t *space.Text, j *Job) {
	t.Num(" {job ", int64(j.Number))
	t.Num(" try ", int64(j.Try))
	t.Num(" of ", int64(j.Stamp))
	t.Str(" " + j.Phase.String())
	for _, each := range []struct {
		label string
		value uint32
	}{{" ticket ", j.Ticket}, {" searches ", uint32(j.Searches)}, {" rest ", j.Rest}, {" round ", j.Round}} {
		if each.value != 0 {
			t.Num(each.label, int64(each.value))
		}
	}
	if !j.Owner.IsNobody() {
		t.Str(" owner " + j.Owner.String())
	}
	t.Str("}")
}

// MessageText describes a message, which no node sends.
func MessageText(Message) string { return "no message" }

// CommandText describes a command in one line.
func CommandText(c Command) string {
	var t space.Text
	switch c.Kind {
	case CommandWants:
		t.Num("wants job ", int64(c.Job))
		t.Num(" try ", int64(c.Try))
		t.Num(" of ", int64(c.Stamp))
		if c.Rest > 0 {
			t.Num(" after ", int64(c.Rest))
		}
	case CommandPermitted:
		t.Num("permitted job ", int64(c.Job))
		t.Num(" ticket ", int64(c.Ticket))
	case CommandStop:
		t.Num("stop job ", int64(c.Job))
	case CommandDrop:
		t.Num("drop job ", int64(c.Job))
	case CommandOwned:
		t.Num("owned ticket ", int64(c.Ticket))
		t.Str(" by " + c.Node.String())
	case CommandLost:
		t.Num("lost ticket ", int64(c.Ticket))
	case CommandEnded:
		t.Num("ended ticket ", int64(c.Ticket))
	case CommandDead:
		t.Str("dead " + c.Node.String())
	case CommandTurns:
		t.Num("turns ", int64(c.Turns))
	}
	return string(t.Dst)
}

// TimerText names a timer.
func TimerText(timer protocol.Timer) string {
	var t space.Text
	switch timer.Kind {
	case RestTimer:
		t.Str("rest")
	case PatienceTimer:
		t.Str("patience")
	case AskTimer:
		t.Str("ask")
	default:
		return "no timer"
	}
	t.Num(" of job ", int64(timer.Peer.Address))
	return string(t.Dst)
}
