package grid

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	cancore "github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/parallel"
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
	mostTry  = 1_000                 // submissions of a job
)

// client is the client of a job.
type client struct {
	tries    int
	answered bool // it was notified what became of its last submission
	ended    bool
	missing  int  // successive looks at which no node owned or represented the job
	traveled bool // all candidates have refused it, and no node has owned it since
	lost     loss // effect of a failure on the job
}

// specify describes the jobs as their clients submit them: as parallel.Grid.Place does, which
// leaves out jobs that are too large for every cluster.
func (r *run) specify(placed []parallel.Placed) {
	begin := r.grid.Begin(r.options.Seed)
	r.specs = make([]reptask.Spec, len(r.jobs))
	for i := range r.jobs {
		entry, at := begin()
		r.entries = append(r.entries, entry)
		r.specs[i] = reptask.Spec{
			Size: uint32(r.jobs[i].Nodes), Over: r.options.Over, Requirement: r.grid.Residue(at, r.jobs[i].Nodes),
		}
	}
	for i := range placed {
		if p := &placed[i]; p.Spec.Size > 0 {
			r.specs[p.Job] = p.Spec
		}
	}
}

// come is the arrival of a job.
func (r *run) come(a *arrival) {
	if a.placed == nil {
		r.submit(a.job)
		return
	}
	c := peer.Command{Kind: peer.CommandOwn, Submitted: a.placed.Name.Submitted, Spec: a.placed.Spec}
	for _, i := range a.placed.Candidates {
		c.Candidates = append(c.Candidates, r.grid.Nodes[i].ID)
	}
	r.Command(a.placed.Owner, c)
}

// submit submits a job at its entry node or, if that is no member at present, at the next one.
func (r *run) submit(job int) {
	c := &r.clients[job]
	if c.tries == mostTry {
		r.exclude(job, fmt.Sprintf("its client gave up after %d submissions", mostTry))
		return
	}
	if c.tries++; c.tries > 1 {
		r.cores.Again++
	}
	c.answered, c.traveled, c.missing, c.lost = false, false, 0, notLost
	for i := range r.grid.Nodes {
		if entry := (r.entries[job] + i) % len(r.grid.Nodes); r.staying(entry) {
			r.Command(entry, peer.Command{
				Kind: peer.CommandSubmit, Ticket: uint32(job), Spec: r.specs[job],
				Submitted: uint64(r.jobs[job].SubmitMicros)<<jobBits | uint64(job),
			})
			break
		}
	}
	r.again(job, patience+4*int64(len(r.grid.Nodes))*r.slowest(), func() bool { return !c.answered })
}

// again submits a job again after a while, if that is still necessary then, and if its client has
// not submitted it in the meantime.
func (r *run) again(job int, after int64, necessary func() bool) {
	c := &r.clients[job]
	try := c.tries
	r.At(r.Now()+after, func() {
		if !c.ended && c.tries == try && necessary() {
			r.submit(job)
		}
	})
}

// staying reports whether a node is a member and does not want to leave.
func (r *run) staying(node int) bool {
	return r.Live(node) && r.State(node).Can.Phase == cancore.Member && !r.State(node).Leaving
}

// unmatched is the reaction of a client to the notice that no node represents its job. Where nodes
// come and go, a job that some cluster is large enough for is submitted again later.
func (r *run) unmatched(e protocol.Event) {
	job := int(e.Number)
	c := &r.clients[job]
	c.answered, c.traveled = true, false
	temporary := r.options.faulty() && r.jobs[job].Nodes <= r.widest
	switch {
	case c.ended:
	case temporary || e.Detail == peer.Undecided.String():
		r.again(job, retry, func() bool { return true })
	default:
		r.exclude(job, "its client is notified: "+e.Detail)
	}
}

// exclude ends a job that never runs.
func (r *run) exclude(job int, why string) {
	r.clients[job].ended = true
	r.records[job].Excluded = why
	r.open--
}

// jobOf returns the number of a job in the workload.
func (r *run) jobOf(name reptask.Job) int {
	if r.options.Placed {
		return r.names[name]
	}
	return int(name.Submitted & jobMask)
}
