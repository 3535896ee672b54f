package peer

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// enter begins the way of a job. A job that no cluster can run does not begin it: it needs more
// nodes than a list can name, and no message could carry it.
func (n *node) enter(j Job) {
	if s := &j.Spec; s.Size == 0 || s.Size > protocol.MaxItems || !s.Over.Valid() {
		n.onUnmatched(n.ID(), Unmatched{Ticket: j.Ticket, Why: Nobody})
		return
	}
	n.onJob(n.ID(), j)
}

// onJob forwards a job towards the node that is to own it: the node whose zone contains the job's
// requirement. The paper takes that node for capable of running the job (section 4.2); its own
// coordinate may be too small. A node that is leaving hands the job to a neighbour instead.
func (n *node) onJob(from protocol.NodeID, j Job) {
	here := j.Adopt || n.Can.Self.Zone.Contains(j.point())
	switch {
	case n.Can.Phase != can.Member && j.Search.On():
		n.tell(j, Undecided)
	case n.Can.Phase != can.Member:
		n.lose(j, DetailOutside)
	case j.Search.On():
		n.visit(from, j)
	case j.Hops >= n.cfg.HopLimit:
		n.lose(j, "too many hops")
	case here && !n.Leaving:
		n.own(j)
	case here:
		n.handOver(from, j)
	default:
		next, ok := can.NextHop(&n.Can, j.point())
		if !ok {
			n.lose(j, "no neighbour is nearer")
			return
		}
		j.Hops++
		n.send(next, j)
	}
}

// handOver gives a job to a direct neighbour, which is to own it although its zone does not contain
// the requirement. The job returns to its sender only if there is no other neighbour. A hash
// chooses the neighbour, a new one at each hop. With fixed choices three nodes that are all leaving
// could pass a job round without end.
func (n *node) handOver(from protocol.NodeID, j Job) {
	var to []protocol.NodeID
	for _, r := range n.Can.Direct() {
		to = append(to, r.ID)
	}
	if len(to) > 1 {
		to = slices.DeleteFunc(to, func(id protocol.NodeID) bool { return id == from })
	}
	if len(to) == 0 {
		n.lose(j, "nobody to hand it to")
		return
	}
	draw := protocol.Hash(protocol.AppendUint(protocol.AppendNodeID(nil, n.ID()), uint64(j.Hops)))
	j.Hops, j.Adopt = j.Hops+1, true
	n.send(to[draw%uint64(len(to))], j)
}

// seek routes the orphans that the task layer has announced in this step to the nodes whose zones
// contain their requirements now. If the answer is dropped, the task layer announces the orphan
// again.
func (n *node) seek() {
	for _, e := range n.Out.Events {
		if e.Name != TaskLayer.String()+":"+reptask.EventOrphan {
			continue
		}
		for _, r := range n.Tasks.Roles {
			if r.By == e.Peer && r.Epoch == e.Number {
				n.onJob(n.ID(), Job{Entry: n.ID(), Orphan: r.Job, Submitted: r.Job.Submitted, Spec: r.Spec})
			}
		}
	}
}

// own makes this node the owner of a job, or begins a search if neither this node nor a neighbour
// can represent it. It owns an orphan only when the representative asks it to, since the message
// that came through the CAN may be an old duplicate. The representative of an orphan can represent
// it.
func (n *node) own(j Job) {
	candidates := n.candidates(&j)
	switch {
	case j.Orphan.Number > 0 && len(candidates) == 0:
		n.send(j.Entry, Heir{Orphan: j.Orphan, Candidates: []protocol.NodeID{j.Entry}})
	case j.Orphan.Number > 0:
		n.send(j.Entry, Heir{Orphan: j.Orphan, Candidates: candidates})
	case len(candidates) == 0:
		j.Search = match.Begin(n.ID())
		n.search(j)
	case !n.take(j, candidates):
		n.lose(j, DetailFull)
	}
}

// lose announces that a job ends here. Its client has received no Owned and submits it again. The
// representative of an orphan tries again by itself.
func (n *node) lose(j Job, reason string) {
	n.Event(EventLost, j.Entry, j.Ticket, reason)
}

// own returns the command for the task layer to own a job.
func (c *Command) own() reptask.Command {
	return reptask.Command{
		Kind: reptask.CommandSubmit, Submitted: c.Submitted, Spec: c.Spec, Candidates: c.Candidates,
	}
}

// move returns the command for the task layer to move a job.
func (c *Command) move() reptask.Command {
	return reptask.Command{Kind: reptask.CommandMove, Job: c.Job, Target: c.Target, By: c.By}
}
