package model

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// preludeSteps bounds a prelude: a prelude that never becomes quiescent is a mistake in the system.
const preludeSteps = 100_000

// preludeMessages bounds the messages in flight in a prelude. A prelude that sends more and more
// would exhaust the memory long before the bound on its steps.
const preludeMessages = 1 << 11

// begin returns the initial state.
func (c *compiled[S, M, C]) begin() []uint32 {
	if c.initial == nil {
		k := c.newWorker()
		c.starting = k.calls
		k.requireCommands()
		o := opening[S, M, C]{k}
		c.initial = o.prelude(o.start())
		k.requireStrict()
		c.unmark() // the steps to the initial state are no part of a check
	}
	return c.initial
}

// opening leads a system to its initial state.
type opening[S, M, C any] struct{ *worker[S, M, C] }

// start makes the state in which the prelude begins. Every node whose incarnation is 0 is started.
// They start at once: the messages of one find the others up, in any order. The monitor observes
// the events of each.
func (k opening[S, M, C]) start() []uint32 {
	var mon []byte
	if k.Monitor != nil {
		mon = k.Monitor.Initial()
	}
	state := make([]uint32, k.Width())
	k.watching = k.internMonitor(mon)
	if k.limited() {
		state[k.budgetAt()] = k.word(k.Info.Budget.packed())
	}
	if k.Monitor != nil {
		state[k.monitorAt()] = k.watching
	}
	results := make([]*result, k.n)
	for i, node := range k.Nodes {
		timers := slices.Clone(node.Timers)
		slices.SortFunc(timers, compareTimers)
		slot := Slot[S]{Up: true, State: node.State, Persisted: node.Persisted, Timers: slices.Compact(timers)}
		results[i] = &result{}
		if k.Identity(node.State).Incarnation == 0 {
			results[i] = k.carryOut(i, &slot, protocol.Input[M, C]{Kind: protocol.Start})
		}
		results[i].slot = k.internSlot(slot)
		state[i] = k.internPlace(i, results[i].slot, k.empty)
	}
	for i, r := range results {
		k.post(state, r.sent)
		if r.watched {
			state[k.monitorAt()] = k.observe(state[k.monitorAt()], i, r)
		}
	}
	return state
}

// carryOut runs the core on the slot of a node, without the tables.
func (k opening[S, M, C]) carryOut(node int, slot *Slot[S], in protocol.Input[M, C]) *result {
	state, out := k.Core.Step(slot.State, in)
	slot.State = state
	if problem := impossible(&out); problem != "" {
		k.broken("node %d (%s): after an input of kind %v %s", node, k.name(node), in.Kind, problem)
	}
	obey(slot, out)
	return &result{sent: k.pack(node, out.Send), events: out.Events, watched: k.watches(out.Events)}
}

// post adds messages to the inboxes of the nodes that are up.
func (k opening[S, M, C]) post(state []uint32, sent []batch) {
	for _, p := range sent {
		state[p.to] = k.arrive(int(p.to), state[p.to], p.inbox)
	}
}

// prelude returns the state that the system's prelude leads to from the state in which all nodes
// have started.
func (k opening[S, M, C]) prelude(started []uint32) []uint32 {
	now := started
	for _, o := range k.Prelude {
		state := k.settle(now) // so that the node owes no choice
		p := k.places[o.Node].at(state[o.Node])
		slot := *k.slots.Value(p.slotID)
		if !slot.live {
			k.broken("the prelude gives a command to %s, which has ended", k.name(o.Node))
		}
		r := k.carryOut(o.Node, &slot, protocol.Input[M, C]{Kind: protocol.Command, Command: o.Command})
		state[o.Node] = k.internPlace(o.Node, k.internSlot(slot), p.boxID)
		k.post(state, r.sent)
		now = k.settle(state)
	}
	if k.Monitor != nil {
		// The prelude is no part of the run that the monitor observes.
		now[k.monitorAt()] = started[k.monitorAt()]
	}
	return now
}

// settle takes the first fair action of each state until no action is enabled. It returns a new
// vector.
func (k opening[S, M, C]) settle(state []uint32) []uint32 {
	state = slices.Clone(state)
	next := slices.Clone(state)
	for range preludeSteps {
		k.load(state)
		k.limitMessages()
		k.actions = k.enabled(k.actions[:0])
		fair := slices.IndexFunc(k.actions, func(a action) bool { return a.kind.fair() })
		if fair < 0 {
			return state
		}
		k.take(&k.actions[fair], next)
		state, next = next, state
	}
	k.broken("the prelude does not end: a node still acts after %d steps", preludeSteps)
	return nil
}

// limitMessages ends the check if the prelude sends more than it receives.
func (k opening[S, M, C]) limitMessages() {
	flying := 0
	for i := range k.state.places {
		flying += len(k.state.box(i).envelopes)
	}
	if flying > preludeMessages {
		k.broken("the prelude does not end: more than %d messages are in flight", preludeMessages)
	}
}
