package dtm

import "github.com/canvass-grid/canvass/protocol"

// maxLength bounds the lengths of segments in encodings and requests.
const maxLength = 1 << 44

// encoder appends canonical bytes.
type encoder struct{ dst []byte }

func (e *encoder) uint(v uint32)         { e.dst = protocol.AppendUint(e.dst, uint64(v)) }
func (e *encoder) length(v int64)        { e.dst = protocol.AppendInt(e.dst, v) }
func (e *encoder) bool(v bool)           { e.dst = protocol.AppendBool(e.dst, v) }
func (e *encoder) id(id protocol.NodeID) { e.dst = protocol.AppendNodeID(e.dst, id) }

func appendList[T any](e *encoder, list []T, item func(T)) {
	e.uint(uint32(len(list)))
	for _, x := range list {
		item(x)
	}
}

func (e *encoder) ids(ids []protocol.NodeID) { appendList(e, ids, e.id) }

func (e *encoder) label(l Label) {
	appendList(e, l, func(h Hop) {
		e.id(h.Host)
		e.length(h.At)
		e.length(h.Length)
	})
}

func (e *encoder) child(c Child) {
	e.id(c.Host)
	e.length(c.At)
	e.length(c.Length)
}

func (e *encoder) view(v View) {
	e.label(v.Label)
	appendList(e, v.Children, e.child)
	appendList(e, v.Siblings, e.child)
}

func (e *encoder) answer(a Answer) {
	e.uint(uint32(a.Kind))
	switch a.Kind {
	case AnswerDrawn:
		e.ids(a.Drawn)
	case AnswerView:
		e.uint(a.Version)
		e.view(a.View)
	case AnswerReadings:
		appendList(e, a.Readings, func(r Reading) {
			e.label(r.Label)
			e.length(r.Measured)
		})
	}
}

func (e *encoder) search(s Search) {
	e.ids(s.Members)
	appendList(e, s.Latencies, func(l Latency) {
		e.id(l.Host)
		e.length(l.Length)
	})
	e.uint(uint32(s.Refusals))
	e.uint(uint32(s.Tries))
	appendList(e, s.Answers, e.answer)
	appendList(e, s.Awaits, func(a Await) {
		e.id(a.Host)
		e.label(a.Label)
	})
	e.id(s.Look)
	e.id(s.Anchor)
	e.attach(s.Asked)
}

func (e *encoder) attach(m Attach) {
	e.uint(m.Version)
	e.length(m.At)
	e.length(m.Length)
}

// AppendState appends the canonical encoding of a state.
func AppendState(dst []byte, s State) []byte {
	e := encoder{dst}
	e.id(s.ID)
	e.uint(uint32(s.Phase))
	e.search(s.Search)
	e.uint(uint32(s.Departure.Stage))
	e.uint(s.Departure.Round)
	e.ids(s.Departure.Waiting)
	e.id(s.Anchor)
	e.length(s.At)
	e.length(s.Length)
	e.label(s.Above)
	appendList(&e, s.Siblings, e.child)
	e.uint(s.Heard)
	e.id(s.Former)
	e.uint(s.Version)
	appendList(&e, s.Branches, func(b Branch) {
		e.child(b.Child)
		e.uint(b.Acked)
		e.bool(b.Gone)
	})
	e.id(s.Lock.Holder)
	e.uint(s.Lock.Round)
	appendList(&e, s.Links, func(l Link) {
		e.id(l.Peer)
		appendList(&e, l.Heard, e.label)
		e.uint(l.HeardVersion)
		appendList(&e, l.Sent, e.label)
		e.uint(l.SentVersion)
		e.bool(l.Acked)
	})
	return e.dst
}

// The tags of the message types on the wire.
const (
	tagLook = iota + 1
	tagReport
	tagAttach
	tagRefuse
	tagPosition
	tagPositionOK
	tagLeaving
	tagConsent
	tagObject
	tagRelease
	tagLeft
	tagLeftOK
	tagClaim
	tagAggregate
	tagAggregateOK
	tagBeat
)

// AppendMessage appends the canonical encoding of a message: a tag, then the fields in their order.
func AppendMessage(dst []byte, m Message) []byte {
	e := encoder{dst}
	switch m := m.(type) {
	case Look:
		e.uint(tagLook)
	case Report:
		e.tagged(tagReport, m.Version)
		e.view(m.View)
	case Attach:
		e.uint(tagAttach)
		e.attach(m)
	case Refuse:
		e.tagged(tagRefuse, m.Version)
	case Position:
		e.tagged(tagPosition, m.Version)
		e.label(m.Label)
		appendList(&e, m.Children, e.child)
	case PositionOK:
		e.tagged(tagPositionOK, m.Version)
	case Leaving:
		e.tagged(tagLeaving, m.Round)
	case Consent:
		e.tagged(tagConsent, m.Round)
	case Object:
		e.tagged(tagObject, m.Round)
	case Release:
		e.tagged(tagRelease, m.Round)
	case Left:
		e.tagged(tagLeft, m.Round)
	case LeftOK:
		e.tagged(tagLeftOK, m.Round)
	case Claim:
		e.uint(tagClaim)
		e.child(Child{m.Former, m.At, m.Length})
	case Aggregate:
		e.tagged(tagAggregate, m.Version)
		appendList(&e, m.Labels, e.label)
	case AggregateOK:
		e.tagged(tagAggregateOK, m.Version)
	case Beat:
		e.uint(tagBeat)
	}
	return e.dst
}

func (e *encoder) tagged(tag, number uint32) {
	e.uint(tag)
	e.uint(number)
}

// AppendCommand appends the canonical encoding of a command.
func AppendCommand(dst []byte, c Command) []byte {
	e := encoder{dst}
	e.uint(uint32(c.Kind))
	e.ids(c.Nodes)
	return e.dst
}
