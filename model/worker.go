package model

import (
	"math"
	"slices"
	"sync/atomic"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/blame"
	"github.com/canvass-grid/canvass/protocol"
)

// worker explores a system for one goroutine.
type worker[S, M, C any] struct {
	stepper[S, M, C]
	arrived *checker.MemoView

	vector    []uint32          // the present state
	loaded    []uint32          // its words, as they were decoded
	state     GlobalState[S, M] // its places
	shown     []uint32          // the words whose slots state has
	receiving nodeSet           // nodes that can receive messages in flight
	acting    nodeSet           // nodes with actions of their own
	mon       uint32            // the monitor's state
	left      packed            // the rest of the budget
	actions   []action
	made      block[outcome]
	cache     verdicts
	listed    []outcome              // of deliveriesOf
	audited   map[[2]uint32]struct{} // slots and inputs of auditSteps
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
	calls := &blame.Log{}
	k := &worker[S, M, C]{
		stepper: stepper[S, M, C]{
			compiled: c.guarded(calls), calls: calls,
			stepped: c.stepMemo.View(stepCacheBits), watched: c.watchMemo.View(watchCacheBits),
		},
		arrived: c.arriveMemo.View(arrivalCacheBits),
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

// loadPlaces is load without the slots: most data of a place needs no slot.
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

// forget removes from a state the messages that can arrive late, if no late arrival is left in the
// budget: they make no difference any more.
func (c *compiled[S, M, C]) forget(state []uint32) {
	if c.Info.Budget.Late == 0 || c.leftOf(state[c.budgetAt()]).left(late) {
		return
	}
	for node, at := range state[:c.n] {
		p := c.places[node].at(at)
		if b := c.inboxes.value(p.boxID); len(b.arrived) > 0 {
			state[node] = c.internPlace(node, p.slotID, c.internSorted(b.envelopes, nil))
		}
	}
}
