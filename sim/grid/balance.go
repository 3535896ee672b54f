package grid

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// balance is a turn of a node: it moves a job if one of the algorithms proposes that.
func (r *run) balance(node int) {
	if !r.Live(node) || len(r.State(node).Tasks.Roles) == 0 || r.idled[node] == r.version() {
		return
	}
	config, policy := &r.config.Tasks, r.options.Policy
	idle := r.State(node).Tasks.Idle(config)
	if len(idle) == 0 || !policy.DLB && !policy.QB {
		return
	}
	if policy.QB {
		for i := range idle {
			r.positions(&idle[i])
		}
	}
	sites := r.sites(node)
	self := r.State(node).ID()
	command, ok := reptask.Command{}, false
	if policy.DLB {
		command, ok = reptask.DLB(config, self, idle, sites.sites, sites)
	}
	if !ok && policy.QB {
		command, ok = reptask.QB(config, self, idle, sites.sites, sites)
	}
	if !ok {
		r.idled[node] = r.version()
		return
	}
	r.trace(parallel.Event{
		Kind: parallel.Moved, Job: r.jobOf(command.Job), Node: node, Target: int(command.Target.Address), By: command.By,
	})
	r.Command(node, peer.Command{
		Kind: peer.CommandMove, Job: command.Job, Target: command.Target, By: command.By,
	})
}

// version stands for all inputs of a turn: while it stays, a turn that moved nothing moves nothing
// again.
type version struct {
	steps, crashes, restarts uint64 // of all nodes
	news                     int64  // the last report that said something new
}

func (r *run) version() version {
	s := r.Stats()
	return version{s.Steps, s.Crashes, s.Restarts, r.news.last}
}

// positions replaces a representative's data about the queue positions of its tasks by the true
// ones. A task that holds its node is no longer in a queue.
func (r *run) positions(j *reptask.Idle) {
	var all []uint32
	for _, w := range j.Waiting {
		all = append(all, r.ahead(w.Host, j.Job))
	}
	j.Sum, j.Of = reptask.Positions(&r.config.Tasks, j.Size, all)
}

// ahead is the number of runnable tasks ahead of a job's task in a queue.
func (r *run) ahead(host protocol.NodeID, job reptask.Job) uint32 {
	if !r.Running(host) {
		return 0
	}
	s := &r.State(int(host.Address)).Tasks
	i, found := slices.BinarySearchFunc(s.Tasks, job, func(t reptask.Task, j reptask.Job) int { return t.Job.Compare(j) })
	for found && s.Tasks[i].State != reptask.TaskQueued {
		i++
		found = i < len(s.Tasks) && s.Tasks[i].Job == job
	}
	if !found {
		return 0
	}
	before := uint32(0)
	if _, runs := s.Runs(); runs {
		before = 1
	}
	for k := range s.Tasks[:i] {
		if s.Tasks[k].State < reptask.TaskRunning {
			before++
		}
	}
	return before
}

// sites are the neighbours of a node on the map, in its view, with the loads of their clusters as
// last reported. It implements [reptask.View].
type sites struct {
	run   *run
	sites []reptask.Site
}

func (r *run) sites(node int) *sites {
	s := &sites{run: r}
	add := func(id protocol.NodeID, at space.Point) {
		if r.Running(id) {
			s.sites = append(s.sites, reptask.Site{ID: id, Coordinate: at})
		}
	}
	switch r.options.Reach {
	case parallel.ReachGlobal:
		for i := range r.grid.Nodes {
			if r.Live(i) {
				add(r.State(i).ID(), r.grid.Nodes[i].Coordinate)
			}
		}
	case parallel.ReachDirect:
		for _, n := range r.State(node).Can.Direct() {
			add(n.ID, n.Coord)
		}
	case parallel.ReachBoth:
		for _, n := range r.State(node).Can.Known {
			add(n.ID, n.Coord)
		}
	default: // farther than a node knows, on a map that does not change
		for _, i := range r.grid.Near(node, r.options.Reach) {
			add(r.grid.Nodes[i].ID, r.grid.Nodes[i].Coordinate)
		}
	}
	return s
}

// Residue implements [reptask.View]: a node whose only task is the job's own is free for the job.
func (s *sites) Residue(site int, j *reptask.Idle) space.Point {
	node := int(s.sites[site].ID.Address)
	l := s.run.load(node)
	if l.single == 0 {
		return s.run.grid.Residue(s.sites[site].Coordinate, l.free)
	}
	free := l.free
	for i := range j.Waiting {
		host := j.Waiting[i].Host
		if s.run.news.known[host.Address] == 1 && s.has(node, host) {
			free++
		}
	}
	return s.run.grid.Residue(s.sites[site].Coordinate, free)
}

// MaxQL implements [reptask.View]. Without the job's own tasks, queues are shorter by one at most.
// If that does not make them short enough, the tasks are not looked for.
func (s *sites) MaxQL(site int, j *reptask.Idle) uint32 {
	node := int(s.sites[site].ID.Address)
	if l := s.run.load(node); uint64(l.longest)*uint64(j.Of) >= j.Sum {
		return l.longest
	}
	longest, own := uint32(0), 0
	for i := range j.Waiting { // sorted by host
		if host := j.Waiting[i].Host; s.has(node, host) {
			own++
			longest = max(longest, max(1, s.run.news.known[host.Address])-1)
		}
	}
	if own == 0 {
		return s.run.load(node).longest
	}
	waiting := j.Waiting
	for _, n := range s.run.State(node).Tasks.Cluster {
		for len(waiting) > 0 && waiting[0].Host.Compare(n.ID) < 0 {
			waiting = waiting[1:]
		}
		if len(waiting) == 0 || waiting[0].Host != n.ID {
			longest = max(longest, s.run.news.known[n.ID.Address])
		}
	}
	return longest
}

// has reports whether a host is in the cluster that a node advertises.
func (s *sites) has(node int, host protocol.NodeID) bool {
	_, found := slices.BinarySearchFunc(s.run.State(node).Tasks.Cluster, host,
		func(n reptask.Neighbour, id protocol.NodeID) int { return n.ID.Compare(id) })
	return found
}
