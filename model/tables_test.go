package model

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Ids are dense, equal places have equal ids, and none ever moves, even if many goroutines add them
// at the same time.
func TestPlacesAreFoundByWhatTheyAre(t *testing.T) {
	const slots, boxes, workers = 40, 50, 4
	table, plain := &places{}, func() (uint64, *ownOutcomes) { return hasMessages, nil }
	ids := make([][]uint32, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for i := range uint32(slots * boxes) {
				n := (i*7 + uint32(w)*311) % (slots * boxes)
				ids[w] = append(ids[w], table.intern(n/boxes, n%boxes, plain))
			}
		})
	}
	wait.Wait()
	require.Equal(t, slots*boxes, table.len())
	first := table.at(0)
	for w := range workers {
		for i, id := range ids[w] {
			n := (uint32(i)*7 + uint32(w)*311) % (slots * boxes)
			p := table.at(id)
			require.Equal(t, [2]uint32{n / boxes, n % boxes}, [2]uint32{p.slotID, p.boxID})
			require.True(t, p.receives())
			require.False(t, p.acts())
		}
	}
	assert.Same(t, first, table.at(0))
	assert.GreaterOrEqual(t, table.index.memory.Load(), uint64(slots*boxes*(32+4)))
}

// The data stored about a place can be read again, and leaves the rest unchanged.
func TestAPlaceKnowsItsDeliveries(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		senders := rapid.Uint16().Draw(r, "senders")
		d := deliveries{
			list:  rapid.Uint32Range(0, maxBlocks*blockSize-1).Draw(r, "list"),
			first: rapid.IntRange(0, maxList).Draw(r, "first"),
		}
		d.again = rapid.IntRange(0, maxList-d.first).Draw(r, "again")
		p := &place{}
		p.about.Store(hasMessages | uint64(senders)<<sendersAt)
		_, known := p.deliveries()
		require.False(r, known)
		p.know(d)
		p.know(deliveries{list: 1, first: 1}) // comes too late
		got, known := p.deliveries()
		require.True(r, known)
		require.Equal(r, d, got)
		require.Equal(r, senders, p.senders())
		require.True(r, p.receives())
		require.False(r, p.acts())
	})
}

// A place remembers the first parcels that arrive, and nothing else.
func TestAPlaceRemembersWhatArrives(t *testing.T) {
	p := &place{}
	for parcel := range uint32(len(p.arrivals)) {
		_, ok := p.arrived(parcel)
		require.False(t, ok)
		require.True(t, p.remember(parcel, 100+parcel))
		require.True(t, p.remember(parcel, 100+parcel), "again")
	}
	require.False(t, p.remember(77, 1))
	for parcel := range uint32(len(p.arrivals)) {
		next, ok := p.arrived(parcel)
		require.True(t, ok)
		require.Equal(t, 100+parcel, next)
	}
	_, ok := p.arrived(77)
	assert.False(t, ok)
}

// Stored lists never change, no matter what is stored later, and 0 names no list.
func TestAnArenaKeepsLists(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		a := &arena[uint32]{}
		lots := []block[uint32]{{arena: a}, {arena: a}}
		kept := map[uint32][]uint32{}
		for i := range rapid.IntRange(1, 60).Draw(r, "lists") {
			list := slices.Repeat([]uint32{uint32(i)}, rapid.IntRange(1, maxList).Draw(r, "length"))
			id := lots[i%2].keep(list)
			require.NotZero(r, id)
			require.NotContains(r, kept, id)
			kept[id] = list
		}
		for id, list := range kept {
			require.Equal(r, list, a.rows.run(id, len(list)))
		}
	})
}

// An empty list touches no row of an arena: another goroutine may be making that row. Under -race
// the test fails if it does, on first use of a block and after a full block.
func TestAnEmptyListNeedsNoRow(t *testing.T) {
	for _, before := range []int{0, maxList} {
		a := &arena[uint32]{}
		empty, full := block[uint32]{arena: a}, block[uint32]{arena: a}
		if before > 0 {
			empty.keep(make([]uint32, before))
		}
		var wait sync.WaitGroup
		wait.Go(func() { full.keep(make([]uint32, maxList)) })
		wait.Go(func() { assert.Empty(t, a.rows.run(empty.keep(nil), 0)) })
		wait.Wait()
	}
}

// An inbox is found by its lists, and has them.
func TestInboxesAreFoundByTheirLists(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		table, ids := &inboxes{}, map[uint32][2][]uint32{}
		lists := rapid.SliceOfN(rapid.Uint32Range(0, 3), 0, 6)
		for range rapid.IntRange(1, 400).Draw(r, "inboxes") {
			on, come := lists.Draw(r, "on their way"), lists.Draw(r, "arrived")
			id := table.intern(on, come, func() uint16 { return uint16(len(on)) })
			if known, ok := ids[id]; ok {
				require.Equal(r, known, [2][]uint32{on, come})
			}
			ids[id] = [2][]uint32{on, come}
		}
		require.Len(r, ids, table.len())
		for id, want := range ids {
			got := table.value(id)
			require.True(r, slices.Equal(want[0], got.envelopes) && slices.Equal(want[1], got.arrived))
			require.EqualValues(r, len(want[0]), table.heads.at(id).senders)
		}
	})
}

// A list that is longer than a usual chunk has a separate chunk.
func TestInboxesMayBeLong(t *testing.T) {
	table := &inboxes{}
	long := slices.Repeat([]uint32{5}, 3*mostChunk)
	for _, n := range []int{1, len(long), 2, mostChunk} {
		id := table.intern(long[:n], nil, func() uint16 { return 1 })
		assert.Equal(t, long[:n], table.value(id).envelopes)
	}
}
