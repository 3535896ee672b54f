package calendar

import "math/bits"

// Timed is an event of a [Queue]. It is as small as its value allows, since a large simulation has
// millions of events.
type Timed[T any] struct {
	At    int64 // microseconds
	Value T
}

// Queue is a calendar queue. The events of one bucket of time are stored together in the order of
// insertion, and sorted when their time has come. A bucket is about a millisecond, and events more
// than 17 seconds ahead wait in a heap.
type Queue[T any] struct {
	base     int64 // number of the current bucket
	batch    []Timed[T]
	next     int        // index in batch
	scratch  []Timed[T] // for sorting
	buckets  []bucket
	occupied []uint64 // one bit per bucket, set if it has events
	inside   int      // events in buckets
	chunks   []chunk[T]
	free     int32
	far      Heap[T] // beyond the last bucket
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

type chunk[T any] struct {
	next   int32
	used   int32
	events [chunkSize]Timed[T]
}

// NewQueue returns an empty queue.
func NewQueue[T any]() *Queue[T] {
	return &Queue[T]{buckets: make([]bucket, 1<<wheelBits), occupied: make([]uint64, 1<<wheelBits/64)}
}

// Push adds an event. An event of the past happens now.
func (q *Queue[T]) Push(e Timed[T]) {
	number := e.At >> bucketBits
	switch {
	case number <= q.base:
		q.insert(e)
	case number-q.base <= wheelMask:
		q.file(number, e)
	default:
		q.farMade++
		q.far.Push(Event[T]{e.At, q.farMade, e.Value})
	}
}

// insert adds an event to the current batch.
func (q *Queue[T]) insert(e Timed[T]) {
	low, high := q.next, len(q.batch)
	for low < high {
		if mid := int(uint(low+high) >> 1); q.batch[mid].At <= e.At {
			low = mid + 1
		} else {
			high = mid
		}
	}
	q.batch = append(q.batch, Timed[T]{})
	copy(q.batch[low+1:], q.batch[low:])
	q.batch[low] = e
}

// file adds an event to the bucket with that number.
func (q *Queue[T]) file(number int64, e Timed[T]) {
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

func (q *Queue[T]) newChunk() int32 {
	if f := q.free; f != 0 {
		q.free = q.chunks[f-1].next
		q.chunks[f-1].next, q.chunks[f-1].used = 0, 0
		return f
	}
	q.chunks = append(q.chunks, chunk[T]{})
	return int32(len(q.chunks))
}

// Pop removes the earliest event, if there is any.
func (q *Queue[T]) Pop() (Timed[T], bool) {
	for q.next == len(q.batch) {
		if !q.turn() {
			return Timed[T]{}, false
		}
	}
	e := q.batch[q.next]
	q.next++
	return e, true
}

// NextAt is the time of the earliest event, or [Never].
func (q *Queue[T]) NextAt() int64 {
	for q.next == len(q.batch) {
		if !q.turn() {
			return Never
		}
	}
	return q.batch[q.next].At
}

// Batch returns the next events of the present bucket in order, and the number of those already
// popped. Programs that read ahead use it.
func (q *Queue[T]) Batch() (ahead []Timed[T], popped int) { return q.batch[q.next:], q.next }

// turn advances to the next bucket with events. It reports false if there is none.
func (q *Queue[T]) turn() bool {
	q.batch, q.next = q.batch[:0], 0
	switch {
	case q.inside > 0:
		q.base = q.nextOccupied()
	case len(q.far) > 0:
		q.base = q.far.NextAt() >> bucketBits
	default:
		return false
	}
	q.collect(q.base & wheelMask)
	for len(q.far) > 0 && q.far[0].At>>bucketBits-q.base <= wheelMask {
		far := q.far.Pop()
		if e := (Timed[T]{far.At, far.Value}); e.At>>bucketBits == q.base {
			q.insert(e)
		} else {
			q.file(e.At>>bucketBits, e)
		}
	}
	return true
}

// nextOccupied is the number of the first bucket with events after the current one.
func (q *Queue[T]) nextOccupied() int64 {
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
func (q *Queue[T]) collect(at int64) {
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
func (q *Queue[T]) sort() {
	if len(q.batch) <= 24 {
		for i := 1; i < len(q.batch); i++ {
			e, k := q.batch[i], i
			for ; k > 0 && q.batch[k-1].At > e.At; k-- {
				q.batch[k] = q.batch[k-1]
			}
			q.batch[k] = e
		}
		return
	}
	if cap(q.scratch) < len(q.batch) {
		q.scratch = make([]Timed[T], 2*len(q.batch))
	}
	for shift := uint(0); shift < bucketBits; shift += digitBits {
		var start [1<<digitBits + 1]int
		for i := range q.batch {
			start[q.batch[i].At>>shift&(1<<digitBits-1)+1]++
		}
		for d := range 1 << digitBits {
			start[d+1] += start[d]
		}
		sorted := q.scratch[:len(q.batch)]
		for _, e := range q.batch {
			d := e.At >> shift & (1<<digitBits - 1)
			sorted[start[d]] = e
			start[d]++
		}
		q.batch, q.scratch = sorted, q.batch
	}
}
