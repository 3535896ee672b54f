package model

import "github.com/canvass-grid/canvass/protocol"

// actionKind is a kind of action.
type actionKind uint8

const (
	actChosen actionKind = iota
	actCommand
	actTimeout
	actDeliver
	actMeasured
	actSpurious
	actDrop
	actDuplicate
	actRepeat
	actLate
	actSuspect
	actCrash
	actRestart
	actionKinds
)

// String names the kind as traces do.
func (k actionKind) String() string {
	return [actionKinds]string{"chosen", "command", "timeout", "deliver", "measured", "timeout-early", "drop", "duplicate",
		"repeat", "late", "suspect", "crash", "restart"}[k]
}

// fair reports whether no run puts off actions of this kind forever: messages arrive, timers fire,
// choices are made, measurements end.
func (k actionKind) fair() bool {
	return k == actChosen || k == actTimeout || k == actDeliver || k == actMeasured
}

// moves reports whether actions of this kind concern a message.
func (k actionKind) moves() bool {
	return k == actDeliver || k == actRepeat || k == actLate || k == actDrop || k == actDuplicate
}

// cost returns the fault that an action of this kind spends, if any.
func (k actionKind) cost() (fault, bool) {
	switch k {
	case actSpurious:
		return spurious, true
	case actDrop:
		return drop, true
	case actDuplicate:
		return duplicate, true
	case actLate:
		return late, true
	case actSuspect:
		return suspect, true
	case actCrash:
		return crash, true
	case actRestart:
		return restart, true
	}
	return 0, false
}

// input is an action as the core of its node sees it.
type input struct {
	kind  protocol.InputKind // 0: a crash
	node  int
	value uint32         // deliver: envelope; chosen: choice; measured: latency
	timer protocol.Timer // timeout; measured: its Peer was measured
}

// action is one of the actions that are enabled in a state.
type action struct {
	kind     actionKind
	node     int
	envelope uint32   // deliver, repeat, late, drop, duplicate
	value    uint32   // chosen: choice; measured: latency; drop: position in the inbox
	outcome  *outcome // its cached outcome, if the place keeps it
	timer    protocol.Timer
}

// enabled lists the actions of a state, in an order that depends only on the meaning of the state:
// first the nodes' own actions, node by node, then deliveries, then repeated messages and faults.
func (k *worker[S, M, C]) enabled(actions []action) []action {
	actions = k.ofNodes(actions)
	for i := range k.receiving.each {
		actions = k.arrivals(actions, actDeliver, i)
	}
	return k.repeatsAndFaults(actions)
}

// ofNodes lists the nodes' own actions.
func (k *worker[S, M, C]) ofNodes(actions []action) []action {
	for i := range k.acting.each {
		actions = k.ofNode(actions, i)
	}
	return actions
}

// repeatsAndFaults lists repeated messages and faults.
func (k *worker[S, M, C]) repeatsAndFaults(actions []action) []action {
	if k.Info.Budget.endless() {
		for i := range k.receiving.each {
			actions = k.arrivals(actions, actRepeat, i)
		}
	}
	if k.left == 0 {
		return actions
	}
	return k.faults(actions)
}

// faults lists the faults other than premature timeouts and false suspicions.
func (k *worker[S, M, C]) faults(actions []action) []action {
	w := &k.state
	if k.left.left(drop) {
		for i := range w.places {
			on := w.box(i).envelopes
			for j, id := range on {
				if j == 0 || id != on[j-1] {
					actions = append(actions, action{kind: actDrop, node: i, envelope: id, value: uint32(j)})
				}
			}
		}
	}
	if k.left.left(duplicate) {
		for i := range k.receiving.each {
			actions = k.arrivals(actions, actDuplicate, i)
		}
	}
	if k.left.left(late) {
		for i := range k.receiving.each {
			actions = k.arrivals(actions, actLate, i)
		}
	}
	for i, s := range w.Slots {
		if s.live && s.Choose == 0 && k.left.left(crash) && k.Crashable(w, i) {
			actions = append(actions, action{kind: actCrash, node: i})
		}
		if !s.Up && k.left.left(restart) {
			actions = append(actions, action{kind: actRestart, node: i})
		}
	}
	return actions
}

