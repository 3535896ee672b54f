package model

import "github.com/canvass-grid/canvass/protocol"

// enabled lists what can happen in the world, in an order that depends only on its meaning: node by node
// what the nodes do of themselves, then message by message what the network does, then the other faults.
func (k *worker[S, M, C]) enabled(actions []action) []action {
	w := &k.world
	for i, s := range w.Slots {
		actions = k.ofNode(actions, i, s)
	}
	actions = k.ofNetwork(actions, actDeliver)
	for _, kind := range [2]actionKind{actDrop, actDuplicate} {
		if f, _ := kind.cost(); k.left.left(f) {
			actions = k.ofNetwork(actions, kind)
		}
	}
	for i, s := range w.Slots {
		if s.live && s.Choose == 0 && k.left.left(crash) && k.Crashable(s.State) {
			actions = append(actions, action{kind: actCrash, node: i})
		}
		if !s.Up && k.left.left(restart) {
			actions = append(actions, action{kind: actRestart, node: i})
		}
	}
	return actions
}

func (k *worker[S, M, C]) ofNode(actions []action, i int, s *Slot[S]) []action {
	if !s.live {
		return actions
	}
	for choice := range s.Choose {
		actions = append(actions, action{kind: actChosen, node: i, value: choice})
	}
	if s.Choose > 0 {
		return actions
	}
	if len(k.script(i, s)) > 0 {
		actions = append(actions, action{kind: actCommand, node: i})
	}
	for _, t := range s.Timers {
		if kind, ok := k.timer(i, t); ok {
			actions = append(actions, action{kind: kind, node: i, timer: t})
		}
	}
	return actions
}

// timer decides whether a pending timer may fire now, and as what kind of action.
func (k *worker[S, M, C]) timer(node int, t protocol.Timer) (actionKind, bool) {
	switch k.Due(&k.world, node, t) {
	case Now:
		return actTimeout, true
	case Useful:
		return actTimeout, k.useful(node, t)
	case Spurious:
		return actSpurious, k.left.left(spurious)
	case Suspect:
		return actSuspect, k.left.left(suspect)
	}
	return 0, false
}

// useful reports whether a timer, if it fired, would change its node or, by what is sent, another one.
func (k *worker[S, M, C]) useful(node int, t protocol.Timer) bool {
	r := k.step(k.state[node], input{kind: protocol.Timeout, node: node, timer: t})
	if r.slot != k.state[node] {
		return true
	}
	for _, p := range r.sent {
		if k.world.Slots[p.to].Choose > 0 {
			continue // it takes nothing before its choice; the timer can wait for that
		}
		for _, id := range k.inboxes.Value(k.reachable(p.inbox, k.world.Slots[p.to])).envelopes {
			if !k.step(k.state[p.to], input{kind: protocol.Deliver, node: p.to, value: id}).ignored {
				return true
			}
		}
	}
	return false
}

// kept reports whether a message stays in flight because its receiver would ignore it.
func (k *worker[S, M, C]) kept(to int, envelope uint32) bool {
	if !k.KeepIgnored {
		return false
	}
	r := k.step(k.state[to], input{kind: protocol.Deliver, node: to, value: envelope})
	return r.ignored && !r.watched
}

func (k *worker[S, M, C]) ofNetwork(actions []action, kind actionKind) []action {
	for to, box := range k.world.inboxes {
		if kind != actDrop && k.world.Slots[to].Choose > 0 {
			continue
		}
		for i, id := range box.envelopes {
			if i > 0 && id == box.envelopes[i-1] || kind != actDrop && k.kept(to, id) {
				continue
			}
			actions = append(actions, action{kind: kind, node: to, envelope: id})
		}
	}
	return actions
}
