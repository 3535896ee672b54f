package plain_test

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker/internal/plain"
)

// tangled has all that a state may be made of.
type tangled struct {
	small uint8
	wide  uint32 // after three bytes of padding
	name  string
	list  []int16
	rows  [][]state
	next  *tangled
	self  []tangled
	index map[string][]int
	any   any
	ratio float64
}

func drawTangled(t *rapid.T, depth int) tangled {
	n := func(most int) int { return rapid.IntRange(0, most).Draw(t, "n") }
	v := tangled{small: uint8(n(1)), wide: uint32(n(1)), name: []string{"", "a", "b"}[n(2)], ratio: float64(n(1))}
	v.list = [][]int16{nil, {}, {1}, {1, 2}, {2}}[n(4)]
	v.rows = [][][]state{nil, {{}}, {{{count: 1}}, nil}}[n(2)]
	v.index = []map[string][]int{nil, {}, {"a": {1}}, {"a": {2}}}[n(3)]
	v.any = []any{nil, 1, "a", []int{1}}[n(3)]
	if depth > 0 && n(1) == 1 {
		next := drawTangled(t, depth-1)
		v.next, v.self = &next, []tangled{next}
	}
	return v
}

// Comparer is reflect.DeepEqual.
func TestComparerIsDeepEqual(t *testing.T) {
	equal := plain.Comparer(reflect.TypeFor[tangled]())
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawTangled(t, 1), drawTangled(t, 1)
		if rapid.Bool().Draw(t, "copy") {
			b = a
			plain.Detach(&b)
		}
		require.Equal(t, reflect.DeepEqual(a, b), equal(unsafe.Pointer(&a), unsafe.Pointer(&b)), "%+v %+v", a, b)
	})
}

// A detached value is equal, and does not change with the original.
func TestDetach(t *testing.T) {
	inner := &tangled{list: []int16{7}}
	a := tangled{
		list: make([]int16, 2, 9), rows: [][]state{{{count: 1}}}, next: inner, self: []tangled{{next: inner}},
		index: map[string][]int{"a": {1}}, any: []int{1},
	}
	b := a
	plain.Detach(&b)
	require.Equal(t, a, b)
	assert.Equal(t, 9, cap(b.list))
	assert.Same(t, b.next, b.self[0].next, "pointers that are equal stay equal")
	a.list[0], a.rows[0][0].count, inner.list[0], a.index["a"][0], a.any.([]int)[0] = 1, 2, 3, 4, 5
	a.index["b"] = nil
	assert.Equal(t, tangled{
		list: []int16{0, 0}, rows: [][]state{{{count: 1}}}, next: &tangled{list: []int16{7}},
		self: []tangled{{next: &tangled{list: []int16{7}}}}, index: map[string][]int{"a": {1}}, any: []int{1},
	}, b)
}
