package lease

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// String names the reason, as events do.
func (r Reason) String() string {
	return [...]string{
		"none", "condemned", "superseded", "copied", "other-generation", "alone", "full", "looked",
	}[r&7]
}

// String names the kind of a message.
func (k MessageKind) String() string {
	return [...]string{
		"?", "Look", "Found", "Renew", "Ask", "Promised", "Granted", "Refused", "Verdict", "?", "?", "?", "?", "?", "?", "?",
	}[k&15]
}

func (p Phase) String() string {
	return [...]string{"unstarted", "drawing", "looking", "founding", "joining", "leased", "fenced", "?"}[p&7]
}

func (k AnswerKind) String() string { return [...]string{"-", "yes", "no", "?"}[k&3] }

func (o Opinion) String() string { return [...]string{"-", "dead", "alive", "?"}[o&3] }

type text struct{ space.Text }

// generation writes a generation and its founder: 2 by A
func (t *text) generation(generation uint32, founder protocol.NodeID) {
	t.Num(" generation ", int64(generation))
	if !founder.IsNobody() {
		t.Str(" by " + founder.String())
	}
}

// promised writes a promise, unless it is that of the present generation.
func (t *text) promised(promised uint32, promisee protocol.NodeID, generation uint32) {
	if promised > generation {
		t.Num(" promised ", int64(promised))
		t.Str(" to " + promisee.String())
	}
}

func (t *text) view(v View) {
	t.generation(v.Generation, v.Founder)
	t.promised(v.Promised, v.Promisee, v.Generation)
	if v.Vacant {
		t.Str(" vacant")
	}
	if !v.Contact.IsNobody() {
		t.Str(" with " + v.Contact.String())
	}
}

func (t *text) flag(set bool, word string) {
	if set {
		t.Str(word)
	}
}

func (t *text) holder(s *State) {
	t.Str(s.Self.String() + " " + s.Phase.String())
	t.Num(" nonce ", int64(s.Nonce))
	t.generation(s.Generation, s.Founder)
	t.flag(!s.Contact.IsNobody(), " with "+s.Contact.String())
	t.Num(" round ", int64(s.Round))
	t.flag(s.Settled, " settled")
	t.flag(s.Entered, " entered")
	for _, a := range s.Answers {
		t.Str(" {" + a.Kind.String())
		t.flag(a.Reason != 0, " "+a.Reason.String())
		if a.View != (View{}) {
			t.view(a.View)
		}
		t.Str("}")
	}
	for _, q := range s.Asks {
		t.Str(" asks " + q.Node.String())
		for _, v := range q.Verdicts {
			t.Str(" " + v.String())
		}
	}
	for _, id := range s.Dead {
		t.Str(" dead " + id.String())
	}
}

func (t *text) witness(w *Witness) {
	if w.Generation == 0 && w.Promised == 0 && !w.Grace && !w.Behind && len(w.Lives)+len(w.Grants) == 0 {
		return
	}
	t.Str(" | witness")
	t.generation(w.Generation, w.Founder)
	t.promised(w.Promised, w.Promisee, w.Generation)
	if w.Closed > 0 {
		t.Num(" closed ", int64(w.Closed))
	}
	t.flag(w.Grace, " grace")
	t.flag(w.Behind, " behind")
	for _, l := range w.Lives {
		t.Num(" {", int64(l.Address))
		t.Num(" life ", int64(l.Incarnation))
		t.Num(" nonce ", int64(l.Nonce))
		if l.Condemned > 0 {
			t.Num(" condemned ", int64(l.Condemned))
		}
		t.Str("}")
	}
	for _, g := range w.Grants {
		t.Str(" grants " + g.Holder.String())
		t.Num(" round ", int64(g.Round))
		t.flag(g.Member, " member")
	}
}

// StateText describes a state in one line.
func StateText(s State) string {
	var t text
	t.holder(&s)
	t.witness(&s.Witness)
	return string(t.Dst)
}

// MessageText describes a message in one line.
func MessageText(m Message) string {
	var t text
	t.Str(m.Kind.String())
	switch m.Kind {
	case Look:
		t.Num(" nonce ", int64(m.Nonce))
	case Found:
		t.Num(" generation ", int64(m.Generation))
		t.Num(" nonce ", int64(m.Nonce))
	case Renew:
		t.generation(m.Generation, m.Founder)
		t.Num(" round ", int64(m.Round))
		t.Num(" nonce ", int64(m.Nonce))
		t.flag(m.Member, " member")
	case Ask:
		t.Str(" " + m.Peer.String())
	case Promised:
		t.Num(" generation ", int64(m.Generation))
	case Granted:
		t.Num(" round ", int64(m.Round))
		t.flag(!m.Peer.IsNobody(), " with "+m.Peer.String())
	case Refused:
		t.Num(" round ", int64(m.Round))
		t.Str(" " + m.Reason.String())
		t.view(m.View)
	case Verdict:
		t.Str(" " + m.Peer.String())
		t.flag(m.Condemned, " condemned")
	}
	return string(t.Dst)
}

// CommandText describes a command in one line.
func CommandText(c Command) string {
	switch c.Kind {
	case CommandAsk:
		return "ask " + c.Node.String()
	case CommandEntered:
		return "entered"
	case CommandRegrid:
		return "regrid"
	}
	return ""
}

// TimerText names a timer.
func TimerText(t protocol.Timer) string {
	switch t.Kind {
	case ResendTimer:
		return "resend"
	case RoundTimer:
		return "next round"
	case ExpireEvenTimer:
		return "even round expires"
	case ExpireOddTimer:
		return "odd round expires"
	case AskTimer:
		return "ask again"
	case GrantTimer:
		return "grant ends " + t.Peer.String()
	case GraceTimer:
		return "grace ends"
	case BehindTimer:
		return "behind ends"
	}
	return "no timer"
}
