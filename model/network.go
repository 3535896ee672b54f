package model

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
)

type envelope[M any] struct {
	protocol.Envelope[M]
	from, to int // nodes
}

// network keeps the messages in flight to each node.
type network[S, M, C any] struct {
	codec[S, M, C]
	envelopes *checker.Interner[*envelope[M]]
	inboxes   *inboxes
	first     []uint16 // by node: the incarnation that it begins with
	empty     uint32   // the inbox without messages
}

// batch has the messages of a step to one node.
type batch struct {
	inbox uint32
	to    uint16
	last  bool // of the messages
}

func (c *network[S, M, C]) internEnvelope(e protocol.Envelope[M]) uint32 {
	key := c.envelopeKey(e)
	if id, ok := c.envelopes.Lookup(key); ok {
		c.require(c.messages().Same(c.envelopes.Value(id).Message, e.Message))
		return id
	}
	c.requireMessage(e.Message)
	id, _ := c.envelopes.Intern(key, &envelope[M]{Envelope: e, from: int(e.From.Address), to: int(e.To.Address)})
	return id
}

func (c *network[S, M, C]) compareEnvelopes(a, b uint32) int {
	if a == b {
		return 0
	}
	return bytes.Compare(c.envelopes.Bytes(a), c.envelopes.Bytes(b))
}

// internInbox interns the inbox of these messages, which are listed in the order of sending. It
// sorts the slice.
func (c *network[S, M, C]) internInbox(envelopes []uint32) uint32 {
	c.sort(envelopes)
	return c.internSorted(envelopes, nil)
}

// internSorted interns the inbox with these two lists, which are sorted already.
func (c *network[S, M, C]) internSorted(envelopes, arrived []uint32) uint32 {
	return c.inboxes.intern(envelopes, arrived, func() uint16 {
		senders := uint16(0)
		for _, id := range envelopes {
			senders |= 1 << c.envelopes.Value(id).from
		}
		return senders
	})
}

// delivered returns the inbox after a message has arrived.
func (c *network[S, M, C]) delivered(box, envelope uint32) uint32 {
	b := c.inboxes.value(box)
	return c.internSorted(less(b.envelopes, envelope), c.remembered(b.arrived, envelope))
}

// comesAgain reports whether a message can arrive again once it has.
func (c *network[S, M, C]) comesAgain(envelope uint32) bool {
	b := c.Info.Budget
	return (b.endless() || b.adversarial()) && c.Repeats(c.envelopes.Value(envelope).Message)
}

