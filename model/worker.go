package model

import (
	"encoding/binary"
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
)

// worker explores a system for one goroutine.
type worker[S, M, C any] struct {
	*compiled[S, M, C]
	stepped, added, removed, watched *checker.MemoView

	state   []uint32    // the vector at hand,
	world   World[S, M] // decoded
	left    packed
	actions []action
	key     []byte
}

var _ checker.Worker = (*worker[int, int, int])(nil)

func (c *compiled[S, M, C]) NewWorker() checker.Worker {
	if c.System.Confluent != nil && c.Info.Budget.orderly() {
		return &reducer[S, M, C]{worker: c.newWorker()}
	}
	return c.newWorker()
}

func (c *compiled[S, M, C]) newWorker() *worker[S, M, C] {
	k := &worker[S, M, C]{
		compiled: c, stepped: c.stepMemo.View(14), added: c.addMemo.View(14), removed: c.removeMemo.View(14), watched: c.watchMemo.View(12),
	}
	k.world.Slots = make([]*Slot[S], c.n)
	k.world.inboxes = make([]*inbox, c.n)
	k.world.envelopes = c.envelopes
	return k
}

// load makes a vector the one at hand.
func (k *worker[S, M, C]) load(state []uint32) {
	k.state = state
	for i := range k.n {
		k.world.Slots[i] = k.slots.Value(state[i])
		k.world.inboxes[i] = k.inboxes.Value(state[k.inboxAt(i)])
	}
	k.world.Past = k.monitors.Value(state[k.monitorAt()])
	k.left = packed(state[k.budgetAt()])
}

func (k *worker[S, M, C]) Expand(state []uint32, out *checker.Successors) {
	k.load(state)
	k.actions = k.enabled(k.actions[:0])
	for _, a := range k.actions {
		k.take(a, out.Add(int(a.kind)*k.n+a.node))
	}
}

// take writes into next the state that an action leads to from the state at hand, and returns what
// happened at the node, or nil if the action concerns the network alone.
func (k *worker[S, M, C]) take(a action, next []uint32) *result {
	copy(next, k.state)
	if f, costs := a.kind.cost(); costs {
		next[k.budgetAt()] = uint32(k.left.spend(f))
	}
	if a.kind == actDeliver || a.kind == actDrop {
		box := k.inboxAt(a.node)
		next[box] = k.without(next[box], a.envelope)
	}
	if a.kind == actDrop {
		return nil
	}
	before := k.state[a.node]
	r := k.step(before, k.inputOf(a))
	next[a.node] = r.slot
	now, after := k.world.Slots[a.node], k.slots.Value(r.slot)
	if after.live != now.live || after.id != now.id {
		next[k.inboxAt(a.node)] = k.reachable(next[k.inboxAt(a.node)], after)
	}
	for _, p := range r.sent {
		to := k.world.Slots[p.to]
		if p.to == a.node {
			to = after // what a node sends to itself is for the one that it has become
		}
		if box := k.reachable(p.inbox, to); box != k.empty {
			next[k.inboxAt(p.to)] = k.with(next[k.inboxAt(p.to)], box)
		}
	}
	if r.watched {
		next[k.monitorAt()] = k.observe(next[k.monitorAt()], a.node, r)
	}
	return r
}

func (k *worker[S, M, C]) inputOf(a action) input {
	in := input{node: a.node, timer: a.timer}
	switch a.kind {
	case actChosen:
		in.kind, in.value = protocol.Chosen, a.value
	case actCommand:
		in.kind = protocol.Command
	case actDeliver, actDuplicate:
		in.kind, in.value = protocol.Deliver, a.envelope
	case actTimeout, actSpurious, actSuspect:
		in.kind = protocol.Timeout
	case actRestart:
		in.kind = protocol.Restart
	}
	return in
}

// step is the memoised step of a slot.
func (k *worker[S, M, C]) step(slot uint32, in input) *result {
	key := in.value << 1 // deliver, by far the most frequent, needs no look-up
	if in.kind != protocol.Deliver {
		key = k.internInput(in)<<1 | 1
	}
	id, ok := k.stepped.Get(slot, key)
	if !ok {
		id = k.stepped.Put(slot, key, k.compute(slot, in))
	}
	return k.results.Value(id)
}

func (k *worker[S, M, C]) internInput(in input) uint32 {
	k.key = append(k.key[:0], byte(in.kind), byte(in.node), byte(in.timer.Kind))
	k.key = binary.LittleEndian.AppendUint32(k.key, in.value)
	k.key = protocol.AppendNodeID(k.key, in.timer.Peer)
	id, _ := k.inputs.Intern(k.key, struct{}{})
	return id
}

