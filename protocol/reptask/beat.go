package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// sendBeats sends a sign of life to everybody who would otherwise take this node for failed;
// whoever is sent a repetition anyway needs none. For queue balancing it carries the positions of
// the receiver's tasks in the queue.
func (n *node) sendBeats() {
	repeated := n.unanswered()
	for _, id := range n.watched() {
		positions := n.positions(id)
		if len(positions) > 0 || !slices.ContainsFunc(repeated, func(e Envelope) bool { return e.To == id }) {
			n.send(id, Message{Kind: Beat, Positions: positions})
		}
	}
}

// positions returns where the tasks of a representative stand that wait for something else than its
// word.
func (n *node) positions(rep protocol.NodeID) []Position {
	if !n.cfg.Report {
		return nil
	}
	return slices.DeleteFunc(
		n.queue(),
		func(p Position) bool { t := n.taskOf(p.Attempt.Job); return t.Rep != rep || t.State != TaskQueued },
	)
}

// queue returns the runnable tasks with their queue positions: how many runnable tasks are ahead of
// each. A task that runs has the position zero.
func (s *State) queue() []Position {
	var all []Position
	ahead := uint32(0)
	if _, runs := s.Runs(); runs {
		ahead = 1
	}
	for _, t := range s.Tasks {
		switch t.State {
		case TaskDone:
		case TaskRunning:
			all = append(all, Position{t.Attempt(), 0})
		default:
			all = append(all, Position{t.Attempt(), ahead})
			ahead++
		}
	}
	return all
}

// beat takes in where the members of this node's attempts stand.
func (n *node) beat(from protocol.NodeID, m Message) {
	for _, p := range m.Positions {
		r := n.roleOf(p.Attempt.Job)
		if r == nil || r.Epoch != p.Attempt.Epoch || r.Phase != Collecting {
			continue
		}
		if i := slices.IndexFunc(r.Members, func(m Member) bool { return m.Host == from && m.State == MemberDispatched }); i >= 0 {
			r.Members[i].Position = p.Ahead
		}
	}
}
