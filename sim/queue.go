package sim

import (
	"math/bits"
)

// event is something that will happen at a node at some time. It is compact, since a large
// simulation has millions of events.
type event struct {
	at   int64  // microseconds
	node uint32 // the node's index
	what uint32 // the kind in the upper bits, a number in a pool below
}

// queue is a calendar queue. The events of one bucket of time are stored together in the order of
// insertion, and sorted when their time has come. Insertion and removal take constant time. Of two
// events with the same time the older comes first.
type queue struct {
	base     int64 // number of the current bucket
	batch    []event
	next     int     // index in batch
	scratch  []event // for sorting
	buckets  []bucket
	occupied []uint64 // one bit per bucket, set if it has events
	inside   int      // events in buckets
	chunks   []chunk
	free     int32
	far      farHeap // beyond the last bucket
	farMade  uint64
}

const (
	bucketBits = 10 // a bucket is 2^10 microseconds long
	wheelBits  = 14 // 2^14 buckets: about 17 seconds
	wheelMask  = 1<<wheelBits - 1
	chunkSize  = 30
)

// bucket is a list of chunks, by their numbers plus one; 0: empty.
type bucket struct{ head, tail int32 }

type chunk struct {
	next   int32
	used   int32
	events [chunkSize]event
}

func newQueue() *queue {
	return &queue{buckets: make([]bucket, 1<<wheelBits), occupied: make([]uint64, 1<<wheelBits/64)}
}

// push adds an event. An event of the past happens now.
func (q *queue) push(e event) {
	number := e.at >> bucketBits
	switch {
	case number <= q.base:
		q.insert(e)
	case number-q.base <= wheelMask:
		q.file(number, e)
	default:
		q.farMade++
		q.far.push(farEvent{e, q.farMade})
	}
}

// insert adds an event to the current batch.
func (q *queue) insert(e event) {
	low, high := q.next, len(q.batch)
	for low < high {
		if mid := int(uint(low+high) >> 1); q.batch[mid].at <= e.at {
			low = mid + 1
		} else {
			high = mid
		}
	}
	q.batch = append(q.batch, event{})
	copy(q.batch[low+1:], q.batch[low:])
	q.batch[low] = e
}

// file adds an event to the bucket with that number.
func (q *queue) file(number int64, e event) {
	at := number & wheelMask
	b := &q.buckets[at]
	if b.tail == 0 || q.chunks[b.tail-1].used == chunkSize {
		fresh := q.newChunk()
		if b.tail == 0 {
			b.head = fresh
			q.occupied[at>>6] |= 1 << (at & 63)
		} else {
			q.chunks[b.tail-1].next = fresh
		}
		b.tail = fresh
	}
	c := &q.chunks[b.tail-1]
	c.events[c.used] = e
	c.used++
	q.inside++
}

func (q *queue) newChunk() int32 {
	if f := q.free; f != 0 {
		q.free = q.chunks[f-1].next
		q.chunks[f-1].next, q.chunks[f-1].used = 0, 0
		return f
	}
	q.chunks = append(q.chunks, chunk{})
	return int32(len(q.chunks))
}

// pop removes the earliest event, if there is any.
func (q *queue) pop() (event, bool) {
	for q.next == len(q.batch) {
		if !q.turn() {
			return event{}, false
		}
	}
	e := q.batch[q.next]
	q.next++
	return e, true
}

// nextAt is the time of the earliest event, if there is any.
func (q *queue) nextAt() (int64, bool) {
	for q.next == len(q.batch) {
		if !q.turn() {
			return 0, false
		}
	}
	return q.batch[q.next].at, true
}

// turn advances to the next bucket with events. It reports false if there is none.
func (q *queue) turn() bool {
	q.batch, q.next = q.batch[:0], 0
	switch {
	case q.inside > 0:
		q.base = q.nextOccupied()
	case len(q.far) > 0:
		q.base = q.far[0].at >> bucketBits
	default:
		return false
	}
	q.collect(q.base & wheelMask)
	for len(q.far) > 0 && q.far[0].at>>bucketBits-q.base <= wheelMask {
		if e := q.far.pop(); e.at>>bucketBits == q.base {
			q.insert(e.event)
		} else {
			q.file(e.at>>bucketBits, e.event)
		}
	}
	return true
}

