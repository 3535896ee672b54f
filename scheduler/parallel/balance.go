package parallel

import (
	"math"

	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// balancer asks the algorithms whether a node should move a job. It answers their questions about
// the sites of one job at a time.
type balancer struct {
	*engine
	sites  []reptask.Site // those of the present question
	at     []int32        // their nodes
	asking int32          // its job
	one    [1]reptask.Idle
}

// balance is a turn of a node: DLB tries all its jobs, and then QB. At most one moves. A node that
// can move no job has no turns until that may have changed.
func (b *balancer) balance(node int32) {
	job, c, ok := b.proposal(node)
	if !ok {
		b.sleep(node)
		return
	}
	if c.By == reptask.ByDLB {
		b.counts.DLBMoves++
	} else {
		b.counts.QBMoves++
	}
	b.jobs[job].moves[c.By] = true
	b.traceMove(job, node, &c)
	representative{b.engine}.move(node, job, int32(c.Target.Address))
	b.step(node)
}

// proposal asks the algorithms of package reptask, about those jobs and sites that may qualify.
func (b *balancer) proposal(node int32) (int32, reptask.Command, bool) {
	n, self := &b.nodes[node], b.id(node)
	room, shortest := int32(0), int32(math.MaxInt32)
	for _, view := range n.views {
		l := b.load(view)
		room, shortest = max(room, l.free+l.single), min(shortest, l.longest)
	}
	if b.options.Policy.DLB {
		for _, job := range n.idle {
			j := &b.jobs[job]
			if j.size <= room && b.config.MayMove(j.moves, reptask.ByDLB) && b.withRoom(node, j) {
				if c, ok := reptask.DLB(&b.config, self, b.idle(job), b.sites, b); ok {
					return job, c, true
				}
			}
		}
	}
	if b.options.Policy.QB {
		for _, job := range n.idle {
			j := &b.jobs[job]
			if !b.config.MayMove(j.moves, reptask.ByQB) {
				continue
			}
			if sum, of := b.position(j, job); uint64(shortest)*uint64(of) < sum && b.withShorterQueues(node, j, sum, of) {
				if c, ok := reptask.QB(&b.config, self, b.idle(job), b.sites, b); ok {
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
func (b *balancer) withRoom(node int32, j *job) bool {
	b.sites, b.at = b.sites[:0], b.at[:0]
	for _, site := range b.nodes[node].near {
		if l := b.loadOf(site); l.free+l.single >= j.size {
			b.addSite(site)
		}
	}
	return len(b.at) > 0
}

// withShorterQueues gathers the capable sites that may have shorter queues than those in which a
// job waits: without its own tasks, queues are shorter by one at most.
func (b *balancer) withShorterQueues(node int32, j *job, sum uint64, of uint32) bool {
	b.sites, b.at = b.sites[:0], b.at[:0]
	for _, site := range b.nodes[node].near {
		capable := b.grid.Nodes[site].Coordinate[sizeDim] >= j.requirement[sizeDim]
		if capable && uint64(b.loadOf(site).longest)*uint64(of) < sum {
			b.addSite(site)
		}
	}
	return len(b.at) > 0
}

func (b *balancer) addSite(site int32) {
	b.sites = append(b.sites, reptask.Site{ID: b.id(site), Coordinate: b.grid.Nodes[site].Coordinate})
	b.at = append(b.at, site)
}

// position is the value that a job compares: the sum of number queue positions.
func (b *balancer) position(j *job, number int32) (sum uint64, of uint32) {
	if b.sums != nil {
		return uint64(b.sums[number]), uint32(len(j.members))
	}
	all := make([]uint32, len(j.members))
	for i, host := range j.members {
		all[i] = uint32(b.hosts[host].ahead(number))
	}
	return reptask.Positions(&b.config, uint32(j.size), all)
}

// idle describes a job to the algorithms.
func (b *balancer) idle(job int32) []reptask.Idle {
	j := &b.jobs[job]
	b.asking = job
	b.one[0] = reptask.Idle{
		Job: j.name, Requirement: j.requirement, Size: uint32(j.size),
		MayDLB: b.config.MayMove(j.moves, reptask.ByDLB), MayQB: b.config.MayMove(j.moves, reptask.ByQB),
	}
	if b.options.Policy.QB {
		b.one[0].Sum, b.one[0].Of = b.position(j, job)
	}
	return b.one[:]
}

// Residue implements [reptask.View]: a node whose only task is the job's own is free for the job.
func (b *balancer) Residue(site int, _ *reptask.Idle) space.Point {
	node := b.at[site]
	l := b.loadOf(node)
	free := l.free
	if l.single > 0 {
		b.own(node, func(host int32) {
			if b.known(host) == 1 {
				free++
			}
		})
	}
	return b.grid.Residue(b.grid.Nodes[node].Coordinate, int(free))
}

// MaxQL implements [reptask.View].
func (b *balancer) MaxQL(site int, _ *reptask.Idle) uint32 {
	node := b.at[site]
	view := b.grid.views[b.grid.Nodes[node].View]
	longest := b.loadOf(node).longest
	own := 0
	without := int32(0)
	b.own(node, func(host int32) {
		own++
		without = max(without, b.known(host)-1)
	})
	if own == 0 {
		return uint32(longest)
	}
	if own < len(view) {
		j := &b.jobs[b.asking]
		for _, host := range view {
			if j.member(host) < 0 {
				without = max(without, b.known(host))
			}
		}
	}
	return uint32(max(0, without))
}

// own calls f for each node that a site advertises and that has a task of the job.
func (b *balancer) own(site int32, f func(host int32)) {
	j := &b.jobs[b.asking]
	view := b.grid.Nodes[site].View
	if !b.grid.shares(view, b.grid.Nodes[j.rep].View) {
		return
	}
	for _, host := range b.grid.views[view] {
		if j.member(host) >= 0 {
			f(host)
		}
	}
}
