package reptask

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Site is a node to which an idle job could move, in the view of a neighbour in the CAN.
type Site struct {
	ID         protocol.NodeID
	Coordinate space.Point // the resource coordinate: the capability of node and cluster
}

// View is the load of the sites that the algorithms were given, by the index of the site. Both
// methods leave out the job's own dependents: where clusters overlap, a job would otherwise prevent
// its own move. [Reports] is a View. A driver that maintains its own is asked for each job and
// site, and for the queues only of sites that are capable of running the job.
type View interface {
	Residue(site int, j *Idle) space.Point // the free part of the coordinate
	MaxQL(site int, j *Idle) uint32        // the largest queue length in the cluster of the site
}

// Idle is a job whose dependents have not received Start: a parallel or a serial one.
type Idle struct {
	Job         Job
	Requirement space.Point // the requirement coordinate
	Size        uint32      // k
	Waiting     []Waiting   // its dependents; the algorithms leave them to the View
	Sum         uint64      // of the queue positions that count (Positions)
	Of          uint32      // and how many these are
	MayDLB      bool        // DLB may move it
	MayQB       bool        // QB may move it
}

// Waiting is a dependent task in a queue.
type Waiting struct {
	Host  protocol.NodeID
	Ahead uint32 // the queue position: the number of runnable tasks ahead
}

// Balance chooses the job to move and its target, as a command for this node. It tries DLB, which
// needs a site that can run the job at once, and then QB. At most one job moves at a time.
func Balance(cfg *Config, self protocol.NodeID, idle []Idle, sites []Site, view View) (Command, bool) {
	if c, ok := DLB(cfg, self, idle, sites, view); ok {
		return c, true
	}
	return QB(cfg, self, idle, sites, view)
}

// Idle returns the movable jobs represented here, the oldest first.
func (s *State) Idle(cfg *Config) []Idle {
	var all []Idle
	for i := range s.Roles {
		r := &s.Roles[i]
		j := Idle{
			Job: r.Job, Requirement: r.Spec.Requirement, Size: r.Spec.Size,
			MayDLB: cfg.MayMove(r.Moves, ByDLB), MayQB: cfg.MayMove(r.Moves, ByQB),
		}
		if r.Phase != Collecting || !j.MayDLB && !j.MayQB {
			continue
		}
		var positions []uint32
		for _, m := range r.Members {
			if m.State == MemberGone {
				continue
			}
			if m.Host == s.Self {
				m.Position = s.ahead(r.Attempt())
			}
			j.Waiting = append(j.Waiting, Waiting{m.Host, m.Position})
			positions = append(positions, m.Position)
		}
		j.Sum, j.Of = Positions(cfg, j.Size, positions)
		all = append(all, j)
	}
	return all
}

// Positions returns the sum of the queue positions that count for a job of this size, and how many
// count: all of them, which gives their average, or the k-th best alone if Config.KthPosition is
// set. It may reorder them.
func Positions(cfg *Config, size uint32, all []uint32) (sum uint64, of uint32) {
	if cfg.KthPosition && len(all) > 0 {
		slices.Sort(all)
		kth := min(uint64(size), uint64(len(all)))
		all = all[kth-1 : kth]
	}
	for _, ahead := range all {
		sum += uint64(ahead)
	}
	return sum, uint32(len(all))
}

// ahead returns the queue position of a task of this node.
func (s *State) ahead(a Attempt) uint32 {
	for _, p := range s.queue() {
		if p.Attempt == a {
			return p.Ahead
		}
	}
	return 0
}

// DLB is Algorithm 1, dynamic load balancing: it moves the oldest job that can be run at once
// elsewhere to the minimal such site.
func DLB(cfg *Config, self protocol.NodeID, idle []Idle, sites []Site, view View) (Command, bool) {
	return firstMove(cfg, ByDLB, self, idle, sites, view)
}

// QB is Algorithm 2, queue balancing: it moves the oldest job that would wait less elsewhere, as
// far as this node knows, to the minimal such site.
func QB(cfg *Config, self protocol.NodeID, idle []Idle, sites []Site, view View) (Command, bool) {
	return firstMove(cfg, ByQB, self, idle, sites, view)
}

// firstMove is the loop of both algorithms: the first job that has a site moves to a minimal one. A
// hash of job and site chooses among several minimal ones.
func firstMove(
	cfg *Config,
	by Algorithm,
	self protocol.NodeID,
	idle []Idle,
	sites []Site,
	view View,
) (Command, bool) {
	for i := range idle {
		j := &idle[i]
		if by == ByDLB && !j.MayDLB || by == ByQB && !j.MayQB {
			continue
		}
		var fitting []Site
		for k := range sites {
			if sites[k].ID != self && j.fits(cfg, by, &sites[k], k, view) {
				fitting = append(fitting, sites[k])
			}
		}
		if len(fitting) > 0 {
			return Command{Kind: CommandMove, Job: j.Job, Target: minimum(cfg, j.Job, fitting), By: by}, true
		}
	}
	return Command{}, false
}

// fits reports whether an algorithm may move a job to a site.
func (j *Idle) fits(cfg *Config, by Algorithm, s *Site, site int, view View) bool {
	if by == ByDLB {
		residue := view.Residue(site, j)
		return match.Satisfies(&cfg.Classes, &j.Requirement, &residue, cfg.Dims)
	}
	return match.Satisfies(&cfg.Classes, &j.Requirement, &s.Coordinate, cfg.Dims) && j.betterThan(view.MaxQL(site, j))
}

// minimum returns a site such that no other one is smaller.
func minimum(cfg *Config, job Job, sites []Site) protocol.NodeID {
	minimal := slices.DeleteFunc(slices.Clone(sites), func(m Site) bool {
		return slices.ContainsFunc(sites, func(other Site) bool {
			return match.Less(cfg.StrictMinimum, &cfg.Classes, &other.Coordinate, &m.Coordinate, cfg.Dims)
		})
	})
	return slices.MinFunc(minimal, func(a, b Site) int { return cmp.Compare(drawn(job, a.ID), drawn(job, b.ID)) }).ID
}

// drawn replaces the random choice of the paper among equals. A hash spreads jobs as evenly, and
// makes runs repeatable.
func drawn(job Job, id protocol.NodeID) uint64 {
	var room [64]byte // most encodings fit, so nothing is allocated for each node of a cluster
	return protocol.Hash(protocol.AppendNodeID(job.append(room[:0]), id))
}

// betterThan reports whether maxQL < averageQP - 1, in whole numbers.
func (j *Idle) betterThan(maxQL uint32) bool { return (uint64(maxQL)+1)*uint64(j.Of) < j.Sum }
