package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// represent: "the representative task starts immediately at the end point of the job routing" and
// "dispatches dependent tasks to the nearby neighbor nodes".
func (n *node) represent(j Job) {
	if _, has := n.role(j); has {
		n.Ignore(j.Owner, "the job is represented already")
		return
	}
	hosts := n.Cluster[:min(len(n.Cluster), j.Nodes*n.cfg.Fold)]
	n.Roles = append(n.Roles, Role{Job: j, Dependents: slices.Clone(hosts)})
	for _, host := range hosts {
		n.send(host, Dispatch, j)
	}
}

// isReady counts: "when enough dependent tasks are ready to execute, the representative instructs
// each ready dependent task to begin parallel computation. Any other dependent tasks are canceled".
func (n *node) isReady(from protocol.NodeID, j Job) {
	r, ok := n.role(j)
	if !ok || r.Began || !r.Target.IsNobody() {
		if n.cfg.Readings.LateCancel && (!ok || !slices.Contains(r.Ready, from)) {
			n.send(from, Cancel, j)
			return
		}
		n.Ignore(from, "enough were ready, or the job is about to move")
		return
	}
	if !slices.Contains(r.Ready, from) {
		r.Ready = append(r.Ready, from)
		slices.SortFunc(r.Ready, protocol.NodeID.Compare)
	}
	if len(r.Ready) < r.Job.Nodes {
		return
	}
	r.Began = true
	for _, host := range r.Dependents {
		if slices.Contains(r.Ready, host) {
			n.send(host, Begin, j)
		} else {
			n.send(host, Cancel, j)
		}
	}
}

// wasKilled forgets a dependent that is no longer ready.
func (n *node) wasKilled(from protocol.NodeID, j Job) {
	r, ok := n.role(j)
	if !ok || r.Began || !slices.Contains(r.Ready, from) {
		n.Ignore(from, "not counted, or too late")
		return
	}
	r.Ready = slices.DeleteFunc(r.Ready, func(id protocol.NodeID) bool { return id == from })
}

// finished: "when all dependent tasks have finished and reported, the job is complete".
func (n *node) finished(from protocol.NodeID, j Job) {
	r, ok := n.role(j)
	if !ok || !slices.Contains(r.Ready, from) || slices.Contains(r.Finished, from) {
		n.Ignore(from, "nobody waits for it")
		return
	}
	r.Finished = append(r.Finished, from)
	slices.SortFunc(r.Finished, protocol.NodeID.Compare)
	if len(r.Finished) == len(r.Ready) {
		n.send(j.Owner, Result, j)
		n.drop(j)
	}
}

// drop ends a representative task.
func (n *node) drop(j Job) {
	n.Roles = slices.DeleteFunc(n.Roles, func(r Role) bool { return r.Job.same(j) })
}
