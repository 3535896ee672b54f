package grid

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/sim/load"
)

// core is a node with its application: reports of the cluster reach it just before it takes its
// next step, which is early enough and saves most of the steps. It counts the messages that nodes
// send.
type core struct {
	peer.Core
	run *run
}

// Step implements [protocol.Core].
func (c *core) Step(s peer.State, in peer.Input) (peer.State, peer.Output) {
	if queues := c.run.news.queues(&s); len(queues) > 0 {
		after, out := c.Core.Step(s, peer.Input{
			Kind: protocol.Command, Command: peer.Command{Kind: peer.CommandQueues, Queues: queues},
		})
		if len(out.Send)+len(out.Set)+len(out.Cancel) > 0 {
			panic("grid: a report of queues made a node do something")
		}
		s = after
	}
	after, out := c.Core.Step(s, in)
	for i := range out.Send {
		c.run.note(out.Send[i].Message)
		if decides(&in, &out, &out.Send[i]) {
			c.run.counts.Messages++
		}
	}
	return after, out
}

// decides reports whether the fast engine counts a message: of the task layer, but no mere
// confirmation of a decision, and no answer to a late message.
func decides(in *peer.Input, out *peer.Output, e *peer.Envelope) bool {
	sent, ofTasks := e.Message.(peer.TaskMessage)
	if !ofTasks || sent.Of.Kind == reptask.Finish || sent.Of.Kind == reptask.Result || sent.Of.Kind == reptask.Beat {
		return false
	}
	got, answers := in.Message.(peer.TaskMessage)
	if !answers || e.To != in.From || sent.Of.Attempt != got.Of.Attempt {
		return true
	}
	switch got.Of.Kind {
	case reptask.Finish:
		return sent.Of.Kind != reptask.Cancel
	case reptask.Result:
		return sent.Of.Kind != reptask.Settled
	case reptask.GiveUp:
		return sent.Of.Kind != reptask.Settled || got.Of.Reason != reptask.Refused
	case reptask.Withdraw:
		return sent.Of.Kind == reptask.Withdrawn
	case reptask.Ready: // the last vote decides, and a late one is answered
		return slices.ContainsFunc(out.Events, func(e protocol.Event) bool {
			a := got.Of.Attempt
			return e.Name == decided && e.Peer == a.By && e.Number == a.Epoch
		})
	}
	return true
}

var decided = peer.TaskLayer.String() + ":" + reptask.EventDecide

// The kinds of messages. Those of the task layer come first, by their own numbers.
const (
	hopKind = int(reptask.Beat) + 1 + iota
	seekKind
	orphanKind
	ownedKind
	heirKind
	unmatchedKind
	canKind
	refineKind
	kinds
)

// newAccount returns an account of messages by their names.
func newAccount() *load.Account {
	names := [kinds]string{
		hopKind: "Job", seekKind: "Search", orphanKind: "Orphan", ownedKind: "Owned", heirKind: "Heir",
		unmatchedKind: "Unmatched", canKind: "map", refineKind: "clusters",
	}
	for kind := 1; kind < hopKind; kind++ {
		names[kind] = reptask.MessageKind(kind).String()
	}
	return load.NewAccount(names[:]...)
}

// note counts a message.
func (r *run) note(m peer.Message) {
	kind := 0
	switch m := m.(type) {
	case peer.TaskMessage:
		kind = int(m.Of.Kind)
	case peer.CanMessage:
		kind = canKind
	case peer.RefineMessage:
		kind = refineKind
	case peer.Owned:
		kind = ownedKind
	case peer.Heir:
		kind = heirKind
	case peer.Unmatched:
		kind = unmatchedKind
	case peer.Job:
		switch {
		case m.Search.On():
			kind = seekKind
			if !m.Search.Steps[len(m.Search.Steps)-1].Left { // otherwise it goes back
				r.asked++
			}
		case m.Orphan.Number > 0:
			kind = orphanKind
		default:
			kind = hopKind
		}
	}
	r.sent.Note(kind, 0)
}
