package peer

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// Client is where an open job came from, and the search that has found this node for it, if any.
type Client struct {
	Number uint32 // of the job, among jobs submitted here
	Entry  protocol.NodeID
	Ticket uint32
	Search match.Search
}

// maxCandidates bounds the candidates of a job. The task layer accepts no more.
const maxCandidates = 64

// goal is the requirement for a node to represent a job.
func (n *node) goal(s *reptask.Spec) match.Goal {
	return match.NewGoal(&n.cfg.Tasks.Classes, &n.cfg.Can.Space, s.Requirement)
}

// candidates lists the nodes that may represent a job: this node, its direct neighbours, then the
// indirect ones. Those whose resources do not satisfy the job are left out. With Config.Apart this
// node comes last.
func (n *node) candidates(j *Job) []protocol.NodeID {
	goal, direct := n.goal(&j.Spec), n.Can.Direct()
	var indirect []can.Record
	for _, r := range n.Can.Known {
		near := slices.ContainsFunc(direct, func(d can.Record) bool { return d.ID == r.ID })
		if !near && !n.Can.IsDead(r.ID) {
			indirect = append(indirect, r)
		}
	}
	others := append(n.ranked(&goal, j, direct), n.ranked(&goal, j, indirect)...)
	others = others[:min(len(others), maxCandidates-1)]
	switch {
	case !goal.Satisfied(&n.Can.Self.Coord):
		return others
	case n.cfg.Apart:
		return append(others, n.ID())
	}
	return append([]protocol.NodeID{n.ID()}, others...)
}

// ranked returns those nodes that satisfy a job, minimal ones first; a hash draws among equals. The
// paper's queue lengths would come between the two, but no node knows those of its neighbours.
func (n *node) ranked(goal *match.Goal, j *Job, records []can.Record) []protocol.NodeID {
	return match.Ranked(goal, n.cfg.Tasks.StrictMinimum, places(records), j.draw)
}

// places returns the data of some nodes for a search.
func places(records []can.Record) (all []match.Place) {
	for _, r := range records {
		all = append(all, match.Place{ID: r.ID, Coordinate: r.Coord, Zone: r.Zone})
	}
	return all
}

// draw replaces a random choice of a node for the job.
func (j *Job) draw(id protocol.NodeID) uint64 {
	named := protocol.AppendUint(protocol.AppendNodeID(protocol.AppendUint(nil, j.Submitted), j.Entry), uint64(j.Ticket))
	return protocol.Hash(protocol.AppendNodeID(named, id))
}

// able reports whether this node could represent a job, and whether it has room for it now.
func (n *node) able(s *reptask.Spec) (able, room bool) {
	goal := n.goal(s)
	able = !n.Leaving && goal.Satisfied(&n.Can.Self.Coord) && (s.Size == 1 || uint32(len(n.Tasks.Cluster)) >= s.Size)
	if s.Size == 1 && n.Tasks.Cordoned { // it could not run the job itself, as it may later
		return able, false
	}
	return able, len(n.Tasks.Roles) < n.cfg.Tasks.RoleLimit && len(n.Tasks.Tasks) < n.cfg.Tasks.TaskLimit
}

// take makes this node the owner of a job, and notifies the entry. It reports false if the task
// layer has too many jobs.
func (n *node) take(j Job, candidates []protocol.NodeID) bool {
	before := n.Tasks.Jobs
	n.stepTasks(reptask.Input{Kind: protocol.Command, Command: reptask.Command{
		Kind: reptask.CommandSubmit, Submitted: j.Submitted, Spec: j.Spec, Candidates: candidates,
	}})
	number := n.Tasks.Jobs
	if number == before {
		return false
	}
	n.Clients = append(slices.Clip(n.Clients), Client{number, j.Entry, j.Ticket, j.Search})
	n.send(j.Entry, Owned{Ticket: j.Ticket, Number: number})
	return true
}

// search begins a complete search for a job that no candidate can represent, or goes on with one.
func (n *node) search(j Job) {
	n.Event(EventSearch, j.Entry, j.Ticket, "")
	n.onward(j)
}

// visit is the visit of a search. A node that can represent the job owns it, even outside the
// requirement.
func (n *node) visit(from protocol.NodeID, j Job) {
	if j.Search.At() != n.ID() {
		n.Ignore(from, "a search that is elsewhere")
		return
	}
	able, room := n.able(&j.Spec)
	if able && room && n.take(j, n.candidates(&j)) {
		return
	}
	j.Search.Unsure = j.Search.Unsure || able
	n.onward(j)
}

// onward moves a search on from this node, or notifies the entry how it has ended. A search must
// not report that no node can run the job if a zone of the region has no owner at present, or if a
// node on the way back is gone: nodes behind it might have been missed.
func (n *node) onward(j Job) {
	goal := n.goal(&j.Spec)
	for _, r := range n.Can.Known {
		if n.Can.IsDead(r.ID) && r.Zone.Overlaps(goal.Region) {
			j.Search.Unsure = true
		}
	}
	alone := len(j.Search.Steps) == 1 && !n.Can.Self.Zone.Overlaps(goal.Region)
	next, outcome := j.Search.Next(&goal, places(n.Can.Direct()), n.cfg.SeekLimit)
	j.Search = next
	switch to := next.At(); {
	case outcome == match.Onward && !n.Can.IsDead(to):
		n.send(to, j)
	case outcome == match.Exhausted && !alone:
		n.tell(j, Nobody)
	case outcome == match.Limited:
		n.tell(j, Limited)
	default:
		n.tell(j, Undecided)
	}
}

// tell notifies the entry of a job how the search for it has ended.
func (n *node) tell(j Job, why Why) { n.send(j.Entry, Unmatched{Ticket: j.Ticket, Why: why}) }

// onUnmatched announces how the search for a job that was submitted here has ended.
func (n *node) onUnmatched(from protocol.NodeID, m Unmatched) {
	n.Event(EventUnmatched, from, m.Ticket, m.Why.String())
}

// onRefused lets the search for a job go on from here, or begin. If the node could represent the
// job by now, or had no room, it is not true that no node can.
func (n *node) onRefused(j Job) {
	if !j.Search.On() {
		j.Search = match.Begin(n.ID())
	}
	able, _ := n.able(&j.Spec)
	j.Search.Unsure = j.Search.Unsure || able
	n.search(j)
}

// searchOn continues, or begins, the search for jobs that all candidates have refused in this step:
// those of earlier steps are forgotten. The client of an adopted job is not known here.
func (n *node) searchOn() {
	for _, c := range n.Clients {
		for k := range n.Tasks.Owned {
			o := &n.Tasks.Owned[k]
			if o.Job.Owner == n.ID() && o.Job.Number == c.Number && o.State == reptask.JobFailed {
				n.onRefused(Job{Entry: c.Entry, Ticket: c.Ticket, Submitted: o.Job.Submitted, Spec: o.Spec, Search: c.Search})
			}
		}
	}
}

// forget forgets where jobs came from that have ended.
func (n *node) forget() {
	var open []Client
	for _, c := range n.Clients {
		if slices.ContainsFunc(n.Tasks.Owned, func(o reptask.Owned) bool {
			return o.Job.Owner == n.ID() && o.Job.Number == c.Number && o.State <= reptask.JobRevoking
		}) {
			open = append(open, c)
		}
	}
	n.Clients = open
}
