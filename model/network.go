package model

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// network is a multiset of messages in flight. Equal messages stand beside each other; the order is that
// of their encodings, receiver first, so that it means the same in every run.
type network struct {
	envelopes []uint32
	touched   uint32 // the nodes that messages are from or to, one bit each
}

type envelope[M any] struct {
	protocol.Envelope[M]
	from, to int // nodes
}

func (c *compiled[S, M, C]) internEnvelope(e protocol.Envelope[M]) uint32 {
	key := protocol.AppendNodeID(nil, e.To)
	key = protocol.AppendNodeID(key, e.From)
	key = c.Core.AppendMessage(key, e.Message)
	id, _ := c.envelopes.Intern(key, &envelope[M]{Envelope: e, from: int(e.From.Address), to: int(e.To.Address)})
	return id
}

func (c *compiled[S, M, C]) compareEnvelopes(a, b uint32) int {
	if a == b {
		return 0
	}
	return bytes.Compare(c.envelopes.Bytes(a), c.envelopes.Bytes(b))
}

// internNetwork interns a multiset; it takes the slice and sorts it.
func (c *compiled[S, M, C]) internNetwork(envelopes []uint32) uint32 {
	slices.SortFunc(envelopes, c.compareEnvelopes)
	key := make([]byte, 0, 4*len(envelopes))
	var touched uint32
	for _, id := range envelopes {
		key = binary.LittleEndian.AppendUint32(key, id)
		e := c.envelopes.Value(id)
		touched |= 1<<e.from | 1<<e.to
	}
	id, fresh := c.networks.Intern(key, &network{envelopes, touched})
	if fresh {
		c.networks.Charge(8*len(envelopes) + 32)
	}
	return id
}

// without returns the network with one copy of a message less.
func (k *worker[S, M, C]) without(net, envelope uint32) uint32 {
	if id, ok := k.removed.Get(net, envelope); ok {
		return id
	}
	all := k.networks.Value(net).envelopes
	i := slices.Index(all, envelope)
	return k.removed.Put(net, envelope, k.internNetwork(slices.Delete(slices.Clone(all), i, i+1)))
}

// with returns the union of two networks.
func (k *worker[S, M, C]) with(net, more uint32) uint32 {
	if more == k.empty {
		return net
	}
	if id, ok := k.added.Get(net, more); ok {
		return id
	}
	all := slices.Concat(k.networks.Value(net).envelopes, k.networks.Value(more).envelopes)
	return k.added.Put(net, more, k.internNetwork(all))
}

// reachable returns the part of a network that is addressed to processes which are there to receive it.
func (k *worker[S, M, C]) reachable(net uint32) uint32 {
	n := k.networks.Value(net)
	gone := func(id uint32) bool {
		e := k.envelopes.Value(id)
		s := k.world.Slots[e.to]
		return !s.live || s.id != e.To
	}
	if !slices.ContainsFunc(n.envelopes, gone) {
		return net
	}
	return k.internNetwork(slices.DeleteFunc(slices.Clone(n.envelopes), gone))
}
