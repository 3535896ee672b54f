package central

import "github.com/canvass-grid/canvass/scheduler"

// headOnly starts only the head of its queue, which is in order of a key and then of submission.
type headOnly struct {
	base
	key     func(*scheduler.Job) int64
	waiting heap
}

func openByKey(key func(*scheduler.Job) int64) func(base) discipline {
	return func(b base) discipline { return &headOnly{base: b, key: key} }
}

func openFCFS(b base) discipline {
	return &headOnly{base: b, key: func(*scheduler.Job) int64 { return 0 }}
}

func (q *headOnly) submit(j int32) { q.waiting.push(item{q.key(&q.jobs[j]), j, j}) }

func (q *headOnly) pass() {
	for len(q.waiting) > 0 {
		j := q.waiting[0].job
		c := q.room(j)
		if c < 0 {
			return
		}
		q.waiting.pop()
		q.start(j, c, q.estimate(j))
	}
}
