package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Queue is the queue length of a node.
type Queue struct {
	Node   protocol.NodeID
	Length uint32
}

// Reports is the simplest [View]: the queues in the cluster of each site, in the order of the
// sites. Dimension Config.Machine, if there is one, counts the nodes of the cluster.
type Reports struct {
	Config *Config
	Sites  []Site
	Queues [][]Queue
}

// Residue implements [View]: the capability of the nodes, if one is free, and how many are.
func (r *Reports) Residue(site int, j *Idle) space.Point {
	free := int32(0)
	for _, q := range r.Queues[site] {
		if j.LengthWithout(q) == 0 {
			free++
		}
	}
	residue := r.Sites[site].Coordinate
	if free == 0 {
		clear(residue[:r.Config.Machine])
	}
	if r.Config.Machine < r.Config.Dims {
		residue[r.Config.Machine] = free
	}
	return residue
}

// MaxQL implements [View].
func (r *Reports) MaxQL(site int, j *Idle) uint32 {
	longest := uint32(0)
	for _, q := range r.Queues[site] {
		longest = max(longest, j.LengthWithout(q))
	}
	return longest
}

// LengthWithout returns the length of a queue without the job's own dependent.
func (j *Idle) LengthWithout(q Queue) uint32 {
	if q.Length > 0 && slices.ContainsFunc(j.Waiting, func(w Waiting) bool { return w.Host == q.Node }) {
		return q.Length - 1
	}
	return q.Length
}
