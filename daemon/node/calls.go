package node

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
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

	// Of a question about a job, to a custodian:
	Later     bool              `json:"later,omitempty"`     // the answer comes once it is decided
	Elsewhere *protocol.Address `json:"elsewhere,omitempty"` // this custodian decides
	Unknown   bool              `json:"unknown,omitempty"`   // the one that was asked has no record
	Forgotten bool              `json:"forgotten,omitempty"` // it had one, and has forgotten the job
}

const (
	callLimit   = 4096 // questions that wait for an answer
	callRepeat  = 500 * time.Millisecond
	callPace    = 2 * time.Millisecond // from one repeated question to the next, if many are open
	redirectGap = 20 * time.Millisecond
)

var (
	// errLater is the answer that is none: the caller asks again.
	errLater = errors.New("not now")

	errGivenUp = errors.New("no answer")

	// errOver says that the life has ended that was asked.
	errOver = errors.New("that life of the node is over")
)

// question is a call that waits for its answer.
type question struct {
	to     protocol.NodeID
	by     transport.Channel
	frame  []byte
	done   func(json.RawMessage, error)
	wanted func() bool
	until  time.Duration

	life  bool // only this life of the node can answer
	alive bool // it is given up when the latest life there is dead
	sent  int
	ring  []protocol.Address // custodians of a job; the one that is asked is To
	heard bool               // it decides, and has not yet
	lack  []protocol.Address // custodians that have no record, as they say
}

// handler answers a method.
type handler func(from protocol.NodeID, body json.RawMessage) (any, error)

// method makes a handler of a function with a typed body.
func method[B any](f func(from protocol.NodeID, body B) (any, error)) handler {
	return func(from protocol.NodeID, raw json.RawMessage) (any, error) {
		body, err := decode[B](raw)
		if err != nil {
			return nil, err
		}
		return f(from, body)
	}
}

// on the primary: a question of another daemon about a job that is named in its body.
func primary[B interface{ job() jobs.Name }](
	n *Node, f func(k *keeping, from protocol.NodeID, body B) (any, error),
) handler {
	return func(from protocol.NodeID, raw json.RawMessage) (any, error) {
		body, err := decode[B](raw)
		if err != nil {
			return nil, err
		}
		k, err := n.deciding(body.job())
		if err != nil {
			return nil, err
		}
		return f(k, from, body)
	}
}

// errUnreadable says that another daemon has sent what this release never sends.
var errUnreadable = errors.New("what another daemon has sent cannot be used")

// checked is a body of a call, or of its answer, that knows what can be wrong with it beside its
// JSON: whatever is looked up, counted, or used as a name.
type checked interface{ check() error }

// decode reads what another daemon has sent. Nothing else does.
func decode[T any](raw json.RawMessage) (value T, err error) {
	if err = json.Unmarshal(raw, &value); err == nil {
		if c, is := any(&value).(checked); is {
			err = c.check()
		}
	}
	if err != nil {
		return value, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	return value, nil
}

// ask asks the daemon at an address, or this one: its latest life, since what daemons ask each
// other about is on their disks. Done is called once, on the node's goroutine, unless the answer is
// no longer wanted. Patience 0 waits as long as it is wanted.
func (n *Node) ask(
	to protocol.NodeID, name string, body any, patience time.Duration, wanted func() bool,
	done func(json.RawMessage, error),
) {
	n.put(&question{to: to, done: done, wanted: wanted}, name, body, patience)
}

// ignoreAnswer is what is done with an answer that nobody needs.
func ignoreAnswer(json.RawMessage, error) {}

// askAlive asks as ask does, until the daemon is known to be dead: then the error is errOver. A
// life that is named has had a lease.
func (n *Node) askAlive(
	to protocol.NodeID, name string, body any, patience time.Duration, wanted func() bool,
	done func(json.RawMessage, error),
) {
	n.put(&question{to: to, alive: true, done: done, wanted: wanted}, name, body, patience)
}

// askLife asks a life of a daemon. Done is called with an error when that life is certainly over.
func (n *Node) askLife(
	to protocol.NodeID, name string, body any, wanted func() bool, done func(json.RawMessage, error),
) {
	n.put(&question{to: to, life: true, done: done, wanted: wanted}, name, body, 0)
}

// askCustodians asks the custodian of a job that decides, whichever that is.
func (n *Node) askCustodians(
	ring []protocol.Address, name string, body any, patience time.Duration, wanted func() bool,
	done func(json.RawMessage, error),
) {
	to := protocol.NodeID{Address: ring[0]}
	n.put(&question{to: to, ring: ring, done: done, wanted: wanted}, name, body, patience)
}

// put asks a question.
func (n *Node) put(q *question, name string, body any, patience time.Duration) {
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err) // a struct of this package
	}
	if len(n.questions) >= callLimit {
		n.log.Warn("too many questions", "method", name, "to", q.to.String())
		n.later(func() { q.done(nil, errGivenUp) })
		return
	}
	n.lastCall++
	if q.frame, err = json.Marshal(call{ID: n.lastCall, Method: name, Body: raw}); err != nil {
		panic(err)
	}
	q.by = callChannel(name)
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
		q.done(nil, fmt.Errorf("%w from %s", errGivenUp, q.names()))
		return
	case q.life && n.dead(q.to):
		delete(n.questions, id)
		q.done(nil, fmt.Errorf("%w: node %v", errOver, q.to))
		return
	case q.alive && n.dead(n.latest(q.to)):
		delete(n.questions, id)
		q.done(nil, fmt.Errorf("%w: node %v", errOver, n.latest(q.to)))
		return
	case q.life && q.sent > 1, q.alive && q.sent > 1 && n.latest(q.to) == q.to:
		n.suspect(q.to)
	case q.ring != nil && q.sent > 0 && !q.heard:
		q.turn()
	}
	q.heard = false
	q.sent++
	n.sendCall(n.latest(q.to), q.by, q.frame)
	n.after(max(callRepeat, callPace*time.Duration(len(n.questions))), func() { n.repeat(id) })
}