// nextOccupied is the number of the first bucket with events after the current one.
func (q *queue) nextOccupied() int64 {
	at := (q.base + 1) & wheelMask
	word := q.occupied[at>>6] >> (at & 63) << (at & 63)
	for i := at >> 6; ; {
		if word != 0 {
			found := i<<6 + int64(bits.TrailingZeros64(word))
			return q.base + 1 + (found-at)&wheelMask
		}
		i = (i + 1) & (wheelMask >> 6)
		word = q.occupied[i]
	}
}

// collect moves the events of a bucket into the batch and sorts them by time. Events with the same
// time keep their order.
func (q *queue) collect(at int64) {
	b := &q.buckets[at]
	for number := b.head; number != 0; {
		c := &q.chunks[number-1]
		q.batch = append(q.batch, c.events[:c.used]...)
		q.inside -= int(c.used)
		following := c.next
		c.next, q.free = q.free, number
		number = following
	}
	*b = bucket{}
	q.occupied[at>>6] &^= 1 << (at & 63)
	q.sort()
}

const digitBits = bucketBits / 2

// sort is a radix sort by two digits, or an insertion sort where that is faster.
func (q *queue) sort() {
	if len(q.batch) <= 24 {
		for i := 1; i < len(q.batch); i++ {
			e, k := q.batch[i], i
			for ; k > 0 && q.batch[k-1].at > e.at; k-- {
				q.batch[k] = q.batch[k-1]
			}
			q.batch[k] = e
		}
		return
	}
	if cap(q.scratch) < len(q.batch) {
		q.scratch = make([]event, 2*len(q.batch))
	}
	for shift := uint(0); shift < bucketBits; shift += digitBits {
		var start [1<<digitBits + 1]int
		for i := range q.batch {
			start[q.batch[i].at>>shift&(1<<digitBits-1)+1]++
		}
		for d := range 1 << digitBits {
			start[d+1] += start[d]
		}
		sorted := q.scratch[:len(q.batch)]
		for _, e := range q.batch {
			d := e.at >> shift & (1<<digitBits - 1)
			sorted[start[d]] = e
			start[d]++
		}
		q.batch, q.scratch = sorted, q.batch
	}
}

// farEvent is an event beyond the last bucket, with a serial number.
type farEvent struct {
	event
	made uint64
}

// farHeap is a binary heap, the earliest event first. It holds few events.
type farHeap []farEvent

func (h farHeap) less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].made < h[j].made
}

func (h *farHeap) push(e farEvent) {
	*h = append(*h, e)
	for i := len(*h) - 1; i > 0 && h.less(i, (i-1)/2); i = (i - 1) / 2 {
		(*h)[i], (*h)[(i-1)/2] = (*h)[(i-1)/2], (*h)[i]
	}
}

func (h *farHeap) pop() farEvent {
	old := *h
	first, last := old[0], len(old)-1
	old[0] = old[last]
	*h = old[:last]
	for i := 0; ; {
		least := i
		for _, child := range [2]int{2*i + 1, 2*i + 2} {
			if child < last && h.less(child, least) {
				least = child
			}
		}
		if least == i {
			return first
		}
		old[i], old[least] = old[least], old[i]
		i = least
	}
}

// pool stores values under numbers that are reused, so that an event needs only a number.
type pool[T any] struct {
	things []T
	unused []uint32
}

func (p *pool[T]) put(thing T) uint32 {
	if last := len(p.unused) - 1; last >= 0 {
		number := p.unused[last]
		p.unused = p.unused[:last]
		p.things[number] = thing
		return number
	}
	if len(p.things) > whatMask {
		panic("sim: more than half a billion events are pending")
	}
	p.things = append(p.things, thing)
	return uint32(len(p.things) - 1)
}

func (p *pool[T]) take(number uint32) T {
	thing := p.things[number]
	p.things[number] = *new(T)
	p.unused = append(p.unused, number)
	return thing
}

func (p *pool[T]) len() int { return len(p.things) - len(p.unused) }
