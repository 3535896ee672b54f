package transport

import (
	"slices"
	"time"
)

// queue holds messages in the order of Send. The zero value is empty.
type queue struct {
	messages []message
	bytes    int // of their payloads
}

// isFull reports whether there is no room for a payload of this size.
func (q *queue) isFull(payload int) bool {
	return len(q.messages) >= maxOutbox || q.bytes+payload > maxQueuedBytes
}

func (q *queue) add(m message) {
	q.messages = append(q.messages, m)
	q.bytes += len(m.payload)
}

// forget removes messages from the front as long as they are to go, and returns how many.
func (q *queue) forget(goes func(*message) bool) int {
	n := 0
	for n < len(q.messages) && goes(&q.messages[n]) {
		q.bytes -= len(q.messages[n].payload)
		n++
	}
	q.messages = slices.Delete(q.messages, 0, n)
	return n
}

// expire forgets the messages that the receiver would refuse by their age, which it measures no
// smaller, and returns how many there were. None of them may have been written.
func (q *queue) expire(now, maxAge time.Duration) int {
	return q.forget(func(m *message) bool { return now-m.made > maxAge+maxAge/500 })
}

// drop empties the queue and returns how many messages were in it.
func (q *queue) drop() int {
	n := len(q.messages)
	*q = queue{}
	return n
}
