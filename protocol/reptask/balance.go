package reptask

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Site is a node to which an idle job could move, as its neighbour in the CAN knows it.
type Site struct {
	ID         protocol.NodeID
	Coordinate space.Point // the resource coordinate: the capability of node and cluster
	Residue    space.Point // the residue coordinate: the free part of it
	Queues     []Queue     // of the nodes in its cluster
}

// Queue is the queue length of a node.
type Queue struct {
	Node   protocol.NodeID
	Length uint32
}

// Idle is a job whose dependents have not received Start: a parallel or a serial one.
type Idle struct {
	Job         Job
	Requirement space.Point // the requirement coordinate
	Waiting     []Waiting   // its dependents
}

// Waiting is a dependent task in a queue.
type Waiting struct {
	Host  protocol.NodeID
	Ahead uint32 // the queue position: the number of runnable tasks ahead
}

// Balance chooses the job to move and its target, as a command for this node. It tries DLB, which
// needs a site that can run the job at once, and then QB. At most one job moves at a time.
func Balance(cfg *Config, s *State, sites []Site) (Command, bool) {
	idle := s.Idle()
	if c, ok := DLB(cfg, s.Self, idle, sites); ok {
		return c, true
	}
	return QB(cfg, s.Self, idle, sites)
}

// Idle returns the jobs represented here that may move, the oldest first. They are idle and have
// not moved before.
func (s *State) Idle() []Idle {
	var all []Idle
	for i := range s.Roles {
		r := &s.Roles[i]
		if r.Phase != Collecting || r.Moved {
			continue
		}
		j := Idle{Job: r.Job, Requirement: r.Spec.Requirement}
		for _, m := range r.Members {
			switch {
			case m.State == MemberGone:
			case m.Host == s.Self:
				j.Waiting = append(j.Waiting, Waiting{m.Host, s.ahead(r.Attempt())})
			default:
				j.Waiting = append(j.Waiting, Waiting{m.Host, m.Position})
			}
		}
		all = append(all, j)
	}
	return all
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
func DLB(cfg *Config, self protocol.NodeID, idle []Idle, sites []Site) (Command, bool) {
	return firstMove(cfg, self, idle, sites, func(j *Idle, m *Site) bool {
		return atMost(j.Requirement, m.residueWithout(cfg, j), cfg.Dims)
	})
}

// QB is Algorithm 2, queue balancing: it moves the oldest job that would wait less elsewhere to the
// minimal such site.
func QB(cfg *Config, self protocol.NodeID, idle []Idle, sites []Site) (Command, bool) {
	return firstMove(cfg, self, idle, sites, func(j *Idle, m *Site) bool {
		return atMost(j.Requirement, m.Coordinate, cfg.Dims) && j.betterThan(m.maxQLWithout(j))
	})
}

// firstMove is the loop of both algorithms: the first job that has a site moves to a minimal one. A
// hash of job and site chooses among several minimal ones.
func firstMove(
	cfg *Config,
	self protocol.NodeID,
	idle []Idle,
	sites []Site,
	fits func(*Idle, *Site) bool,
) (Command, bool) {
	for i := range idle {
		j := &idle[i]
		var fitting []Site
		for k := range sites {
			if sites[k].ID != self && fits(j, &sites[k]) {
				fitting = append(fitting, sites[k])
			}
		}
		if len(fitting) > 0 {
			return Command{Kind: CommandMove, Job: j.Job, Target: minimum(cfg, j.Job, fitting)}, true
		}
	}
	return Command{}, false
}

// minimum returns a site such that no other one is smaller.
func minimum(cfg *Config, job Job, sites []Site) protocol.NodeID {
	minimal := slices.DeleteFunc(slices.Clone(sites), func(m Site) bool {
		return slices.ContainsFunc(sites, func(other Site) bool { return less(other.Coordinate, m.Coordinate, cfg.Dims) })
	})
	return slices.MinFunc(minimal, func(a, b Site) int { return cmp.Compare(drawn(job, a.ID), drawn(job, b.ID)) }).ID
}

// drawn replaces the random choice of the paper among equals. A hash spreads jobs as evenly, and
// makes runs repeatable.
func drawn(job Job, id protocol.NodeID) uint64 {
	return protocol.Hash(protocol.AppendNodeID(job.append(nil), id))
}

// residueWithout returns the residue without the job's own dependents: a node whose only task is
// one of them is free for the job.
func (m *Site) residueWithout(cfg *Config, j *Idle) space.Point {
	residue := m.Residue
	if cfg.Machine == cfg.Dims {
		return residue
	}
	for _, q := range m.Queues {
		if q.Length == 1 && j.waitsAt(q.Node) {
			residue[cfg.Machine]++
		}
	}
	return residue
}

// maxQLWithout returns the largest queue length in the site's cluster, without the job's own
// dependents.
func (m *Site) maxQLWithout(j *Idle) uint32 {
	longest := uint32(0)
	for _, q := range m.Queues {
		length := q.Length
		if length > 0 && j.waitsAt(q.Node) {
			length--
		}
		longest = max(longest, length)
	}
	return longest
}

func (j *Idle) waitsAt(node protocol.NodeID) bool {
	return slices.ContainsFunc(j.Waiting, func(w Waiting) bool { return w.Host == node })
}

// betterThan reports whether maxQL < averageQP - 1, in whole numbers.
func (j *Idle) betterThan(maxQL uint32) bool {
	sum := uint64(0)
	for _, w := range j.Waiting {
		sum += uint64(w.Ahead)
	}
	return (uint64(maxQL)+1)*uint64(len(j.Waiting)) < sum
}