// ofNode lists a node's own actions.
func (k *worker[S, M, C]) ofNode(actions []action, i int) []action {
	slot, own := k.state.Slots[i], k.ownOutcomes(i)
	for choice := range slot.Choose {
		o := k.once(&own.choices[choice], i, input{kind: protocol.Chosen, node: i, value: choice})
		actions = append(actions, action{kind: actChosen, node: i, value: choice, outcome: o})
	}
	if slot.Choose > 0 {
		return actions
	}
	if own.commanded {
		o := k.once(&own.command, i, input{kind: protocol.Command, node: i})
		actions = append(actions, action{kind: actCommand, node: i, outcome: o})
	}
	for t, timer := range slot.Timers {
		if kind, ok := k.timer(i, t); ok {
			actions = append(actions, action{kind: kind, node: i, timer: timer, outcome: k.timeout(i, t)})
		}
	}
	return k.measurements(actions, i, own)
}

// measurements lists the possible ends of the measurements under way. A node that is down is not
// measured.
func (k *worker[S, M, C]) measurements(actions []action, i int, own *ownOutcomes) []action {
	for j := range own.answers {
		m := &own.answers[j]
		if !k.state.Running(m.peer) {
			continue
		}
		of := protocol.Timer{Peer: m.peer}
		o := k.once(&m.outcome, i, input{kind: protocol.Measured, node: i, value: m.latency, timer: of})
		actions = append(actions, action{kind: actMeasured, node: i, value: m.latency, timer: of, outcome: o})
	}
	return actions
}

// timeout returns the outcome of a node's timer when it fires.
func (k *worker[S, M, C]) timeout(node, t int) *outcome {
	return k.once(
		&k.ownOutcomes(node).timeouts[t],
		node,
		input{kind: protocol.Timeout, node: node, timer: k.state.Slots[node].Timers[t]},
	)
}

// timer decides whether a pending timer may fire now, and the kind of the action.
func (k *worker[S, M, C]) timer(node, t int) (actionKind, bool) {
	switch due := k.Due(&k.state, node, k.state.Slots[node].Timers[t]); due {
	case Never:
	case Now:
		return actTimeout, true
	case Useful:
		return actTimeout, k.useful(node, t)
	case Spurious:
		return actSpurious, k.left.left(spurious)
	case Suspect:
		return actSuspect, k.left.left(suspect)
	default:
		k.broken("Due returns %d for a timer of node %d (%s), which is no value of model.Due", due, node, k.name(node))
	}
	return 0, false
}

// useful reports whether a timer, if it fired, would change its node, show the monitor an event or,
// by its messages, change another node.
func (k *worker[S, M, C]) useful(node, t int) bool {
	r := k.results.Value(k.timeout(node, t).resultID())
	if r.watched || r.slot != k.state.places[node].slotID {
		return true
	}
	for _, p := range r.sent {
		to := k.state.Slots[p.to]
		if to.Choose > 0 {
			continue // it receives nothing before its choice, and the timer can wait for that
		}
		for _, id := range k.inboxes.value(k.reachable(p.inbox, to)).envelopes {
			result := k.step(k.state.places[p.to].slotID, input{kind: protocol.Deliver, node: int(p.to), value: id})
			if r := k.results.Value(result); !r.ignored || r.watched {
				return true
			}
		}
	}
	return false
}

// arrivals lists the deliveries of one kind to a node: of messages in flight (deliver, duplicate)
// or of messages of the past (repeat, late).
func (k *worker[S, M, C]) arrivals(actions []action, kind actionKind, node int) []action {
	first, again := k.deliveriesOf(node)
	all := first
	if kind == actRepeat || kind == actLate {
		all = again
	}
	for i := range all {
		o := &all[i]
		a := action{kind: kind, node: node, envelope: o.envelope}
		if kind != actDuplicate {
			a.outcome = o
		}
		actions = append(actions, a)
	}
	return actions
}
