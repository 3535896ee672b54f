package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// dispatched takes a dependent task in: "when parallel dependent task with an older submit time
// arrives at a node where a newer dependent task is ready to start but not yet running, the newer
// dependent task is killed to prevent deadlock".
func (n *node) dispatched(from protocol.NodeID, j Job) {
	i := slices.IndexFunc(n.Queue, func(t Task) bool { return t.Status == Ready && n.older(j, t.Job) })
	if i >= 0 {
		killed := n.Queue[i]
		n.Queue = slices.Delete(n.Queue, i, i+1)
		n.event(EventRequeue, killed.Job)
		if n.cfg.Readings.Tells {
			n.send(killed.Representative, Killed, killed.Job)
		}
		if n.cfg.Readings.Requeue {
			killed.Status = Queued
			n.enqueue(killed)
		}
	}
	n.enqueue(Task{Job: j, Representative: from})
	n.event(EventQueue, j)
	n.head()
}

func (n *node) older(a, b Job) bool {
	if n.cfg.Readings.WholeOrder {
		return a.before(b) < 0
	}
	return a.Submitted < b.Submitted
}

// enqueue: "job queues are kept in order sorted by submit time, with ties broken by the value of a
// hash on job properties". Of equals the first to arrive comes first. A task that runs or is ready
// to has left the waiting behind.
func (n *node) enqueue(t Task) {
	i := slices.IndexFunc(n.Queue, func(other Task) bool { return other.Status == Queued && t.Job.before(other.Job) < 0 })
	if i < 0 {
		i = len(n.Queue)
	}
	n.Queue = slices.Insert(n.Queue, i, t)
}

// head: dependents "report to the representative when they arrive at the head of the node's queue
// and are ready to start computation".
func (n *node) head() {
	if len(n.Queue) == 0 || n.taken() {
		return
	}
	t := &n.Queue[0]
	t.Status = Ready
	n.event(EventReady, t.Job)
	n.send(t.Representative, IsReady, t.Job)
}

// find returns the place of the task that a message of a representative is about.
func (n *node) find(from protocol.NodeID, j Job, wanted func(Status) bool) int {
	return slices.IndexFunc(n.Queue, func(t Task) bool {
		return t.Job.same(j) && wanted(t.Status) && (!n.cfg.Readings.ByPair || t.Representative == from)
	})
}

// begin: "the representative instructs each ready dependent task to begin parallel computation".
func (n *node) begin(from protocol.NodeID, j Job) {
	i := n.find(from, j, func(s Status) bool { return s == Ready })
	if i < 0 {
		n.Ignore(from, "no such task is ready")
		return
	}
	n.Queue[i].Status = Running
	n.event(EventStart, n.Queue[i].Job)
	n.Out.Set = append(n.Out.Set, protocol.SetTimer{
		Timer: protocol.Timer{Kind: RunTimer}, MinTicks: n.cfg.RunTicks, MaxTicks: n.cfg.RunTicks,
	})
}

// cancelled: "any other dependent tasks are canceled (removed from the queues on their nodes)".
func (n *node) cancelled(from protocol.NodeID, j Job) {
	if !n.remove(from, j) {
		n.Ignore(from, "no such task waits")
	}
}

// recall is the dependent's part in a move, which involves "coordinating the move between the
// representative task and all dependent tasks": it leaves its queue and reports that.
func (n *node) recall(from protocol.NodeID, j Job) {
	n.remove(from, j)
	n.send(from, Recalled, j)
}

// remove takes a task that does not run out of the queue, and reports whether there was one.
func (n *node) remove(from protocol.NodeID, j Job) bool {
	i := n.find(from, j, func(s Status) bool { return s != Running })
	if i < 0 {
		return false
	}
	n.event(EventCancel, n.Queue[i].Job)
	n.Queue = slices.Delete(n.Queue, i, i+1)
	n.head()
	return true
}

// computed is the end of a computation: "as each dependent task finishes its computation, it
// notifies the representative".
func (n *node) computed(t protocol.Timer) {
	i := slices.IndexFunc(n.Queue, func(t Task) bool { return t.Status == Running })
	if t.Kind != RunTimer || i < 0 {
		n.Ignore(t.Peer, "the timer is not pending")
		return
	}
	done := n.Queue[i]
	n.Queue = slices.Delete(n.Queue, i, i+1)
	n.event(EventFinish, done.Job)
	n.send(done.Representative, Finished, done.Job)
	n.head()
}
