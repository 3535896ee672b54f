package rpc

import (
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// daemon is the surroundings of an exchange. Its time, its links and its view of others belong
// to the test.
type daemon struct {
	*Exchange
	now        time.Duration
	alarms     []alarm
	after      []func()
	durable    []func()
	read       []func() // beside the goroutine
	sent       []sent
	lives      map[protocol.Address]uint16
	dead       map[protocol.NodeID]bool
	suspected  []protocol.NodeID
	unreadable []protocol.NodeID
}

type alarm struct {
	at time.Duration
	do func()
}

type sent struct {
	to      protocol.NodeID
	channel transport.Channel
	call    call
}

func newDaemon() *daemon {
	d := &daemon{lives: map[protocol.Address]uint16{}, dead: map[protocol.NodeID]bool{}}
	d.Exchange = New(d, slog.New(slog.DiscardHandler))
	return d
}

func (d *daemon) Clock() time.Duration { return d.now }
func (d *daemon) After(in time.Duration, f func()) {
	d.alarms = append(d.alarms, alarm{d.now + in, f})
}
func (d *daemon) Later(f func())       { d.after = append(d.after, f) }
func (d *daemon) WhenDurable(f func()) { d.durable = append(d.durable, f) }
func (d *daemon) Beside(f func(), then func()) {
	d.read = append(d.read, func() { f(); then() })
}

func (d *daemon) Send(to protocol.NodeID, by transport.Channel, frame []byte) {
	c, err := Decode[call](frame)
	if err != nil {
		panic(err)
	}
	d.sent = append(d.sent, sent{to, by, c})
}

func (d *daemon) Latest(id protocol.NodeID) protocol.NodeID {
	id.Incarnation = max(id.Incarnation, d.lives[id.Address])
	return id
}

func (d *daemon) IsDead(id protocol.NodeID) bool { return d.dead[id] || d.Latest(id) != id }

func (d *daemon) Suspect(id protocol.NodeID) { d.suspected = append(d.suspected, id) }

func (d *daemon) Unreadable(from protocol.NodeID, _ string, _ error) {
	d.unreadable = append(d.unreadable, from)
}

// pass lets time pass.
func (d *daemon) pass(by time.Duration) {
	end := d.now + by
	for {
		slices.SortStableFunc(d.alarms, func(a, b alarm) int { return int(a.at - b.at) })
		if len(d.alarms) == 0 || d.alarms[0].at > end {
			break
		}
		next := d.alarms[0]
		d.alarms, d.now = d.alarms[1:], next.at
		next.do()
	}
	d.now = end
}

// hear passes a frame to the exchange, and does the postponed work.
func (d *daemon) hear(from protocol.NodeID, c call) {
	d.Receive(from, encode(c))
	for _, put := range []*[]func(){&d.read, &d.durable, &d.after} {
		some := *put
		*put = nil
		for _, f := range some {
			f()
		}
	}
}

// last is the frame that was sent last.
func (d *daemon) last(t *testing.T) sent {
	t.Helper()
	require.NotEmpty(t, d.sent)
	return d.sent[len(d.sent)-1]
}

var (
	other = protocol.NodeID{Address: 9, Incarnation: 2}
	asker = protocol.NodeID{Address: 8, Incarnation: 1}
)

// However many questions wait for a node that is out of reach, they are repeated at a pace that
// leaves time for the rest. One question is repeated soon.
func TestManyQuestionsKeepTheirPace(t *testing.T) {
	const lasts = 20 * time.Second
	for _, test := range []struct{ questions, least, most int }{
		{1, int(lasts / RepeatEvery), int(lasts / RepeatEvery)},
		{2000, int(lasts/pace) * 9 / 10, int(lasts / pace)},
	} {
		d := newDaemon()
		for range test.questions {
			Echo.Ask(d.Exchange, Daemon(other), None{}, nil)
		}
		d.pass(lasts)
		repeated := len(d.sent) - test.questions
		assert.LessOrEqual(t, repeated, test.most+int(RepeatEvery/pace), test.questions)
		assert.GreaterOrEqual(t, repeated, test.least, test.questions)
	}
}

// More questions than the limit are given up at once, each with an error.
func TestQuestionsAreLimited(t *testing.T) {
	d := newDaemon()
	for range Limit {
		Echo.Ask(d.Exchange, Daemon(other), None{}, nil)
	}
	var given error
	Echo.Ask(d.Exchange, Daemon(other), None{}, func(_ None, err error) { given = err })
	assert.Equal(t, Limit, d.Waiting())
	require.NoError(t, given, "the caller goes on first")
	d.after[0]()
	assert.ErrorIs(t, given, ErrGivenUp)
}

// A question to an incarnation stays one to that incarnation when the answer comes later. It does
// not count as a question to a dead incarnation, which would be over at once: jobs were accepted so
// whose inputs were still on their way.
func TestAnAnswerThatComesLaterIsWaitedFor(t *testing.T) {
	for name, to := range map[string]Target{"only": Only(other), "living": Living(other)} {
		d := newDaemon()
		d.lives[other.Address] = other.Incarnation
		over := false
		Keep.Ask(d.Exchange, to, Copy{json.RawMessage("{}")}, func(_ KeepAnswer, err error) {
			require.NoError(t, err)
			over = true
		})
		for range 4 {
			d.hear(other, call{ID: 1, Later: true})
			d.pass(2 * RepeatEvery)
		}
		assert.False(t, over, name)
		d.hear(other, call{ID: 1, Body: json.RawMessage("{}")})
		assert.True(t, over, name)
	}
}

// A question to an incarnation, or to a living daemon, ends with it; until then the witnesses are
// asked about it. Patience, and an answer that is no longer wanted, end a question, too.
func TestQuestionsEnd(t *testing.T) {
	for name, test := range map[string]struct {
		to        Target
		happens   func(*daemon)
		want      error // nil: the question waits
		suspected bool
	}{
		"a daemon":                        {Daemon(other), func(d *daemon) { d.dead[other] = true }, nil, false},
		"one incarnation":                 {Only(other), func(*daemon) {}, nil, true},
		"one incarnation that died":       {Only(other), func(d *daemon) { d.dead[other] = true }, ErrOver, false},
		"one incarnation, another begins": {Only(other), func(d *daemon) { d.lives[9] = 3 }, ErrOver, false},
		"the living":                      {Living(other), func(*daemon) {}, nil, true},
		"the living that died":            {Living(other), func(d *daemon) { d.dead[other] = true }, ErrOver, false},
		"the living in a new incarnation": {Living(other), func(d *daemon) { d.lives[9] = 3 }, nil, false},
		"patience":                        {Daemon(other).Within(time.Second), func(*daemon) {}, ErrGivenUp, false},
	} {
		d := newDaemon()
		var ended error
		Echo.Ask(d.Exchange, test.to, None{}, func(_ None, err error) { ended = err })
		test.happens(d)
		d.pass(10 * RepeatEvery)
		assert.ErrorIs(t, ended, test.want, name)
		assert.Equal(t, test.want == nil, d.Waiting() == 1, name)
		assert.Equal(t, test.suspected, len(d.suspected) > 0, name)
	}
	d := newDaemon()
	wanted := true
	Echo.Ask(d.Exchange, Daemon(other).While(func() bool { return wanted }), None{},
		func(None, error) { t.Error("its answer is not wanted") })
	wanted = false
	d.hear(other, call{ID: 1, Body: json.RawMessage("null")})
	assert.Zero(t, d.Waiting())
}

// The question of a custodian goes around until one decides; that custodian is asked further.
func TestTheOneThatDecidesIsFound(t *testing.T) {
	d := newDaemon()
	ring := []protocol.Address{4, 7, 9}
	var granted bool
	Permit.Ask(d.Exchange, Primary(ring), PermitRequest{}, func(yes bool, err error) {
		require.NoError(t, err)
		granted = yes
	})
	asked := func() protocol.Address { return d.last(t).to.Address }
	assert.EqualValues(t, 4, asked())
	d.pass(RepeatEvery)
	assert.EqualValues(t, 7, asked(), "the first one is silent")
	leader := protocol.Address(9)
	d.hear(protocol.NodeID{Address: 7, Incarnation: 1}, call{ID: 1, Elsewhere: &leader})
	d.pass(redirectGap)
	assert.EqualValues(t, 9, asked())
	d.hear(other, call{ID: 1, Later: true})
	d.pass(3 * RepeatEvery)
	assert.EqualValues(t, 7, asked(), "it said so once, and was silent since")
	d.hear(asker, call{ID: 1, Body: json.RawMessage("true")})
	assert.False(t, granted, "that one is no custodian")
	d.hear(other, call{ID: 1, Body: json.RawMessage("true")})
	assert.True(t, granted)
}

// One custodian that is asked again and again does not speak for the others.
func TestAJobIsUnknownWhenMostCustodiansSaySo(t *testing.T) {
	others := func(ring []protocol.Address, said ...protocol.Address) (others bool) {
		q := &question{Target: Target{ring: ring}}
		for _, a := range said {
			others = q.lacks(a)
		}
		return others
	}
	ring := []protocol.Address{4, 7, 9}
	assert.True(t, others(ring, 7, 7, 7, 7))
	assert.False(t, others(ring, 7, 7, 9))
	assert.True(t, others(ring[:2], 7, 7))
	assert.False(t, others(ring[:2], 7, 4))
	assert.False(t, others(nil, 4), "one node's answer is enough if only it is asked")
}

// Errors of handlers reach the daemon that asks in the way that they name.
func TestErrorsOfHandlers(t *testing.T) {
	leader := protocol.Address(4)
	var w Waiting
	for name, test := range map[string]struct {
		err  error
		want *call // nil: no answer
	}{
		"none":       {nil, &call{ID: 1, Body: json.RawMessage("true")}},
		"an error":   {errors.New("x"), &call{ID: 1, Error: "x"}},
		"no record":  {ErrNoRecord, &call{ID: 1, Error: ErrNoRecord.Error(), Unknown: true}},
		"forgotten":  {ErrForgotten, &call{ID: 1, Error: ErrForgotten.Error(), Forgotten: true}},
		"elsewhere":  {Elsewhere{leader}, &call{ID: 1, Elsewhere: &leader}},
		"undecided":  {w.Undecided(), &call{ID: 1, Later: true}},
		"later":      {ErrLater, nil},
		"unreadable": {ErrUnreadable, nil},
	} {
		d := newDaemon()
		Owns.Answer(d.Exchange, func(protocol.NodeID, uint32) (bool, error) { return true, test.err })
		d.hear(asker, call{ID: 1, Method: Owns.Name(), Body: json.RawMessage("1")})
		if test.want == nil {
			assert.Empty(t, d.sent, name)
			continue
		}
		assert.Equal(t, []sent{{asker, transport.ChannelCore, *test.want}}, d.sent, name)
	}
	d := newDaemon()
	d.hear(asker, call{ID: 1, Method: "no such", Body: json.RawMessage("1")})
	assert.Equal(t, `no method "no such"`, d.last(t).call.Error)
}

// Questions that wait are answered with the decision, each once however often it was repeated, and
// only so many.
func TestQuestionsWaitForADecision(t *testing.T) {
	d := newDaemon()
	var w Waiting
	decided := false
	Owns.Answer(d.Exchange, func(protocol.NodeID, uint32) (bool, error) {
		if !decided {
			return false, w.Undecided()
		}
		return true, nil
	})
	for range 2 {
		for id := range uint64(waitingLimit + 1) {
			d.hear(asker, call{ID: id, Method: Owns.Name(), Body: json.RawMessage("1")})
		}
	}
	d.sent, decided = nil, true
	d.Reopen(&w)
	d.hear(asker, call{})
	assert.Len(t, d.sent, waitingLimit)
	d.Reopen(&w)
	assert.Empty(t, d.durable, "none waits any more")
}

// Handlers that read files run beside the goroutine, a few at a time. The others are asked again.
func TestHandlersBesideAreLimited(t *testing.T) {
	d := newDaemon()
	Blob.AnswerBeside(d.Exchange, func(protocol.NodeID, PieceOf) (func() (Fragment, error), error) {
		return func() (Fragment, error) { return Fragment{Size: 1}, nil }, nil
	})
	body := encode(PieceOf{Path: "x"})
	for id := range uint64(besideLimit + 1) {
		d.Receive(asker, encode(call{ID: id, Method: Blob.Name(), Body: body}))
	}
	assert.Len(t, d.read, besideLimit)
	d.hear(asker, call{ID: 1000, Method: Blob.Name(), Body: body})
	assert.Len(t, d.sent, besideLimit)
	assert.Equal(t, transport.ChannelBulk, d.last(t).channel)
	d.hear(asker, call{ID: 1000, Method: Blob.Name(), Body: body})
	assert.Len(t, d.sent, besideLimit+1, "there is room again")
}
