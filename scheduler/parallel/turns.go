package parallel

import (
	"cmp"
	"math/bits"
	"slices"
)

// turns is when nodes that may have a job to move try to. Each node has one turn a period, at its
// own phase, so the order of the turns is the same in each period: a cursor goes round through it,
// and passes over nodes without such a job.
type turns struct {
	period int64
	phases []int64  // when the node has its first turn, by place in the order
	order  []int32  // nodes by phase
	place  []int32  // in the order, by node
	active []uint64 // a bit for each place; most are 0, and 64 are passed over at once
	count  int      // active places
	round  int64    // of the cursor
	cursor int      // the next place
	// The round and place of the last turn.
	lastRound int64
	last      int
}

const wordBits = 64

// at reports whether the place is active.
func (t *turns) at(place int) bool { return t.active[place/wordBits]>>(place%wordBits)&1 != 0 }

func newTurns(period int64, phases []int64) turns {
	t := turns{
		period: period, phases: make([]int64, len(phases)), order: make([]int32, len(phases)),
		place: make([]int32, len(phases)), active: make([]uint64, (len(phases)+wordBits-1)/wordBits),
		lastRound: -1,
	}
	for i := range t.order {
		t.order[i] = int32(i)
	}
	slices.SortFunc(t.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(phases[a], phases[b]), cmp.Compare(a, b))
	})
	for place, node := range t.order {
		t.phases[place], t.place[node] = phases[node], int32(place)
	}
	return t
}

// next is the time of the next turn, or never.
func (t *turns) next() int64 {
	if t.count == 0 {
		return never
	}
	for !t.at(t.cursor) {
		rest := t.active[t.cursor/wordBits] >> (t.cursor % wordBits)
		if rest == 0 {
			t.cursor |= wordBits - 1
			t.pass()
			continue
		}
		t.cursor += bits.TrailingZeros64(rest)
	}
	return t.phases[t.cursor] + t.round*t.period
}

// pop returns the node that has the next turn. The node stays active.
func (t *turns) pop() int32 {
	node := t.order[t.cursor]
	t.lastRound, t.last = t.round, t.cursor
	t.pass()
	return node
}

func (t *turns) pass() {
	if t.cursor++; t.cursor >= len(t.order) {
		t.cursor = 0
		t.round++
	}
}

// add gives a node turns, the first from now on.
func (t *turns) add(node int32, now int64) {
	if place := int(t.place[node]); !t.at(place) {
		t.activate(place, t.firstFrom(place, now))
	}
}

// resume gives turns back to a node that had none because nothing could come of them. At one time,
// turns have an order, so the first is not before the present one.
func (t *turns) resume(node int32, now int64) {
	place := int(t.place[node])
	if t.at(place) {
		return
	}
	round := t.firstFrom(place, now)
	if round < t.lastRound || round == t.lastRound && place <= t.last {
		round = t.lastRound + 1
	}
	t.activate(place, round)
}

// firstFrom is the first round in which the turn of a place is not before now.
func (t *turns) firstFrom(place int, now int64) int64 {
	return max(0, (now-t.phases[place]+t.period-1)/t.period)
}

func (t *turns) activate(place int, round int64) {
	t.active[place/wordBits] |= 1 << (place % wordBits)
	t.count++
	if t.count == 1 || round < t.round || round == t.round && place < t.cursor {
		t.round, t.cursor = round, place
	}
}

// remove takes a node's turns.
func (t *turns) remove(node int32) {
	if place := int(t.place[node]); t.at(place) {
		t.active[place/wordBits] &^= 1 << (place % wordBits)
		t.count--
	}
}

// has reports whether a node has turns.
func (t *turns) has(node int32) bool { return t.at(int(t.place[node])) }
