package model

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/blame"
	"github.com/canvass-grid/canvass/protocol"
)

// stepper computes the steps of nodes and of the monitor for a worker, each once.
type stepper[S, M, C any] struct {
	*compiled[S, M, C]
	calls            *blame.Log // which function of the system is running
	stepped, watched *checker.MemoView

	key     []byte
	sent    block[batch]
	packing [][]uint32          // of pack: by receiver
	purity  [2][]byte           // of tryCompute: a state before and after a step
	given   [2][]byte           // of compute: an input before and after a step
	encoded []byte              // of watch, mustOnlyRead and worker.intact
	alike   map[uint32]*Slot[S] // by slot: another with the same encoding
	again   bool                // a step is computed that was computed before
}

// step is the memoised step of a slot: the id of its result.
func (k *stepper[S, M, C]) step(slot uint32, in input) uint32 {
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

func (k *stepper[S, M, C]) internInput(in input) uint32 {
	k.key = append(k.key[:0], byte(in.kind), byte(in.node), byte(in.timer.Kind))
	k.key = binary.LittleEndian.AppendUint32(k.key, in.value)
	k.key = protocol.AppendNodeID(k.key, in.timer.Peer)
	id, _ := k.inputs.Intern(k.key, struct{}{})
	return id
}

// tryCompute runs the core and tests whether it is a pure function: it must not change the state
// that it is given, and must give equal results for equal arguments.
func (k *stepper[S, M, C]) tryCompute(slot uint32, in input) uint32 {
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
				"copy slices and maps before changing their elements",
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
func (k *stepper[S, M, C]) meet(id uint32, s Slot[S]) {
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

// compute runs the core. A node that crashes keeps its persisted bytes. A node that restarts begins
// with that and with its initial state.
func (k *stepper[S, M, C]) compute(slot uint32, before *Slot[S], in input) uint32 {
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
func (k *stepper[S, M, C]) watches(events []protocol.Event) bool {
	return k.Monitor != nil && slices.ContainsFunc(events, func(e protocol.Event) bool { return k.Monitor.Wants(e.Name) })
}

func (k *stepper[S, M, C]) protocolInput(s *Slot[S], in input) protocol.Input[M, C] {
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

func (k *stepper[S, M, C]) internResult(r result) uint32 {
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
func (k *stepper[S, M, C]) listOf(sent []batch) uint32 {
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
func (k *stepper[S, M, C]) observe(mon uint32, node int, r *result) uint32 {
	key := (binary.LittleEndian.AppendUint32)(append(k.key[:0], byte(node)), r.slot)
	key = appendEvents(key, r.events)
	k.key = key
	seen, _ := k.seen.Intern(key, struct{}{})
	if id, ok := k.watched.Get(mon, seen); ok {
		return id
	}
	return k.watched.Put(mon, seen, k.internMonitor(k.watch(mon, node, r)))
}

// mustKeepInput ends the check unless a step left its message and its command as they were.
func (k *stepper[S, M, C]) mustKeepInput(in input, p *protocol.Input[M, C]) {
	k.given[1] = k.appendInput(k.given[1][:0], in, p)
	if !bytes.Equal(k.given[0], k.given[1]) {
		if in.kind == protocol.Deliver {
			k.restoreEnvelope(in.value)
		}
		k.broken("node %d (%s): an input of kind %v changes the %s that Step is given; "+
			"copy slices and maps before changing their elements", in.node, k.name(in.node), in.kind,
			map[protocol.InputKind]string{protocol.Deliver: "message", protocol.Command: "command"}[in.kind])
	}
}

// appendInput encodes what a step could change of its input.
func (k *stepper[S, M, C]) appendInput(dst []byte, in input, p *protocol.Input[M, C]) []byte {
	switch in.kind {
	case protocol.Deliver:
		return k.Core.AppendMessage(dst, p.Message)
	case protocol.Command:
		return k.Core.AppendCommand(dst, p.Command)
	}
	return dst
}

// mustOnlyRead ends the check if Identity or Stopped changes a state.
func (k *stepper[S, M, C]) mustOnlyRead(s S) {
	k.encoded = k.Core.AppendState(k.encoded[:0], s)
	n := len(k.encoded)
	unchanged := func() bool {
		k.encoded = k.Core.AppendState(k.encoded[:n], s)
		return bytes.Equal(k.encoded[:n], k.encoded[n:])
	}
	if k.Identity(s); !unchanged() {
		k.brokenState("System.Identity")
	}
	if k.Stopped(s); !unchanged() {
		k.brokenState("System.Stopped")
	}
}

// watch calls Monitor.Observe, which must be a function of its arguments. The bytes that it returns
// are valid until its next call.
func (k *stepper[S, M, C]) watch(mon uint32, node int, r *result) []byte {
	before := k.monitors.Bytes(mon)
	n := len(before)
	k.encoded = append(k.encoded[:0], before...)
	state := k.slots.Value(r.slot).State
	k.encoded = append(k.encoded, k.Monitor.Observe(before, node, state, r.events)...)
	if !bytes.Equal(before, k.encoded[:n]) {
		copy(before, k.encoded[:n])
		k.broken("Monitor.Observe changes the bytes that it is given; copy them before you change them")
	}
	after := k.encoded[n:]
	if again := k.Monitor.Observe(before, node, state, r.events); !bytes.Equal(after, again) {
		k.broken("Monitor.Observe gives other bytes when called again with the same step; " +
			"it must depend on its arguments only, and not range over maps")
	}
	return after
}

// One step of twice is computed a second time at once. The choice depends only on the arguments of
// the core, so they are the same with any number of workers. Those of the states that are audited
// are computed again there. A core that depends on anything but its state and its input soon gives
// two results.
const twice = 4

// isTwice reports whether a step is computed a second time at once.
func (k *stepper[S, M, C]) isTwice(slot uint32, in input) bool {
	hash := uint64(in.value)
	if in.kind == protocol.Deliver {
		hash = protocol.Hash(k.envelopes.Bytes(in.value))
	}
	hash = hash*31 + uint64(in.kind) + uint64(in.timer.Kind)<<16 + uint64(in.timer.Peer.Address)<<24 + uint64(in.node)<<32
	return (protocol.Hash(k.slots.Bytes(slot))^hash*0x9e3779b97f4a7c15)>>32%twice == 0
}

// sameAgain reports whether a step has the same result again.
func (k *stepper[S, M, C]) sameAgain(slot uint32, in input, result uint32) bool {
	k.again = true
	defer func() { k.again = false }()
	return k.compute(slot, k.slots.Value(slot), in) == result
}

// fickle ends the check because a step has two results.
func (k *stepper[S, M, C]) fickle(in input) {
	k.broken("node %d (%s): an input of kind %v gives another result the second time; "+
		"Step must depend on nothing but its state and its input, and not range over maps; and "+
		"Step must not append to a slice of its state or its message (slices.Clone, slices.Clip)",
		in.node, k.name(in.node), in.kind)
}

// pack groups the messages that a step of a node sends by receiver. It ends the check if the core
// forges a message or sends one to an address without a node.
func (k *stepper[S, M, C]) pack(node int, sent []protocol.Envelope[M]) []batch {
	for _, e := range sent {
		switch {
		case e.From.IsNobody() && node > 0:
			k.broken("node %d (%s) sends a message without a sender: Envelope.From is empty", node, k.name(node))
		case int(e.From.Address) != node:
			k.broken("node %d (%s) sends in the name of %v", node, k.name(node), e.From)
		case int(e.To.Address) >= k.n:
			k.broken("node %d (%s) sends to %v, where no node is", node, k.name(node), e.To)
		case e.To.Incarnation == 0 && k.first[e.To.Address] > 0:
			k.broken("node %d (%s) sends to incarnation 0 of %s, which does not exist; its first is %d",
				node, k.name(node), k.name(int(e.To.Address)), k.first[e.To.Address])
		}
		k.packing[e.To.Address] = append(k.packing[e.To.Address], k.internEnvelope(e))
	}
	var batches []batch
	for to, box := range k.packing {
		if len(box) > 0 {
			batches = append(batches, batch{inbox: k.internInbox(box), to: uint16(to)})
			k.packing[to] = box[:0]
		}
	}
	if len(batches) > 0 {
		batches[len(batches)-1].last = true
	}
	return batches
}