// compute runs the core. A process that crashes keeps what it persisted.
func (k *worker[S, M, C]) compute(slot uint32, in input) uint32 {
	before := k.slots.Value(slot)
	after, r := *before, result{}
	if in.kind == 0 {
		after = Slot[S]{Persisted: before.Persisted, Life: before.Life}
		r.events = []protocol.Event{{Name: "crash", Peer: before.id}}
	} else {
		state, out := k.Core.Step(before.State, k.protocolInput(before, in))
		after.Up, after.State = true, state
		switch in.kind {
		case protocol.Timeout:
			after.Timers = slices.DeleteFunc(slices.Clone(before.Timers), func(t protocol.Timer) bool { return t == in.timer })
		case protocol.Command:
			after.Issued++
		case protocol.Restart:
			after.Life, after.Issued = before.Life+1, 0
		}
		obey(&after, out)
		r.sent, r.events = k.pack(out.Send), out.Events
	}
	r.slot = k.internSlot(after)
	r.watched = k.watches(r.events)
	r.ignored = r.slot == slot && len(r.sent) == 0
	return k.internResult(r)
}

// watches tells whether the monitor wants to know of a step.
func (c *compiled[S, M, C]) watches(events []protocol.Event) bool {
	return c.Monitor != nil && slices.ContainsFunc(events, func(e protocol.Event) bool { return c.Monitor.Wants(e.Name) })
}

func (k *worker[S, M, C]) protocolInput(s *Slot[S], in input) protocol.Input[M, C] {
	p := protocol.Input[M, C]{Kind: in.kind}
	switch in.kind {
	case protocol.Deliver:
		e := k.envelopes.Value(in.value)
		p.From, p.Message = e.From, e.Message
	case protocol.Timeout:
		p.Timer = in.timer
	case protocol.Command:
		p.Command = k.script(in.node, s)[0]
	case protocol.Chosen:
		p.Choice = in.value
	case protocol.Restart:
		p.Persisted = s.Persisted
	}
	return p
}

func (k *worker[S, M, C]) internResult(r result) uint32 {
	key := binary.LittleEndian.AppendUint32(nil, r.slot)
	key = protocol.AppendBool(key, r.ignored)
	key = append(key, byte(len(r.sent)))
	for _, p := range r.sent {
		key = binary.LittleEndian.AppendUint32(append(key, byte(p.to)), p.inbox)
	}
	key = appendEvents(key, r.events)
	if id, ok := k.results.Lookup(key); ok {
		return id
	}
	id, _ := k.results.Intern(key, &r)
	return id
}

func appendEvents(key []byte, events []protocol.Event) []byte {
	for _, e := range events {
		key = append(append(key, e.Name...), 0)
		key = protocol.AppendUint(protocol.AppendNodeID(key, e.Peer), uint64(e.Number))
		key = append(append(key, e.Detail...), 0)
	}
	return key
}

// observe is the memoised step of the monitor.
func (k *worker[S, M, C]) observe(mon uint32, node int, r *result) uint32 {
	key := (binary.LittleEndian.AppendUint32)(append(k.key[:0], byte(node)), r.slot)
	key = appendEvents(key, r.events)
	k.key = key
	seen, _ := k.seen.Intern(key, struct{}{})
	if id, ok := k.watched.Get(mon, seen); ok {
		return id
	}
	bytes := k.Monitor.Observe(k.monitors.Bytes(mon), node, k.slots.Value(r.slot).State, r.events)
	return k.watched.Put(mon, seen, k.internMonitor(bytes))
}

func (k *worker[S, M, C]) Holds(property int, state []uint32) bool {
	k.load(state)
	return k.System.Properties[property].Holds(&k.world)
}

func (k *worker[S, M, C]) Triggers(property int, state []uint32) bool {
	k.load(state)
	return k.System.Properties[property].Triggers(&k.world)
}

// Quiescent reports whether nothing happens any more unless an application gives an order or something
// fails.
func (k *worker[S, M, C]) Quiescent(state []uint32) bool {
	k.load(state)
	if !k.KeepIgnored && !k.world.Calm() {
		return false
	}
	k.actions = k.enabled(k.actions[:0])
	return !slices.ContainsFunc(k.actions, func(a action) bool { return a.kind.fair() })
}

func (k *worker[S, M, C]) Terminal(state []uint32) bool {
	k.load(state)
	return k.Settled(&k.world)
}
