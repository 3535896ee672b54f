package model

import (
	"bytes"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

type envelope[M any] struct {
	protocol.Envelope[M]
	from, to int // nodes
}

// batch is what a step sends to one node.
type batch struct {
	inbox uint32
	to    uint16
	last  bool // of what is sent
}

// envelopeKey is the encoding of a message with its receiver and its sender.
func (c *compiled[S, M, C]) envelopeKey(e protocol.Envelope[M]) []byte {
	return c.appendEnvelope(nil, e)
}

func (c *compiled[S, M, C]) appendEnvelope(dst []byte, e protocol.Envelope[M]) []byte {
	return c.Core.AppendMessage(protocol.AppendNodeID(protocol.AppendNodeID(dst, e.To), e.From), e.Message)
}

func (c *compiled[S, M, C]) internEnvelope(e protocol.Envelope[M]) uint32 {
	key := c.envelopeKey(e)
	if id, ok := c.envelopes.Lookup(key); ok {
		c.require(c.messages().Same(c.envelopes.Value(id).Message, e.Message))
		return id
	}
	c.requireMessage(e.Message)
	id, _ := c.envelopes.Intern(key, &envelope[M]{Envelope: e, from: int(e.From.Address), to: int(e.To.Address)})
	return id
}

func (c *compiled[S, M, C]) compareEnvelopes(a, b uint32) int {
	if a == b {
		return 0
	}
	return bytes.Compare(c.envelopes.Bytes(a), c.envelopes.Bytes(b))
}

// internInbox interns the inbox of these messages, which are listed in the order of sending. It
// sorts the slice.
func (c *compiled[S, M, C]) internInbox(envelopes []uint32) uint32 {
	c.sort(envelopes)
	return c.internSorted(envelopes, nil)
}

// internSorted interns the inbox with these two lists, which are sorted already.
func (c *compiled[S, M, C]) internSorted(envelopes, arrived []uint32) uint32 {
	return c.inboxes.intern(envelopes, arrived, func() uint16 {
		senders := uint16(0)
		for _, id := range envelopes {
			senders |= 1 << c.envelopes.Value(id).from
		}
		return senders
	})
}

// pack groups the messages that a step of a node sends by receiver. It ends the check if the core
// forges a message or sends one to an address without a node.
func (k *worker[S, M, C]) pack(node int, sent []protocol.Envelope[M]) []batch {
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

// delivered returns the inbox after a message has arrived.
func (c *compiled[S, M, C]) delivered(box, envelope uint32) uint32 {
	b := c.inboxes.value(box)
	return c.internSorted(less(b.envelopes, envelope), c.remembered(b.arrived, envelope))
}

// comesAgain reports whether a message can arrive again once it has.
func (c *compiled[S, M, C]) comesAgain(envelope uint32) bool {
	b := c.Info.Budget
	return (b.endless() || b.adversarial()) && c.Repeats(c.envelopes.Value(envelope).Message)
}

// remembered returns the set of messages that can arrive again with one more, if that one can. It
// does not change the set that it is given.
func (c *compiled[S, M, C]) remembered(past []uint32, envelope uint32) []uint32 {
	if !c.comesAgain(envelope) {
		return past
	}
	if e := c.envelopes.Value(envelope); c.misdelivers() && e.To.Incarnation != c.first[e.to] {
		named := e.Envelope
		named.To.Incarnation = c.first[e.to]
		envelope = c.internEnvelope(named)
	}
	at, there := slices.BinarySearchFunc(past, envelope, c.compareEnvelopes)
	if there {
		return past
	}
	return slices.Insert(slices.Clone(past), at, envelope)
}

// less returns a list with one copy of a message less, the first one.
func less(all []uint32, envelope uint32) []uint32 {
	i := slices.Index(all, envelope)
	return slices.Delete(slices.Clone(all), i, i+1)
}

// with returns the inbox with more messages in flight, which are sent after those that it has.
func (c *compiled[S, M, C]) with(box, more uint32) uint32 {
	if more == c.empty {
		return box
	}
	b, m := c.inboxes.value(box), c.inboxes.value(more)
	all := slices.Concat(b.envelopes, m.envelopes)
	if !c.Info.Budget.endless() && !c.Info.Budget.adversarial() {
		return c.internInbox(all)
	}
	slices.SortFunc(all, c.compareEnvelopes)
	again := func(a, b uint32) bool { return a == b && c.Info.Budget.endless() && c.comesAgain(a) }
	past := b.arrived
	for _, id := range m.arrived {
		past = c.remembered(past, id)
	}
	return c.internSorted(slices.CompactFunc(all, again), past)
}

// misdelivers reports whether messages may arrive at another incarnation than the one they name.
func (c *compiled[S, M, C]) misdelivers() bool {
	return c.Info.Budget.adversarial() && !c.ThisIncarnation
}

// returns reports whether a node that is down may restart. A place does not know what is left of
// the budget, but no node restarts more often than the whole budget allows.
func (c *compiled[S, M, C]) returns(s *Slot[S]) bool { return !s.Up && s.Life < c.Info.Budget.Restart }

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

// reachable returns the inbox without the messages that vanish, given the state of its node: those
// that are not addressed to its present incarnation. Under adversarial delivery they can arrive
// later, unless the node never receives again.
func (c *compiled[S, M, C]) reachable(box uint32, to *Slot[S]) uint32 {
	if !to.live && !(c.misdelivers() && c.returns(to)) {
		return c.empty
	}
	b := c.inboxes.value(box)
	gone := func(id uint32) bool {
		e := c.envelopes.Value(id)
		if to.live && e.To.Incarnation > to.id.Incarnation {
			c.broken(
				"node %d (%s) sends to %v, and there has been no such incarnation: "+
					"the receiver is %s with the incarnation %d, which a core sets to 1 when it starts",
				e.from,
				c.name(e.from),
				e.To,
				c.name(e.to),
				to.id.Incarnation,
			)
		}
		return !to.live || e.To != to.id
	}
	if c.misdelivers() {
		past := b.arrived
		for _, id := range b.envelopes {
			if gone(id) {
				past = c.remembered(past, id)
			}
		}
		return c.internSorted(slices.DeleteFunc(slices.Clone(b.envelopes), gone), past)
	}
	if !slices.ContainsFunc(b.envelopes, gone) && !slices.ContainsFunc(b.arrived, gone) {
		return box
	}
	return c.internSorted(
		slices.DeleteFunc(slices.Clone(b.envelopes), gone),
		slices.DeleteFunc(slices.Clone(b.arrived), gone),
	)
}
