package calendar

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The calendar queue agrees with a sorted list: by time, and at the same time the older event
// first.
func TestQueueAgainstASortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, now, made := NewQueue[uint32](), int64(0), uint32(0)
		var list []Timed[uint32]
		spans := []int64{0, 1, 3, 1 << bucketBits, 50_000, 1 << (bucketBits + wheelBits), 60_000_000}
		for range rapid.IntRange(1, 300).Draw(t, "moves") {
			if rapid.Bool().Draw(t, "take") {
				e, ok := q.Pop()
				require.Equal(t, len(list) > 0, ok)
				if ok {
					require.Equal(t, list[0], e)
					list, now = list[1:], e.At
				}
				continue
			}
			span := rapid.SampledFrom(spans).Draw(t, "span")
			for range rapid.SampledFrom([]int{1, 1, 60}).Draw(t, "burst") {
				made++
				e := Timed[uint32]{At: now + rapid.Int64Range(0, span).Draw(t, "delay"), Value: made}
				q.Push(e)
				list = append(list, e)
			}
			slices.SortStableFunc(list, func(a, b Timed[uint32]) int { return cmp.Compare(a.At, b.At) })
		}
	})
}

func TestQueuePeeks(t *testing.T) {
	q := NewQueue[uint32]()
	require.Equal(t, int64(Never), q.NextAt())
	q.Push(Timed[uint32]{At: 90_000_000})
	require.Equal(t, int64(90_000_000), q.NextAt())
	e, ok := q.Pop()
	require.True(t, ok)
	require.Equal(t, int64(90_000_000), e.At)
}
