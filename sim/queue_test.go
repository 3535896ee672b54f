package sim

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
		q, now, made := newQueue(), int64(0), uint32(0)
		var list []event
		spans := []int64{0, 1, 3, 1 << bucketBits, 50_000, 1 << (bucketBits + wheelBits), 60_000_000}
		for range rapid.IntRange(1, 300).Draw(t, "moves") {
			if rapid.Bool().Draw(t, "take") {
				e, ok := q.pop()
				require.Equal(t, len(list) > 0, ok)
				if ok {
					require.Equal(t, list[0], e)
					list, now = list[1:], e.at
				}
				continue
			}
			span := rapid.SampledFrom(spans).Draw(t, "span")
			for range rapid.SampledFrom([]int{1, 1, 60}).Draw(t, "burst") {
				made++
				e := event{at: now + rapid.Int64Range(0, span).Draw(t, "delay"), what: made}
				q.push(e)
				list = append(list, e)
			}
			slices.SortStableFunc(list, func(a, b event) int { return cmp.Compare(a.at, b.at) })
		}
	})
}

func TestQueuePeeks(t *testing.T) {
	q := newQueue()
	_, ok := q.nextAt()
	require.False(t, ok)
	q.push(event{at: 90_000_000})
	at, ok := q.nextAt()
	require.True(t, ok)
	require.Equal(t, int64(90_000_000), at)
	e, ok := q.pop()
	require.True(t, ok)
	require.Equal(t, at, e.at)
}
