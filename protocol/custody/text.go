package custody

import (
	"strconv"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// String names the end, as events do.
func (e End) String() string {
	return [...]string{
		"none", "outcome", "cancelled", "timed-out", "unplaced", "exhausted", "?", "?",
	}[e&7]
}

// String names the kind of a message.
func (k MessageKind) String() string {
	return [...]string{"?", "Hello", "Prepare", "Promise", "Copy", "Copied", "?", "?"}[k&7]
}

// String names the attempt by its owner and epoch: B/3.
func (a Attempt) String() string {
	return a.By.String() + "/" + strconv.FormatUint(uint64(a.Epoch), 10)
}

type text struct{ space.Text }

func (t *text) ids(ids []protocol.NodeID) {
	for _, id := range ids {
		t.Str(" " + id.String())
	}
}

// view writes a number and members: 3(A B.2)
func (t *text) view(v View) {
	t.Num("", int64(v.Number))
	t.Str("(")
	for i, id := range v.Members {
		if i > 0 {
			t.Str(" ")
		}
		t.Str(id.String())
	}
	t.Str(")")
}

// record writes a job: try 2 run 1/3 permit C/1 on C D
func (t *text) record(r *Record) {
	if r.Try == 0 {
		t.Str("no job")
	} else {
		t.Num("try ", int64(r.Try))
	}
	if r.Runs > 0 || r.Limit > 0 {
		t.Num(" run ", int64(r.Runs))
		t.Num("/", int64(r.Limit))
	}
	if !r.Attempt.IsNone() {
		t.Str(" permit " + r.Attempt.String())
	}
	if len(r.Hosts) > 0 {
		t.Str(" on")
		t.ids(r.Hosts)
	}
	if r.Requested != 0 {
		t.Str(" requested " + r.Requested.String())
	}
	if r.End != 0 {
		t.Str(" ended " + r.End.String())
	}
	if r.Outcome != "" {
		t.Str(" outcome " + strconv.Quote(string(r.Outcome)))
	}
	if r.Settled {
		t.Str(" settled")
	}
}

// stored writes a record with its view and number: 3(A B).1 {try 1 run 0/2}
func (t *text) stored(v View, seq uint32, r *Record) {
	t.view(v)
	t.Num(".", int64(seq))
	t.Str(" {")
	t.record(r)
	t.Str("}")
}

func (t *text) primary(p *Primary) {
	for i, acked := range p.Acked {
		if i == 0 {
			t.Str(" stored:")
		}
		if acked {
			t.Str("+")
		} else {
			t.Str("-")
		}
	}
	if p.Leads {
		t.Str(" leads")
	}
	if p.Committed {
		t.Str(" committed")
	}
	t.Str(" announced {")
	t.record(&p.Record)
	t.Str("}")
	if p.Submitted > 0 {
		t.Num(" submitted ", int64(p.Submitted))
	}
	if p.Accepted {
		t.Str(" accepted")
	}
}

// StateText describes a state in one line.
func StateText(s State) string {
	var t text
	t.Str(s.Self.String() + " of")
	for i, a := range s.Custodians {
		t.Str(" " + protocol.NodeID{Address: a, Incarnation: 1}.String())
		t.Num(".", int64(s.Lives[i].Known))
		if s.Lives[i].Dead > 0 {
			t.Num(" dead:", int64(s.Lives[i].Dead))
		}
	}
	if s.Over {
		t.Str(" over")
	}
	t.Num(" promised ", int64(s.Disk.Promised))
	if s.Disk.Yielded {
		t.Str(" yielded")
	}
	t.Str(" has ")
	t.stored(s.Disk.View, s.Disk.Seq, &s.Disk.Record)
	if s.Wanted > 0 {
		t.Num(" wanted ", int64(s.Wanted))
	}
	if s.Loss {
		t.Str(" loss-accepted")
	}
	if f := &s.Forming; f.Active {
		t.Str(" | forms a view with")
		t.ids(f.Lives)
		t.Str(" from ")
		t.stored(f.View, f.Seq, &f.Record)
	}
	t.primary(&s.Primary)
	return string(t.Dst)
}

// MessageText describes a message in one line.
func MessageText(m Message) string {
	var t text
	t.Str(m.Kind.String() + " ")
	switch m.Kind {
	case Hello, Prepare:
		t.Num("", int64(m.Number))
	case Promise:
		t.Num("", int64(m.Number))
		t.Str(" has ")
		t.stored(m.View, m.Seq, &m.Record)
	case Copy:
		t.stored(m.View, m.Seq, &m.Record)
	case Copied:
		t.Num("", int64(m.Number))
		t.Num(".", int64(m.Seq))
	}
	return string(t.Dst)
}

// CommandText describes a command in one line.
func CommandText(c Command) string {
	var t text
	about := func(word string) {
		t.Str(word + " " + c.Attempt.String())
		t.Num(" of try ", int64(c.Try))
	}
	switch c.Kind {
	case CommandAccept:
		t.Num("accept attempts ", int64(c.Limit))
	case CommandDead:
		t.Str("dead " + c.Life.String())
	case CommandAcceptLoss:
		t.Str("accept the loss")
	case CommandPermit:
		about("permit")
		t.Str(" on")
		t.ids(c.Hosts)
	case CommandClosed:
		about("closed")
		t.Str(" at " + c.Life.String())
	case CommandOutcome:
		about("outcome")
		t.Str(": " + strconv.Quote(string(c.Outcome)))
	case CommandCancel:
		t.Str("end as " + c.Requested.String())
	case CommandTryOver:
		t.Num("over is try ", int64(c.Try))
	case CommandForget:
		t.Str("forget")
	case CommandForgotten:
		t.Str("forgotten by another")
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
