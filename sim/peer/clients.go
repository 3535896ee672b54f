package peer

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/model/linear"
	peermodel "github.com/canvass-grid/canvass/model/peer"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// clients record the history of the job service, as clients and their nodes see it. The owner
// defines the identity of a job: a client whose submission is duplicated by the network may get two
// jobs.
type clients struct {
	clock    int64
	tickets  map[uint32]*ticket
	jobs     []*job // in the order in which owners took them
	attempts map[attempt]*job
}

// ticket is a job as its client submitted it.
type ticket struct {
	called int64
	spec   reptask.Spec
	owners map[protocol.NodeID]int64 // its owners, by the time when the client was notified

	represented bool
	search      *search // for a node that represents it; nil: not begun
}

// attempt names an attempt in events.
type attempt struct {
	by    protocol.NodeID
	epoch uint32
}

// job is a job at its owner.
type job struct {
	reptask.Job
	ticket     uint32
	size       int
	spec       reptask.Spec
	able       []protocol.NodeID // its owner and neighbours, as far as they could run it all the time
	state      linear.JobState
	failed     bool            // no node could take it
	owner      protocol.NodeID // the present or last owner
	parting    bool            // when last seen, its owner was having an attempt forgotten before the next one
	accepted   attempt         // the attempt whose result was accepted
	lost       bool            // a crash left neither owner nor representative, or its owner crashed between two attempts
	cancelled  int64
	history    []linear.Operation
	started    map[attempt]bool
	finished   map[attempt]int
	finishedAt map[attempt]int64
}

func newClients() *clients {
	return &clients{tickets: map[uint32]*ticket{}, attempts: map[attempt]*job{}}
}

// submit notes that a client is about to submit a job.
func (c *clients) submit(number uint32, spec reptask.Spec) {
	c.clock++
	c.tickets[number] = &ticket{called: c.clock, spec: spec, owners: map[protocol.NodeID]int64{}}
}

// unowned returns the first ticket whose client was never notified of an owner or of the end of a
// search, or 0.
func (c *clients) unowned() uint32 {
	first := uint32(0)
	for number, t := range c.tickets {
		if len(t.owners) == 0 && (t.search == nil || !t.search.told) && (first == 0 || number < first) {
			first = number
		}
	}
	return first
}

// known lists the jobs of a ticket whose client was notified of the owner.
func (c *clients) known(number uint32) []reptask.Job {
	var all []reptask.Job
	for _, j := range c.jobs {
		if j.ticket == number && c.tickets[number].owners[j.Owner] != 0 {
			all = append(all, j.Job)
		}
	}
	return all
}

// cancel notes that a client is about to cancel a job.
func (c *clients) cancel(id reptask.Job) {
	c.clock++
	for _, j := range c.jobs {
		if j.Job == id && j.cancelled == 0 {
			j.cancelled = c.clock
			if j.state == linear.Done {
				j.answerCancel(c.clock+1, false)
			}
		}
	}
}

// ownerOf is the present or last owner of a job.
func (c *clients) ownerOf(id reptask.Job) protocol.NodeID {
	for _, j := range c.jobs {
		if j.Job == id {
			return j.owner
		}
	}
	return id.Owner
}

// size is the number of dependents of a job.
func (c *clients) size(id reptask.Job) int {
	for _, j := range c.jobs {
		if j.Job == id {
			return j.size
		}
	}
	return 0
}

// owns records the jobs and attempts of an owner; able returns the nodes that it asks and that can
// run a job.
func (c *clients) owns(s *peer.State, able func(*reptask.Spec) []protocol.NodeID) {
	for _, o := range s.Tasks.Owned {
		at := slices.IndexFunc(c.jobs, func(j *job) bool { return j.Job == o.Job })
		if at < 0 {
			at = len(c.jobs)
			c.jobs = append(c.jobs, &job{
				Job: o.Job, ticket: uint32(o.Job.Submitted & 0xffff), size: int(o.Spec.Size), spec: o.Spec, able: able(&o.Spec),
				owner: s.ID(), state: linear.Queued, started: map[attempt]bool{}, finished: map[attempt]int{},
				finishedAt: map[attempt]int64{},
			})
		}
		if c.attempts[attempt{o.By, o.Epoch}] = c.jobs[at]; peermodel.Open(o) {
			c.jobs[at].owner, c.jobs[at].parting = s.ID(), o.Parting
		}
	}
}

// step takes in the events of a step of a node.
func (c *clients) step(s *peer.State, live bool, events []protocol.Event, known func(reptask.Job) bool) {
	c.clock += 2
	for _, e := range events {
		switch e.Name {
		case "crash":
			c.crash(e.Peer, known)
		case tasksRepresent:
			if j := c.attempts[attempt{e.Peer, e.Number}]; j != nil && c.tickets[j.ticket] != nil {
				c.tickets[j.ticket].represented = true
			}
		case peer.EventOwned:
			if t := c.tickets[e.Number]; t != nil && t.owners[e.Peer] == 0 {
				t.owners[e.Peer] = c.clock
			}
		case tasksStart, tasksFinish, tasksAccept:
			if j := c.attempts[attempt{e.Peer, e.Number}]; j != nil {
				j.attempted(c.clock, s.ID(), e)
			}
		case tasksCancelled, tasksFailed:
			for _, j := range c.jobs {
				if live && j.Owner == e.Peer && j.Number == e.Number {
					j.gaveUp(c.clock, e.Name == tasksFailed)
				}
			}
		}
	}
}

