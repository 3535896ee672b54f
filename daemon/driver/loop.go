package driver

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/protocol"
)

// BatchLimit is how many inputs one turn takes at most.
const BatchLimit = 64

// QueueLimit is how many inputs wait at most.
const QueueLimit = 65_536

// Loop steps the cores of one node.
type Loop struct {
	env      Environment
	recorder Recorder

	// Withhold reports that a timer must not fire now although it is due: its cause is not certain. It
	// is set again, for Later. Nil: no timer is withheld.
	Withhold func(core CoreID, timer protocol.Timer) bool

	// First is the core whose inputs go before those of all others, and whose timers that are due go
	// before its other inputs: the leases. It is set before any core is added.
	First CoreID

	// Over reports that the incarnation ends with the present state of the cores: no further input is
	// taken. Nil: it goes on.
	Over func() bool

	// Around is called with each input, and must call step, which takes it to its core. So the caller
	// can see which steps take long. Nil: step is called without it.
	Around func(core CoreID, kind protocol.InputKind, step func())

	// Broken is called with the error of a message that does not decode. The sender uses another
	// encoding.
	Broken func(core CoreID, from protocol.NodeID, err error)

	now    time.Duration
	cores  map[CoreID]runner
	timers timers
	urgent timers // of the core First
	queues [classes][]input

	writes  []Write
	effects []effect
	group   int      // where the effects of the present input begin
	own     []effect // envelopes of the present input for this node

	ending  int      // processes that are to end and have not
	waiting []effect // envelopes that wait for them
}

// Later is how long a withheld timer is postponed.
const Later = 250 * time.Millisecond

// input is something for a core.
type input struct {
	kind     protocol.InputKind
	core     CoreID
	begin    func()
	from, to protocol.NodeID
	payload  []byte
	alarm    alarm
	timer    protocol.Timer
	command  any
	measure  uint32
}

// class is the urgency of an input. Inputs of one class are taken in order.
type class uint8

const (
	firstBeginClass class = iota // the core First begins
	firstClass                   // its other inputs, except due timers
	beginClass
	timerClass
	deliverClass
	commandClass
	measuredClass
	classes
)

func (l *Loop) class(in *input) class {
	if in.core == l.First {
		if in.begin != nil {
			return firstBeginClass
		}
		return firstClass
	}
	switch in.kind {
	case protocol.Timeout:
		return timerClass
	case protocol.Deliver:
		return deliverClass
	case protocol.Command:
		return commandClass
	case protocol.Measured:
		return measuredClass
	}
	return beginClass
}

// New returns a loop without cores. Recorder may be nil.
func New(env Environment, recorder Recorder) *Loop {
	return &Loop{env: env, recorder: recorder, cores: map[CoreID]runner{}, timers: newTimers(), urgent: newTimers()}
}

// Deliver queues a message from another node, as it came from the network.
func (l *Loop) Deliver(core CoreID, from, to protocol.NodeID, payload []byte) {
	l.post(input{kind: protocol.Deliver, core: core, from: from, to: to, payload: payload})
}

// Command queues a command. Its type must be the core's.
func (l *Loop) Command(core CoreID, command any) {
	l.post(input{kind: protocol.Command, core: core, command: command})
}

// Measured queues the answer to a Measure, in the core's unit.
func (l *Loop) Measured(core CoreID, peer protocol.NodeID, measure uint32) {
	l.post(input{kind: protocol.Measured, core: core, from: peer, measure: measure})
}

// Fire queues the end of the process behind a timer.
func (l *Loop) Fire(core CoreID, timer protocol.Timer) {
	l.post(input{kind: protocol.Timeout, core: core, timer: timer})
}

// Stopped says that a process has ended as a core wanted. Held envelopes leave once all such
// processes have ended.
func (l *Loop) Stopped() {
	if l.ending == 0 {
		panic("driver: no process is to end")
	}
	l.ending--
	l.release()
}

func (l *Loop) post(in input) {
	c := l.class(&in)
	l.queues[c] = append(l.queues[c], in)
}

