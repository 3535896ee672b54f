package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// sendBeats sends a sign of life to each node that would otherwise suspect this node. A node that
// is sent a repetition anyway needs none. For queue balancing, the message carries the queue
// positions of the receiver's tasks.
func (n *node) sendBeats() {
	repeated := n.unanswered()
	for _, id := range n.watched() {
		positions := n.asHost().positions(id)
		if len(positions) > 0 || !slices.ContainsFunc(repeated, func(e Envelope) bool { return e.To == id }) {
			n.send(id, Message{Kind: Beat, Positions: positions})
		}
	}
}

// positions returns the queue positions of the tasks of a representative that wait in the queue.
func (n host) positions(rep protocol.NodeID) []Position {
	if !n.cfg.Report {
		return nil
	}
	return slices.DeleteFunc(n.queue(), func(p Position) bool {
		t := n.taskOf(p.Attempt.Job)
		return t.Rep != rep || t.State != TaskQueued
	})
}

// queue returns the tasks that wait, with their queue positions: the number of runnable tasks ahead
// of each. A task that runs is ahead of all others.
func (s *State) queue() []Position {
	var all []Position
	ahead := uint32(0)
	if _, runs := s.Runs(); runs {
		ahead = 1
	}
	for _, t := range s.Tasks {
		if t.State < TaskRunning {
			all = append(all, Position{t.Attempt(), ahead})
			ahead++
		}
	}
	return all
}

// onBeat records the queue positions of the members of this node's attempts.
func (n representative) onBeat(from protocol.NodeID, m Message) {
	for _, p := range m.Positions {
		r := n.roleOf(p.Attempt.Job)
		if r == nil || r.Epoch != p.Attempt.Epoch {
			continue
		}
		if member := r.member(from); member != nil && member.State == MemberDispatched { // so it is not decided
			member.Position = p.Ahead
		}
	}
}
