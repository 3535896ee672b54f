package lease

import "github.com/canvass-grid/canvass/protocol/space"

type encoder struct{ space.Encoder }

func newEncoder(dst []byte) encoder { return encoder{space.Encoder{Dst: dst}} }

func (e *encoder) view(v View) {
	e.Uint(uint64(v.Generation))
	e.ID(v.Founder)
	e.Uint(uint64(v.Promised))
	e.ID(v.Promisee)
	e.Bool(v.Vacant)
	e.ID(v.Contact)
}

// AppendState appends the canonical encoding of a state.
func AppendState(dst []byte, s State) []byte {
	e := newEncoder(dst)
	e.ID(s.Self)
	e.Uint(uint64(s.Phase))
	e.Uint(uint64(s.Nonce))
	e.Uint(uint64(s.Generation))
	e.ID(s.Founder)
	e.ID(s.Contact)
	e.Uint(uint64(s.Round))
	e.Bool(s.Settled)
	e.Bool(s.Entered)
	e.Uint(uint64(len(s.Answers)))
	for _, a := range s.Answers {
		e.Uint(uint64(a.Kind))
		e.Uint(uint64(a.Reason))
		e.view(a.View)
	}
	e.Uint(uint64(len(s.Asks)))
	for _, q := range s.Asks {
		e.ID(q.Node)
		e.Uint(uint64(len(q.Verdicts)))
		for _, v := range q.Verdicts {
			e.Uint(uint64(v))
		}
	}
	e.Uint(uint64(len(s.Dead)))
	for _, id := range s.Dead {
		e.ID(id)
	}
	e.record(&s.Witness)
	e.Bool(s.Witness.Grace)
	e.Bool(s.Witness.Behind)
	e.Uint(uint64(len(s.Witness.Grants)))
	for _, g := range s.Witness.Grants {
		e.ID(g.Holder)
		e.Uint(uint64(g.Round))
		e.Bool(g.Member)
	}
	return e.Dst
}

// record appends what a witness knows for good.
func (e *encoder) record(w *Witness) {
	e.Uint(uint64(w.Generation))
	e.ID(w.Founder)
	e.Uint(uint64(w.Closed))
	e.Uint(uint64(w.Promised))
	e.ID(w.Promisee)
	e.Uint(uint64(len(w.Lives)))
	for _, l := range w.Lives {
		e.Uint(uint64(l.Address))
		e.Uint(uint64(l.Incarnation))
		e.Uint(uint64(l.Nonce))
		e.Uint(uint64(l.Condemned))
	}
}

// appendDurable appends what survives a crash.
func appendDurable(dst []byte, s *State) []byte {
	e := newEncoder(dst)
	e.ID(s.Self)
	e.record(&s.Witness)
	return e.Dst
}

// AppendMessage appends the canonical encoding of a message: its kind, then the fields that the
// kind names.
func AppendMessage(dst []byte, m Message) []byte {
	e := newEncoder(dst)
	e.Uint(uint64(m.Kind))
	switch m.Kind {
	case Look:
		e.Uint(uint64(m.Nonce))
	case Found:
		e.Uint(uint64(m.Generation))
		e.Uint(uint64(m.Nonce))
	case Renew:
		e.Uint(uint64(m.Generation))
		e.ID(m.Founder)
		e.Uint(uint64(m.Round))
		e.Uint(uint64(m.Nonce))
		e.Bool(m.Member)
	case Ask:
		e.ID(m.Peer)
	case Promised:
		e.Uint(uint64(m.Generation))
	case Granted:
		e.Uint(uint64(m.Round))
		e.ID(m.Peer)
	case Refused:
		e.Uint(uint64(m.Round))
		e.Uint(uint64(m.Reason))
		e.view(m.View)
	case Verdict:
		e.ID(m.Peer)
		e.Bool(m.Condemned)
	}
	return e.Dst
}

// AppendCommand appends the canonical encoding of a command: its kind, then the fields that the
// kind names.
func AppendCommand(dst []byte, c Command) []byte {
	e := newEncoder(dst)
	e.Uint(uint64(c.Kind))
	if c.Kind == CommandAsk {
		e.ID(c.Node)
	}
	return e.Dst
}
