package calendar

import "math"

// Never is later than every event.
const Never = math.MaxInt64

// Event is a value that is due at a time.
type Event[T any] struct {
	At    int64
	Order uint64 // of events of one time
	Value T
}

func (e *Event[T]) before(other *Event[T]) bool {
	return e.At < other.At || e.At == other.At && e.Order < other.Order
}

// Heap is a binary heap of events. The earliest is element 0.
type Heap[T any] []Event[T]

// NextAt is the time of the earliest event, or [Never].
func (h Heap[T]) NextAt() int64 {
	if len(h) == 0 {
		return Never
	}
	return h[0].At
}

// Push adds an event.
func (h *Heap[T]) Push(e Event[T]) {
	*h = append(*h, e)
	s := *h
	i := len(s) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !e.before(&s[parent]) {
			break
		}
		s[i] = s[parent]
		i = parent
	}
	s[i] = e
}

// Pop removes the earliest event. There must be one.
func (h *Heap[T]) Pop() Event[T] {
	s := *h
	first, last := s[0], len(s)-1
	e := s[last]
	s[last] = Event[T]{} // so that nothing holds on to its value
	s = s[:last]
	*h = s
	if last == 0 {
		return first
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && s[child+1].before(&s[child]) {
			child++
		}
		if !s[child].before(&e) {
			break
		}
		s[i] = s[child]
		i = child
	}
	s[i] = e
	return first
}
