package driver

import (
	"fmt"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive"
)

// Traits describe a core to the loop, beyond its step.
type Traits[S, M any] struct {
	Self    func(S) protocol.NodeID   // the node's identity
	Process func(protocol.Timer) bool // the timer stands for a process; nil: none does
	Held    func(M) bool              // the message waits while a process ends; nil: none does

	// Pace is the least time from one timer of all cores of this kind to the next, on average: the
	// more of them are pending, the later a timer fires. So what a node spends on them has a bound,
	// however many such cores it has. 0: they fire when they want to.
	Pace time.Duration
}

// Instance is a core in a loop.
type Instance[S, M, C any] struct {
	loop   *Loop
	id     CoreID
	core   protocol.Core[S, M, C]
	traits Traits[S, M]
	node   *drive.Node[S, M, C]
}

// runner is an instance without its types.
type runner interface {
	deliver(from, to protocol.NodeID, payload []byte) error
	fire(protocol.Timer)
	measured(peer protocol.NodeID, measure uint32)
	command(c any)
	state() (encoded []byte, lives bool)
}

// Add puts a core into the loop. Its incarnation begins with the next turn, in the state that the
// process was made with; persisted has the bytes that its last incarnation persisted, or nil.
func Add[S, M, C any](
	l *Loop, id CoreID, core protocol.Core[S, M, C], traits Traits[S, M], made S, persisted []byte,
) *Instance[S, M, C] {
	if l.cores[id] != nil {
		panic(fmt.Sprintf("driver: core %v is added twice", id))
	}
	in := &Instance[S, M, C]{loop: l, id: id, core: core, traits: traits}
	in.node = drive.New(in.step, traits.Self, drive.Effects[M](in))
	l.cores[id] = in
	l.post(input{kind: protocol.Start, core: id, begin: func() {
		if l.recorder != nil {
			l.recorder.Begin(id, l.now, core.AppendState(nil, made))
		}
		in.node.Start(made, persisted)
	}})
	return in
}

// Remove takes a core out of the loop. Its timers and inputs are forgotten.
func (l *Loop) Remove(id CoreID) {
	if l.recorder != nil && l.cores[id] != nil {
		l.recorder.End(id)
	}
	delete(l.cores, id)
	l.of(id).forget(id)
}

// State is the state of the core.
func (i *Instance[S, M, C]) State() S { return i.node.State() }

// Self is the identity of the core's node.
func (i *Instance[S, M, C]) Self() protocol.NodeID { return i.node.ID() }

// step records an input, takes the step and records the output.
func (i *Instance[S, M, C]) step(s S, in protocol.Input[M, C]) (S, protocol.Output[M]) {
	r := i.loop.recorder
	if r == nil {
		return i.core.Step(s, in)
	}
	r.Input(i.id, i.loop.now, protocol.AppendInput(nil, i.core, in))
	s, out := i.core.Step(s, in)
	r.Output(i.id, protocol.AppendOutput(nil, i.core, out))
	return s, out
}

func (i *Instance[S, M, C]) deliver(from, to protocol.NodeID, payload []byte) error {
	m, err := i.core.DecodeMessage(payload)
	if err != nil {
		return err
	}
	i.node.Deliver(protocol.Envelope[M]{From: from, To: to, Message: m})
	return nil
}

func (i *Instance[S, M, C]) state() ([]byte, bool) {
	return i.core.AppendState(nil, i.node.State()), i.node.Running()
}

func (i *Instance[S, M, C]) fire(t protocol.Timer) { i.node.Fire(t) }

func (i *Instance[S, M, C]) measured(peer protocol.NodeID, measure uint32) {
	i.node.Measured(peer, measure)
}

func (i *Instance[S, M, C]) command(c any) { i.node.Command(c.(C)) }

// Persist puts the bytes into the batch, in place of earlier ones.
func (i *Instance[S, M, C]) Persist(state []byte) {
	l := i.loop
	l.writes = slices.DeleteFunc(l.writes, func(w Write) bool { return w.Core == i.id })
	l.writes = append(l.writes, Write{i.id, state})
}

// Send puts an envelope into the batch, or, if it is for this node, among the inputs after the
// step.
func (i *Instance[S, M, C]) Send(e protocol.Envelope[M]) {
	send := effect{kind: sendEffect, core: i.id, to: e.To, payload: i.core.AppendMessage(nil, e.Message)}
	send.held = i.traits.Held != nil && i.traits.Held(e.Message)
	if e.To == e.From {
		send.kind = ownEffect
		i.loop.own = append(i.loop.own, send)
		return
	}
	i.loop.effects = append(i.loop.effects, send)
}

// Cancel forgets a timer. If it stands for a process, the process is ended before the messages of
// the same input leave, so that the held envelopes wait for it.
func (i *Instance[S, M, C]) Cancel(t protocol.Timer) {
	if i.process(t) {
		i.loop.ending++
		i.loop.effects = slices.Insert(i.loop.effects, i.loop.group, effect{kind: endEffect, core: i.id, timer: t})
		return
	}
	i.loop.of(i.id).cancel(named{i.id, t})
}

// Set starts a timer.
func (i *Instance[S, M, C]) Set(s protocol.SetTimer) {
	if i.process(s.Timer) {
		i.loop.effects = append(i.loop.effects, effect{kind: beginEffect, core: i.id, timer: s.Timer})
		return
	}
	timers := i.loop.of(i.id)
	after := Tick * time.Duration(i.loop.env.Between(s.MinTicks, s.MaxTicks))
	paced := i.traits.Pace * time.Duration(timers.ofKind[i.id.Kind])
	timers.set(named{i.id, s.Timer}, i.loop.now+max(after, paced))
}

func (i *Instance[S, M, C]) process(t protocol.Timer) bool {
	return i.traits.Process != nil && i.traits.Process(t)
}

// Measure puts a request into the batch.
func (i *Instance[S, M, C]) Measure(peer protocol.NodeID) {
	i.loop.effects = append(i.loop.effects, effect{kind: measureEffect, core: i.id, to: peer})
}

// Choose draws a number below n.
func (i *Instance[S, M, C]) Choose(n uint32) uint32 { return i.loop.env.Between(0, n-1) }

// Event puts an event into the batch.
func (i *Instance[S, M, C]) Event(e protocol.Event) {
	i.loop.effects = append(i.loop.effects, effect{kind: eventEffect, core: i.id, event: e})
}
