package reptask

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Rank returns those of some nodes, in ascending order, that may run a dependent task of a job, the
// best first. Idle nodes come first, and of these the minimally capable ones; a hash chooses among
// equals.
func Rank(cfg *Config, job Job, requirement space.Point, nodes []Neighbour) []protocol.NodeID {
	type candidate struct {
		at   int    // in nodes
		kind int    // in kinds
		busy uint32 // 0: idle, 1: not
		hash uint64
	}
	all := make([]candidate, 0, len(nodes))
	var kinds kinds
	for i := range nodes {
		if q := &nodes[i]; match.Satisfies(&cfg.Classes, &requirement, &q.Capability, cfg.Machine) {
			all = append(all, candidate{at: i, kind: kinds.add(&q.Capability), busy: min(q.Length, 1), hash: drawn(job, q.ID)})
		}
	}
	below := kinds.below(cfg)
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(
			cmp.Compare(a.busy, b.busy), cmp.Compare(below[a.kind], below[b.kind]), cmp.Compare(a.hash, b.hash),
		)
	})
	ids := make([]protocol.NodeID, len(all))
	for i, c := range all {
		ids[i] = nodes[c.at].ID
	}
	return ids
}

// kinds are the different capabilities of some nodes, and how many have each. Large clusters have
// few kinds, so that nodes are compared with kinds, and not each with each.
type kinds []kind

type kind struct {
	capability space.Point
	nodes      int
}

// add counts a node, and returns the number of its kind.
func (k *kinds) add(capability *space.Point) int {
	i := slices.IndexFunc(*k, func(x kind) bool { return x.capability == *capability })
	if i < 0 {
		i = len(*k)
		*k = append(*k, kind{capability: *capability})
	}
	(*k)[i].nodes++
	return i
}

// below counts, for each kind, the nodes that are less capable.
func (k kinds) below(cfg *Config) []int {
	counts := make([]int, len(k))
	for i := range k {
		for j := range k {
			if match.Less(cfg.StrictMinimum, &cfg.Classes, &k[j].capability, &k[i].capability, cfg.Machine) {
				counts[i] += k[j].nodes
			}
		}
	}
	return counts
}
