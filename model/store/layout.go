package store

import (
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// layout is an initial map: a space, and the nodes whose joins, one after another, make the map.
// The first node creates the network; the others ask it to let them in. Nodes are named A, B, C… in
// that order.
type layout struct {
	name  string
	sizes []int32
	nodes []space.Point
	owner func(p space.Point) int // the index of the node that owns a point
}

func at(coordinates ...int32) (p space.Point) {
	copy(p[:], coordinates)
	return p
}

// A has [0,6), B [6,16).
func row2() layout { return row("row2", at(2), at(10)) }

// A has [0,4), B [4,9) and C the rest. If C leaves, its zone falls to B, and the other way round.
func row3() layout { return row("row3", at(2), at(6), at(12)) }

// row has nodes in one dimension, from left to right. The border of two neighbours is half way.
func row(name string, nodes ...space.Point) layout {
	return layout{name, []int32{16}, nodes, func(p space.Point) int {
		i := 0
		for i+1 < len(nodes) && 2*p[0] >= nodes[i][0]+nodes[i+1][0] {
			i++
		}
		return i
	}}
}

// tee has B and C side by side next to A, whose zone falls to both.
func tee() layout {
	return layout{"tee", []int32{8, 8}, []space.Point{at(1, 1), at(1, 6), at(6, 6)}, func(p space.Point) int {
		switch {
		case p[1] < 4:
			return 0
		case p[0] < 4:
			return 1
		}
		return 2
	}}
}

func get(node string, id uint32, key space.Point) call {
	return call{node, store.Operation{ID: id, Kind: store.Get, Key: key}}
}

func put(node string, id uint32, key space.Point, value uint32) call {
	return call{node, store.Operation{ID: id, Kind: store.Put, Key: key, Value: value}}
}

func cas(node string, id uint32, key space.Point, expect, value uint32) call {
	return call{node, store.Operation{ID: id, Kind: store.CompareAndSet, Key: key, Expect: expect, Value: value}}
}

func lookup(node string, id uint32, key space.Point) call {
	return call{node, store.Operation{ID: id, Kind: store.Lookup, Key: key}}
}
