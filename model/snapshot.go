package model

import (
	"errors"
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
)

var _ checker.Snapshotter = (*compiled[int, int, int])(nil)

// Snapshot implements [checker.Snapshotter]. A snapshot holds all that the words of states refer
// to, directly or indirectly. Memoised steps are left out and computed again.
func (c *compiled[S, M, C]) Snapshot() ([]byte, error) {
	var all []byte
	for _, snapshot := range []func([]byte) []byte{
		c.slots.Snapshot, c.envelopes.Snapshot, c.inboxes.snapshot, c.monitors.Snapshot,
	} {
		all = snapshot(all)
	}
	for _, places := range c.places {
		all = places.snapshot(all)
	}
	if c.ordered() {
		all = append(all, fifoMark...)
	}
	return all, nil
}

// Restore implements [checker.Snapshotter]. The components of the initial state are in the tables
// already, with the same ids in every run.
func (c *compiled[S, M, C]) Restore(snapshot []byte) error {
	rest, err := c.slots.Restore(snapshot, c.remakeSlot)
	if err == nil {
		rest, err = c.envelopes.Restore(rest, c.decodeEnvelope)
	}
	if err == nil {
		rest, err = restoreTable(rest, c.decodeInbox)
	}
	if err == nil {
		rest, err = c.monitors.Restore(rest, c.decodeMonitor)
	}
	for node := range c.places {
		if err == nil {
			rest, err = restoreTable(rest, func(key []byte) (uint32, error) { return c.decodePlace(node, key) })
		}
	}
	if err == nil {
		rest, err = c.cutMark(rest)
	}
	if err == nil && len(rest) > 0 {
		err = errors.New("the snapshot has more than the model's tables")
	}
	if err != nil {
		return fmt.Errorf("model %s: %w", c.Info.Name, err)
	}
	return nil
}

// errTable is the error about an id in a snapshot that refers to nothing.
var errTable = errors.New("the snapshot refers to an id that it does not have")

// remakeSlot makes the slot with an encoding, and charges it.
func (c *compiled[S, M, C]) remakeSlot(key []byte) (*Slot[S], error) {
	s, err := c.decodeSlot(key)
	if err != nil {
		return nil, err
	}
	c.describeSlot(s, key)
	c.slots.Charge(slotBytes(key))
	return s, nil
}

// decodeSlot is the inverse of encodeSlot.
func (c *compiled[S, M, C]) decodeSlot(key []byte) (*Slot[S], error) {
	r := protocol.NewReader(key)
	const most = 1<<32 - 1
	s := &Slot[S]{Up: r.Bool(), Choose: uint32(r.Uint(most)), Life: int(r.Uint(most)), Issued: int(r.Uint(most))}
	if n := r.Uint(uint64(len(key))); n > 0 {
		s.Persisted = slices.Clone(r.Bytes(int(n)))
	}
	for range r.Uint(protocol.MaxItems) {
		if !r.OK() {
			break
		}
		s.Timers = append(s.Timers, protocol.Timer{Kind: protocol.TimerKind(r.Uint(most)), Peer: r.NodeID()})
	}
	s.Measuring = protocol.List(r, r.NodeID)
	if s.Up && r.OK() {
		state, err := c.Core.DecodeState(r.Bytes(r.Left()))
		if err != nil {
			return nil, err
		}
		s.State = state
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	return s, nil
}

func (c *compiled[S, M, C]) decodeEnvelope(key []byte) (*envelope[M], error) {
	r := protocol.NewReader(key)
	e := protocol.Envelope[M]{To: r.NodeID(), From: r.NodeID()}
	if !r.OK() || int(e.To.Address) >= c.n || int(e.From.Address) >= c.n {
		return nil, errTable
	}
	m, err := c.Core.DecodeMessage(r.Bytes(r.Left()))
	e.Message = m
	return &envelope[M]{Envelope: e, from: int(e.From.Address), to: int(e.To.Address)}, err
}

func (c *compiled[S, M, C]) decodeMonitor(key []byte) (any, error) {
	return c.viewOf(key), nil
}
