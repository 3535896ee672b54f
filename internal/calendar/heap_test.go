package calendar

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A heap agrees with a sorted list. Pushes and pops alternate by chance, and events of one time are
// not pushed in their order.
func TestHeapAgainstASortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h Heap[int]
		var list []Event[int]
		pop := func() {
			require.Equal(t, list[0].At, h.NextAt())
			require.Equal(t, list[0], h[0])
			require.Equal(t, list[0], h.Pop())
			list = list[1:]
		}
		for i := range rapid.IntRange(0, 60).Draw(t, "events") {
			// Even events come before the odd ones of their time.
			e := Event[int]{At: rapid.Int64Range(0, 9).Draw(t, "at"), Order: uint64(i ^ i%2<<8), Value: i}
			h.Push(e)
			list = append(list, e)
			slices.SortFunc(list, func(a, b Event[int]) int {
				return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Order, b.Order))
			})
			if rapid.Bool().Draw(t, "pop") {
				pop()
			}
		}
		for len(list) > 0 {
			pop()
		}
		require.Equal(t, int64(Never), h.NextAt())
	})
}

// A popped value is not kept alive by the memory of the heap.
func TestHeapLetsGoOfValues(t *testing.T) {
	var h Heap[*int]
	h.Push(Event[*int]{Value: new(int)})
	h.Pop()
	require.Nil(t, h[:1][0].Value)
}
