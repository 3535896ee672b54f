package central

import (
	"github.com/canvass-grid/canvass/internal/calendar"
	"github.com/canvass-grid/canvass/scheduler"
)

// headOnly starts only the head of its queue, which is in order of a key and then of submission.
type headOnly struct {
	base
	key     func(*scheduler.Job) int64
	waiting calendar.Heap[int32] // by key
}

func openByKey(key func(*scheduler.Job) int64) func(base) discipline {
	return func(b base) discipline { return &headOnly{base: b, key: key} }
}

func openFCFS(b base) discipline {
	return &headOnly{base: b, key: func(*scheduler.Job) int64 { return 0 }}
}

func (q *headOnly) submit(j int32) {
	q.waiting.Push(calendar.Event[int32]{At: q.key(&q.jobs[j]), Order: uint64(j), Value: j})
}

func (q *headOnly) pass() {
	for len(q.waiting) > 0 {
		j := q.waiting[0].Value
		c := q.room(j)
		if c < 0 {
			return
		}
		q.waiting.Pop()
		q.start(j, c, q.estimate(j))
	}
}
