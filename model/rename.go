package model

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// renamer renames nodes in all parts of a system's states.
type renamer[S, M, C any] struct {
	state     func(S, Renaming) S
	message   func(M, Renaming) M
	command   func(C, Renaming) C
	monitor   func([]byte, Renaming) []byte
	persisted func([]byte, Renaming) []byte
}

// renamer returns the functions of the system's symmetry. A missing function is derived from the
// type.
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

// byType derives a missing function from its type.
func byType[T any](rename *func(T, Renaming) T, name string) error {
	if *rename != nil {
		return nil
	}
	if err := mustBePlain[T](); err != nil {
		return fmt.Errorf("%w: Symmetry.%s is needed: %w", ErrSymmetry, name, err)
	}
	rewrite := namers{}.of(reflect.TypeFor[T]())
	*rename = func(value T, to Renaming) T {
		if rewrite != nil {
			rewrite(reflect.ValueOf(&value).Elem(), to)
		}
		return value
	}
	return nil
}

// namer renames the nodes in a plain value. It changes the value, and copies what the value refers
// to.
type namer func(v reflect.Value, to Renaming)

// namers holds the namers of types, so that recursive types end.
type namers map[reflect.Type]*namer

// of returns the namer of a type, or nil if its values name no nodes.
func (all namers) of(t reflect.Type) namer {
	switch t {
	case reflect.TypeFor[protocol.Address]():
		return func(v reflect.Value, to Renaming) { v.SetUint(uint64(to.Address(protocol.Address(v.Uint())))) }
	case reflect.TypeFor[protocol.NodeID]():
		return func(v reflect.Value, to Renaming) {
			id := v.Addr().Interface().(*protocol.NodeID)
			*id = to.ID(*id)
		}
	}
	if done, ok := all[t]; ok {
		return func(v reflect.Value, to Renaming) { (*done)(v, to) }
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return all.ofList(t)
	case reflect.Struct:
		return all.ofStruct(t)
	}
	return nil
}

func (all namers) ofList(t reflect.Type) namer {
	item := all.of(t.Elem())
	if item == nil {
		return nil
	}
	return func(v reflect.Value, to Renaming) {
		if t.Kind() == reflect.Slice && !v.IsNil() {
			fresh := reflect.MakeSlice(t, v.Len(), v.Len())
			reflect.Copy(fresh, v)
			v.Set(fresh)
		}
		for i := range v.Len() {
			item(v.Index(i), to)
		}
	}
}

func (all namers) ofStruct(t reflect.Type) namer {
	fields := make([]namer, t.NumField())
	var whole namer = func(v reflect.Value, to Renaming) {
		for i, field := range fields {
			if field != nil {
				field(v.Field(i), to)
			}
		}
	}
	all[t] = &whole
	names := false
	for i := range fields {
		fields[i] = all.of(t.Field(i).Type)
		names = names || fields[i] != nil
	}
	if !names {
		return nil
	}
	return whole
}

// slot returns a slot in which nodes are renamed, without the fields that follow from its state.
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

// comparePlaces orders two places of one node by their contents.
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
