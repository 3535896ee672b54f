package protocol

// EventIgnore is the event of an input that changed nothing. Peer: the sender, Detail: why.
const EventIgnore = "ignore"

// Effects collects the output of a step. The node of a core, which is its step in progress, embeds
// it.
type Effects[M any] struct {
	Out Output[M]
	own []M // from the node to itself, not delivered yet
	fed int // how many of them were delivered
}

// ownLimit bounds the messages of a node to itself in one step.
const ownLimit = 1 << 16

// Send sends a message.
func (e *Effects[M]) Send(from, to NodeID, m M) {
	e.Out.Send = append(e.Out.Send, Envelope[M]{From: from, To: to, Message: m})
}

// SendOrKeep sends a message, unless it is from a node to itself. Such a message stays in the step:
// one role of the node sends it to another, and the core delivers what Next returns.
func (e *Effects[M]) SendOrKeep(from, to NodeID, m M) {
	if to == from {
		e.own = append(e.own, m)
		return
	}
	e.Send(from, to, m)
}

// Keeps reports whether messages stayed in the step that the core has not delivered yet.
func (e *Effects[M]) Keeps() bool { return len(e.own) > 0 }

// Next takes the oldest of these messages.
func (e *Effects[M]) Next() M {
	if e.fed++; e.fed > ownLimit {
		panic("protocol: a node sends messages to itself without end")
	}
	m := e.own[0]
	e.own = e.own[1:]
	return m
}

// Event reports to the application what the step did.
func (e *Effects[M]) Event(name string, peer NodeID, number uint32, detail string) {
	e.Out.Events = append(e.Out.Events, Event{Name: name, Peer: peer, Number: number, Detail: detail})
}

// Ignore reports that the input changed nothing, and why.
func (e *Effects[M]) Ignore(peer NodeID, reason string) { e.Event(EventIgnore, peer, 0, reason) }
