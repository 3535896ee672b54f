package model

import (
	"errors"
	"fmt"
	"slices"
)

// Network says in which order messages arrive.
type Network uint8

const (
	// Unordered is a network in which any message in flight can be the next to arrive.
	Unordered Network = iota
	// FIFO is a network of channels, one for each ordered pair of a sender and a receiver. The
	// messages of a channel arrive in the order in which they were sent. Messages of different
	// channels arrive in any order.
	//
	// A channel belongs to an incarnation of the sender and an incarnation of the receiver. What a
	// node sent before it crashed still arrives, in order; what its next incarnation sends may
	// overtake that. What is on its way to a node that crashes or ends vanishes.
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
func (c *compiled[S, M, C]) sort(envelopes []uint32) {
	if c.ordered() {
		slices.SortStableFunc(envelopes, c.compareChannels)
		return
	}
	slices.SortFunc(envelopes, c.compareEnvelopes)
}

// compareChannels orders two messages to one node by their channels.
func (c *compiled[S, M, C]) compareChannels(a, b uint32) int {
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
// copy of one that can.
func (c *compiled[S, M, C]) waits(envelopes []uint32, i int) bool {
	switch {
	case i == 0:
		return false
	case c.ordered():
		return c.compareChannels(envelopes[i-1], envelopes[i]) == 0
	}
	return envelopes[i-1] == envelopes[i]
}

// rank returns how many messages of an inbox arrive before the i-th for certain: on a channel those
// that were sent before it, on an unordered network none.
func (c *compiled[S, M, C]) rank(envelopes []uint32, i int) uint32 {
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
func (c *compiled[S, M, C]) dropped(box, position uint32) uint32 {
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
func (c *compiled[S, M, C]) cutMark(rest []byte) ([]byte, error) {
	if !c.ordered() {
		return rest, nil
	}
	if string(rest) != fifoMark {
		return rest, errors.New("the snapshot is of a system whose network is not FIFO")
	}
	return nil, nil
}
