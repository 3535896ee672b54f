package dtm_test

import (
	"math/rand/v2"

	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

func id(i int) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(i), Incarnation: 1}
}

// hosts are the hosts of a tree, by number.
type hosts struct {
	segment  map[int]dtm.Segment
	order    []int // in which they joined
	measured int
}

func (t *hosts) label(i int) dtm.Label {
	s := t.segment[i]
	l := dtm.Label{{Host: id(i), At: s.At, Length: s.Length}}
	if s.Anchor.IsNobody() {
		return l
	}
	return append(l, t.label(int(s.Anchor.Address))...)
}

func (t *hosts) children(of protocol.NodeID) (all []dtm.Child) {
	for _, i := range t.order {
		if s := t.segment[i]; s.Anchor == of && !of.IsNobody() {
			all = append(all, dtm.Child{Host: id(i), At: s.At, Length: s.Length})
		}
	}
	return all
}

// add joins a host.
func (t *hosts) add(x int, manner dtm.Manner, far func(a, b int) int64, r *rand.Rand) {
	if t.segment == nil {
		t.segment = map[int]dtm.Segment{x: {}}
		t.order = []int{x}
		return
	}
	j := dtm.NewJoin(manner)
	for w := j.Next(); w.Random > 0 || !w.Look.IsNobody() || len(w.Measure) > 0; w = j.Next() {
		switch {
		case w.Random > 0:
			var some []protocol.NodeID
			for _, k := range r.Perm(len(t.order))[:min(w.Random, len(t.order))] {
				some = append(some, id(t.order[k]))
			}
			j.Drawn(some)
		case len(w.Measure) > 0:
			var readings []dtm.Reading
			for _, h := range w.Measure {
				t.measured++
				readings = append(readings, dtm.Reading{Label: t.label(int(h.Address)), Measured: far(x, int(h.Address))})
			}
			j.Measured(readings)
		default:
			i := int(w.Look.Address)
			j.Looked(dtm.View{
				Label: t.label(i), Children: t.children(id(i)), Siblings: t.children(t.segment[i].Anchor),
			})
		}
	}
	place, _ := j.Place()
	t.segment[x] = dtm.Segment{Anchor: place.On.Label[0].Host, At: place.On.At, Length: place.Length}
	t.order = append(t.order, x)
}

// leave removes a host.
func (t *hosts) leave(x int) {
	children := t.children(id(x))
	for i, s := range dtm.Leave(t.segment[x], children) {
		t.segment[int(children[i].Host.Address)] = s
	}
	delete(t.segment, x)
	for i, h := range t.order {
		if h == x {
			t.order = append(t.order[:i:i], t.order[i+1:]...)
			return
		}
	}
}

// tree is a random tree of vertices: path lengths are its metric. Hosts are at any vertices.
type tree struct {
	parent []int
	edge   []int64
	at     []int // vertex of each host
}

func drawTree(t *rapid.T, most int) tree {
	var k tree
	n := rapid.IntRange(1, most).Draw(t, "vertices")
	for v := range n {
		parent, edge := 0, int64(0)
		if v > 0 {
			parent = rapid.IntRange(0, v-1).Draw(t, "parent")
			edge = rapid.OneOf(rapid.Int64Range(0, 3), rapid.Int64Range(0, 1<<30)).Draw(t, "edge")
		}
		k.parent, k.edge = append(k.parent, parent), append(k.edge, edge)
	}
	for range rapid.IntRange(1, most).Draw(t, "hosts") {
		k.at = append(k.at, rapid.IntRange(0, n-1).Draw(t, "vertex"))
	}
	return k
}

func (k tree) far(a, b int) int64 {
	u, v, d := k.at[a], k.at[b], int64(0)
	for u != v {
		if u < v {
			u, v = v, u
		}
		d += k.edge[u]
		u = k.parent[u]
	}
	return d
}

func chance(t *rapid.T) *rand.Rand { return rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)) }
