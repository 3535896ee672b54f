package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// sendBeats sends a sign of life to everybody who would otherwise take this node for failed. For queue balancing it
// carries the positions of the receiver's tasks in the queue.
func (n *node) sendBeats() {
	for _, id := range n.partners() {
		n.send(id, Message{Kind: Beat, Positions: n.positions(id)})
	}
}

// positions returns where the tasks of a representative stand: how many runnable tasks are ahead of each. A task that runs
// has the position zero. Tasks of the same job are never counted: a node holds one of each.
func (n *node) positions(rep protocol.NodeID) []Position {
	if !n.cfg.Report {
		return nil
	}
	var all []Position
	ahead := uint32(0)
	if _, runs := n.Runs(); runs {
		ahead = 1
	}
	for _, t := range n.Tasks {
		switch t.State {
		case TaskDone:
		case TaskRunning:
			if t.Rep == rep {
				all = append(all, Position{t.Attempt(), 0})
			}
		default:
			if t.Rep == rep {
				all = append(all, Position{t.Attempt(), ahead})
			}
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