// remembered returns the set of messages that can arrive again with one more, if that one can. It
// does not change the set that it is given.
func (c *network[S, M, C]) remembered(past []uint32, envelope uint32) []uint32 {
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

// with returns the inbox with more messages in flight, which are sent after the present ones.
func (c *network[S, M, C]) with(box, more uint32) uint32 {
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
func (c *network[S, M, C]) misdelivers() bool {
	return c.Info.Budget.adversarial() && !c.ThisIncarnation
}

// returns reports whether a node that is down may restart. A place does not have the rest of the
// budget, but no node restarts more often than the whole budget allows.
func (c *network[S, M, C]) returns(s *Slot[S]) bool { return !s.Up && s.Life < c.Info.Budget.Restart }

// reachable returns the inbox without the messages that vanish, given the state of its node:
// messages that are not addressed to its present incarnation. Under adversarial delivery they can
// arrive later, unless the node never receives again.
func (c *network[S, M, C]) reachable(box uint32, to *Slot[S]) uint32 {
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

// Network says in which order messages arrive.
type Network uint8

const (
	// Unordered is a network in which any message in flight can be the next to arrive.
	Unordered Network = iota
	// FIFO is a network of channels, one for each ordered pair of a sender and a receiver. The
	// messages of a channel arrive in the order in which they were sent. Messages of different
	// channels arrive in any order.
	//
	// A channel belongs to an incarnation of the sender and an incarnation of the receiver. Messages
	// that a node sent before it crashed still arrive, in order; those of its next incarnation may
	// overtake them. Messages in flight to a node that crashes or ends vanish.
	//
	// A drop removes any message of a channel, and the others keep their order. A duplicate delivers
	// the first message of a channel and leaves it there: it arrives again before any message that
	// was sent after it. Adversarial delivery, Budget.Repeat and System.KeepIgnored are
	// refused.
	FIFO
)

// String names the network.
func (n Network) String() string {
	switch n {
	case Unordered:
		return "unordered"
	case FIFO:
		return "FIFO"
	}
	return fmt.Sprintf("Network(%d)", uint8(n))
}

// validateNetwork checks that the rest of the description has a meaning on its network.
func (s *System[S, M, C]) validateNetwork() error {
	switch {
	case s.Network > FIFO:
		return fmt.Errorf("%w: %v is no network; use Unordered or FIFO", ErrSystem, s.Network)
	case s.Network == FIFO && s.KeepIgnored:
		return fmt.Errorf("%w: KeepIgnored on a FIFO network: an ignored message would block its channel; "+
			"leave KeepIgnored out or use Unordered", ErrSystem)
	case s.Network == FIFO && (s.Info.Budget.Repeat || s.Info.Budget.adversarial()):
		return fmt.Errorf(
			"%w: %s on a FIFO network: a message that arrives again later overtakes messages sent after it; "+
				"use duplicate, or an Unordered network",
			ErrBudget, map[bool]string{true: "adversarial delivery", false: "repeat"}[s.Info.Budget.adversarial()],
		)
	}
	return nil
}

// ordered reports whether the messages of a channel arrive in order. An inbox lists its messages
// channel by channel then, and those of a channel in the order in which they were sent.
func (s *System[S, M, C]) ordered() bool { return s.Network == FIFO }

// sort brings the messages of an inbox into their canonical order.
func (c *network[S, M, C]) sort(envelopes []uint32) {
	if c.ordered() {
		slices.SortStableFunc(envelopes, c.compareChannels)
		return
	}
	slices.SortFunc(envelopes, c.compareEnvelopes)
}

// compareChannels orders two messages to one node by their channels.
func (c *network[S, M, C]) compareChannels(a, b uint32) int {
	if a == b {
		return 0
	}
	one, other := c.envelopes.Value(a), c.envelopes.Value(b)
	if order := one.From.Compare(other.From); order != 0 {
		return order
	}
	return one.To.Compare(other.To)
}

// waits reports whether the i-th message of an inbox cannot be the next to arrive, or is another
// copy of a message that can.
func (c *network[S, M, C]) waits(envelopes []uint32, i int) bool {
	switch {
	case i == 0:
		return false
	case c.ordered():
		return c.compareChannels(envelopes[i-1], envelopes[i]) == 0
	}
	return envelopes[i-1] == envelopes[i]
}

// rank returns how many messages of an inbox arrive before the i-th for certain: on a channel the
// messages sent before it, on an unordered network 0.
func (c *network[S, M, C]) rank(envelopes []uint32, i int) uint32 {
	if !c.ordered() {
		return 0
	}
	first := i
	for first > 0 && c.waits(envelopes, first) {
		first--
	}
	return uint32(i - first)
}

// dropped returns the inbox without the message at a position. Under adversarial delivery the
// message can still arrive, later.
func (c *network[S, M, C]) dropped(box, position uint32) uint32 {
	b := c.inboxes.value(box)
	past := b.arrived
	if c.Info.Budget.adversarial() {
		past = c.remembered(past, b.envelopes[position])
	}
	return c.internSorted(slices.Delete(slices.Clone(b.envelopes), int(position), int(position)+1), past)
}

// fifoMark stands at the end of a snapshot of a system whose network is FIFO, so that an unordered
// system refuses it: the lists of its inboxes mean something else.
const fifoMark = "fifo"

// cutMark returns a snapshot without the mark that one of this system has.
func (c *network[S, M, C]) cutMark(rest []byte) ([]byte, error) {
	if !c.ordered() {
		return rest, nil
	}
	if string(rest) != fifoMark {
		return rest, errors.New("the snapshot is of a system whose network is not FIFO")
	}
	return nil, nil
}

// inbox holds the messages in flight to one node. The network is an inbox for each node, so that an
// action at one node leaves the words of the others in a state vector alone. On an unordered
// network it is a multiset, sorted by encodings. On a FIFO network it is sorted by channels, and
// the messages of a channel have their order.
//
// Under unbounded duplication it also holds the set of messages that have arrived and can arrive
// again. Of such a message at most one copy is in flight. Otherwise each answer to a repeated
// message would add a copy, without bound.
//
// Under adversarial delivery that set holds every message that was ever sent to the address and is
// not in flight: dropped messages, and messages to former incarnations. A node that is down keeps
// it if it may restart. All are interned as messages to the first incarnation, since it makes no
// difference which one they name.
type inbox struct {
	envelopes []uint32
	arrived   []uint32
}

// inboxes is the table of all inboxes. Their lists are stored in chunks, so that there are few
// pointers.
type inboxes struct {
	index  index
	heads  rows[inboxHead]
	chunks rows[[]uint32]
	last   uint32 // the chunk that is being filled
	used   uint32 // words of it
}

// inboxHead locates the lists of an inbox: the arrived messages follow those in flight.
type inboxHead struct {
	chunk, at          uint32
	envelopes, arrived uint32 // how many
	senders            uint16 // of the messages in flight, one bit each
}

// Sizes of chunks, in words. Each is larger than the one before, up to mostChunk. A longer list
// gets a chunk of its length.
const (
	leastChunk = 1 << 8
	mostChunk  = 1 << 13
)

// len returns the number of inboxes.
func (t *inboxes) len() int { return int(t.index.count.Load()) }

// value returns the inbox of an id. Callers must not change it.
func (t *inboxes) value(id uint32) inbox {
	h := t.heads.at(id)
	all := (*t.chunks.at(h.chunk))[h.at:]
	end := h.envelopes + h.arrived
	return inbox{all[:h.envelopes:h.envelopes], all[h.envelopes:end:end]}
}

// intern returns the id of the inbox with these lists. They are sorted already, and copied. For a
// new inbox, senders returns the senders of its messages in flight.
func (t *inboxes) intern(envelopes, arrived []uint32, senders func() uint16) uint32 {
	hash := hashLists(envelopes, arrived)
	same := func(id uint32) bool {
		b := t.value(id)
		return slices.Equal(b.envelopes, envelopes) && slices.Equal(b.arrived, arrived)
	}
	if id, ok := t.index.find(hash, same); ok {
		return id
	}
	t.index.lock.Lock()
	defer t.index.lock.Unlock()
	if id, ok := t.index.find(hash, same); ok {
		return id
	}
	id := t.index.count.Load()
	t.index.memory.Add(uint64(t.heads.make(id)))
	*t.heads.at(id) = t.keep(envelopes, arrived, senders())
	t.index.add(hash, func(id uint32) uint32 {
		b := t.value(id)
		return hashLists(b.envelopes, b.arrived)
	})
	return id
}

// keep copies the lists of an inbox into a chunk.
func (t *inboxes) keep(envelopes, arrived []uint32, senders uint16) inboxHead {
	n := len(envelopes) + len(arrived)
	if t.chunks.row[0] == nil || n > len(*t.chunks.at(t.last))-int(t.used) {
		t.begin(n)
	}
	h := inboxHead{t.last, t.used, uint32(len(envelopes)), uint32(len(arrived)), senders}
	to := (*t.chunks.at(t.last))[t.used:]
	copy(to[copy(to, envelopes):], arrived)
	t.used += uint32(n)
	return h
}

// begin makes a chunk with room for that many words.
func (t *inboxes) begin(n int) {
	size := leastChunk
	if t.chunks.row[0] != nil {
		size = min(2*len(*t.chunks.at(t.last)), mostChunk)
		t.last++
	}
	size = max(size, n)
	bytes := t.chunks.make(t.last) + 4*size
	*t.chunks.at(t.last), t.used = make([]uint32, size), 0
	t.index.memory.Add(uint64(bytes))
}

// hashLists hashes the lists of an inbox.
func hashLists(envelopes, arrived []uint32) uint32 {
	hash := uint32(len(envelopes))
	for _, id := range envelopes {
		hash = hashPair(hash, id)
	}
	for _, id := range arrived {
		hash = hashPair(hash, id)
	}
	return hash
}
