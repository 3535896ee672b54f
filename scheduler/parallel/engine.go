package parallel

import (
	"context"
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/internal/calendar"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler"
)

const never = int64(calendar.Never)

// engine is a run in progress.
type engine struct {
	grid    *Grid
	options Options
	config  reptask.Config

	now    int64
	active int64  // when something was under way last
	seq    uint64 // of messages and starts, in the order of the steps that made them
	mail   mail
	ends   calendar.Heap[task]
	turns  turns
	local  []message            // from a node to itself, within a step
	begun  calendar.Event[task] // the end of the task that a step has started, if At is set

	jobs   []job
	sums   []int64   // of the queue positions of the watched tasks, by job; nil if unused
	arrive []arrival // of jobs at their owners, in order
	next   int       // of arrive
	open   int       // jobs that have not ended
	hosts  []host
	nodes  []node
	loads  []load // by view
	news   news
	wakes  wakes

	balancer   balancer
	neighbours []reptask.Neighbour // scratch

	records []scheduler.Record
	counts  Counts
}

// node is a node in its role as a representative.
type node struct {
	idle  []int32 // movable jobs represented here, the oldest first
	near  []int32 // other nodes to which they could move
	views []int32 // the clusters that those advertise
}

// arrival is a job that reaches its owner.
type arrival struct {
	at  int64
	job int32
}

// run handles all events. At one time come first messages and ends, then news, then jobs at their
// owners, then turns.
func (e *engine) run(ctx context.Context) error {
	for e.open > 0 {
		if e.counts.Events++; e.counts.Events%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		at := e.nextAt()
		if at == never || e.still(at) {
			panic(fmt.Sprintf("parallel: %d jobs wait, and nothing will happen", e.open))
		}
		if at < e.now {
			panic(fmt.Sprintf("parallel: an event at %d µs comes after %d µs", at, e.now))
		}
		e.now = at
		switch m := e.mail.next(); {
		case m != nil && m.at == at && (e.ends.NextAt() > at || m.seq < e.ends[0].Order):
			e.arrived(e.mail.pop())
		case e.ends.NextAt() == at:
			queues{e}.ended(e.ends.Pop().Value)
		case e.news.next == at:
			e.report()
		case e.next < len(e.arrive) && e.arrive[e.next].at == at:
			e.submitted(e.arrive[e.next].job)
			e.next++
		default:
			e.balancer.balance(e.turns.pop())
		}
	}
	return nil
}

// still reports whether nothing can happen any more: no message is under way, no task runs, no job
// is to come, and every node has had a turn with the latest news.
func (e *engine) still(at int64) bool {
	if e.mail.next() != nil || len(e.ends) > 0 || e.next < len(e.arrive) {
		e.active = at
		return false
	}
	return at > e.active+2*(e.options.BalanceMicros+e.options.NewsMicros)
}

func (e *engine) nextAt() int64 {
	at := min(e.news.next, e.ends.NextAt())
	if m := e.mail.next(); m != nil {
		at = min(at, m.at)
	}
	if e.next < len(e.arrive) {
		at = min(at, e.arrive[e.next].at)
	}
	if at > e.now {
		e.settle()
	}
	return min(at, e.turns.next())
}

// submitted is a job at its owner.
func (e *engine) submitted(job int32) {
	owner{e}.grantNext(job)
	e.step(e.jobs[job].owner)
}

// send sends a message to one node.
func (e *engine) send(m message) {
	if m.node == m.from {
		e.local = append(e.local, m)
		return
	}
	e.seq++
	e.counts.Messages++
	m.at, m.seq = e.now+e.options.LatencyMicros, e.seq
	if e.options.Between != nil && e.grid.Nodes[m.from].Cluster != e.grid.Nodes[m.node].Cluster {
		m.at = e.now + e.grid.MessageMicros(&e.options, int(m.from), int(m.node))
		e.mail.far.Push(calendar.Event[message]{At: m.at, Order: m.seq, Value: m})
		return
	}
	e.mail.push(m)
}

// sendAll sends messages to a list of nodes of the sender's cluster, in order. A node handles its
// own later in the step.
func (e *engine) sendAll(m message, to []int32) {
	others := len(to)
	if i := slices.Index(to, m.from); i >= 0 {
		others--
		mine := m
		mine.list, mine.voted, mine.node = to[i:i+1], nil, m.from
		if m.voted != nil {
			mine.voted = m.voted[i : i+1]
		}
		e.local = append(e.local, mine)
	}
	if others == 0 {
		return
	}
	e.seq++
	e.counts.Messages += uint64(others)
	m.at, m.seq, m.list = e.now+e.options.LatencyMicros, e.seq, to
	e.mail.push(m)
}

// arrived delivers a message, or several to several nodes.
func (e *engine) arrived(m message) {
	if m.list == nil {
		e.handle(m.node, &m, 0)
		e.step(m.node)
		return
	}
	for i, node := range m.list {
		if node != m.from {
			e.handle(node, &m, i)
			e.step(node)
		}
	}
}

// step completes the step of a node: it serves its queue and handles its messages to itself.
func (e *engine) step(node int32) {
	queues{e}.serve(node)
	for i := 0; i < len(e.local); i++ {
		m := e.local[i]
		e.handle(node, &m, 0)
		queues{e}.serve(node)
	}
	e.local = e.local[:0]
	if e.begun.At > 0 {
		e.seq++
		e.begun.Order = e.seq
		e.ends.Push(e.begun)
		e.begun = calendar.Event[task]{}
	}
}

// handle handles a message at a node, the i-th of its list.
func (e *engine) handle(node int32, m *message, i int) {
	j := &e.jobs[m.job]
	switch m.kind {
	case grant:
		representative{e}.granted(node, m.job)
	case dispatch:
		queues{e}.dispatched(node, m.job)
	case ready:
		representative{e}.counted(m)
	case withdraw:
		representative{e}.givenBack(m)
	case withdrawn:
		queues{e}.withdrawn(node, m.job)
	case decision:
		if m.voted[i] {
			queues{e}.begin(node, m.job)
		} else {
			queues{e}.drop(node, m.job)
		}
	case cancel:
		queues{e}.drop(node, m.job)
	case refused:
		owner{e}.refusedBy(m.job, m.from)
	case moved:
		owner{e}.givenUp(m.job, m.from)
	case settled:
		e.send(message{kind: gone, job: m.job, epoch: m.epoch, node: j.owner, from: node})
	case gone:
		owner{e}.grantTo(m.job, j.target)
	}
}