// Turn takes the inputs that are queued or due, at most BatchLimit, commits, and carries out the
// effects. It returns the time at which to call again, which is now if inputs are left; ok is false
// if only a new input can change anything.
func (l *Loop) Turn(now time.Duration) (next time.Duration, ok bool, err error) {
	l.now = max(now, l.now)
	for range BatchLimit {
		if l.Over != nil && l.Over() {
			break
		}
		in, some := l.take()
		if !some {
			break
		}
		l.feed(in)
	}
	if len(l.writes) > 0 {
		if err := l.env.Commit(l.writes); err != nil {
			l.effects = nil
			return 0, false, fmt.Errorf("nothing of this step was sent: %w", err)
		}
		l.writes = nil
	}
	l.carryOut()
	if len(l.waiting) > HeldLimit {
		return 0, false, fmt.Errorf("%w: %d envelopes wait for a process to end", ErrLimit, len(l.waiting))
	}
	waiting := 0
	for _, q := range l.queues {
		waiting += len(q)
	}
	switch {
	case waiting > QueueLimit:
		return 0, false, fmt.Errorf("%w: %d inputs wait", ErrLimit, waiting)
	case waiting > 0:
		return l.now, true, nil
	}
	next, ok = l.timers.next()
	if first, some := l.urgent.next(); some && (!ok || first < next) {
		return first, true, nil
	}
	return next, ok, nil
}

// Due returns the time at which a timer is due that is pending.
func (l *Loop) Due(core CoreID, timer protocol.Timer) (at time.Duration, pending bool) {
	a, pending := l.of(core).pending[named{core, timer}]
	return a.at, pending
}

// of returns where the timers of a core are.
func (l *Loop) of(core CoreID) *timers {
	if core == l.First {
		return &l.urgent
	}
	return &l.timers
}

// States are the states of all cores whose incarnations have begun, in the order of their names. A
// segment of a record begins with them, between two turns.
func (l *Loop) States() (all []State) {
	for id, core := range l.cores {
		if encoded, lives := core.state(); lives {
			all = append(all, State{id, encoded})
		}
	}
	slices.SortFunc(all, func(a, b State) int {
		return cmp.Or(
			cmp.Compare(a.Core.Kind, b.Core.Kind), a.Core.By.Compare(b.Core.By), cmp.Compare(a.Core.Epoch, b.Core.Epoch),
		)
	})
	return all
}

// take returns the most urgent input: those of the core First, its timers before the rest of them,
// then what begins incarnations of others, then their timers that are due, then messages. So
// however much waits for others, First waits for none of it.
func (l *Loop) take() (input, bool) {
	for c := range l.queues {
		due, some := alarm{}, false
		switch class(c) {
		case firstClass:
			due, some = l.urgent.due(l.now)
		case timerClass:
			if len(l.queues[c]) == 0 {
				due, some = l.timers.due(l.now)
			}
		}
		if some {
			return input{kind: protocol.Timeout, core: due.core, timer: due.timer, alarm: due}, true
		}
		if q := l.queues[c]; len(q) > 0 {
			l.queues[c] = q[1:]
			return q[0], true
		}
	}
	return input{}, false
}

// feed passes an input to its core. One for a core that is not there any more is dropped.
func (l *Loop) feed(in input) {
	core, there := l.cores[in.core]
	if !there {
		return
	}
	l.group = len(l.effects)
	if l.Around == nil {
		l.pass(core, in)
		return
	}
	l.Around(in.core, in.kind, func() { l.pass(core, in) })
}

// pass lets a core take an input.
func (l *Loop) pass(core runner, in input) {
	switch in.kind {
	case protocol.Deliver:
		if err := core.deliver(in.from, in.to, in.payload); err != nil && l.Broken != nil {
			l.Broken(in.core, in.from, err)
		}
	case protocol.Timeout:
		l.expire(core, in)
	case protocol.Command:
		core.command(in.command)
	case protocol.Measured:
		core.measured(in.from, in.measure)
	default:
		in.begin()
	}
	own := l.own
	l.own = nil
	for i := range own {
		l.send(&own[i])
	}
}

// expire lets a timer fire, unless it is withheld. A timer that was set again or cancelled is not
// due.
func (l *Loop) expire(core runner, in input) {
	n := named{in.core, in.timer}
	if in.alarm.round != 0 {
		timers := l.of(in.core)
		if l.Withhold != nil && l.Withhold(in.core, in.timer) {
			timers.set(n, l.now+Later)
			return
		}
		timers.cancel(n)
	}
	core.fire(in.timer)
}
