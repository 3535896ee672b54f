package model

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// inbox is a multiset of messages on their way to one node. The network is an inbox for each node, so
// that what happens at one node leaves the others' words in a state alone. Equal messages stand beside
// each other; the order is that of their encodings, so that it means the same in every run.
//
// Under a budget that lets messages come again without end it is two sets: of those on their way, and of those that
// have arrived and are not on their way again. (A copy more or less on the way makes no difference then.)
type inbox struct {
	envelopes []uint32
	arrived   []uint32
	senders   uint32 // of those on their way, one bit each
}

type envelope[M any] struct {
	protocol.Envelope[M]
	from, to int // nodes
}

// parcel is what a step sends to one node.
type parcel struct {
	to    int
	inbox uint32
}

func (c *compiled[S, M, C]) internEnvelope(e protocol.Envelope[M]) uint32 {
	key := protocol.AppendNodeID(nil, e.To)
	key = protocol.AppendNodeID(key, e.From)
	key = c.Core.AppendMessage(key, e.Message)
	if id, ok := c.envelopes.Lookup(key); ok {
		return id
	}
	id, _ := c.envelopes.Intern(key, &envelope[M]{Envelope: e, from: int(e.From.Address), to: int(e.To.Address)})
	return id
}

func (c *compiled[S, M, C]) compareEnvelopes(a, b uint32) int {
	if a == b {
		return 0
	}
	return bytes.Compare(c.envelopes.Bytes(a), c.envelopes.Bytes(b))
}

// internInbox interns a multiset; it takes the slice and sorts it.
func (c *compiled[S, M, C]) internInbox(envelopes []uint32) uint32 {
	slices.SortFunc(envelopes, c.compareEnvelopes)
	return c.internSorted(envelopes, nil)
}

// split stands in the key of an inbox before those that have arrived, if there are any.
const split = math.MaxUint32

// internSorted interns an inbox of two lists that are in order; it takes the slices.
func (c *compiled[S, M, C]) internSorted(envelopes, arrived []uint32) uint32 {
	key := make([]byte, 0, 4*(len(envelopes)+1+len(arrived)))
	for _, id := range envelopes {
		key = binary.LittleEndian.AppendUint32(key, id)
	}
	if len(arrived) > 0 {
		key = binary.LittleEndian.AppendUint32(key, split)
		for _, id := range arrived {
			key = binary.LittleEndian.AppendUint32(key, id)
		}
	}
	if id, ok := c.inboxes.Lookup(key); ok {
		return id
	}
	id, fresh := c.inboxes.Intern(key, c.newInbox(envelopes, arrived))
	if fresh {
		c.inboxes.Charge(inboxBytes(key))
	}
	return id
}

func (c *compiled[S, M, C]) newInbox(envelopes, arrived []uint32) *inbox {
	box := &inbox{envelopes: envelopes, arrived: arrived}
	for _, id := range envelopes {
		box.senders |= 1 << c.envelopes.Value(id).from
	}
	return box
}

// inboxBytes is what an inbox takes besides its key.
func inboxBytes(key []byte) int { return len(key) + 56 }

// pack sorts what a step sends by receiver. Nothing is sent to places where no process can be.
func (c *compiled[S, M, C]) pack(sent []protocol.Envelope[M]) []parcel {
	boxes := make([][]uint32, c.n)
	for _, e := range sent {
		if int(e.To.Address) < c.n && int(e.From.Address) < c.n {
			boxes[e.To.Address] = append(boxes[e.To.Address], c.internEnvelope(e))
		}
	}
	var parcels []parcel
	for to, box := range boxes {
		if len(box) > 0 {
			parcels = append(parcels, parcel{to, c.internInbox(box)})
		}
	}
	return parcels
}

// without returns the inbox with one copy of a message less.
func (c *compiled[S, M, C]) without(box, envelope uint32) uint32 {
	b := c.inboxes.Value(box)
	return c.internSorted(less(b.envelopes, envelope), b.arrived)
}

// delivered returns the inbox after a message has arrived.
func (c *compiled[S, M, C]) delivered(box, envelope uint32) uint32 {
	if !c.Info.Budget.Repeat || !c.Repeats(c.envelopes.Value(envelope).Message) {
		return c.without(box, envelope)
	}
	b := c.inboxes.Value(box)
	at, _ := slices.BinarySearchFunc(b.arrived, envelope, c.compareEnvelopes)
	return c.internSorted(less(b.envelopes, envelope), slices.Insert(slices.Clone(b.arrived), at, envelope))
}

// less returns a list with one copy of a message less.
func less(all []uint32, envelope uint32) []uint32 {
	i := slices.Index(all, envelope)
	return slices.Delete(slices.Clone(all), i, i+1)
}

// with returns the inbox with more messages on their way.
func (c *compiled[S, M, C]) with(box, more uint32) uint32 {
	if more == c.empty {
		return box
	}
	b, m := c.inboxes.Value(box), c.inboxes.Value(more)
	all := slices.Concat(b.envelopes, m.envelopes)
	if !c.Info.Budget.Repeat {
		return c.internInbox(all)
	}
	slices.SortFunc(all, c.compareEnvelopes)
	sent := func(id uint32) bool { return slices.Contains(m.envelopes, id) }
	return c.internSorted(slices.Compact(all), slices.DeleteFunc(slices.Clone(b.arrived), sent))
}

// reachable returns what is left of an inbox when a process is there to receive it: only what is
// addressed to its very incarnation.
func (c *compiled[S, M, C]) reachable(box uint32, to *Slot[S]) uint32 {
	if !to.live {
		return c.empty
	}
	b := c.inboxes.Value(box)
	gone := func(id uint32) bool { return c.envelopes.Value(id).To != to.id }
	if !slices.ContainsFunc(b.envelopes, gone) && !slices.ContainsFunc(b.arrived, gone) {
		return box
	}
	return c.internSorted(slices.DeleteFunc(slices.Clone(b.envelopes), gone), slices.DeleteFunc(slices.Clone(b.arrived), gone))
}
