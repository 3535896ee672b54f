package rpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// call is the content of a frame: a question, or its answer. A question is repeated until it is
// answered or given up, so every handler does the same when it is called twice.
type call struct {
	ID     uint64          `json:"id"`
	Method string          `json:"method,omitempty"` // of a question
	Body   json.RawMessage `json:"body,omitempty"`
	Error  string          `json:"error,omitempty"`

	// For a question about a job, to a custodian:
	Later     bool              `json:"later,omitempty"`     // the answer comes once it is decided
	Elsewhere *protocol.Address `json:"elsewhere,omitempty"` // this custodian decides
	Unknown   bool              `json:"unknown,omitempty"`   // this custodian has no record
	Forgotten bool              `json:"forgotten,omitempty"` // it had one, and has forgotten the job
}

// Limit is how many questions can wait for an answer.
const Limit = 4096

// RepeatEvery is the time after which a question is repeated, if few are open.
const RepeatEvery = 500 * time.Millisecond

const (
	pace        = 2 * time.Millisecond // from one repeated question to the next, if many are open
	redirectGap = 20 * time.Millisecond
	besideLimit = 64 // handlers that read files at a time; others are asked again
)

var (
	// ErrLater is the error of a handler that does not answer now: the daemon asks again.
	ErrLater = errors.New("not now")

	// ErrGivenUp says that no answer has come in time.
	ErrGivenUp = errors.New("no answer")

	// ErrOver says that the incarnation to ask has ended.
	ErrOver = errors.New("that incarnation of the node is over")

	// ErrNoRecord says that a custodian has no record of a job: it has forgotten it, or never had
	// it.
	ErrNoRecord = errors.New("no record")

	// ErrForgotten says that a custodian has forgotten the job, which was removed or was old.
	ErrForgotten = errors.New("the job is forgotten here")
)

// Elsewhere is the error of a custodian that is not the primary: the question goes to the primary.
type Elsewhere struct{ Leader protocol.Address }

func (Elsewhere) Error() string { return "another custodian decides" }

// Surroundings is an exchange's view of its daemon. All methods are called on the goroutine of the
// exchange.
type Surroundings interface {
	Clock() time.Duration
	After(d time.Duration, f func())
	Later(f func())               // after this turn
	WhenDurable(f func())         // once all changes of records are on the disk
	Beside(f func(), then func()) // f on another goroutine, and then the rest on this one
	Send(to protocol.NodeID, by transport.Channel, frame []byte)
	Latest(id protocol.NodeID) protocol.NodeID // the latest known incarnation there
	IsDead(id protocol.NodeID) bool
	Suspect(id protocol.NodeID) // asks the witnesses about it
	Unreadable(from protocol.NodeID, what string, err error)
}

// Exchange is the calls of one daemon: its own open questions, and the handlers for the questions
// of others.
type Exchange struct {
	daemon    Surroundings
	log       *slog.Logger
	handlers  map[string]handler
	questions map[uint64]*question
	last      uint64 // the number of the latest question
	readers   int    // handlers that read files now
}

// New returns an exchange without handlers.
func New(daemon Surroundings, log *slog.Logger) *Exchange {
	return &Exchange{daemon: daemon, log: log, handlers: map[string]handler{}, questions: map[uint64]*question{}}
}

// Unanswered lists the calls of the table that have no handler.
func (x *Exchange) Unanswered() []string {
	return slices.DeleteFunc(Names(), func(name string) bool { return x.handlers[name] != nil })
}

// Waiting is how many questions wait for an answer.
func (x *Exchange) Waiting() int { return len(x.questions) }

// question is a call that waits for its answer.
type question struct {
	Target
	by    transport.Channel
	frame []byte
	done  func(json.RawMessage, error)
	until time.Duration // 0: it waits as long as it is wanted
	sent  int
	heard bool               // this custodian decides, and has not yet
	lack  []protocol.Address // custodians that have no record, as they answer
}

// put asks a question.
func (x *Exchange) put(to Target, name string, request json.RawMessage, done func(json.RawMessage, error)) {
	if len(x.questions) >= Limit {
		x.log.Warn("too many questions", "method", name, "to", to.to.String())
		x.daemon.Later(func() { done(nil, ErrGivenUp) })
		return
	}
	x.last++
	q := &question{
		Target: to, done: done, by: channelOf(name),
		frame: encode(call{ID: x.last, Method: name, Body: request}),
	}
	if to.patience > 0 {
		q.until = x.daemon.Clock() + to.patience
	}
	x.questions[x.last] = q
	x.repeat(x.last)
}

