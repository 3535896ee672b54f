package grid

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// onStep records what a step did to a job.
func (r *run) onStep(node int, events []protocol.Event) {
	for _, e := range events {
		switch e.Name {
		case reptask.EventRepresent:
			roles := r.State(node).Roles
			at := slices.IndexFunc(roles, func(x reptask.Role) bool { return x.By == e.Peer && x.Epoch == e.Number })
			r.trace(parallel.Represented, r.index[roles[at].Job], node, -1)
		case reptask.EventStart:
			r.began(node)
		case reptask.EventFinish:
			if job := r.running[node]; r.left[job] == 1 {
				r.open--
			} else {
				r.left[job]--
			}
		case reptask.EventFailed:
			r.records[r.named(e)].Excluded = "all candidates refused it"
			r.open--
		}
	}
}

// began records the start of a task.
func (r *run) began(node int) {
	task, _ := r.State(node).Runs()
	job := r.index[task.Job]
	r.running[node] = job
	r.records[job].StartMicros, r.records[job].EndMicros = r.Now(), r.Now()+r.jobs[job].RunMicros
	r.records[job].Cluster = r.grid.Nodes[node].Cluster
	r.trace(parallel.Began, job, node, -1)
}

// named finds the job that an owner's event names.
func (r *run) named(e protocol.Event) int {
	at := slices.IndexFunc(r.placed, func(p parallel.Placed) bool {
		return p.Name.Owner == e.Peer && p.Name.Number == e.Number
	})
	return r.placed[at].Job
}

func (r *run) trace(kind parallel.EventKind, job, node, target int) {
	if r.options.Trace != nil {
		r.options.Trace(parallel.Event{AtMicros: r.Now(), Kind: kind, Job: job, Node: node, Target: target})
	}
}
