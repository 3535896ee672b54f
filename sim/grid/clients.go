package grid

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/parallel"
	"github.com/canvass-grid/canvass/sim/load"
)

// A job is named by the time at which its client submitted it first, which contains its number in
// the workload. So no two jobs have one submit time, and jobs submitted at once keep their order.
const (
	jobBits    = 20
	jobMask    = 1<<jobBits - 1
	mostSubmit = 1<<62>>jobBits - 1
)

const (
	patience = 10 * scheduler.Second // after which a client that was not notified of an owner submits its job again
	retry    = 30 * scheduler.Second // after which it does if no node can take the job at present
)

// fate is the knowledge of the run about a job since its last submission.
type fate struct {
	missing  int  // successive looks at which no node owned or represented the job
	traveled bool // all candidates have refused it, and no node has owned it since
	lost     loss // effect of a failure on the job
}

// specify describes the jobs as their clients submit them: as parallel.Grid.Place does, which
// leaves out jobs that are too large for every cluster.
func (r *run) specify(placed []parallel.Placed) {
	begin := r.grid.Begin(r.options.Seed)
	r.specs = make([]reptask.Spec, len(r.jobs))
	entries := make([]int, len(r.jobs))
	for i := range r.jobs {
		entry, at := begin()
		entries[i] = entry
		r.specs[i] = reptask.Spec{
			Size: uint32(r.jobs[i].Nodes), Over: r.options.Over, Requirement: r.grid.Residue(at, r.jobs[i].Nodes),
		}
	}
	for i := range placed {
		if p := &placed[i]; p.Spec.Size > 0 {
			r.specs[p.Job] = p.Spec
		}
	}
	r.clients = load.NewClients(clients{r}, entries, patience+4*int64(len(r.grid.Nodes))*r.slowest())
}

// come is the arrival of a job.
func (r *run) come(a *arrival) {
	if a.placed == nil {
		r.clients.Send(a.job)
		return
	}
	c := peer.Command{Kind: peer.CommandOwn, Submitted: a.placed.Name.Submitted, Spec: a.placed.Spec}
	for _, i := range a.placed.Candidates {
		c.Candidates = append(c.Candidates, r.grid.Nodes[i].ID)
	}
	r.Command(a.placed.Owner, c)
}

// clients are the clients of a run as package load lets them submit jobs.
type clients struct{ *run }

// Submit implements [load.Submitter].
func (c clients) Submit(job, node int) {
	c.fates[job] = fate{}
	if node != load.None {
		c.Command(node, peer.Command{
			Kind: peer.CommandSubmit, Ticket: uint32(job), Spec: c.specs[job],
			Submitted: uint64(c.jobs[job].SubmitMicros)<<jobBits | uint64(job),
		})
	}
}

// GiveUp implements [load.Submitter].
func (c clients) GiveUp(job int) {
	c.leave(job, scheduler.Rejected, fmt.Sprintf("its client gave up after %d submissions", load.MostTries))
}

// unmatched is the reaction of a client to the notice that no node represents its job. Where nodes
// come and go, a job that some cluster is large enough for is submitted again later.
func (r *run) unmatched(e protocol.Event) {
	job := int(e.Number)
	r.clients.Answered(job)
	r.fates[job].traveled = false
	temporary := r.options.faulty() && r.jobs[job].Nodes <= r.widest
	switch {
	case r.clients.HasEnded(job):
	case temporary || e.Detail == peer.Undecided.String():
		r.clients.SendAgain(job, retry, func() bool { return true })
	default:
		r.leave(job, scheduler.Excluded, "its client is notified: "+e.Detail)
	}
}

// leave ends a job that never runs.
func (r *run) leave(job int, o scheduler.Outcome, why string) {
	r.clients.End(job)
	r.records[job].Leave(o, why)
	r.open--
}

// jobOf returns the number of a job in the workload.
func (r *run) jobOf(name reptask.Job) int {
	if r.options.Placed {
		return r.names[name]
	}
	return int(name.Submitted & jobMask)
}
