package parallel

import (
	"slices"

	"github.com/canvass-grid/canvass/internal/calendar"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// hold is the state of the task that holds a node.
type hold uint8

const (
	free        hold = iota // no task holds the node
	isReady                 // it waits for the decision
	withdrawing             // it has asked for its vote back
	running
)

// queues are the nodes in their role as hosts.
type queues struct{ *engine }

// host is a node in its role as a host: its queue. Jobs are numbered in the order of all queues, so
// a queue is a sorted list of numbers.
type host struct {
	waiting []int32 // queued tasks, the oldest first
	watched []int32 // those of waiting whose positions sums adds up, in the same order
	held    hold
	holder  int32  // the job whose task holds the node
	since   int64  // when the task began to hold it
	changed uint64 // in which period of news the length changed last
	before  int32  // the length when that period began
}

// length is the queue length: the number of runnable tasks.
func (h *host) length() int32 {
	if h.held == free {
		return int32(len(h.waiting))
	}
	return int32(len(h.waiting)) + 1
}

// ahead is the queue position of a task in the queue: the number of runnable tasks ahead of it. It
// is 0 for a task that holds the node, or is not here yet.
func (h *host) ahead(job int32) int32 {
	i, queued := slices.BinarySearch(h.waiting, job)
	switch {
	case !queued:
		return 0
	case h.held == running || h.held != free && h.holder < job:
		return int32(i) + 1
	}
	return int32(i)
}

// enter adds a task to the queue. It returns its place, at which those behind begin then.
func (h *host) enter(job int32) int {
	i := len(h.waiting)
	if i > 0 && h.waiting[i-1] > job {
		i, _ = slices.BinarySearch(h.waiting, job)
	}
	h.waiting = slices.Insert(h.waiting, i, job)
	return i
}

// remove takes the i-th task from the queue.
func (h *host) remove(i int) {
	if i == 0 {
		h.waiting = h.waiting[1:]
		return
	}
	h.waiting = slices.Delete(h.waiting, i, i+1)
}

// dispatched enters a task into the queue.
func (q queues) dispatched(node, job int32) {
	h := &q.hosts[node]
	q.changes(node)
	h.enter(job)
	if q.sums == nil {
		return
	}
	q.shift(h.watched[h.watchedBefore(job):], 1)
	if q.config.MayMove(q.jobs[job].moves, reptask.ByQB) { // positions of other jobs are not needed
		q.watch(h, job, h.ahead(job))
	}
}

// watchedBefore is how many watched tasks are older than a job.
func (h *host) watchedBefore(job int32) int {
	at, _ := slices.BinarySearch(h.watched, job)
	return at
}

// serve gives the node to the head of the queue, or asks for the vote back of a younger task that
// holds it (the kill rule). Neither changes a queue position.
func (q queues) serve(node int32) {
	h := &q.hosts[node]
	if len(h.waiting) == 0 {
		return
	}
	head := h.waiting[0]
	switch {
	case h.held == free:
		h.waiting = h.waiting[1:]
		if len(h.watched) > 0 && h.watched[0] == head {
			h.watched = h.watched[1:]
		}
		h.held, h.holder, h.since = isReady, head, q.now
		q.vote(node, ready, head)
	case h.held == isReady && head < h.holder:
		h.held = withdrawing
		q.counts.Kills++
		q.vote(node, withdraw, h.holder)
	}
}

// vote sends a vote, or asks for it back.
func (q queues) vote(node int32, k kind, job int32) {
	j := &q.jobs[job]
	q.send(message{kind: k, job: job, epoch: j.epoch, node: j.rep, from: node})
}

// withdrawn returns the killed task to the queue. For those behind it nothing changes.
func (q queues) withdrawn(node, job int32) {
	h := &q.hosts[node]
	if h.held == withdrawing && h.holder == job {
		q.stir(node)
		q.release(h)
		i := h.enter(job)
		if q.sums != nil && q.config.MayMove(q.jobs[job].moves, reptask.ByQB) {
			q.watch(h, job, int32(i))
		}
	}
}

// release ends the time in which a task holds its node without running.
func (q queues) release(h *host) {
	h.held = free
	q.counts.HeldNodeMicros += q.now - h.since
}

// begin starts the task that holds the node. It is then ahead of all others, older ones included.
func (q queues) begin(node, job int32) {
	h := &q.hosts[node]
	if h.held != isReady && h.held != withdrawing || h.holder != job {
		return
	}
	q.stir(node)
	q.release(h)
	h.held = running
	q.trace(Began, job, node)
	q.shift(h.watched[:h.watchedBefore(job)], 1)
	j := &q.jobs[job]
	q.records[j.index].StartMicros = q.now
	q.records[j.index].EndMicros = q.now + j.runMicros
	q.begun = calendar.Event[task]{At: q.now + q.lasts(node, j), Value: task{job, node}}
}

// lasts is how long a task of a job runs. Tasks of a job end together, and that of the
// representative itself begins earlier than the others, by the time of a message.
func (q queues) lasts(node int32, j *job) int64 {
	if node == j.rep && j.size > 1 {
		return max(1, j.runMicros) + q.options.LatencyMicros
	}
	return max(1, j.runMicros)
}

// drop removes a task that has not begun.
func (q queues) drop(node, job int32) {
	h := &q.hosts[node]
	i, queued := slices.BinarySearch(h.waiting, job)
	holds := h.held != free && h.held != running && h.holder == job
	if !queued && !holds {
		return
	}
	q.changes(node)
	at, watched := slices.BinarySearch(h.watched, job)
	if watched {
		q.sums[job] -= int64(h.ahead(job))
		h.watched = slices.Delete(h.watched, at, at+1)
	}
	q.shift(h.watched[at:], -1)
	if queued {
		h.remove(i)
	} else {
		q.release(h)
	}
}

// ended frees the node after a run.
func (q queues) ended(x task) {
	h := &q.hosts[x.host]
	q.changes(x.host)
	h.held = free
	q.shift(h.watched, -1)
	j := &q.jobs[x.job]
	j.finished++
	if j.finished == j.size {
		q.open--
	}
	q.step(x.host)
}

// watch adds up the queue position of a task from now on.
func (q queues) watch(h *host, job, ahead int32) {
	h.watched = insert(h.watched, job)
	q.sums[job] += int64(ahead)
	q.wake(q.jobs[job].rep)
}

// shift changes the queue positions of watched tasks, which sums adds up by job. A job that waits
// longer may move now.
func (q queues) shift(tasks []int32, by int64) {
	for _, job := range tasks {
		q.sums[job] += by
		if by > 0 {
			q.wake(q.jobs[job].rep)
		}
	}
}
