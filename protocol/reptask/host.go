package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// host is a node as the host of dependent tasks. It owns Tasks and Cordoned in the state.
type host struct{ *node }

// onDispatch enters a dependent task into the queue.
func (n host) onDispatch(from protocol.NodeID, m Message) {
	a := m.Attempt
	if t := n.taskOf(a.Job); t != nil && t.Epoch == a.Epoch {
		n.Ignore(from, "the task is here")
		return
	} else if t != nil && t.Epoch < a.Epoch {
		old := *t // the owner grants an epoch only when those before it are over
		n.drop(old.Attempt())
		n.send(old.Rep, Message{Kind: Gone, Attempt: old.Attempt()})
	}
	possible := !n.isOver(a) && n.taskOf(a.Job) == nil && !n.Leaving && !n.Cordoned
	if !possible || len(n.Tasks) >= n.cfg.TaskLimit {
		if possible {
			n.noteFull(a.Job, fullTasks)
		}
		n.send(from, n.refusal(a))
		return
	}
	i, _ := n.taskAt(a.Job)
	n.Tasks = slices.Insert(n.Tasks, i, Task{Job: a.Job, By: a.By, Epoch: a.Epoch, Rep: from})
	n.note(EventQueue, a)
}

// refusal is the answer of a host that does not hold a task and will not. A cordoned host says so:
// otherwise it would receive the next task at once.
func (n host) refusal(a Attempt) Message {
	if n.Cordoned {
		return Message{Kind: Unable, Attempt: a}
	}
	return Message{Kind: Gone, Attempt: a}
}

// serve gives the node to the head of the queue as soon as the node is free. The task then waits
// for Start or Cancel. If an older task comes, the node asks for its vote back (the kill rule).
func (n host) serve() {
	head, holder := -1, -1
	for i, t := range n.Tasks {
		switch t.State {
		case TaskQueued:
			if head < 0 {
				head = i
			}
		case TaskReady, TaskWithdrawing, TaskRunning:
			holder = i
		}
	}
	switch {
	case head < 0:
	case holder < 0:
		t := &n.Tasks[head]
		t.State = TaskReady
		t.Vote++
		n.note(EventReady, t.Attempt())
		n.send(t.Rep, Message{Kind: Ready, Attempt: t.Attempt(), Vote: t.Vote})
	case head < holder && n.Tasks[holder].State == TaskReady:
		t := &n.Tasks[holder]
		t.State = TaskWithdrawing
		n.note(EventWithdraw, t.Attempt())
		n.send(t.Rep, Message{Kind: Withdraw, Attempt: t.Attempt(), Vote: t.Vote})
	}
}

// onWithdrawn returns the killed task to the queue, at the place of its age: the vote is back.
func (n host) onWithdrawn(from protocol.NodeID, m Message) {
	t := n.taskFor(from, m)
	if t == nil || t.State != TaskWithdrawing || t.Vote != m.Vote {
		n.Ignore(from, "nothing is withdrawn")
		return
	}
	t.State = TaskQueued
	n.note(EventRequeue, m.Attempt)
	n.handBack()
}

// onStart starts a dependent that holds the node. A node without the task answers Gone: it
// suspected the representative, or has recorded that the attempt is over.
func (n host) onStart(from protocol.NodeID, m Message) {
	t := n.taskFor(from, m)
	switch {
	case t == nil:
		n.send(from, Message{Kind: Gone, Attempt: m.Attempt})
	case t.State != TaskReady && t.State != TaskWithdrawing || t.Vote != m.Vote:
		n.Ignore(from, "no task is ready to start")
	default:
		t.State = TaskRunning
		n.note(EventStart, m.Attempt)
	}
}

// onRunEnd frees the node. It notifies the representative until that answers.
func (n host) onRunEnd() {
	for i := range n.Tasks {
		if t := &n.Tasks[i]; t.State == TaskRunning {
			t.State = TaskDone
			n.note(EventFinish, t.Attempt())
			n.send(t.Rep, Message{Kind: Finish, Attempt: t.Attempt()})
			return
		}
	}
	n.Ignore(n.Self, "nothing runs")
}

// onCancel drops a task that is not needed, in any state. The task may also arrive after its
// Cancel.
func (n host) onCancel(from protocol.NodeID, m Message) {
	if t := n.taskFor(from, m); t != nil {
		n.drop(m.Attempt)
	} else {
		n.end(m.Attempt)
	}
	if m.Confirm {
		n.send(from, Message{Kind: Gone, Attempt: m.Attempt})
	}
}

// taskFor finds the task that a message of its representative is about.
func (n host) taskFor(from protocol.NodeID, m Message) *Task {
	t := n.taskOf(m.Attempt.Job)
	if t == nil || t.Epoch != m.Attempt.Epoch || t.Rep != from {
		return nil
	}
	return t
}

// drop removes a task that is here, for good.
func (n host) drop(a Attempt) {
	i, _ := n.taskAt(a.Job)
	switch n.Tasks[i].State {
	case TaskRunning:
		n.note(EventStop, a)
	case TaskDone:
		n.note(EventForget, a)
	default:
		n.note(EventCancel, a)
	}
	n.Tasks = slices.Delete(n.Tasks, i, i+1)
	n.end(a)
}
