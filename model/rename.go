package model

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// renamer renames the nodes in all parts of a system's states.
type renamer[S, M, C any] struct {
	state     func(S, Renaming) S
	message   func(M, Renaming) M
	command   func(C, Renaming) C
	monitor   func([]byte, Renaming) []byte
	persisted func([]byte, Renaming) []byte
}

// renamer returns the functions of the system's symmetry, and for each that is missing one by the type.
func (s *System[S, M, C]) renamer() (*renamer[S, M, C], error) {
	given := s.Symmetry
	r := &renamer[S, M, C]{given.State, given.Message, given.Command, given.Monitor, given.Persisted}
	keep := func(b []byte, _ Renaming) []byte { return b }
	if r.monitor == nil {
		r.monitor = keep
	}
	if r.persisted == nil {
		r.persisted = keep
	}
	if err := byType(&r.state, "State"); err != nil {
		return nil, err
	}
	if err := byType(&r.message, "Message"); err != nil {
		return nil, err
	}
	return r, byType(&r.command, "Command")
}

// byType fills in a function that is missing.
func byType[T any](rename *func(T, Renaming) T, name string) error {
	if *rename != nil {
		return nil
	}
	if err := mustBePlain[T](); err != nil {
		return fmt.Errorf("%w: Symmetry.%s is needed: %w", ErrSymmetry, name, err)
	}
	*rename = func(value T, to Renaming) T {
		renamed := reflect.New(reflect.TypeFor[T]()).Elem()
		renameValue(renamed, reflect.ValueOf(&value).Elem(), to)
		return renamed.Interface().(T)
	}
	return nil
}

// renameValue makes a plain value another one in which nodes are renamed.
func renameValue(after, before reflect.Value, to Renaming) {
	switch value := before.Interface().(type) {
	case protocol.NodeID:
		after.Set(reflect.ValueOf(to.ID(value)))
		return
	case protocol.Address:
		after.Set(reflect.ValueOf(to.Address(value)))
		return
	}
	switch before.Kind() {
	case reflect.Slice:
		if before.IsNil() {
			return
		}
		after.Set(reflect.MakeSlice(before.Type(), before.Len(), before.Len()))
		fallthrough
	case reflect.Array:
		for i := range before.Len() {
			renameValue(after.Index(i), before.Index(i), to)
		}
	case reflect.Struct:
		for i := range before.NumField() {
			renameValue(after.Field(i), before.Field(i), to)
		}
	default:
		after.Set(before)
	}
}

// slot returns a slot in which nodes are renamed; what follows from its state is left out.
func (r *renamer[S, M, C]) slot(s *Slot[S], to Renaming) Slot[S] {
	after := *s
	if s.Up {
		after.State = r.state(s.State, to)
	}
	after.Persisted = r.persisted(s.Persisted, to)
	after.Timers = slices.Clone(s.Timers)
	for i := range after.Timers {
		after.Timers[i].Peer = to.ID(after.Timers[i].Peer)
	}
	slices.SortFunc(after.Timers, compareTimers)
	after.Measuring = slices.Clone(s.Measuring)
	for i := range after.Measuring {
		after.Measuring[i] = to.ID(after.Measuring[i])
	}
	slices.SortFunc(after.Measuring, protocol.NodeID.Compare)
	return after
}

// envelope returns a message in which nodes are renamed.
func (r *renamer[S, M, C]) envelope(e protocol.Envelope[M], to Renaming) protocol.Envelope[M] {
	return protocol.Envelope[M]{From: to.ID(e.From), To: to.ID(e.To), Message: r.message(e.Message, to)}
}

// renamedList interns the messages of a list with their nodes renamed, in order.
func (c *compiled[S, M, C]) renamedList(list []uint32, to Renaming) []uint32 {
	renamed := make([]uint32, len(list))
	for i, id := range list {
		renamed[i] = c.internEnvelope(c.renames.envelope(c.envelopes.Value(id).Envelope, to))
	}
	slices.SortFunc(renamed, c.compareEnvelopes)
	return renamed
}

// appendRenamed appends the encoding of a place with its nodes renamed, and interns nothing.
func (c *compiled[S, M, C]) appendRenamed(dst []byte, p *place, to Renaming) []byte {
	slot := c.renames.slot(c.slots.Value(p.slotID), to)
	dst = c.encodeSlot(dst, &slot)
	box := c.inboxes.value(p.boxID)
	for _, list := range [][]uint32{box.envelopes, box.arrived} {
		keys := make([][]byte, len(list))
		for i, id := range list {
			keys[i] = c.envelopeKey(c.renames.envelope(c.envelopes.Value(id).Envelope, to))
		}
		slices.SortFunc(keys, bytes.Compare)
		dst = protocol.AppendUint(dst, uint64(len(keys)))
		for _, key := range keys {
			dst = append(protocol.AppendUint(dst, uint64(len(key))), key...)
		}
	}
	return dst
}

// comparePlaces orders two places of one node by what they are.
func (c *compiled[S, M, C]) comparePlaces(a, b *place) int {
	if a.slotID != b.slotID {
		if order := bytes.Compare(c.slots.Bytes(a.slotID), c.slots.Bytes(b.slotID)); order != 0 {
			return order
		}
	}
	one, other := c.inboxes.value(a.boxID), c.inboxes.value(b.boxID)
	if order := slices.CompareFunc(one.envelopes, other.envelopes, c.compareEnvelopes); order != 0 {
		return order
	}
	return slices.CompareFunc(one.arrived, other.arrived, c.compareEnvelopes)
}
