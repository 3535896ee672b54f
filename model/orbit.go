package model

import (
	"bytes"
	"math/bits"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
)

// orbits is what is remembered of a system's interchangeable nodes.
type orbits struct {
	groups [][]int
	moves  []move
	colors *checker.Memo // of a place
	images *checker.Memo // of a place and a move
	pasts  *checker.Memo // of a state of the monitor and a move
}

func newOrbits(groups [][]int) *orbits {
	return &orbits{groups: groups, moves: movesOf(groups), colors: checker.NewMemo(), images: checker.NewMemo(), pasts: checker.NewMemo()}
}

func (o *orbits) memory() uint64 {
	if o == nil {
		return 0
	}
	return o.colors.MemoryBytes() + o.images.MemoryBytes() + o.pasts.MemoryBytes()
}

// orbiter finds the states that stand for orbits. Nodes are sorted by their colors, which are alike for places that are alike
// but for the names of nodes. Where that leaves a choice, because several nodes have the same color, the least state of all
// that are sorted is taken, by what it means: so it is the same one for all states of the orbit, and in every run.
type orbiter[S, M, C any] struct {
	*worker[S, M, C]
	colored, imaged, passed *checker.MemoView
	color                   [MaxNodes]uint32 // by node, of the state at hand
	least, other            []uint32
	asked                   bool // states have been asked for that stand for orbits
	audited                 int
}

// The caches of an orbiter.
const orbitCacheBits = 10

func newOrbiter[S, M, C any](k *worker[S, M, C]) *orbiter[S, M, C] {
	o := k.orbits
	return &orbiter[S, M, C]{
		worker: k, least: make([]uint32, k.Width()), other: make([]uint32, k.Width()),
		colored: o.colors.View(orbitCacheBits), imaged: o.images.View(orbitCacheBits), passed: o.pasts.View(orbitCacheBits),
	}
}

// Canonical implements [checker.Symmetric].
func (o *orbiter[S, M, C]) Canonical(state []uint32) {
	o.asked = true
	for _, group := range o.orbits.groups {
		for _, node := range group {
			o.color[node] = o.colorOf(node, state[node])
		}
	}
	found := false
	for m := range o.orbits.moves {
		switch {
		case !o.sorts(m):
		case !found:
			found = true
			o.apply(state, m, o.least)
		case o.precedes(state, m):
			o.least, o.other = o.other, o.least
		}
	}
	copy(state, o.least)
}

// sorts reports whether a move puts the nodes of each group in the order of their colors.
func (o *orbiter[S, M, C]) sorts(m int) bool {
	from := &o.orbits.moves[m].from
	for _, group := range o.orbits.groups {
		before := uint32(0)
		for _, node := range group {
			color := o.color[from[node]]
			if color < before {
				return false
			}
			before = color
		}
	}
	return true
}

// precedes reports whether a move makes less of a state than the least so far, and what, in other.
func (o *orbiter[S, M, C]) precedes(state []uint32, m int) bool {
	less := false
	for node := range o.n {
		image := o.cameFrom(state, m, node)
		o.other[node] = image
		if least := o.least[node]; image != least && !less {
			order := o.comparePlaces(o.places[node].at(image), o.places[node].at(least))
			if order > 0 {
				return false
			}
			less = true
		}
	}
	copy(o.other[o.n:], state[o.n:])
	if o.Monitor == nil {
		return less
	}
	at := o.monitorAt()
	o.other[at] = o.pastOf(state[at], m)
	return less || bytes.Compare(o.monitors.Bytes(o.other[at]), o.monitors.Bytes(o.least[at])) < 0
}

// cameFrom is what the word of a node is after a move.
func (o *orbiter[S, M, C]) cameFrom(state []uint32, m, node int) uint32 {
	before := int(o.orbits.moves[m].from[node])
	return o.imageOf(before, state[before], m)
}

// apply writes what a move makes of a state.
func (o *orbiter[S, M, C]) apply(state []uint32, m int, image []uint32) {
	copy(image, state)
	for node := range o.n {
		image[node] = o.cameFrom(state, m, node)
	}
	if o.Monitor != nil {
		image[o.monitorAt()] = o.pastOf(state[o.monitorAt()], m)
	}
}

// imageOf is what a move makes of a place: one of the node that takes the node's place.
func (o *orbiter[S, M, C]) imageOf(node int, at uint32, m int) uint32 {
	if m == 0 {
		return at
	}
	there := at*MaxNodes + uint32(node)
	if image, ok := o.imaged.Get(there, uint32(m)); ok {
		return image
	}
	to := Renaming{move: &o.orbits.moves[m]}
	p := o.places[node].at(at)
	slot := o.internSlot(o.renames.slot(o.slots.Value(p.slotID), to))
	box := o.inboxes.value(p.boxID)
	renamed := o.internSorted(o.renamedList(box.envelopes, to), o.renamedList(box.arrived, to))
	return o.imaged.Put(there, uint32(m), o.internPlace(to.Node(node), slot, renamed))
}

// pastOf is what a move makes of a state of the monitor.
func (o *orbiter[S, M, C]) pastOf(past uint32, m int) uint32 {
	if m == 0 {
		return past
	}
	if image, ok := o.passed.Get(past, uint32(m)); ok {
		return image
	}
	renamed := o.renames.monitor(o.monitors.Bytes(past), Renaming{move: &o.orbits.moves[m]})
	return o.passed.Put(past, uint32(m), o.internMonitor(renamed))
}

// colorOf is a number that a place of a node has in common with all that moves make of it.
func (o *orbiter[S, M, C]) colorOf(node int, at uint32) uint32 {
	there := at*MaxNodes + uint32(node)
	if color, ok := o.colored.Get(there, 0); ok {
		return color
	}
	return o.colored.Put(there, 0, o.computeColor(node, o.places[node].at(at)))
}

// computeColor takes the least hash value of what moves make of a place: of those that bring its node to the first place of its
// group. Two of these make the same of it if they agree on the nodes that it names.
func (o *orbiter[S, M, C]) computeColor(node int, p *place) uint32 {
	moves := o.orbits.moves
	named := uint16(0)
	key := o.appendRenamed(nil, p, Renaming{move: &moves[0], named: &named})
	least, first := ^uint64(0), o.interchangeable(node)[0]
	seen := map[[MaxNodes]uint8]bool{}
	for m := range moves {
		to := moves[m].to
		if int(to[node]) != first {
			continue
		}
		for rest := ^named; rest != 0; rest &= rest - 1 {
			to[bits.TrailingZeros16(rest)] = 0
		}
		if seen[to] {
			continue
		}
		seen[to] = true
		key = o.appendRenamed(key[:0], p, Renaming{move: &moves[m]})
		least = min(least, protocol.Hash(key))
	}
	return uint32(least >> 32)
}
