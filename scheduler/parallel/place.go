package parallel

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/scheduler"
)

// Placed is a job on its way to its owner, with the decisions of the map before the job is there.
// The map does not change, so they are made once.
type Placed struct {
	Job         int // index in the workload
	Name        reptask.Job
	Requirement space.Point
	Spec        reptask.Spec
	Owner       int   // node whose zone has the requirement
	AtMicros    int64 // when the job reaches it
	Hops        int
	Seeks       int   // nodes that were asked because no neighbour of the owner is capable
	Candidates  []int // that may represent it, the best first
	Excluded    string
}

// Place routes all jobs of a workload, in the order in which they reach their owners.
func (g *Grid) Place(w *scheduler.Workload, o *Options) ([]Placed, error) {
	begin := g.Begin(o.Seed)
	demand := scheduler.Stream(o.Seed, "speeds that jobs require")
	all := make([]Placed, len(w.Jobs))
	for i := range w.Jobs {
		p := &all[i]
		entry, at := begin()
		p.Job = i
		if w.Jobs[i].Nodes > g.widest {
			p.Excluded = fmt.Sprintf("needs %d nodes of one cluster, the largest has %d", w.Jobs[i].Nodes, g.widest)
			continue
		}
		p.Requirement = at
		g.require(&p.Requirement, w.Jobs[i].Nodes)
		if o.Demands && g.haveSpeeds() {
			p.Requirement[speedDim] = g.Nodes[demand.IntN(len(g.Nodes))].Coordinate[speedDim]
		}
		p.Spec = reptask.Spec{Size: uint32(w.Jobs[i].Nodes), Over: o.Over, Requirement: p.Requirement}
		if err := g.route(p, entry, o); err != nil {
			return nil, fmt.Errorf("place job %d (number %d): %w", i, w.Jobs[i].Number, err)
		}
		p.AtMicros += w.Jobs[i].SubmitMicros
		p.candidates(g, o.Minimum == minimumStrict)
	}
	slices.SortStableFunc(all, func(a, b Placed) int { return cmp.Compare(a.AtMicros, b.AtMicros) })
	numbers := make([]uint32, len(g.Nodes))
	for i := range all {
		if p := &all[i]; p.Excluded == "" {
			numbers[p.Owner]++
			p.Name = reptask.Job{
				Submitted: uint64(w.Jobs[p.Job].SubmitMicros), Owner: g.Nodes[p.Owner].ID, Number: numbers[p.Owner],
			}
		}
	}
	return all, nil
}

// Begin draws for one job after the other the node at which its client submits it, and a point with
// its virtual coordinates.
func (g *Grid) Begin(seed uint64) func() (entry int, at space.Point) {
	draw := scheduler.Stream(seed, "entry nodes and virtual coordinates of jobs")
	return func() (entry int, at space.Point) {
		entry = draw.IntN(len(g.Nodes))
		g.scatter(&at, draw)
		return entry, at
	}
}

// route finds the owner, as protocol/peer does: hop by hop to the neighbour whose zone is nearest.
// Each hop is nearer to the end than the last, so no node is on a route twice.
func (g *Grid) route(p *Placed, entry int, o *Options) error {
	p.Owner = entry
	for !g.Nodes[p.Owner].routes.Self.Zone.Contains(p.Requirement) {
		next, ok := can.NextHop(&g.Nodes[p.Owner].routes, p.Requirement)
		if !ok || p.Hops >= len(g.Nodes) {
			return fmt.Errorf("node %d has no way to the point %v after %d hops; the map has a hole",
				p.Owner, p.Requirement[:g.space.Dims], p.Hops)
		}
		p.AtMicros += g.MessageMicros(o, p.Owner, int(next.Address))
		p.Owner = int(next.Address)
		p.Hops++
	}
	return nil
}

// candidates lists the nodes that may represent a job, as package peer does: the owner, then its
// direct neighbours, then those beyond, each of which must be capable. If there is no such node,
// the owner searches.
func (p *Placed) candidates(g *Grid, strict bool) {
	owner := &g.Nodes[p.Owner]
	goal := match.NewGoal(&g.classes, &g.space, p.Requirement)
	direct, beyond := g.neighbours(p.Owner)
	for _, tier := range [][]match.Place{{placeOf(&owner.Place)}, direct, beyond} {
		for _, id := range match.Ranked(&goal, strict, tier, p.draw) {
			p.Candidates = append(p.Candidates, int(id.Address))
		}
	}
	if len(p.Candidates) == 0 {
		g.seek(p, &goal)
	}
	p.Candidates = p.Candidates[:min(len(p.Candidates), maxCandidates)]
}

// maxCandidates is how many nodes package reptask takes for a job.
const maxCandidates = 64

// placeOf describes a node to package match.
func placeOf(r *can.Record) match.Place {
	return match.Place{ID: r.ID, Coordinate: r.Coord, Zone: r.Zone}
}

// neighbours returns the neighbours that a node knows: those whose zones abut its own, and theirs.
func (g *Grid) neighbours(i int) (direct, beyond []match.Place) {
	n := &g.Nodes[i]
	direct, beyond = make([]match.Place, len(n.routes.Known)), make([]match.Place, len(n.beyond))
	for k := range n.routes.Known {
		direct[k] = placeOf(&n.routes.Known[k])
	}
	for k, other := range n.beyond {
		beyond[k] = placeOf(&g.Nodes[other].Place)
	}
	return direct, beyond
}

// draw replaces the random choice of the paper among equals.
func (p *Placed) draw(id protocol.NodeID) uint64 {
	return protocol.Hash(protocol.AppendNodeID(protocol.AppendUint(nil, uint64(p.Job)), id))
}

// seekLimit is how many nodes a search visits at most, as in package peer.
const seekLimit = 256

// seek searches for a capable node as package match does, from the owner on.
func (g *Grid) seek(p *Placed, goal *match.Goal) {
	search, outcome := match.Begin(g.Nodes[p.Owner].ID), match.Onward
	for outcome == match.Onward {
		i := int(search.At().Address)
		at := &g.Nodes[i]
		p.Seeks++
		if goal.Satisfied(&at.Coordinate) {
			p.Candidates = []int{int(at.ID.Address)}
			return
		}
		direct, _ := g.neighbours(i)
		search, outcome = search.Next(goal, direct, seekLimit)
	}
	p.Excluded = "nobody can run it"
	if outcome == match.Limited {
		p.Excluded = fmt.Sprintf("no node that can run it among the %d that were asked", seekLimit)
	}
}
