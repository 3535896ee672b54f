package model

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// ErrSymmetry is wrapped by every error about a symmetry that a system cannot have.
var ErrSymmetry = errors.New("impossible symmetry")

// MaxPermutations bounds in how many ways the nodes of a symmetry can be interchanged: 6! for six nodes.
const MaxPermutations = 720

// Symmetry says which nodes of a system are interchangeable: states that differ only in which of
// them is which lead to states that do, and nobody who looks at them cares. A check that wants
// reductions explores one state of each such orbit.
//
// A core that compares the addresses of nodes, or numbers them, does tell them apart. What is
// declared here is therefore tried in a check that relies on it: in the first 12,288 states if two
// nodes are interchangeable, 2,458 if three are and 535 if four or more are, and in one of 256
// later ones. Where another state of the orbit has other successors, or another verdict on a
// property, the check ends with an error that says so. What shows in few states, or in few orders
// of more than four nodes, may be missed all the same, and then verdicts are wrong: check small
// bounds with and without.
type Symmetry[S, M, C any] struct {
	// Groups are lists of nodes, by their places in Nodes. Those of one list are interchangeable. All
	// may be interchanged in [MaxPermutations] ways at most.
	Groups [][]int
	// State, Message and Command return what they are given with each node that it names renamed, and
	// lists that the core keeps in order put in order. What is not renamed may be shared. Nil renames
	// all values of the types [protocol.NodeID] and [protocol.Address] in a plain value (see [Plain]),
	// and nothing else: an array with an element for each node, a number that stands for a node, or a
	// list of nodes that is kept in order needs a function.
	State   func(s S, to Renaming) S
	Message func(m M, to Renaming) M
	Command func(c C, to Renaming) C
	// Monitor and Persisted do the same for the states of the monitor and for what nodes persist. Nil:
	// no node of the groups is named in them.
	Monitor   func(mon []byte, to Renaming) []byte
	Persisted func(persisted []byte, to Renaming) []byte
}

// Renaming says which node takes whose place. The zero value leaves all nodes where they are.
type Renaming struct {
	move  *move
	named *uint16 // the nodes that somebody asked about, a bit each; nil: nobody wants to know
}

// Node returns the place of the node that takes the place of a node.
func (r Renaming) Node(node int) int {
	if r.move == nil || node < 0 || node >= MaxNodes {
		return node
	}
	if r.named != nil {
		*r.named |= 1 << node
	}
	return int(r.move.to[node])
}

// Address returns the address of the node that takes the place of the one at an address.
func (r Renaming) Address(a protocol.Address) protocol.Address {
	if a >= MaxNodes {
		return a
	}
	return protocol.Address(r.Node(int(a)))
}

// ID returns the identity that takes the place of an identity: another address, the same
// incarnation. Nobody stays nobody.
func (r Renaming) ID(id protocol.NodeID) protocol.NodeID {
	if !id.IsNobody() {
		id.Address = r.Address(id.Address)
	}
	return id
}

// move is a permutation of nodes, both ways.
type move struct{ to, from [MaxNodes]uint8 }

// movesOf lists in how many ways the nodes of groups can be interchanged, all left where they are
// first.
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

// interchange combines each of the moves with each order of the nodes of a group, those before the
// given one left alone.
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

// countMoves is in how many ways the nodes of groups can be interchanged, or more than MaxPermutations.
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

// validateSymmetry says what is wrong with the symmetry of a system whose nodes are right. Nothing
// in s is missing.
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
			"%w: node 0 (%s) has no incarnation, so its identity is that of nobody; let Start set one",
			ErrSymmetry,
			s.Nodes[0].Name,
		)
	}
	if countMoves(s.Symmetry.Groups) > MaxPermutations {
		return fmt.Errorf(
			"%w: the nodes of %v can be interchanged in more than %d ways; list fewer of them",
			ErrSymmetry,
			s.Symmetry.Groups,
			MaxPermutations,
		)
	}
	return nil
}

// alike says what of the description itself tells two nodes apart: the orders of any node, and the
// states in which nodes are restarted. What does not change when neighbors of a list are
// interchanged never does.
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

// unlike says what of a node, renamed, is not that of the node whose place it takes.
func (s *System[S, M, C]) unlike(r *renamer[S, M, C], node, other Node[S, C], to Renaming) string {
	same := func(a, b C) bool {
		return bytes.Equal(s.Core.AppendCommand(nil, r.command(a, to)), s.Core.AppendCommand(nil, b))
	}
	sameLife := func(a, b []C) bool { return slices.EqualFunc(a, b, same) }
	if !slices.EqualFunc(node.Commands, other.Commands, sameLife) {
		return "orders"
	}
	if s.Info.Budget.Restart == 0 {
		return "" // before it is restarted, who is at address 0 may be nobody
	}
	a, _ := s.begun(node)
	b, _ := s.begun(other)
	if !bytes.Equal(s.Core.AppendState(nil, r.state(a, to)), s.Core.AppendState(nil, b)) {
		return "states to be restarted in"
	}
	return ""
}
