package model

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/called"
	"github.com/canvass-grid/canvass/protocol"
)

// worker explores a system for one goroutine.
type worker[S, M, C any] struct {
	*compiled[S, M, C]
	calls                     *called.Log // which function of the system is running
	stepped, arrived, watched *checker.MemoView

	vector    []uint32          // the present state
	loaded    []uint32          // its words, as they were decoded
	state     GlobalState[S, M] // its places
	shown     []uint32          // the words whose slots state has
	receiving nodeSet           // nodes that can receive messages in flight
	acting    nodeSet           // nodes with actions of their own
	mon       uint32            // the monitor's state
	left      packed            // what is left of the budget
	actions   []action
	made      block[outcome]
	sent      block[batch]
	cache     verdicts
	listed    []outcome  // of deliveriesOf
	packing   [][]uint32 // of pack: by receiver
	key       []byte
	audited   map[[2]uint32]struct{} // slots and inputs of auditSteps
	purity    [2][]byte              // of tryCompute: a state before and after a step
	given     [2][]byte              // of compute: an input before and after a step
	encoded   []byte                 // of intact, watch and mustOnlyRead
	alike     map[uint32]*Slot[S]    // by slot: another with the same encoding
	again     bool                   // a step is computed that was computed before
}

var (
	_ checker.Worker = (*worker[int, int, int])(nil)
	_ checker.Caller = (*worker[int, int, int])(nil)
)

func (c *compiled[S, M, C]) NewWorker() checker.Worker {
	k := c.newWorker()
	var r *reducer[S, M, C]
	if c.System.Confluent != nil && c.Info.Budget.orderly() {
		r = &reducer[S, M, C]{worker: k}
	}
	if c.orbits != nil {
		c.orbits.begin() // another check begins
	}
	switch {
	case c.orbits != nil && r != nil:
		return &symmetricReducer[S, M, C]{newSymmetric(k, r), r}
	case c.orbits != nil:
		s := newSymmetric(k, k)
		return &s
	case r != nil:
		return r
	}
	return k
}

// Sizes of a worker's caches. They fit into the processor's cache together with the engine's.
const (
	stepCacheBits    = 10
	arrivalCacheBits = 10
	watchCacheBits   = 10
)

func (c *compiled[S, M, C]) newWorker() *worker[S, M, C] {
	calls := &called.Log{}
	k := &worker[S, M, C]{
		compiled: c.guarded(calls), calls: calls, stepped: c.stepMemo.View(stepCacheBits),
		arrived: c.arriveMemo.View(arrivalCacheBits), watched: c.watchMemo.View(watchCacheBits),
	}
	k.state.Slots = make([]*Slot[S], c.n)
	k.state.places = make([]*place, c.n)
	k.state.envelopes, k.state.inboxes = c.envelopes, c.inboxes
	k.loaded = slices.Repeat([]uint32{math.MaxUint32}, c.Width())
	k.packing = make([][]uint32, c.n)
	k.shown = slices.Clone(k.loaded[:c.n])
	k.audited = map[[2]uint32]struct{}{}
	k.made.arena, k.sent.arena = &c.outcomes, &c.batches
	k.mon = c.watching
	k.cache = newVerdicts(c.n)
	return k
}

// load decodes a state. Words that it shares with the state before are not decoded again.
func (k *worker[S, M, C]) load(state []uint32) {
	k.loadPlaces(state)
	k.loadSlots()
}

// loadSlots makes the slots of the state those of the loaded places.
func (k *worker[S, M, C]) loadSlots() {
	places, slots, shown := k.state.places, k.state.Slots, k.shown
	for i, word := range k.loaded[:len(places)] {
		if word == shown[i] {
			continue
		}
		slot := places[i].slotID
		shown[i], slots[i] = word, k.slots.Value(slot)
		if !k.cache.off {
			k.cache.see(i, slot)
		}
	}
}

// loadPlaces is load without the slots: most of what follows from a place needs no slot.
func (k *worker[S, M, C]) loadPlaces(state []uint32) {
	k.vector = state
	loaded, places, at := k.loaded[:len(state)], k.places, k.state.places
	for i, table := range places {
		if word := state[i]; word != loaded[i] {
			p := table.at(word)
			loaded[i], at[i] = word, p
			about := p.about.Load()
			k.receiving.set(i, about&hasMessages != 0)
			k.acting.set(i, about&hasOwn != 0)
		}
	}
	for i := len(places); i < len(state); i++ {
		if word := state[i]; word != loaded[i] {
			loaded[i] = word
			k.decode(i, word)
		}
	}
}

// decode decodes a word behind those of the places.
func (k *worker[S, M, C]) decode(i int, word uint32) {
	if i == k.monitorAt() && k.Monitor != nil {
		k.mon = word
		k.cache.see(k.n, word)
		k.state.MonitorView = k.monitors.Value(word)
		return
	}
	k.left = k.leftOf(word)
}