// names are those of the nodes that were asked, without their lives if any life could answer.
func (q *question) names() string {
	if q.ring != nil {
		return strings.Trim(fmt.Sprint(jobs.Custodians(q.ring).Nodes()), "[]")
	}
	return q.to.String()
}

// turn goes on to the next custodian.
func (q *question) turn() {
	i := slices.Index(q.ring, q.to.Address)
	q.to = protocol.NodeID{Address: q.ring[(i+1)%len(q.ring)]}
}

// lacks notes that a custodian has no record, and reports whether others may have one: there is a
// record only if more than half of them have it.
func (q *question) lacks(a protocol.Address) bool {
	if !slices.Contains(q.lack, a) {
		q.lack = append(q.lack, a)
	}
	return 2*len(q.lack) <= len(q.ring)
}

// resend sends a question once more before its time.
func (n *Node) resend(id uint64) {
	if q := n.questions[id]; q != nil {
		n.sendCall(n.latest(q.to), q.by, q.frame)
	}
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
	case "blob", "content", "events", "list", "elements", "printed":
		return transport.ChannelBulk
	}
	return transport.ChannelCore
}

// sendCall sends a question or an answer, unless the life is over.
func (n *Node) sendCall(to protocol.NodeID, by transport.Channel, frame []byte) {
	switch {
	case n.failed != nil:
	case to == n.self:
		n.later(func() { n.called(to, frame) })
	default:
		n.links.Send(to, by, callFrame, frame)
	}
}

// called takes a question or an answer.
func (n *Node) called(from protocol.NodeID, frame []byte) {
	c, err := decode[call](frame)
	if err != nil {
		n.unreadable(from, "call", err)
		return
	}
	if c.Method == "" {
		n.answered(from, c)
		return
	}
	h, known := n.handlers[c.Method]
	if !known {
		n.answer(from, c, nil, fmt.Errorf("no method %q", c.Method), frame)
		return
	}
	result, err := h(from, c.Body)
	if read, is := result.(beside); is && err == nil {
		n.readBeside(from, c, read, frame)
		return
	}
	n.answer(from, c, result, err, frame)
}

// beside is the result of a handler that reads files: the node's goroutine does not wait for a
// disk, or for what a job has put in place of a file.
type beside func() (any, error)

// besideLimit is how many of them read at once. Others are asked again.
const besideLimit = 64

func (n *Node) readBeside(from protocol.NodeID, c call, read beside, frame []byte) {
	if n.readers >= besideLimit {
		return
	}
	n.readers++
	n.machine.Go(func() {
		result, err := read()
		n.post(func() {
			n.readers--
			n.answer(from, c, result, err, frame)
		})
	})
}

// answer answers a question, now or later.
func (n *Node) answer(from protocol.NodeID, c call, result any, err error, frame []byte) {
	answer := call{ID: c.ID}
	switch {
	case errors.Is(err, errLater):
		return
	case errors.Is(err, errUnreadable), errors.Is(err, jobs.ErrRecord):
		n.unreadable(from, "call of "+c.Method, err)
		return
	case err != nil:
		n.refuse(&answer, err, parkedCall{from, c.ID, frame})
	default:
		if answer.Body, err = json.Marshal(result); err != nil {
			answer.Error = err.Error()
		}
	}
	raw, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	n.whenDurable(func() { n.sendCall(from, callChannel(c.Method), raw) })
}

// refuse makes an answer of an error.
func (n *Node) refuse(answer *call, err error, p parkedCall) {
	var parked errParked
	var elsewhere errElsewhere
	switch {
	case errors.As(err, &parked):
		parked.k.park(p)
		answer.Later = true
	case errors.As(err, &elsewhere):
		answer.Elsewhere = &elsewhere.leader
	default:
		answer.Error, answer.Unknown = err.Error(), errors.Is(err, errNoRecord)
		answer.Forgotten = errors.Is(err, errForgotten)
	}
}

// answered passes an answer on, once.
func (n *Node) answered(from protocol.NodeID, c call) {
	q := n.questions[c.ID]
	if q == nil || q.to.Address != from.Address && !slices.Contains(q.ring, from.Address) || n.redirected(q, from, c) {
		return
	}
	delete(n.questions, c.ID)
	if q.wanted != nil && !q.wanted() {
		return
	}
	if c.Forgotten {
		q.done(nil, api.Errorf(errForgotten, "%s", c.Error))
		return
	}
	if c.Error != "" {
		q.done(nil, errors.New(c.Error))
		return
	}
	q.done(c.Body, nil)
}

// redirected takes the answer of a custodian that has no answer. It reports false if it has one.
func (n *Node) redirected(q *question, from protocol.NodeID, c call) bool {
	switch {
	case c.Later:
		q.heard = true
		if q.ring != nil {
			q.to = protocol.NodeID{Address: from.Address}
		}
		return true
	case c.Elsewhere != nil && slices.Contains(q.ring, *c.Elsewhere):
		q.to, q.heard = protocol.NodeID{Address: *c.Elsewhere}, false
	case c.Unknown && q.lacks(from.Address):
		q.turn()
	default:
		return c.Elsewhere != nil
	}
	id := c.ID
	n.after(redirectGap, func() { n.resend(id) })
	return true
}

// whenDurable does something once all changes of records are on the disk.
func (n *Node) whenDurable(f func()) { n.durable = append(n.durable, f) }
