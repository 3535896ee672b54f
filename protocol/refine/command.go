package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// CommandKind is what the application, which includes the prediction framework, asks for.
type CommandKind uint8

// The kinds of order.
const (
	CommandAdd     CommandKind = iota + 1 // Nodes are predicted to be near, or have places again: candidates
	CommandDrop                           // Nodes are so no more
	CommandMeasure                        // latencies have drifted: measure all members again
	CommandLeave                          // leave the network
)

// Command is a command of the application. Nodes are sorted.
type Command struct {
	Kind  CommandKind
	Nodes []protocol.NodeID
}

func (n *node) order(o Command) {
	if !n.runs() {
		n.ignore(protocol.NodeID{}, "not in the network")
		return
	}
	switch o.Kind {
	case CommandAdd:
		n.add(o.Nodes)
	case CommandDrop:
		n.drop(o.Nodes)
	case CommandMeasure:
		n.Again = true
	case CommandLeave:
		n.leave()
	default:
		n.ignore(protocol.NodeID{}, "no such order")
	}
}

// add takes candidates in. New information starts the head's quiet time afresh.
func (n *node) add(ids []protocol.NodeID) {
	for _, id := range ids {
		i, known := n.candidate(id)
		switch {
		case known && n.Candidates[i].Status == Dropped:
			n.Candidates[i].Status = Member
		case known && n.Candidates[i].turnedDown():
			n.Candidates[i].Status = Fresh
		case known || id == n.ID || id.IsNobody():
		case len(n.Candidates) >= n.cfg.CandidateLimit:
			n.ignore(id, "too many candidates")
		default:
			n.Candidates = slices.Insert(n.Candidates, i, Candidate{ID: id})
		}
	}
	if n.Head == HeadIdle {
		n.Head = Collect
	}
	n.afresh(protocol.Timer{Kind: CollectTimer})
}

// drop takes candidates out. A member stays such until the next round ends without it, so that a
// cluster of a given round never loses a member that runs and takes itself for one.
func (n *node) drop(ids []protocol.NodeID) {
	for _, id := range ids {
		i, known := n.candidate(id)
		if !known {
			continue
		}
		if n.Candidates[i].inCluster() {
			n.Candidates[i].Status = Dropped
			continue
		}
		if n.Candidates[i].waits() {
			n.send(id, Dismiss{Round: n.Round})
		}
		n.Candidates = slices.Delete(n.Candidates, i, i+1)
	}
}

// turnedDown reports whether the candidate is not asked again without a reason.
func (c *Candidate) turnedDown() bool { return c.Status == Denied || c.Status == Filtered }

// waits reports whether the candidate may think that the present round concerns it.
func (c *Candidate) waits() bool { return c.Status == Asked || c.Status == Accepted }

// leave says farewell to everybody who deals with this node. Who does not hear it finds the node
// failed, or hears it when next it speaks to the node.
func (n *node) leave() {
	for _, c := range n.Candidates {
		if c.waits() || c.inCluster() {
			n.send(c.ID, Dismiss{Round: n.Round})
		}
	}
	for _, t := range n.Slots {
		n.send(t.Head, Leave{Round: t.Round})
	}
	n.State = State{ID: n.ID, Departed: true}
	n.event(EventLeft, protocol.NodeID{}, 0, "")
}

// afterwards answers those who still count on a node that has left: its process may run on for a
// long time, so that nobody would find it failed.
func (n *node) afterwards(from protocol.NodeID, m Message) {
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
	n.ignore(from, "not in the network")
}
