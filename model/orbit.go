package model

import (
	"bytes"
	"slices"
	"sync/atomic"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
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

// namesOthers is set in the color that a place gives its own node if the place names other
// interchangeable nodes.
const namesOthers = 1

// colorsOf returns the colors that a place gives nodes: first its own node, then each
// interchangeable node, 0 if the place does not name it.
func (o *orbiter[S, M, C]) colorsOf(node int, at uint32) []uint32 {
	known := o.places[node].colors.at(at)
	list := atomic.LoadUint32(known)
	if list == 0 { // two workers may compute it at the same time, with equal results
		list = o.colors.keep(o.computeColors(node, at))
		atomic.StoreUint32(known, list)
	}
	return o.orbits.colors.rows.run(list, 1+len(o.orbits.members))
}

// computeColors computes the colors that a place gives nodes. A color is the least hash value of
// the place under certain moves: the moves that bring its own node to the first index of its group
// and, for the color of another node, that node to a fixed index of its group. So the colors do not
// depend on which node of a group is which.
func (o *orbiter[S, M, C]) computeColors(node int, at uint32) []uint32 {
	p, aims := o.places[node].at(at), o.aimsFrom(node)
	named := o.namedIn(p) &^ (1 << node)
	colors := make([]uint32, 1+len(o.orbits.members))
	for m := range o.orbits.moves {
		to := &o.orbits.moves[m].to
		if uint32(to[node]) != o.orbits.class[node] || !o.orbits.plain(to, named|1<<node) {
			continue
		}
		hash := o.hashOf(p, m) | namesOthers
		lower(&colors[0], hash)
		for i, other := range o.orbits.members {
			if named>>other&1 != 0 && to[other] == aims[i] {
				lower(&colors[1+i], hash)
			}
		}
	}
	if !slices.ContainsFunc(colors[1:], func(color uint32) bool { return color != 0 }) {
		colors[0] &^= namesOthers
	}
	return colors
}

// lower makes a color the lesser of itself and another. No color is 0, so 0 means none yet.
func lower(color *uint32, other uint32) {
	if *color == 0 || other < *color {
		*color = other
	}
}

// aimsFrom returns, for each interchangeable node, the index to which the moves for its color bring
// it. The node whose place gives the colors takes the first index of its group.
func (o *orbiter[S, M, C]) aimsFrom(node int) []uint8 {
	var aims []uint8
	for _, group := range o.orbits.groups {
		aim := 0
		if len(group) > 1 && slices.Contains(group, node) {
			aim = 1
		}
		for range group {
			aims = append(aims, uint8(group[aim]))
		}
	}
	return aims
}

// plain reports whether a move keeps the order of the nodes that are not named. Of all moves that
// agree on the named nodes exactly one does so, and all of them have the same effect on a place
// that names no others.
func (o *orbits) plain(to *[MaxNodes]uint8, named uint16) bool {
	for _, group := range o.groups {
		before := -1
		for _, node := range group {
			if named>>node&1 != 0 {
				continue
			}
			if int(to[node]) < before {
				return false
			}
			before = int(to[node])
		}
	}
	return true
}

// part names the cached data of a part of a place (a slot or a message) and a move. There are far
// fewer parts than places.
type part uint32

const (
	slotImage part = iota // the id of the part after the move
	messageImage
	slotHash // a hash value of the part after the move, computed without interning it
	messageHash
	slotNames // the nodes that the part names, a bit each, for any move
	messageNames
	partKinds
)

// partOf returns what is cached of a part and a move.
func (o *orbiter[S, M, C]) partOf(kind part, id uint32, m int) uint32 {
	key := id*uint32(partKinds) + uint32(kind)
	if known, ok := o.parted.Get(key, uint32(m)); ok {
		return known
	}
	return o.parted.Put(key, uint32(m), o.computePart(kind, id, m))
}

func (o *orbiter[S, M, C]) computePart(kind part, id uint32, m int) uint32 {
	named := uint16(0)
	to := Renaming{move: &o.orbits.moves[m], named: &named}
	if kind == messageImage || kind == messageHash || kind == messageNames {
		e := o.renames.envelope(o.envelopes.Value(id).Envelope, to)
		switch kind {
		case messageImage:
			return o.internEnvelope(e)
		case messageHash:
			return uint32(protocol.Hash(o.envelopeKey(e)))
		}
		return uint32(named)
	}
	slot := o.renames.slot(o.slots.Value(id), to)
	switch kind {
	case slotImage:
		return o.internSlot(slot)
	case slotHash:
		return uint32(protocol.Hash(o.encodeSlot(nil, &slot)))
	}
	return uint32(named)
}

// namedIn returns the set of nodes that a place names, a bit each.
func (o *orbiter[S, M, C]) namedIn(p *place) uint16 {
	named, box := o.partOf(slotNames, p.slotID, 0), o.inboxes.value(p.boxID)
	for _, list := range [2][]uint32{box.envelopes, box.arrived} {
		for _, id := range list {
			named |= o.partOf(messageNames, id, 0)
		}
	}
	return uint16(named)
}

// hashOf returns a hash value of a place after a move.
func (o *orbiter[S, M, C]) hashOf(p *place, m int) uint32 {
	hash, box := o.partOf(slotHash, p.slotID, m), o.inboxes.value(p.boxID)
	for i, list := range [2][]uint32{box.envelopes, box.arrived} {
		sum := uint32(0) // in any order of channels
		for j, id := range list {
			sum += hashPair(uint32(i)+o.rank(list, j)<<1, o.partOf(messageHash, id, m))
		}
		hash = hashPair(hash, sum)
	}
	return hash
}