// repeat sends a question, and once more later.
func (x *Exchange) repeat(id uint64) {
	q := x.questions[id]
	latest := func() protocol.NodeID { return x.daemon.Latest(q.to) }
	switch {
	case q == nil:
		return
	case q.wanted != nil && !q.wanted():
		delete(x.questions, id)
		return
	case q.until > 0 && x.daemon.Clock() > q.until:
		delete(x.questions, id)
		q.done(nil, fmt.Errorf("%w from %s", ErrGivenUp, q.names()))
		return
	case q.life && x.daemon.IsDead(q.to):
		delete(x.questions, id)
		q.done(nil, fmt.Errorf("%w: node %v", ErrOver, q.to))
		return
	case q.alive && x.daemon.IsDead(latest()):
		delete(x.questions, id)
		q.done(nil, fmt.Errorf("%w: node %v", ErrOver, latest()))
		return
	case q.life && q.sent > 1, q.alive && q.sent > 1 && latest() == q.to:
		x.daemon.Suspect(q.to)
	case q.ring != nil && q.sent > 0 && !q.heard:
		q.turn()
	}
	q.heard = false
	q.sent++
	x.daemon.Send(latest(), q.by, q.frame)
	x.daemon.After(max(RepeatEvery, pace*time.Duration(len(x.questions))), func() { x.repeat(id) })
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
func (x *Exchange) resend(id uint64) {
	if q := x.questions[id]; q != nil {
		x.daemon.Send(x.daemon.Latest(q.to), q.by, q.frame)
	}
}

// Receive takes a frame with a question or an answer.
func (x *Exchange) Receive(from protocol.NodeID, frame []byte) {
	c, err := Decode[call](frame)
	if err != nil {
		x.daemon.Unreadable(from, "call", err)
		return
	}
	if c.Method == "" {
		x.answered(from, c)
		return
	}
	h, known := x.handlers[c.Method]
	if !known {
		x.answer(from, c, nil, fmt.Errorf("no method %q", c.Method), frame)
		return
	}
	result, err := h(from, c.Body)
	if read, is := result.(beside); is && err == nil {
		x.readBeside(from, c, read, frame)
		return
	}
	x.answer(from, c, result, err, frame)
}

func (x *Exchange) readBeside(from protocol.NodeID, c call, read beside, frame []byte) {
	if x.readers >= besideLimit {
		return
	}
	x.readers++
	var result any
	var err error
	x.daemon.Beside(func() { result, err = read() }, func() {
		x.readers--
		x.answer(from, c, result, err, frame)
	})
}

// answer answers a question, now or later.
func (x *Exchange) answer(from protocol.NodeID, c call, result any, err error, frame []byte) {
	answer := call{ID: c.ID}
	switch {
	case errors.Is(err, ErrLater):
		return
	case errors.Is(err, ErrUnreadable), errors.Is(err, jobs.ErrRecord):
		x.daemon.Unreadable(from, "call of "+c.Method, err)
		return
	case err != nil:
		refuse(&answer, err, waitingCall{from, c.ID, frame})
	default:
		if answer.Body, err = json.Marshal(result); err != nil {
			answer.Error = err.Error()
		}
	}
	raw := encode(answer)
	x.daemon.WhenDurable(func() { x.daemon.Send(from, channelOf(c.Method), raw) })
}

// refuse makes an answer of an error.
func refuse(answer *call, err error, w waitingCall) {
	var undecided Undecided
	var elsewhere Elsewhere
	switch {
	case errors.As(err, &undecided):
		undecided.waiting.add(w)
		answer.Later = true
	case errors.As(err, &elsewhere):
		answer.Elsewhere = &elsewhere.Leader
	default:
		answer.Error, answer.Unknown = err.Error(), errors.Is(err, ErrNoRecord)
		answer.Forgotten = errors.Is(err, ErrForgotten)
	}
}

// answered passes an answer on, once.
func (x *Exchange) answered(from protocol.NodeID, c call) {
	q := x.questions[c.ID]
	if q == nil || q.to.Address != from.Address && !slices.Contains(q.ring, from.Address) || x.redirected(q, from, c) {
		return
	}
	delete(x.questions, c.ID)
	if q.wanted != nil && !q.wanted() {
		return
	}
	if c.Forgotten {
		q.done(nil, api.Errorf(ErrForgotten, "%s", c.Error))
		return
	}
	if c.Error != "" {
		q.done(nil, errors.New(c.Error))
		return
	}
	q.done(c.Body, nil)
}

// redirected takes the answer of a custodian that has no answer. It reports false if it has one.
func (x *Exchange) redirected(q *question, from protocol.NodeID, c call) bool {
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
	x.daemon.After(redirectGap, func() { x.resend(id) })
	return true
}
