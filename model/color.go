package model

import (
	"slices"
	"sync/atomic"
)

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
// the place under certain moves: those that bring its own node to the first index of its group and,
// for the color of another node, that node to a fixed index of its group. So the colors do not
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
// it. The node whose place gives the colors takes the first index of its own group.
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
