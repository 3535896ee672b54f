package grid

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
	cancore "github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// attempt names an attempt in events.
type attempt struct {
	by    protocol.NodeID
	epoch uint32
}

// progress is the state of an attempt.
type progress struct {
	job     int
	ends    int64 // when the first of its tasks ends
	last    int64 // when the last of them began
	cluster int
	nodes   []int // on which its tasks began, as the platform numbers them
}

// hold is the task that holds a node without running.
type hold struct {
	by    attempt
	since int64
	holds bool
}

// onStep records what a step did to jobs.
func (r *run) onStep(node int, events []protocol.Event) {
	if r.options.NewsMicros == 0 {
		r.reportAtOnce(node)
	}
	for _, e := range events {
		layer, name, inside := strings.Cut(e.Name, ":")
		switch {
		case inside && layer == peer.TaskLayer.String():
			r.ofTasks(node, name, e)
		case inside && layer == peer.CanLayer.String():
			if name == cancore.EventJoined {
				churn{r}.introduce(node)
			}
		case e.Name == peer.EventOwned:
			r.clients.Answered(int(e.Number))
		case e.Name == peer.EventUnmatched:
			r.unmatched(e)
		case e.Name == peer.EventSearch:
			r.counts.Seeks++
			r.fates[e.Number].traveled = true
		}
	}
}

// ofTasks records what the task layer has announced.
func (r *run) ofTasks(node int, name string, e protocol.Event) {
	by := attempt{e.Peer, e.Number}
	switch name {
	case reptask.EventRepresent:
		r.represented(node, by)
	case reptask.EventMove:
		if e.Detail == reptask.ByQB.String() {
			r.counts.QBMoves++
		} else {
			r.counts.DLBMoves++
		}
	case reptask.EventReady:
		r.holds[node] = hold{by, r.Now(), true}
	case reptask.EventWithdraw:
		r.counts.Kills++
	case reptask.EventRequeue, reptask.EventCancel:
		r.release(node, by)
	case reptask.EventStart:
		r.release(node, by)
		r.began(node, by)
	case reptask.EventAccept:
		r.accepted(by)
	case reptask.EventFailed:
		r.failedAt(node, e)
	case reptask.EventFull:
		r.full(e)
	}
}

// represented records that a node represents a job.
func (r *run) represented(node int, by attempt) {
	for _, role := range r.State(node).Tasks.Roles {
		if role.By == by.by && role.Epoch == by.epoch {
			r.trace(parallel.Event{Kind: parallel.Represented, Job: r.jobOf(role.Job), Node: node, Target: -1})
		}
	}
}

// release ends the time in which a task holds a node without running.
func (r *run) release(node int, by attempt) {
	if h := &r.holds[node]; h.holds && h.by == by {
		h.holds = false
		r.counts.HeldNodeMicros += r.Now() - h.since
	}
}

// began records the start of a task.
func (r *run) began(node int, by attempt) {
	task, _ := r.State(node).Tasks.Runs()
	p := r.attempts[by]
	if p == nil {
		p = &progress{job: r.jobOf(task.Job), ends: math.MaxInt64}
		r.attempts[by] = p
	}
	p.ends = min(p.ends, r.Now()+r.span(node, peer.RunTimer()))
	p.last, p.cluster = r.Now(), r.grid.Nodes[node].Cluster
	p.nodes = append(p.nodes, r.grid.Nodes[node].Number)
	r.trace(parallel.Event{Kind: parallel.Began, Job: p.job, Node: node, Target: -1})
}

// accepted records the end of a job. A job that was submitted again may end twice. An owner that
// has adopted a job may accept a result that the former owner had accepted.
func (r *run) accepted(by attempt) {
	p := r.attempts[by]
	if p == nil {
		return
	}
	delete(r.attempts, by)
	if !r.clients.End(p.job) {
		r.cores.Twice++
		return
	}
	r.open--
	start := p.ends - max(1, r.jobs[p.job].RunMicros)
	r.cores.LateMicros += p.last - start
	r.records[p.job].StartMicros, r.records[p.job].EndMicros = start, start+r.jobs[p.job].RunMicros
	r.records[p.job].Cluster = p.cluster
	r.hosts[p.job] = scheduler.NodesOf(p.nodes)
}

// failedAt is the end of a job that all candidates refused. The owner that it was submitted to
// begins a search; an owner that has adopted it cannot, as it lacks the client's address.
func (r *run) failedAt(node int, e protocol.Event) {
	if r.options.Placed {
		r.leave(r.named(e), scheduler.Refused, "all candidates refused it")
		return
	}
	for _, o := range r.State(node).Tasks.Owned {
		if o.Job.Owner == e.Peer && o.Job.Number == e.Number && e.Peer != r.State(node).ID() {
			r.fates[r.jobOf(o.Job)].lost = adopted
		}
	}
}

// named finds the placed job that an owner's event names.
func (r *run) named(e protocol.Event) int {
	at := slices.IndexFunc(r.arrivals, func(a arrival) bool {
		return a.placed.Name.Owner == e.Peer && a.placed.Name.Number == e.Number
	})
	return r.arrivals[at].job
}

// full ends a run that meets a limit of the configuration: tables have room for all jobs.
func (r *run) full(e protocol.Event) {
	r.err = fmt.Errorf("job %d of %v does not fit: %s; this is a mistake of the driver", e.Number, e.Peer, e.Detail)
}

func (r *run) trace(e parallel.Event) {
	if r.options.Trace != nil {
		e.AtMicros = r.Now()
		r.options.Trace(e)
	}
}