func (k *worker[S, M, C]) Expand(state []uint32, out *checker.Successors) {
	k.loadPlaces(state)
	if k.left != 0 || k.acting != 0 {
		k.loadSlots()
	}
	k.actions = k.ofNodes(k.actions[:0])
	k.takeAll(out)
	for node := range k.receiving.each {
		k.receive(node, out)
	}
	k.actions = k.repeatsAndFaults(k.actions[:0])
	k.takeAll(out)
}

// takeAll adds the states that the listed actions lead to.
func (k *worker[S, M, C]) takeAll(out *checker.Successors) {
	for i := range k.actions {
		a := &k.actions[i]
		k.take(a, out.Add(int(a.kind)*k.n+a.node))
	}
}

// receive adds the states that deliveries of messages in flight to a node lead to.
func (k *worker[S, M, C]) receive(node int, out *checker.Successors) {
	first, _ := k.deliveriesOf(node)
	for i := range first {
		next := out.Add(int(actDeliver)*k.n + node)
		copy(next, k.vector)
		k.follow(&first[i], node, next)
		k.forget(next)
	}
}

// take writes into next the state that an action leads to from the present state. It returns the
// result of the step, unless the action concerns the network alone.
func (k *worker[S, M, C]) take(a *action, next []uint32) (result uint32, stepped bool) {
	copy(next, k.vector)
	if f, costs := a.kind.cost(); costs {
		next[len(next)-1] -= k.stride(f)
	}
	p := k.state.places[a.node]
	if a.kind == actDrop {
		next[a.node] = k.internPlace(a.node, p.slotID, k.dropped(p.boxID, a.value))
		k.forget(next)
		return 0, false
	}
	o := a.outcome
	if o == nil {
		made := k.outcomeOf(a.node, p, p.boxID, k.step(p.slotID, k.inputOf(a)))
		o = &made
	}
	k.follow(o, a.node, next)
	k.forget(next)
	return o.resultID(), true
}

// follow applies an outcome to next: to its node, to the nodes that it sends to, and to the
// monitor.
func (k *worker[S, M, C]) follow(o *outcome, node int, next []uint32) {
	marks := atomic.LoadUint32(&o.result)
	if marks&isTaken == 0 {
		k.mark(o)
	}
	next[node] = o.place
	for at := o.sent; at != 0; at++ {
		s := k.batches.rows.at(at)
		if s.to != uint16(node) {
			next[s.to] = k.arrive(int(s.to), next[s.to], s.inbox)
		}
		if s.last {
			break
		}
	}
	if marks&isWatched != 0 {
		next[k.monitorAt()] = k.observe(next[k.monitorAt()], node, k.results.Value(marks&idMask))
	}
}

// inputOf returns the input of an action whose outcome is not cached at its place.
func (k *worker[S, M, C]) inputOf(a *action) input {
	in := input{node: a.node}
	switch a.kind {
	case actDuplicate:
		in.kind, in.value = protocol.Deliver, a.envelope
	case actRestart:
		in.kind = protocol.Restart
	}
	return in
}

// step is the memoised step of a slot: the id of its result.
func (k *worker[S, M, C]) step(slot uint32, in input) uint32 {
	key := in.value << 1 // deliver, by far the most frequent input, needs no look-up
	if in.kind != protocol.Deliver {
		key = k.internInput(in)<<1 | 1
	}
	id, ok := k.stepped.Get(slot, key)
	if !ok {
		id = k.stepped.Put(slot, key, k.tryCompute(slot, in))
	}
	return id
}

func (k *worker[S, M, C]) internInput(in input) uint32 {
	k.key = append(k.key[:0], byte(in.kind), byte(in.node), byte(in.timer.Kind))
	k.key = binary.LittleEndian.AppendUint32(k.key, in.value)
	k.key = protocol.AppendNodeID(k.key, in.timer.Peer)
	id, _ := k.inputs.Intern(k.key, struct{}{})
	return id
}

// tryCompute runs the core and tests whether it is a pure function: it must not change the state
// that it is given, and must give equal results for equal arguments.
func (k *worker[S, M, C]) tryCompute(slot uint32, in input) uint32 {
	before := k.slots.Value(slot)
	if in.kind == 0 {
		return k.compute(slot, before, in)
	}
	state := &before.State
	if in.kind == protocol.Restart {
		state = &k.Nodes[in.node].State
	}
	k.purity[0] = k.Core.AppendState(k.purity[0][:0], *state)
	id := k.compute(slot, before, in)
	k.purity[1] = k.Core.AppendState(k.purity[1][:0], *state)
	if !bytes.Equal(k.purity[0], k.purity[1]) {
		k.restoreSlot(slot)
		k.broken(
			"node %d (%s): an input of kind %v changes the state that Step is given; "+
				"what slices and maps refer to must be copied before it is changed",
			in.node,
			k.name(in.node),
			in.kind,
		)
	}
	if k.isTwice(slot, in) && !k.sameAgain(slot, in, id) {
		k.fickle(in)
	}
	k.again = true
	defer func() { k.again = false }()
	if other := k.alike[slot]; other != nil && k.compute(slot, other, in) != id {
		k.broken(
			"node %d (%s): an input of kind %v gives different results in two states that differ in nothing but "+
				"an empty list for a missing one: %#v and %#v",
			in.node,
			k.name(in.node),
			in.kind,
			before.State,
			other.State,
		)
	}
	return id
}

