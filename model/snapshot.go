package model

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/canvass-grid/canvass/checker"
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

func (c *compiled[S, M, C]) decodeMonitor(key []byte) (any, error) {
	return c.viewOf(key), nil
}

// split precedes the arrived messages in the key of an inbox, if there are any.
const split = math.MaxUint32

// snapshot appends the lists of all inboxes, by id.
func (t *inboxes) snapshot(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(t.len()))
	for id := range t.len() {
		b := t.value(uint32(id))
		words := b.envelopes
		if len(b.arrived) > 0 {
			words = append(append(words, split), b.arrived...)
		}
		dst = appendKey(dst, words...)
	}
	return dst
}

// snapshot appends the slots and inboxes of all places, by id.
func (t *places) snapshot(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(t.len()))
	for id := range t.len() {
		p := t.at(uint32(id))
		dst = appendKey(dst, p.slotID, p.boxID)
	}
	return dst
}

// appendKey appends words behind the number of their bytes.
func appendKey(dst []byte, words ...uint32) []byte {
	dst = binary.AppendUvarint(dst, uint64(4*len(words)))
	for _, w := range words {
		dst = binary.LittleEndian.AppendUint32(dst, w)
	}
	return dst
}

// restoreTable restores the items of a table in the order of their ids: intern adds one by its key.
// It returns the rest of the snapshot. The format is that of an interner, so a temporary interner
// parses it.
func restoreTable(snapshot []byte, intern func(key []byte) (uint32, error)) (rest []byte, err error) {
	next := uint32(0)
	return checker.NewInterner[struct{}]().Restore(snapshot, func(key []byte) (struct{}, error) {
		got, err := intern(key)
		if err == nil && got != next {
			err = errTable
		}
		next++
		return struct{}{}, err
	})
}

func (c *network[S, M, C]) decodeInbox(key []byte) (uint32, error) {
	var lists [2][]uint32
	at := 0
	for ; len(key) >= 4; key = key[4:] {
		switch id := binary.LittleEndian.Uint32(key); {
		case id == split && at == 0:
			at = 1
		case int(id) >= c.envelopes.Len():
			return 0, errTable
		default:
			lists[at] = append(lists[at], id)
		}
	}
	return c.internSorted(lists[0], lists[1]), nil
}

func (c *compiled[S, M, C]) decodePlace(node int, key []byte) (uint32, error) {
	if len(key) != 8 {
		return 0, errTable
	}
	slot, box := binary.LittleEndian.Uint32(key), binary.LittleEndian.Uint32(key[4:])
	if int(slot) >= c.slots.Len() || int(box) >= c.inboxes.len() {
		return 0, errTable
	}
	return c.internPlace(node, slot, box), nil
}
