package grid

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// balance is a turn of a node: it moves a job if one of the algorithms proposes that.
func (r *run) balance(node int) {
	idle := r.State(node).Idle(&r.config)
	if len(idle) == 0 {
		return
	}
	for i := range idle {
		r.positions(&idle[i])
	}
	sites := r.sites(node)
	self := r.grid.Nodes[node].ID
	command, ok := reptask.Command{}, false
	if r.options.Policy.DLB {
		command, ok = reptask.DLB(&r.config, self, idle, sites.sites, sites)
	}
	if !ok && r.options.Policy.QB {
		command, ok = reptask.QB(&r.config, self, idle, sites.sites, sites)
	}
	if !ok {
		return
	}
	r.trace(parallel.Moved, r.index[command.Job], node, int(command.Target.Address))
	r.Command(node, command)
}

// positions replaces what a representative knows of the queue positions of its tasks by what is
// true. A task that holds its node is no longer in a queue.
func (r *run) positions(j *reptask.Idle) {
	var all []uint32
	for _, w := range j.Waiting {
		all = append(all, r.ahead(w.Host, j.Job))
	}
	j.Sum, j.Of = reptask.Positions(&r.config, j.Size, all)
}

// ahead is the number of runnable tasks ahead of a job's task in a queue.
func (r *run) ahead(host protocol.NodeID, job reptask.Job) uint32 {
	s := r.State(int(host.Address))
	before := uint32(0)
	if _, runs := s.Runs(); runs {
		before = 1
	}
	for _, t := range s.Tasks {
		switch {
		case t.Job == job && t.State == reptask.TaskQueued:
			return before
		case t.State < reptask.TaskRunning:
			before++
		}
	}
	return 0
}

// sites are the neighbours of a node, as it knows them. It implements [reptask.View] in the most
// direct way.
type sites struct {
	run   *run
	nodes []int32
	sites []reptask.Site
}

func (r *run) sites(node int) *sites {
	s := &sites{run: r}
	for _, k := range r.grid.Near(node, r.options.Reach) {
		s.nodes = append(s.nodes, k)
		s.sites = append(s.sites, reptask.Site{ID: r.grid.Nodes[k].ID, Coordinate: r.grid.Nodes[k].Coordinate})
	}
	return s
}

// Residue implements [reptask.View].
func (s *sites) Residue(site int, j *reptask.Idle) space.Point {
	free := 0
	for _, length := range s.without(site, j) {
		if length == 0 {
			free++
		}
	}
	return s.run.grid.Residue(s.sites[site].Coordinate, free)
}

// MaxQL implements [reptask.View].
func (s *sites) MaxQL(site int, j *reptask.Idle) uint32 { return slices.Max(s.without(site, j)) }

// without returns the queue lengths of a site's cluster without the job's own tasks.
func (s *sites) without(site int, j *reptask.Idle) []uint32 {
	var lengths []uint32
	for _, k := range s.run.grid.Advertised(int(s.nodes[site])) {
		q := reptask.Queue{Node: s.run.grid.Nodes[k].ID, Length: s.run.known[k]}
		lengths = append(lengths, j.LengthWithout(q))
	}
	return lengths
}
