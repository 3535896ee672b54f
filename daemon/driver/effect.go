package driver

import (
	"errors"

	"github.com/canvass-grid/canvass/protocol"
)

// HeldLimit is how many envelopes wait at most for a process to end.
const HeldLimit = 1024

// ErrLimit says that a limit of the loop was met. The node can no longer keep its promises.
var ErrLimit = errors.New("a limit of the driver is met")

// effectKind is the kind of an effect.
type effectKind uint8

const (
	sendEffect effectKind = iota
	ownEffect             // an envelope for this node
	beginEffect
	endEffect
	measureEffect
	eventEffect
)

// effect is something that a step asks for and that waits for the commit.
type effect struct {
	kind    effectKind
	core    CoreID
	to      protocol.NodeID
	payload []byte
	held    bool // waits while a process ends
	timer   protocol.Timer
	event   protocol.Event
}

// carryOut carries out the effects of a batch.
func (l *Loop) carryOut() {
	effects := l.effects
	l.effects = nil
	for i := range effects {
		e := &effects[i]
		switch e.kind {
		case sendEffect:
			l.send(e)
		case beginEffect:
			l.env.Begin(e.core, e.timer)
		case endEffect:
			l.env.End(e.core, e.timer)
		case measureEffect:
			l.env.Measure(e.core, e.to)
		case eventEffect:
			l.env.Event(e.core, e.event)
		}
	}
}

// send sends an envelope, unless it waits for a process to end.
func (l *Loop) send(e *effect) {
	switch {
	case e.held && l.ending > 0:
		l.waiting = append(l.waiting, *e)
	case e.kind == ownEffect:
		l.post(input{kind: protocol.Deliver, core: e.core, from: e.to, to: e.to, payload: e.payload})
	default:
		l.env.Send(e.to, e.core, e.payload)
	}
}

// release sends what has waited for processes to end.
func (l *Loop) release() {
	if l.ending > 0 {
		return
	}
	waiting := l.waiting
	l.waiting = nil
	for i := range waiting {
		l.send(&waiting[i])
	}
}
