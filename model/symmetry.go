package model

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// ErrSymmetry is wrapped by every error about a symmetry that a system cannot have.
var ErrSymmetry = errors.New("impossible symmetry")

// MaxPermutations bounds the permutations of the nodes of a symmetry: 6! for six nodes.
const MaxPermutations = 720

// Symmetry says which nodes of a system are interchangeable. States that differ only in which of
// these nodes is which form an orbit: they have the same verdicts, and successors in the same
// orbits. A check with reductions explores one state of each orbit.
//
// A core that compares or counts the addresses of nodes may distinguish them. So a check that uses
// a symmetry tests it: in the first 12,288 states if two nodes are interchangeable, 2,458 if three
// are, 535 if four or more are, and in one of 256 later states. If another state of the orbit has
// other successors or another verdict on a property, the check ends with an error. A difference
// that shows in few states, or in few permutations of more than four nodes, may be missed, and then
// verdicts are wrong. So check small bounds with and without reductions.
type Symmetry[S, M, C any] struct {
	// Groups are lists of interchangeable nodes, by their indexes in Nodes. All groups together have
	// at most [MaxPermutations] permutations.
	Groups [][]int
	// State, Message and Command return their argument with all nodes in it renamed, and with sorted
	// lists sorted again. The result may share what is not renamed. Nil renames all values of the
	// types [protocol.NodeID] and [protocol.Address] in a plain value (see [Plain]), and nothing else.
	// A type needs a function if it has an array indexed by nodes, a number that stands for a node, or
	// a sorted list of nodes.
	State   func(s S, to Renaming) S
	Message func(m M, to Renaming) M
	Command func(c C, to Renaming) C
	// Monitor and Persisted do the same for states of the monitor and for persisted bytes. Nil: they
	// name no node of the groups.
	Monitor   func(mon []byte, to Renaming) []byte
	Persisted func(persisted []byte, to Renaming) []byte
}

// Renaming is a permutation of nodes. The zero value is the identity.
type Renaming struct {
	move  *move
	named *uint16 // if not nil: records the nodes that were looked up, a bit each
}

// Node returns the index of the node that a node is renamed to.
func (r Renaming) Node(node int) int {
	if r.move == nil || node < 0 || node >= MaxNodes {
		return node
	}
	if r.named != nil {
		*r.named |= 1 << node
	}
	return int(r.move.to[node])
}

// Address returns the address that an address is renamed to.
func (r Renaming) Address(a protocol.Address) protocol.Address {
	if a >= MaxNodes {
		return a
	}
	return protocol.Address(r.Node(int(a)))
}

// ID returns the identity that an identity is renamed to: another address, the same incarnation.
// The zero identity is not renamed.
func (r Renaming) ID(id protocol.NodeID) protocol.NodeID {
	if !id.IsNobody() {
		id.Address = r.Address(id.Address)
	}
	return id
}

// move is a permutation of nodes and its inverse.
type move struct{ to, from [MaxNodes]uint8 }

// movesOf lists the permutations of groups of nodes. The identity is the first.
func movesOf(groups [][]int) []move {
	still := move{}
	for i := range still.to {
		still.to[i] = uint8(i)
	}
	all := []move{still}
	for _, group := range groups {
		all = interchange(all, group, 0)
	}
	for i := range all {
		for node, to := range all[i].to {
			all[i].from[to] = uint8(node)
		}
	}
	return all
}

// interchange combines each of the moves with each permutation of a group, from an index on.
func interchange(all []move, group []int, first int) []move {
	if first == len(group) {
		return all
	}
	var more []move
	for other := first; other < len(group); other++ {
		for _, m := range all {
			a, b := group[first], group[other]
			m.to[a], m.to[b] = m.to[b], m.to[a]
			more = append(more, m)
		}
	}
	return interchange(more, group, first+1)
}

// countMoves returns the number of permutations of groups, or a number above MaxPermutations.
func countMoves(groups [][]int) int {
	n := 1
	for _, group := range groups {
		for i := range group {
			if n *= i + 1; n > MaxPermutations {
				return n
			}
		}
	}
	return n
}

// validateSymmetry checks the symmetry of a system whose nodes are valid. No function of s is
// missing.
func (s *System[S, M, C]) validateSymmetry() error {
	if s.Symmetry == nil {
		return nil
	}
	if err := s.validateGroups(); err != nil {
		return err
	}
	renamer, err := s.renamer()
	if err != nil {
		return err
	}
	for _, group := range s.Symmetry.Groups {
		for i := 1; i < len(group); i++ {
			if err := s.alike(renamer, group[i-1], group[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *System[S, M, C]) validateGroups() error {
	in := map[int]bool{}
	for _, group := range s.Symmetry.Groups {
		for _, node := range group {
			if node < 0 || node >= len(s.Nodes) {
				return fmt.Errorf("%w: there is no node %d among %d", ErrSymmetry, node, len(s.Nodes))
			}
			if in[node] {
				return fmt.Errorf("%w: node %d (%s) is listed twice", ErrSymmetry, node, s.Nodes[node].Name)
			}
			in[node] = true
		}
	}
	if begun, _ := s.begun(s.Nodes[0]); in[0] && s.Identity(begun).IsNobody() {
		return fmt.Errorf(
			"%w: node 0 (%s) has no incarnation, so its identity is the zero value; let Start set one",
			ErrSymmetry,
			s.Nodes[0].Name,
		)
	}
	if countMoves(s.Symmetry.Groups) > MaxPermutations {
		return fmt.Errorf(
			"%w: the groups %v have more than %d permutations; list fewer nodes",
			ErrSymmetry,
			s.Symmetry.Groups,
			MaxPermutations,
		)
	}
	return nil
}

// alike reports how the description itself distinguishes two nodes: by the commands of any node, or
// by the states in which nodes restart. Two neighbours of a group at a time suffice, since swaps of
// neighbours generate all permutations.
func (s *System[S, M, C]) alike(r *renamer[S, M, C], one, other int) error {
	swap := movesOf(nil)[0]
	swap.to[one], swap.to[other] = swap.to[other], swap.to[one]
	swap.from = swap.to
	to := Renaming{move: &swap}
	for i, node := range s.Nodes {
		if what := s.unlike(r, node, s.Nodes[to.Node(i)], to); what != "" {
			return fmt.Errorf("%w: nodes %s and %s have different %s", ErrSymmetry, s.Nodes[one].Name, s.Nodes[other].Name, what)
		}
	}
	return nil
}

// unlike names a difference between a node after a renaming and the node that it is renamed to.
func (s *System[S, M, C]) unlike(r *renamer[S, M, C], node, other Node[S, C], to Renaming) string {
	same := func(a, b C) bool {
		return bytes.Equal(s.Core.AppendCommand(nil, r.command(a, to)), s.Core.AppendCommand(nil, b))
	}
	sameLife := func(a, b []C) bool { return slices.EqualFunc(a, b, same) }
	if !slices.EqualFunc(node.Commands, other.Commands, sameLife) {
		return "commands"
	}
	if s.Info.Budget.Restart == 0 {
		return "" // the node at address 0 may have the zero identity until it restarts
	}
	a, _ := s.begun(node)
	b, _ := s.begun(other)
	if !bytes.Equal(s.Core.AppendState(nil, r.state(a, to)), s.Core.AppendState(nil, b)) {
		return "states to restart in"
	}
	return ""
}

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
