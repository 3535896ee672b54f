package refine

import "github.com/canvass-grid/canvass/protocol"

// encoder appends canonical bytes.
type encoder struct{ dst []byte }

func (e *encoder) uint(v uint32)         { e.dst = protocol.AppendUint(e.dst, uint64(v)) }
func (e *encoder) bool(v bool)           { e.dst = protocol.AppendBool(e.dst, v) }
func (e *encoder) id(id protocol.NodeID) { e.dst = protocol.AppendNodeID(e.dst, id) }

func (e *encoder) ids(ids []protocol.NodeID) {
	e.uint(uint32(len(ids)))
	for _, id := range ids {
		e.id(id)
	}
}

func (e *encoder) readings(readings []Reading) {
	e.uint(uint32(len(readings)))
	for _, r := range readings {
		e.id(r.Peer)
		e.uint(r.Micros)
	}
}

func (e *encoder) slot(t *Slot) {
	e.id(t.Head)
	e.uint(uint32(t.Stage))
	e.uint(t.Round)
	e.uint(t.Ceiling)
	e.uint(t.Sure)
	e.readings(t.Survey)
	e.uint(t.ClusterRound)
	e.ids(t.Members)
}

// AppendState appends the canonical encoding of a state.
func AppendState(dst []byte, s State) []byte {
	e := encoder{dst}
	e.id(s.ID)
	e.bool(s.Departed)
	e.uint(uint32(s.Head))
	e.uint(s.Round)
	e.bool(s.Again)
	e.uint(uint32(len(s.Candidates)))
	for _, c := range s.Candidates {
		e.id(c.ID)
		e.uint(uint32(c.Status))
		e.readings(c.Report)
	}
	e.readings(s.Survey)
	e.uint(s.ClusterRound)
	e.uint(uint32(len(s.Slots)))
	for i := range s.Slots {
		e.slot(&s.Slots[i])
	}
	return e.dst
}

// The tags of the message types on the wire.
const (
	tagSolicitation = iota + 1
	tagUpdate
	tagList
	tagConfirm
	tagDismiss
	tagAccept
	tagDeny
	tagDefer
	tagReport
	tagLeave
	tagAlive
)

// AppendMessage appends the canonical encoding of a message: a tag, then the fields in their order.
func AppendMessage(dst []byte, m Message) []byte {
	e := encoder{dst}
	switch m := m.(type) {
	case Solicitation:
		e.tagged(tagSolicitation, m.Round)
		e.uint(m.Ceiling)
		e.uint(m.Sure)
	case Update:
		e.tagged(tagUpdate, m.Round)
		e.uint(m.Ceiling)
		e.uint(m.Sure)
	case List:
		e.tagged(tagList, m.Round)
		e.ids(m.Members)
	case Confirm:
		e.tagged(tagConfirm, m.Round)
		e.ids(m.Members)
	case Dismiss:
		e.tagged(tagDismiss, m.Round)
	case Accept:
		e.tagged(tagAccept, m.Round)
	case Deny:
		e.tagged(tagDeny, m.Round)
	case Defer:
		e.tagged(tagDefer, m.Round)
	case Report:
		e.tagged(tagReport, m.Round)
		e.readings(m.Readings)
	case Leave:
		e.tagged(tagLeave, m.Round)
	case Alive:
		e.uint(tagAlive)
	}
	return e.dst
}

func (e *encoder) tagged(tag, round uint32) {
	e.uint(tag)
	e.uint(round)
}

// AppendCommand appends the canonical encoding of a command.
func AppendCommand(dst []byte, c Command) []byte {
	e := encoder{dst}
	e.uint(uint32(c.Kind))
	e.ids(c.Nodes)
	return e.dst
}
