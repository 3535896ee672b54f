package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// CommandKind is the kind of a command. The application includes the prediction of latencies.
type CommandKind uint8

// The kinds of commands.
const (
	CommandAdd     CommandKind = iota + 1 // Nodes are predicted to be near, or have free places again: candidates
	CommandDrop                           // Nodes are no longer near
	CommandMeasure                        // latencies have drifted: measure all members again
	CommandLeave                          // leave the network
)

// Command is a command of the application. Nodes are sorted.
type Command struct {
	Kind  CommandKind
	Nodes []protocol.NodeID
}

func (n *node) onCommand(c Command) {
	if !n.isRunning() {
		n.Ignore(protocol.NodeID{}, "not in the network")
		return
	}
	switch c.Kind {
	case CommandAdd:
		n.asHead().add(c.Nodes)
	case CommandDrop:
		n.asHead().drop(c.Nodes)
	case CommandMeasure:
		n.Again = true
	case CommandLeave:
		n.leave()
	default:
		n.Ignore(protocol.NodeID{}, "no such order")
	}
}

// add adds candidates. New information restarts the head's CollectTimer.
func (n head) add(ids []protocol.NodeID) {
	for _, id := range ids {
		i, known := n.candidate(id)
		switch {
		case known && n.Candidates[i].Status == Dropped:
			n.Candidates[i].Status = Member
		case known && n.Candidates[i].isTurnedDown():
			n.Candidates[i].Status = Fresh
		case known || id == n.ID || id.IsNobody():
		case len(n.Candidates) >= n.cfg.CandidateLimit:
			n.Ignore(id, "too many candidates")
		default:
			n.Candidates = slices.Insert(n.Candidates, i, Candidate{ID: id})
		}
	}
	if n.Head == HeadIdle {
		n.Head = Collect
	}
	n.restartTimer(protocol.Timer{Kind: CollectTimer})
}

// drop removes candidates. A member stays in the cluster until the next round ends without it. So a
// cluster never loses, within its round, a member that runs and counts on the cluster.
func (n head) drop(ids []protocol.NodeID) {
	for _, id := range ids {
		i, known := n.candidate(id)
		if !known {
			continue
		}
		if n.Candidates[i].isInCluster() {
			n.Candidates[i].Status = Dropped
			n.askAgain()
			continue
		}
		if n.Candidates[i].isWaiting() {
			n.send(id, Dismiss{Round: n.Round})
		}
		n.Candidates = slices.Delete(n.Candidates, i, i+1)
	}
}

// isTurnedDown reports whether the candidate is not asked again without a reason.
func (c *Candidate) isTurnedDown() bool { return c.Status == Denied || c.Status == Filtered }

// isWaiting reports whether the candidate may think that the present round concerns it.
func (c *Candidate) isWaiting() bool { return c.Status == Asked || c.Status == Accepted }

// leave notifies every peer that has a slot or candidate of this node. A peer that misses the
// message suspects the node later, or is notified when it sends its next message.
func (n *node) leave() {
	for _, c := range n.Candidates {
		if c.isWaiting() || c.isInCluster() {
			n.send(c.ID, Dismiss{Round: n.Round})
		}
	}
	for _, t := range n.Slots {
		n.send(t.Head, Leave{Round: t.Round})
	}
	n.State = State{ID: n.ID, Departed: true}
	n.Event(EventLeft, protocol.NodeID{}, 0, "")
}

// onMessageAfterwards answers peers that still count on a node that has left. Its process may run
// for a long time, and then no peer would suspect it.
func (n *node) onMessageAfterwards(from protocol.NodeID, m Message) {
	if n.Departed {
		switch m := m.(type) {
		case Solicitation:
			n.send(from, Leave{Round: m.Round})
			return
		case List:
			n.send(from, Leave{Round: m.Round})
			return
		case Confirm:
			n.send(from, Leave{Round: m.Round})
			return
		case Accept:
			n.send(from, Dismiss{Round: m.Round})
			return
		case Report:
			n.send(from, Dismiss{Round: m.Round})
			return
		}
	}
	n.Ignore(from, "not in the network")
}