// mostAlike bounds the slots for which a worker keeps another slot with the same encoding.
const mostAlike = 1024

// meet compares a slot with the known one of the same encoding. They must be equal, except that one
// may have an empty list where the other has none. Then it keeps the slot, whose steps are compared
// with those of the known one.
func (k *worker[S, M, C]) meet(id uint32, s Slot[S]) {
	known := k.slots.Value(id)
	if k.again || reflect.DeepEqual(known.State, s.State) {
		return
	}
	k.require(k.states().Same(known.State, s.State))
	if len(k.alike) == mostAlike || k.alike[id] != nil {
		return
	}
	if k.alike == nil {
		k.alike = map[uint32]*Slot[S]{}
	}
	kept := s // a slot that is not kept stays off the heap
	k.alike[id] = &kept
}

// compute runs the core. A node that crashes keeps what it persisted. A node that restarts begins
// with that and with its initial state.
func (k *worker[S, M, C]) compute(slot uint32, before *Slot[S], in input) uint32 {
	after, r := *before, result{}
	if in.kind == 0 {
		after = Slot[S]{Persisted: before.Persisted, Life: before.Life}
		r.events = []protocol.Event{{Name: "crash", Peer: before.id}}
	} else {
		from := before.State
		if in.kind == protocol.Restart {
			from = k.Nodes[in.node].State
		}
		given := k.protocolInput(before, in)
		k.given[0] = k.appendInput(k.given[0][:0], in, &given)
		state, out := k.Core.Step(from, given)
		k.mustKeepInput(in, &given)
		after.Up, after.State = true, state
		if k.again { // the state is not stored yet, so nothing else would notice
			k.mustOnlyRead(state)
		}
		if problem := k.misnamed(in.node, state, k.first[in.node]); problem != "" {
			k.broken("after an input of kind %v %s", in.kind, problem)
		}
		if problem := impossible(&out); problem != "" {
			k.broken("node %d (%s): after an input of kind %v %s", in.node, k.name(in.node), in.kind, problem)
		}
		switch in.kind {
		case protocol.Timeout:
			after.Timers = slices.DeleteFunc(slices.Clone(before.Timers), func(t protocol.Timer) bool { return t == in.timer })
		case protocol.Command:
			after.Issued++
		case protocol.Measured:
			measured := func(id protocol.NodeID) bool { return id == in.timer.Peer }
			after.Measuring = slices.DeleteFunc(slices.Clone(before.Measuring), measured)
		case protocol.Restart:
			after.Life, after.Issued = before.Life+1, 0
		}
		obey(&after, out)
		r.sent, r.events = k.pack(in.node, out.Send), out.Events
	}
	r.slot = k.internSlot(after)
	k.meet(r.slot, after)
	r.watched = k.watches(r.events)
	r.ignored = r.slot == slot && len(r.sent) == 0
	return k.internResult(r)
}

// watches reports whether the monitor observes a step with these events.
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
	case protocol.Measured:
		p.From, p.Measure = in.timer.Peer, in.value
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
	r.list = k.listOf(r.sent)
	id, _ := k.results.Intern(key, &r)
	return id
}

// listOf stores batches in the arena, where outcomes find them.
func (k *worker[S, M, C]) listOf(sent []batch) uint32 {
	if len(sent) == 0 {
		return 0
	}
	return k.sent.keep(sent)
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
	return k.watched.Put(mon, seen, k.internMonitor(k.watch(mon, node, r)))
}

func (k *worker[S, M, C]) Holds(property int, state []uint32) bool {
	k.load(state)
	return k.ask(2*property, k.System.Properties[property].Holds)
}

func (k *worker[S, M, C]) Triggers(property int, state []uint32) bool {
	k.load(state)
	return k.ask(2*property+1, k.System.Properties[property].Triggers)
}

// Quiescent reports whether nothing happens any more without a command or a fault: nothing is in
// flight and no fair action is enabled.
func (k *worker[S, M, C]) Quiescent(state []uint32) bool {
	k.load(state)
	if !k.KeepIgnored && !k.state.NetworkEmpty() {
		return false
	}
	k.actions = k.enabled(k.actions[:0])
	return !slices.ContainsFunc(k.actions, func(a action) bool { return a.kind.fair() })
}

func (k *worker[S, M, C]) QuiescentEnd(state []uint32) bool {
	k.load(state)
	return k.System.QuiescentEnd(&k.state)
}
