package custody

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

type encoder struct{ space.Encoder }

func newEncoder(dst []byte) encoder { return encoder{space.Encoder{Dst: dst}} }

func (e *encoder) ids(ids []protocol.NodeID) {
	e.Uint(uint64(len(ids)))
	for _, id := range ids {
		e.ID(id)
	}
}

func (e *encoder) view(v View) {
	e.Uint(uint64(v.Number))
	e.ids(v.Members)
}

func (e *encoder) attempt(a Attempt) {
	e.ID(a.By)
	e.Uint(uint64(a.Epoch))
}

func (e *encoder) digest(d Digest) {
	e.Uint(uint64(len(d)))
	e.Dst = append(e.Dst, d...)
}

func (e *encoder) record(r *Record) {
	e.Uint(uint64(r.Try))
	e.Uint(uint64(r.Limit))
	e.Uint(uint64(r.Runs))
	e.attempt(r.Attempt)
	e.ids(r.Hosts)
	e.Uint(uint64(r.Requested))
	e.Uint(uint64(r.End))
	e.digest(r.Outcome)
	e.Bool(r.Settled)
}

func (e *encoder) disk(d *Disk) {
	e.Uint(uint64(d.Promised))
	e.Bool(d.Yielded)
	e.view(d.View)
	e.Uint(uint64(d.Seq))
	e.record(&d.Record)
}

// appendDisk appends the canonical encoding of the persisted part of a custodian.
func appendDisk(dst []byte, d *Disk) []byte {
	e := newEncoder(dst)
	e.disk(d)
	return e.Dst
}

// AppendState appends the canonical encoding of a state.
func AppendState(dst []byte, s State) []byte {
	e := newEncoder(dst)
	e.ID(s.Self)
	e.Uint(uint64(len(s.Custodians)))
	for i, a := range s.Custodians {
		e.Uint(uint64(a))
		e.Uint(uint64(s.Lives[i].Known))
		e.Uint(uint64(s.Lives[i].Dead))
	}
	e.Bool(s.Over)
	e.disk(&s.Disk)
	e.Uint(uint64(s.Wanted))
	e.Bool(s.Loss)
	e.Bool(s.Forming.Active)
	if f := &s.Forming; f.Active {
		e.ids(f.Lives)
		e.view(f.View)
		e.Uint(uint64(f.Seq))
		e.record(&f.Record)
	}
	e.primary(&s.Primary)
	return e.Dst
}

func (e *encoder) primary(p *Primary) {
	e.Uint(uint64(len(p.Acked)))
	for _, acked := range p.Acked {
		e.Bool(acked)
	}
	e.Bool(p.Leads)
	e.Bool(p.Committed)
	e.record(&p.Record)
	e.Uint(uint64(p.Submitted))
	e.Bool(p.Accepted)
}

// AppendMessage appends the canonical encoding of a message: its kind, then the fields that the
// kind names.
func AppendMessage(dst []byte, m Message) []byte {
	e := newEncoder(dst)
	e.Uint(uint64(m.Kind))
	switch m.Kind {
	case Hello, Prepare:
		e.Uint(uint64(m.Number))
	case Promise:
		e.Uint(uint64(m.Number))
		e.view(m.View)
		e.Uint(uint64(m.Seq))
		e.record(&m.Record)
	case Copy:
		e.view(m.View)
		e.Uint(uint64(m.Seq))
		e.record(&m.Record)
	case Copied:
		e.Uint(uint64(m.Number))
		e.Uint(uint64(m.Seq))
	}
	return e.Dst
}

// AppendCommand appends the canonical encoding of a command: its kind, then the fields that the
// kind names.
func AppendCommand(dst []byte, c Command) []byte {
	e := newEncoder(dst)
	e.Uint(uint64(c.Kind))
	switch c.Kind {
	case CommandAccept:
		e.Uint(uint64(c.Limit))
	case CommandDead:
		e.ID(c.Life)
	case CommandCancel:
		e.Uint(uint64(c.Requested))
	case CommandTryOver:
		e.Uint(uint64(c.Try))
	case CommandPermit, CommandClosed, CommandOutcome:
		e.Uint(uint64(c.Try))
		e.attempt(c.Attempt)
		switch c.Kind {
		case CommandPermit:
			e.ids(c.Hosts)
		case CommandClosed:
			e.ID(c.Life)
		default:
			e.digest(c.Outcome)
		}
	}
	return e.Dst
}