var (
	tasksRepresent = peer.TaskLayer.String() + ":" + reptask.EventRepresent
	tasksStart     = peer.TaskLayer.String() + ":" + reptask.EventStart
	tasksFinish    = peer.TaskLayer.String() + ":" + reptask.EventFinish
	tasksAccept    = peer.TaskLayer.String() + ":" + reptask.EventAccept
	tasksCancelled = peer.TaskLayer.String() + ":" + reptask.EventCancelled
	tasksFailed    = peer.TaskLayer.String() + ":" + reptask.EventFailed
)

func (j *job) name() string { return fmt.Sprintf("%v#%d", j.Owner, j.Number) }

func (j *job) note(call, end int64, in linear.JobInput, out any) {
	in.Job = j.name()
	j.history = append(j.history, linear.Operation{Call: call, Return: end, Open: end == 0, Input: in, Output: out})
}

// attempted notes that an attempt starts, that one of its dependents has finished, or that its
// result is accepted.
func (j *job) attempted(now int64, node protocol.NodeID, e protocol.Event) {
	a := attempt{e.Peer, e.Number}
	switch e.Name {
	case tasksStart:
		if !j.started[a] {
			j.started[a] = true
			j.note(now, now, linear.JobInput{Kind: linear.Start}, nil)
		}
	case tasksFinish:
		if j.finished[a]++; j.finished[a] == j.size {
			j.finishedAt[a] = now
		}
	case tasksAccept:
		if j.accepted == a && j.owner != node { // the owner that accepted it is gone, and the representative did not know
			j.owner = node
			return
		}
		j.owner, j.accepted = node, a
		finished := j.finishedAt[a]
		if finished == 0 {
			finished = now
		}
		j.note(finished, now, linear.JobInput{Kind: linear.Finish, Value: e.Number}, nil)
		j.note(now, now+1, linear.JobInput{Kind: linear.Result}, linear.JobOutput{OK: true, Value: e.Number})
		j.state = linear.Done
		if j.cancelled != 0 {
			j.answerCancel(now+1, false)
		}
	}
}

// gaveUp notes that the owner has ended a job without a result: its client cancelled it, or no node
// could take it. The specification does not distinguish the two.
func (j *job) gaveUp(now int64, failed bool) {
	if j.failed = failed; failed {
		j.note(now, now, linear.JobInput{Kind: linear.Cancel}, linear.JobOutput{OK: true})
	} else {
		j.answerCancel(now, true)
	}
	j.state = linear.Cancelled
}

func (j *job) answerCancel(now int64, ok bool) {
	j.note(j.cancelled, now, linear.JobInput{Kind: linear.Cancel}, linear.JobOutput{OK: ok})
	j.cancelled = -1 // answered
}

// crash notes what a crash may do to jobs. Any attempt may have to be repeated. A job is lost that
// has neither owner nor representative left, or whose owner was between two attempts. Only its
// owner remembers that a job has ended.
func (c *clients) crash(id protocol.NodeID, known func(reptask.Job) bool) {
	for _, j := range c.jobs {
		if !j.lost && (j.owner == id && j.parting || !known(j.Job)) {
			j.lost = true
			j.note(c.clock, 0, linear.JobInput{Kind: linear.Lost}, nil)
		}
		if j.state == linear.Queued {
			j.note(c.clock, 0, linear.JobInput{Kind: linear.RunFails}, nil)
		}
	}
}

// history returns the history of all jobs. At the end each client asks for the state of its job.
func (c *clients) history(stands func(*job) linear.JobState) []linear.Operation {
	var all []linear.Operation
	for _, j := range c.jobs {
		own := slices.Clone(j.history)
		submit := linear.Operation{Input: linear.JobInput{Kind: linear.Submit, Job: j.name()}, Open: true}
		if t := c.tickets[j.ticket]; t != nil {
			submit.Call = t.called
			if notified := t.owners[j.Owner]; notified != 0 {
				submit.Open, submit.Return, submit.Output = false, notified, linear.JobOutput{OK: true}
			}
		}
		own = append(own, submit)
		if !j.lost {
			own = append(own, linear.Operation{
				Call: c.clock + 10, Return: c.clock + 11, Input: linear.JobInput{Kind: linear.Status, Job: j.name()},
				Output: linear.JobOutput{State: stands(j)},
			})
		}
		if j.cancelled > 0 {
			own = append(
				own,
				linear.Operation{Call: j.cancelled, Open: true, Input: linear.JobInput{Kind: linear.Cancel, Job: j.name()}},
			)
		}
		all = append(all, own...)
	}
	for i := range all {
		all[i].Client = i
	}
	return all
}
