package reptask_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// held is a task of B's job, in the attempt that C granted and that D represents. The number of its
// vote is not that of its epoch.
func held(submitted uint64, state reptask.TaskState) reptask.Task {
	a := attempt('B', submitted, 2)
	return reptask.Task{Job: a.Job, By: name('C'), Epoch: 2, Rep: name('D'), State: state, Vote: 5}
}

func hosting(tasks ...reptask.Task) *feeder {
	f := newFeeder()
	f.Tasks = tasks
	return f
}

// A later attempt at a job replaces the task of an earlier one; an earlier one replaces nothing.
func TestDispatchOfAnotherAttempt(t *testing.T) {
	old := held(1, reptask.TaskReady)
	for _, epoch := range []uint32{1, 3, 5, 6} {
		f := hosting(old)
		a := reptask.Attempt{Job: old.Job, By: name('C'), Epoch: epoch}
		out := f.tell('E', reptask.Dispatch, a)
		require.Len(t, f.Tasks, 1)
		if epoch < 2 {
			assert.Equal(t, old, f.Tasks[0])
			assert.Equal(t, []reptask.Message{{Kind: reptask.Gone, Attempt: a}}, sent(out, 'E'))
			continue
		}
		assert.Equal(t, a, f.Tasks[0].Attempt())
		assert.Equal(t, name('E'), f.Tasks[0].Rep)
		assert.Equal(t, []reptask.Message{{Kind: reptask.Gone, Attempt: old.Attempt()}}, sent(out, 'D'))
	}
}

// A node hosts as many tasks as TaskLimit allows. How many jobs it may represent is another limit.
func TestTaskLimitOfDispatch(t *testing.T) {
	f := hosting()
	f.cfg.TaskLimit, f.cfg.RoleLimit = 2, 1
	for submitted := uint64(1); submitted <= 3; submitted++ {
		task := held(submitted, reptask.TaskQueued)
		f.tell('D', reptask.Dispatch, task.Attempt())
	}
	assert.Len(t, f.Tasks, 2)
}

// A silent peer that holds nothing of this node any more is forgotten at once.
func TestSilentPeerThatIsAwaitedNoMore(t *testing.T) {
	old := held(1, reptask.TaskReady)
	f := hosting(old)
	f.Silent = []protocol.NodeID{name('D')}
	f.tell('E', reptask.Dispatch, reptask.Attempt{Job: old.Job, By: name('C'), Epoch: 3})
	assert.Empty(t, f.Silent)
}

// A vote is back once: an answer to a former Withdraw, or a second answer, does nothing.
func TestWithdrawnOfAnotherVote(t *testing.T) {
	older, killed := held(1, reptask.TaskQueued), held(2, reptask.TaskWithdrawing)
	f, a := hosting(older, killed), killed.Attempt()
	assert.Equal(t, "nothing is withdrawn", ignored(f.vote('D', reptask.Withdrawn, a, 4)))
	assert.Equal(t, reptask.TaskWithdrawing, f.Tasks[1].State)
	assert.Empty(t, ignored(f.vote('D', reptask.Withdrawn, a, 5)))
	assert.Equal(t, reptask.TaskQueued, f.Tasks[1].State)
	assert.Equal(t, "nothing is withdrawn", ignored(f.vote('D', reptask.Withdrawn, a, 5)))
}

// A task starts with the vote that its representative counts, and only that node starts, cancels or
// gives a vote back.
func TestOrdersOfOthers(t *testing.T) {
	task := held(1, reptask.TaskReady)
	f, a := hosting(task), task.Attempt()
	assert.Equal(t, "no task is ready to start", ignored(f.vote('D', reptask.Start, a, 4)))
	assert.Equal(t, []reptask.Message{{Kind: reptask.Gone, Attempt: a}}, sent(f.vote('E', reptask.Start, a, 5), 'E'))
	f.tell('E', reptask.Cancel, a)
	require.Equal(t, []reptask.Task{task}, f.Tasks)
	f.vote('D', reptask.Start, a, 5)
	assert.Equal(t, reptask.TaskRunning, f.Tasks[0].State)
}

// A node that leaves hands its tasks back to their representatives, no matter which node granted
// them: a queued one at once, one with a vote when that is back.
func TestLeaverHandsBack(t *testing.T) {
	vote, queued := held(1, reptask.TaskReady), held(2, reptask.TaskQueued)
	f := hosting(vote, queued)
	withdraw := reptask.Message{Kind: reptask.Withdraw, Attempt: vote.Attempt(), Vote: 5}
	out := f.feed(command(reptask.Command{Kind: reptask.CommandLeave}))
	assert.Equal(t, []reptask.Message{{Kind: reptask.Gone, Attempt: queued.Attempt()}, withdraw}, sent(out, 'D'))
	assert.Equal(t, []reptask.Message{withdraw}, sent(f.fire(reptask.ResendTimer, 0), 'D'), "until it is answered")
	out = f.vote('D', reptask.Withdrawn, vote.Attempt(), 5)
	assert.Equal(t, []reptask.Message{{Kind: reptask.Gone, Attempt: vote.Attempt()}}, sent(out, 'D'))
	assert.Empty(t, f.Tasks)
}

// Queue positions are for the node that represents the task, if the grid wants them.
func TestPositionsAreForTheRepresentative(t *testing.T) {
	queued := held(2, reptask.TaskQueued)
	for _, report := range []bool{true, false} {
		f := hosting(held(1, reptask.TaskReady), queued)
		f.cfg.Report = report
		out := f.fire(reptask.BeatTimer, 0)
		if !report {
			assert.Empty(t, out.Send, "a repetition of Ready is a sign of life")
			continue
		}
		positions := []reptask.Position{{Attempt: queued.Attempt(), Ahead: 1}}
		assert.Equal(t, []reptask.Message{{Kind: reptask.Beat, Positions: positions}}, sent(out, 'D'))
	}
}

// A task that has run to its end is not in the queue, although its representative does not know.
func TestQueueLength(t *testing.T) {
	f := hosting(held(1, reptask.TaskDone), held(2, reptask.TaskRunning), held(3, reptask.TaskQueued))
	assert.Equal(t, uint32(2), f.QueueLength())
}

// Starting a task starts its process, and nothing else. When the process has ended, its timer is
// cancelled once, since no state wants it any more.
func TestTimersOfARun(t *testing.T) {
	task := held(1, reptask.TaskReady)
	f, run := hosting(task), protocol.Timer{Kind: reptask.RunTimer}
	out := f.vote('D', reptask.Start, task.Attempt(), 5)
	lease := protocol.Timer{Kind: reptask.LeaseTimer, Peer: name('D')}
	assert.Equal(t, []protocol.SetTimer{
		{Timer: run}, {Timer: lease, MinTicks: f.cfg.LeaseTicks, MaxTicks: f.cfg.LeaseTicks},
	}, out.Set)
	assert.Equal(t, []protocol.Timer{{Kind: reptask.ResendTimer}}, out.Cancel)
	out = f.fire(reptask.RunTimer, 0)
	assert.Equal(t, []protocol.Timer{run}, out.Cancel)
}
