package node

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// A call is a question to another daemon. It is repeated until it is answered or given up, so every
// method does the same when it is called twice.
type call struct {
	ID     uint64          `json:"id"`
	Method string          `json:"method,omitempty"` // of a question
	Body   json.RawMessage `json:"body,omitempty"`
	Error  string          `json:"error,omitempty"`
}

const (
	callLimit  = 4096 // questions that wait for an answer
	callRepeat = 500 * time.Millisecond
)

var (
	// errLater is the answer that is none: the caller asks again.
	errLater = errors.New("not now")

	errGivenUp = errors.New("no answer")
)

// question is a call that waits for its answer.
type question struct {
	to     protocol.NodeID
	by     transport.Channel
	frame  []byte
	done   func(json.RawMessage, error)
	wanted func() bool
	until  time.Duration
}

// handler answers a method.
type handler func(from protocol.NodeID, body json.RawMessage) (any, error)

// method makes a handler of a function with a typed body.
func method[B any](f func(from protocol.NodeID, body B) (any, error)) handler {
	return func(from protocol.NodeID, raw json.RawMessage) (any, error) {
		var body B
		if err := json.Unmarshal(raw, &body); err != nil {
			return nil, err
		}
		return f(from, body)
	}
}

// ask asks the daemon at an address, or this one: its latest life, since what daemons ask each
// other about is on their disks. Done is called once, on the node's goroutine, unless the answer is
// no longer wanted. Patience 0 waits as long as it is wanted.
func (n *Node) ask(
	to protocol.NodeID, name string, body any, patience time.Duration, wanted func() bool,
	done func(json.RawMessage, error),
) {
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err) // a struct of this package
	}
	if len(n.questions) >= callLimit {
		n.log.Warn("too many questions", "method", name, "to", to.String())
		n.later(func() { done(nil, errGivenUp) })
		return
	}
	n.lastCall++
	frame, err := json.Marshal(call{ID: n.lastCall, Method: name, Body: raw})
	if err != nil {
		panic(err)
	}
	q := &question{to: to, by: callChannel(name), frame: frame, done: done, wanted: wanted}
	if patience > 0 {
		q.until = n.clock() + patience
	}
	n.questions[n.lastCall] = q
	n.repeat(n.lastCall)
}

// repeat sends a question, and once more later.
func (n *Node) repeat(id uint64) {
	q := n.questions[id]
	switch {
	case q == nil:
		return
	case q.wanted != nil && !q.wanted():
		delete(n.questions, id)
		return
	case q.until > 0 && n.clock() > q.until:
		delete(n.questions, id)
		q.done(nil, fmt.Errorf("%w from %v", errGivenUp, q.to))
		return
	}
	n.sendCall(n.latest(q.to), q.by, q.frame)
	n.after(callRepeat, func() { n.repeat(id) })
}

// latest is the latest known life at the address of a node.
func (n *Node) latest(id protocol.NodeID) protocol.NodeID {
	if id.Address == n.self.Address {
		return n.self
	}
	if life := n.lives[id.Address]; life > id.Incarnation {
		id.Incarnation = life
	}
	return id
}

// callChannel is the channel for a question and its answer: contents must not delay the cores.
func callChannel(method string) transport.Channel {
	switch method {
	case "blob", "content", "output":
		return transport.ChannelBulk
	}
	return transport.ChannelCore
}

// sendCall sends a question or an answer.
func (n *Node) sendCall(to protocol.NodeID, by transport.Channel, frame []byte) {
	if to == n.self {
		n.later(func() { n.called(to, frame) })
		return
	}
	n.links.Send(to, by, callFrame, frame)
}

// called takes a question or an answer.
func (n *Node) called(from protocol.NodeID, frame []byte) {
	var c call
	if err := json.Unmarshal(frame, &c); err != nil {
		n.log.Warn("a call that cannot be read", "from", from.String(), "error", err)
		return
	}
	if c.Method == "" {
		n.answered(from, c)
		return
	}
	answer := call{ID: c.ID}
	h, known := n.handlers[c.Method]
	if !known {
		answer.Error = fmt.Sprintf("no method %q", c.Method)
	} else if result, err := h(from, c.Body); errors.Is(err, errLater) {
		return
	} else if err != nil {
		answer.Error = err.Error()
	} else if answer.Body, err = json.Marshal(result); err != nil {
		answer.Error = err.Error()
	}
	raw, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	n.sendCall(from, callChannel(c.Method), raw)
}

// answered passes an answer on, once.
func (n *Node) answered(from protocol.NodeID, c call) {
	q := n.questions[c.ID]
	if q == nil || q.to.Address != from.Address {
		return
	}
	delete(n.questions, c.ID)
	if q.wanted != nil && !q.wanted() {
		return
	}
	if c.Error != "" {
		q.done(nil, errors.New(c.Error))
		return
	}
	q.done(c.Body, nil)
}
