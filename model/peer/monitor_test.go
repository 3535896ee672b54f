package peer

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// step is one event of a hand-made run. The node owns the job of two, whose attempts B numbers.
type step struct {
	node    byte
	event   protocol.Event
	leaving bool
}

func tasksEvent(node byte, name string, epoch uint32) step {
	return step{node: node, event: protocol.Event{Name: "tasks:" + name, Peer: id('B'), Number: epoch}}
}

func finishes(node byte, epoch uint32) step { return tasksEvent(node, reptask.EventFinish, epoch) }
func accepts(node byte, epoch uint32) step  { return tasksEvent(node, reptask.EventAccept, epoch) }

// observe returns what the monitor remembers of a run.
func observe(steps ...step) *history {
	m := monitor{}
	mon := m.Initial()
	for _, s := range steps {
		n := node(s.node, can.Member, zone(0, 12))
		n.Leaving = s.leaving
		n.Tasks.Owned = []reptask.Owned{{
			Job: aJob(1), By: id('B'), Epoch: s.event.Number, Spec: reptask.Spec{Size: 2},
		}}
		n.Tasks.Jobs = 1
		mon = m.Observe(mon, int(id(s.node).Address), *n, []protocol.Event{s.event})
	}
	return m.View(mon).(*history)
}

// A result is earned if exactly k nodes ran the attempt, and if no owner accepts it twice.
func TestMonitorChecksResults(t *testing.T) {
	tests := []struct {
		name     string
		run      []step
		unearned bool
	}{
		{"no result", []step{finishes('A', 1)}, false},
		{"two nodes of two", []step{finishes('A', 1), finishes('C', 1), accepts('B', 1)}, false},
		{"one node of two", []step{finishes('A', 1), accepts('B', 1)}, true},
		{"three nodes of two", []step{finishes('A', 1), finishes('B', 1), finishes('C', 1), accepts('B', 1)}, true},
		{"one node twice", []step{finishes('A', 1), finishes('A', 1), accepts('B', 1)}, true},
		{"nodes of two attempts", []step{finishes('A', 1), finishes('C', 2), accepts('B', 2)}, true},
		{"an attempt that no node ran", []step{accepts('B', 1)}, true},
		{"the same owner twice", []step{finishes('A', 1), finishes('C', 1), accepts('B', 1), accepts('B', 1)}, true},
		{"another owner again", []step{finishes('A', 1), finishes('C', 1), accepts('B', 1), accepts('C', 1)}, false},
		{"a late end after the result", []step{
			finishes('A', 1), finishes('C', 1), accepts('B', 1), finishes('B', 1), accepts('C', 1),
		}, false},
	}
	for _, test := range tests {
		h := observe(test.run...)
		assert.Equal(t, test.unearned, h.unearned, test.name)
		assert.Equal(t, h, decode(h.append(nil)), test.name)
	}
	after := observe(finishes('A', 1), finishes('C', 1), accepts('B', 1), finishes('B', 1))
	assert.Zero(t, after.finished[0].nodes, "nothing is counted after the result")
}

// A job that ends at a full owner was not passed on. A job that ends for another reason may be
// lost.
func TestMonitorNotesDroppedJobs(t *testing.T) {
	lost := func(why string) step {
		return step{node: 'A', event: protocol.Event{Name: peer.EventLost, Detail: why}}
	}
	assert.True(t, observe(lost(peer.DetailFull)).dropped)
	assert.False(t, observe(lost("another reason")).dropped)
}

// Each witness is seen when it happens, and only then.
func TestMonitorSeesWitnesses(t *testing.T) {
	leaving := func(s step) step {
		s.leaving = true
		return s
	}
	ran := []step{finishes('A', 1), finishes('C', 1), accepts('B', 1)}
	tests := []struct {
		name string
		run  []step
		want seen
	}{
		{"nothing", nil, 0},
		{"a result", ran, sawAccepted},
		{"two results", append(ran[:3:3], finishes('A', 2), finishes('C', 2), accepts('B', 2)), sawAccepted | sawTwo},
		{"a result at another owner", []step{finishes('A', 1), finishes('C', 1), accepts('C', 1)}, sawAccepted | sawAdopted},
		{"a job that no cluster took", []step{tasksEvent('B', reptask.EventFailed, 1)}, sawFailed},
		{"a first attempt", []step{tasksEvent('B', reptask.EventGrant, 1)}, 0},
		{"a second attempt", []step{tasksEvent('B', reptask.EventGrant, 2)}, sawRegrant},
		{"a node leaves the map", []step{{node: 'A', event: protocol.Event{Name: "can:" + can.EventLeft}}}, sawLeft},
		{"a vote withdrawn", []step{tasksEvent('A', reptask.EventWithdraw, 1)}, 0},
		{"a vote withdrawn to leave", []step{leaving(tasksEvent('A', reptask.EventWithdraw, 1))}, sawRecall},
		{"a task returned to leave", []step{leaving(tasksEvent('A', reptask.EventCancel, 1))}, sawReturned},
		{"a task finished to leave", []step{leaving(finishes('A', 1))}, sawRanOut},
		{"a member removed", []step{{node: 'A', event: protocol.Event{Name: "refine:" + refine.EventRemoved}}}, sawShrunk},
	}
	for _, test := range tests {
		assert.Equal(t, test.want, observe(test.run...).seen, test.name)
	}
}
