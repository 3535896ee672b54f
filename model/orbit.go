package model

import (
	"bytes"
	"slices"
	"sync/atomic"

	"github.com/canvass-grid/canvass/checker"
)

// orbits holds the tables of a system's symmetry.
type orbits struct {
	groups  [][]int
	members []int // of all groups
	moves   []move
	class   [MaxNodes]uint32 // by node: a number that the nodes of a group share
	parts   *checker.Memo    // by part of a place and move
	images  *checker.Memo    // by place and move
	pasts   *checker.Memo    // by state of the monitor and move
	colors  arena[uint32]    // that places give nodes

	// Of the present check.
	refuted atomic.Bool   // the claim turned out to be false
	tried   atomic.Uint64 // moves that were tried, each in some state
	skipped atomic.Uint64 // states since the first audits, most of them not tried
}

// begin resets the counters for another check.
func (o *orbits) begin() {
	o.refuted.Store(false)
	o.tried.Store(0)
	o.skipped.Store(0)
}

func newOrbits(groups [][]int) *orbits {
	o := &orbits{
		groups:  groups,
		members: slices.Concat(groups...),
		moves:   movesOf(groups),
		parts:   checker.NewMemo(),
		images:  checker.NewMemo(),
		pasts:   checker.NewMemo(),
	}
	for node := range o.class {
		o.class[node] = uint32(node)
	}
	for _, group := range groups {
		for _, node := range group {
			o.class[node] = uint32(group[0])
		}
	}
	return o
}

func (o *orbits) memory() uint64 {
	if o == nil {
		return 0
	}
	return o.colors.memory.Load() + o.parts.MemoryBytes() + o.images.MemoryBytes() + o.pasts.MemoryBytes()
}

// orbiter finds the canonical states of orbits. It sorts the nodes of a group by their colors. Two
// nodes have equal colors if their places, and the mentions of them in other places, are equal but
// for the names of nodes. Several moves may sort the nodes, because colors are equal. Then the
// least of the states that they lead to is canonical, compared by meaning. So it is the same for
// all states of an orbit, and in every run.
type orbiter[S, M, C any] struct {
	*worker[S, M, C]
	parted, imaged, passed *checker.MemoView

	color       [MaxNodes]uint32 // by node, of the present state
	colors      block[uint32]
	first, next []uint32 // of Canonical: the least state so far, and another one
	asked       bool     // Canonical was called
}

// The caches of an orbiter.
const orbitCacheBits = 10

func newOrbiter[S, M, C any](k *worker[S, M, C]) *orbiter[S, M, C] {
	o := k.orbits
	return &orbiter[S, M, C]{
		worker: k, first: make([]uint32, k.Width()), next: make([]uint32, k.Width()), colors: block[uint32]{arena: &o.colors},
		parted: o.parts.View(orbitCacheBits), imaged: o.images.View(orbitCacheBits), passed: o.pasts.View(orbitCacheBits),
	}
}

// Canonical implements [checker.Symmetric].
func (o *orbiter[S, M, C]) Canonical(state []uint32) {
	o.asked = true
	o.paint(state)
	found := false
	for m := range o.orbits.moves {
		switch {
		case !o.sorts(m):
		case !found:
			found = true
			o.apply(state, m, o.first)
		case o.precedes(state, m):
			o.first, o.next = o.next, o.first
		}
	}
	copy(state, o.first)
}

// paint gives the nodes of a state their colors.
func (o *orbiter[S, M, C]) paint(state []uint32) {
	clear(o.color[:])
	for node := range o.n {
		given := o.colorsOf(node, state[node])
		o.color[node] += given[0]
		if given[0]&namesOthers == 0 {
			continue
		}
		class := o.orbits.class[node]
		for i, other := range o.orbits.members {
			if color := given[1+i]; color != 0 {
				o.color[other] += hashPair(class, color)
			}
		}
	}
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

// precedes reports whether a move leads to a state that is less than the least so far. It leaves
// that state in next.
func (o *orbiter[S, M, C]) precedes(state []uint32, m int) bool {
	less := false
	for node := range o.n {
		image := o.cameFrom(state, m, node)
		o.next[node] = image
		if least := o.first[node]; image != least && !less {
			order := o.comparePlaces(o.places[node].at(image), o.places[node].at(least))
			if order > 0 {
				return false
			}
			less = true
		}
	}
	copy(o.next[o.n:], state[o.n:])
	if o.Monitor == nil {
		return less
	}
	at := o.monitorAt()
	o.next[at] = o.pastOf(state[at], m)
	return less || bytes.Compare(o.monitors.Bytes(o.next[at]), o.monitors.Bytes(o.first[at])) < 0
}

// cameFrom returns the word of a node after a move.
func (o *orbiter[S, M, C]) cameFrom(state []uint32, m, node int) uint32 {
	before := int(o.orbits.moves[m].from[node])
	return o.imageOf(before, state[before], m)
}

// apply writes the state that a move leads to.
func (o *orbiter[S, M, C]) apply(state []uint32, m int, image []uint32) {
	copy(image, state)
	for node := range o.n {
		image[node] = o.cameFrom(state, m, node)
	}
	if o.Monitor != nil {
		image[o.monitorAt()] = o.pastOf(state[o.monitorAt()], m)
	}
}

// imageOf returns the place that a move makes of a node's place: one of another node.
func (o *orbiter[S, M, C]) imageOf(node int, at uint32, m int) uint32 {
	if m == 0 {
		return at
	}
	there := at*MaxNodes + uint32(node)
	if image, ok := o.imaged.Get(there, uint32(m)); ok {
		return image
	}
	p := o.places[node].at(at)
	box := o.inboxes.value(p.boxID)
	renamed := o.internSorted(o.listOfImages(box.envelopes, m), o.listOfImages(box.arrived, m))
	place := o.internPlace(int(o.orbits.moves[m].to[node]), o.partOf(slotImage, p.slotID, m), renamed)
	return o.imaged.Put(there, uint32(m), place)
}

// listOfImages returns the messages of a list after a move, in canonical order.
func (o *orbiter[S, M, C]) listOfImages(list []uint32, m int) []uint32 {
	images := make([]uint32, len(list))
	for i, id := range list {
		images[i] = o.partOf(messageImage, id, m)
	}
	o.sort(images)
	return images
}

// pastOf returns a state of the monitor after a move.
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
