package parallel

import (
	"math"

	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// balance is a turn of a node: DLB tries all its jobs, and then QB. At most one moves. A node that
// can move no job has no turns until that may have changed.
func (e *engine) balance(node int32) {
	job, c, ok := e.proposal(node)
	if !ok {
		e.sleep(node)
		return
	}
	if c.By == reptask.ByDLB {
		e.counts.DLBMoves++
	} else {
		e.counts.QBMoves++
	}
	e.jobs[job].moves[c.By] = true
	e.traceMove(job, node, &c)
	e.move(node, job, int32(c.Target.Address))
	e.step(node)
}

// proposal asks the algorithms of package reptask, about those jobs and sites that may qualify.
func (e *engine) proposal(node int32) (int32, reptask.Command, bool) {
	n, self := &e.nodes[node], e.id(node)
	room, shortest := int32(0), int32(math.MaxInt32)
	for _, view := range n.views {
		l := e.load(view)
		room, shortest = max(room, l.free+l.single), min(shortest, l.longest)
	}
	if e.options.Policy.DLB {
		for _, job := range n.idle {
			j := &e.jobs[job]
			if j.size <= room && e.config.MayMove(j.moves, reptask.ByDLB) && e.withRoom(node, j) {
				if c, ok := reptask.DLB(&e.config, self, e.idle(job), e.sites, e); ok {
					return job, c, true
				}
			}
		}
	}
	if e.options.Policy.QB {
		for _, job := range n.idle {
			j := &e.jobs[job]
			if !e.config.MayMove(j.moves, reptask.ByQB) {
				continue
			}
			if sum, of := e.position(j, job); uint64(shortest)*uint64(of) < sum && e.withShorterQueues(node, j, sum, of) {
				if c, ok := reptask.QB(&e.config, self, e.idle(job), e.sites, e); ok {
					return job, c, true
				}
			}
		}
	}
	return 0, reptask.Command{}, false
}

// movable reports whether a job may move by any of the algorithms in use.
func (e *engine) movable(j *job) bool {
	return e.options.Policy.DLB && e.config.MayMove(j.moves, reptask.ByDLB) ||
		e.options.Policy.QB && e.config.MayMove(j.moves, reptask.ByQB)
}

// withRoom gathers the sites that may have room for a job: nodes with a single task may be free for
// it. It reports false if there are none.
func (e *engine) withRoom(node int32, j *job) bool {
	e.sites, e.at = e.sites[:0], e.at[:0]
	for _, site := range e.nodes[node].near {
		if l := e.loadOf(site); l.free+l.single >= j.size {
			e.addSite(site)
		}
	}
	return len(e.at) > 0
}

// withShorterQueues gathers the capable sites that may have shorter queues than those in which a
// job waits: without its own tasks, queues are shorter by one at most.
func (e *engine) withShorterQueues(node int32, j *job, sum uint64, of uint32) bool {
	e.sites, e.at = e.sites[:0], e.at[:0]
	for _, site := range e.nodes[node].near {
		capable := e.grid.Nodes[site].Coordinate[sizeDim] >= j.requirement[sizeDim]
		if capable && uint64(e.loadOf(site).longest)*uint64(of) < sum {
			e.addSite(site)
		}
	}
	return len(e.at) > 0
}

func (e *engine) addSite(site int32) {
	e.sites = append(e.sites, reptask.Site{ID: e.id(site), Coordinate: e.grid.Nodes[site].Coordinate})
	e.at = append(e.at, site)
}

// position is the value that a job compares: the sum of number queue positions.
func (e *engine) position(j *job, number int32) (sum uint64, of uint32) {
	if e.sums != nil {
		return uint64(e.sums[number]), uint32(len(j.members))
	}
	all := make([]uint32, len(j.members))
	for i, host := range j.members {
		all[i] = uint32(e.hosts[host].ahead(number))
	}
	return reptask.Positions(&e.config, uint32(j.size), all)
}

// idle describes a job to the algorithms.
func (e *engine) idle(job int32) []reptask.Idle {
	j := &e.jobs[job]
	e.asking = job
	e.one[0] = reptask.Idle{
		Job: j.name, Requirement: j.requirement, Size: uint32(j.size),
		MayDLB: e.config.MayMove(j.moves, reptask.ByDLB), MayQB: e.config.MayMove(j.moves, reptask.ByQB),
	}
	if e.options.Policy.QB {
		e.one[0].Sum, e.one[0].Of = e.position(j, job)
	}
	return e.one[:]
}

// Residue implements [reptask.View]: a node whose only task is the job's own is free for the job.
func (e *engine) Residue(site int, _ *reptask.Idle) space.Point {
	node := e.at[site]
	l := e.loadOf(node)
	free := l.free
	if l.single > 0 {
		e.own(node, func(host int32) {
			if e.known(host) == 1 {
				free++
			}
		})
	}
	return e.grid.Residue(e.grid.Nodes[node].Coordinate, int(free))
}

// MaxQL implements [reptask.View].
func (e *engine) MaxQL(site int, _ *reptask.Idle) uint32 {
	node := e.at[site]
	view := e.grid.views[e.grid.Nodes[node].View]
	longest := e.loadOf(node).longest
	own := 0
	without := int32(0)
	e.own(node, func(host int32) {
		own++
		without = max(without, e.known(host)-1)
	})
	if own == 0 {
		return uint32(longest)
	}
	if own < len(view) {
		j := &e.jobs[e.asking]
		for _, host := range view {
			if j.member(host) < 0 {
				without = max(without, e.known(host))
			}
		}
	}
	return uint32(max(0, without))
}

// own calls f for each node that a site advertises and that has a task of the job.
func (e *engine) own(site int32, f func(host int32)) {
	j := &e.jobs[e.asking]
	view := e.grid.Nodes[site].View
	if !e.grid.shares(view, e.grid.Nodes[j.rep].View) {
		return
	}
	for _, host := range e.grid.views[view] {
		if j.member(host) >= 0 {
			f(host)
		}
	}
}
